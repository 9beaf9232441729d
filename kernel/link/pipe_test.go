package link

import (
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// desk is a server with its host, in memory.
type desk struct {
	*Server
	t    *testing.T
	host *host
	net  kerneltest.Net
}

func play(t *testing.T, f func(d *desk)) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{t: t, host: &host{}}
		ln, err := d.net.Listen("127.0.0.1:1")
		if err != nil {
			t.Fatal(err)
		}
		d.Server, err = New(Options{Host: d.host, Files: page, Origin: "http://127.0.0.1:1", Sandbox: "http://*.localhost:2", Hash: hash})
		if err != nil {
			t.Fatal(err)
		}
		srv := &http.Server{Handler: d.Server}
		var served sync.WaitGroup
		served.Go(func() { srv.Serve(ln) })
		f(d)
		d.Server.Close()
		srv.Close()
		served.Wait()
	})
}

// tab is one browser page: it reads all it is sent and answers pings unless told not to.
type tab struct {
	d       *desk
	ws      *websocket.Conn
	write   sync.Mutex
	mu      sync.Mutex
	silent  bool
	frames  []*linkv1.ToShell
	code    int // why the link closed; -1: without a word
	welcome *linkv1.Welcome
	done    chan struct{}
}

// open says hello; the tab's code tells when it was refused.
func (d *desk) open(secret string) *tab {
	d.t.Helper()
	dialer := websocket.Dialer{NetDialContext: d.net.Dial}
	ws, _, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
	if err != nil {
		d.t.Fatal(err)
	}
	p := &tab{d: d, ws: ws, done: make(chan struct{})}
	if err := ws.WriteMessage(websocket.BinaryMessage, first(secret)); err != nil {
		d.t.Fatal(err)
	}
	go p.read()
	synctest.Wait()
	return p
}

func (p *tab) read() {
	defer close(p.done)
	for {
		_, b, err := p.ws.ReadMessage()
		if err != nil {
			p.mu.Lock()
			p.code = -1
			if ce, ok := err.(*websocket.CloseError); ok {
				p.code = ce.Code
			}
			p.mu.Unlock()
			p.ws.Close()
			return
		}
		m := new(linkv1.ToShell)
		if err := proto.Unmarshal(b, m); err != nil {
			panic(err)
		}
		p.mu.Lock()
		p.frames = append(p.frames, m)
		if w := m.GetWelcome(); w != nil {
			p.welcome = w
		}
		pong := m.GetPing() != nil && !p.silent
		p.mu.Unlock()
		if pong {
			p.send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Pong{Pong: &linkv1.Pong{Seq: m.GetPing().GetSeq()}}})
		}
	}
}

func (p *tab) send(m *linkv1.ToKernel) {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	p.write.Lock()
	defer p.write.Unlock()
	p.ws.WriteMessage(websocket.BinaryMessage, b) // the link may have closed; the test looks at code
}

func (p *tab) quiet(on bool) { p.mu.Lock(); p.silent = on; p.mu.Unlock() }

func (p *tab) resume() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.welcome.GetResume()
}

func (p *tab) closed() int {
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.code
}

// kill ends the page without a word, as SIGKILL does.
func (p *tab) kill() { p.ws.Close(); <-p.done; synctest.Wait() }

// told is what a host heard of one shell.
type told struct{ stalls, back, gone int }

func (s *shell) told() told {
	s.mu.Lock()
	defer s.mu.Unlock()
	return told{s.stalls, s.back, s.gone}
}

func (d *desk) boot() string { return bootOf(d.Server) }

func TestBootSecretExpires(t *testing.T) {
	play(t, func(d *desk) {
		early, late := d.boot(), d.boot()
		time.Sleep(limit.BootSecret - time.Second)
		if p := d.open(early); p.welcome == nil {
			t.Errorf("after 59 s: closed with %d", p.closed())
		}
		time.Sleep(time.Second)
		if p := d.open(late); p.closed() != CloseSecret {
			t.Errorf("after 60 s: %d", p.closed())
		}
	})
}

func TestResumeRotates(t *testing.T) {
	play(t, func(d *desk) {
		a := d.open(d.boot())
		r1, client := a.resume(), a.welcome.Client
		time.Sleep(2 * limit.Ping) // a pong acknowledges the welcome
		a.kill()
		b := d.open(r1)
		r2 := b.resume()
		if b.welcome.Client != client || r2 == r1 || r2 == "" {
			t.Fatalf("resume: %v", b.welcome)
		}
		if d.host.shell(1).hello.Fresh {
			t.Error("a reload counts as a fresh shell")
		}
		time.Sleep(2 * limit.Ping)
		b.kill()
		if p := d.open(r1); p.closed() != CloseSecret {
			t.Errorf("the secret before the acknowledged one still works: %d", p.closed())
		}
		if p := d.open(r2); p.welcome == nil {
			t.Errorf("the newest secret does not work: %d", p.closed())
		}
	})
}

func TestKilledBeforeItKeptTheSecret(t *testing.T) {
	play(t, func(d *desk) {
		a := d.open(d.boot())
		r1 := a.resume()
		a.kill()
		// Three pages in a row are killed before they could say that they kept theirs.
		var r []string
		for range 3 {
			p := d.open(r1)
			if p.welcome == nil {
				t.Fatalf("the unacknowledged page lost its shell: %d", p.closed())
			}
			r = append(r, p.resume())
			p.kill()
		}
		// The newest one, used, proves that it arrived: now the old one is dead.
		p := d.open(r[2])
		if p.welcome == nil {
			t.Fatal(p.closed())
		}
		p.kill()
		for i, old := range []string{r1, r[0], r[1]} {
			if p := d.open(old); p.closed() != CloseSecret {
				t.Errorf("old secret %d: %d", i, p.closed())
			}
		}
	})
}

func TestDuplicatedTabIsASecondShell(t *testing.T) {
	play(t, func(d *desk) {
		a := d.open(d.boot())
		time.Sleep(2 * limit.Ping)
		copied := a.resume()
		b := d.open(copied)
		if b.welcome == nil || b.welcome.Client == a.welcome.Client {
			t.Fatalf("the copy: %v, closed %d", b.welcome, b.closed())
		}
		if a.closed() != 0 {
			t.Errorf("the original was closed with %d", a.code)
		}
		a.kill()
		if c := d.open(copied); c.welcome == nil || c.welcome.Client != a.welcome.Client {
			t.Error("the original cannot reload after it was copied")
		}
	})
}

func TestReloadOvertakesItsOldLink(t *testing.T) {
	play(t, func(d *desk) {
		a := d.open(d.boot())
		time.Sleep(2 * limit.Ping)
		a.quiet(true) // its page is gone, its socket not yet
		secret := a.resume()
		synctest.Wait()
		start := time.Now()
		b := d.open(secret)
		<-a.done
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if b.welcome == nil || b.welcome.Client != a.welcome.Client {
			t.Fatalf("reload: %v %d", b.welcome, b.closed())
		}
		if took := time.Since(start); took > limit.TwinWait+10*time.Millisecond {
			t.Errorf("the reload waited %v", took)
		}
		<-d.host.shell(0).left
		if n := d.host.shell(0).told().gone; n != 1 {
			t.Errorf("%d detaches", n)
		}
	})
}

// sockets gives both ends of a socket whose hello is over.
func (d *desk) sockets() (kernel, page *websocket.Conn) {
	d.t.Helper()
	near, far := net.Pipe()
	took := make(chan *websocket.Conn, 1)
	ln := oneConn{far, make(chan struct{}), new(sync.Once)}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
		if err != nil {
			d.t.Error(err)
		}
		took <- ws
	})}
	go srv.Serve(&ln) //nolint:errcheck // ends with Close
	dialer := websocket.Dialer{NetDial: func(string, string) (net.Conn, error) { return near, nil }}
	page, _, err := dialer.Dial("ws://x/", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	kernel = <-took
	srv.Close()
	return kernel, page
}

// oneConn is a listener that gives one connection.
type oneConn struct {
	net.Conn
	done  chan struct{}
	given *sync.Once
}

func (l *oneConn) Accept() (c net.Conn, err error) {
	l.given.Do(func() { c = l.Conn })
	if c != nil {
		return c, nil
	}
	<-l.done
	return nil, net.ErrClosed
}
func (l *oneConn) Addr() net.Addr { return l.LocalAddr() }
func (l *oneConn) Close() error   { close(l.done); return nil }

// Two pages with one resume secret come back in the same moment, and neither hello finds
// the other's link. A shell has one link, of the page that was admitted last, and it can reload.
func TestTwoHellosOfOneShellAtOnce(t *testing.T) {
	for name, steps := range map[string]string{"in order": "admit 0, admit 1, run 0, run 1", "overtaken": "admit 0, admit 1, run 1, run 0", "late": "admit 0, run 0, admit 1, run 1"} {
		play(t, func(d *desk) {
			a := d.open(d.boot())
			time.Sleep(2 * limit.Ping)
			secret := a.resume()
			a.kill()
			var grants [2]admission
			var tabs [2]*tab
			for step := range strings.SplitSeq(steps, ", ") {
				verb, n, _ := strings.Cut(step, " ")
				i := int(n[0] - '0')
				if verb == "admit" {
					g, err := d.Server.secrets.admit(secret, false)
					if err != nil {
						t.Fatal(err)
					}
					grants[i] = g
					continue
				}
				kernel, page := d.sockets()
				tabs[i] = &tab{d: d, ws: page, silent: true, done: make(chan struct{})} // no pong ends the secret
				go tabs[i].read()
				d.Server.wg.Go(func() { defer kernel.Close(); d.Server.run(kernel, grants[i]) })
				synctest.Wait()
			}
			if n := len(d.Server.all()); n != 1 {
				t.Fatalf("%s: one shell has %d links", name, n)
			}
			<-tabs[0].done
			if tabs[1].welcome == nil || tabs[1].closed() != 0 {
				t.Fatalf("%s: the shell that was admitted last is gone with %d", name, tabs[1].code)
			}
			tabs[1].kill()
			if back := d.open(grants[1].resume); back.welcome == nil || back.welcome.Client != a.welcome.Client {
				t.Errorf("%s: it cannot reload: %d", name, back.closed())
			}
		})
	}
}

func TestNoHelloClosesAfterFiveSeconds(t *testing.T) {
	play(t, func(d *desk) {
		dialer := websocket.Dialer{NetDialContext: d.net.Dial}
		ws, _, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, _, err = ws.ReadMessage()
		if !websocket.IsCloseError(err, CloseProtocol) || time.Since(start) != limit.HelloWait {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ws.Close()
	})
}

func TestSilentHellosAreBounded(t *testing.T) {
	play(t, func(d *desk) {
		dialer := websocket.Dialer{NetDialContext: d.net.Dial}
		var all []*websocket.Conn
		for range limit.HellosWaiting {
			ws, _, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, ws)
		}
		if _, r, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1")); err == nil || r.StatusCode != 503 {
			t.Errorf("one more: %v", err)
		}
		for _, ws := range all {
			ws.Close()
		}
		synctest.Wait()
		if p := d.open(d.boot()); p.welcome == nil {
			t.Errorf("after they left: %d", p.closed())
		}
	})
}

func TestStall(t *testing.T) {
	play(t, func(d *desk) {
		p := d.open(d.boot())
		time.Sleep(time.Minute)
		s := d.host.shell(0)
		if n := s.told().stalls; n != 0 {
			t.Fatalf("a shell that answers stalled %d times", n)
		}
		p.quiet(true)
		start := time.Now()
		for s.told().stalls == 0 && time.Since(start) < time.Minute {
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
		}
		if took := time.Since(start); took < limit.Stall || took > limit.Stall+2*limit.Ping {
			t.Errorf("the stall was declared after %v", took)
		}
		s.mu.Lock()
		if s.since < limit.Stall || s.since > limit.Stall+limit.Ping {
			t.Errorf("it was told as %v old", s.since)
		}
		s.mu.Unlock()
		time.Sleep(time.Minute)
		if got := s.told(); got != (told{1, 0, 0}) {
			t.Errorf("one silence: %+v", got)
		}
		p.quiet(false)
		time.Sleep(2 * limit.Ping)
		if n := s.told().back; n != 1 {
			t.Errorf("%d recoveries after the answer", n)
		}
		p.quiet(true)
		time.Sleep(limit.Stall + 2*limit.Ping)
		if n := s.told().stalls; n != 2 {
			t.Errorf("the second silence: %d stalls", n)
		}
	})
}

// A kernel that is slow itself must not blame the shell.
func TestBusyKernelIsNoStall(t *testing.T) {
	play(t, func(d *desk) {
		p := d.open(d.boot())
		s := d.host.shell(0)
		s.mu.Lock()
		s.block = make(chan struct{})
		s.mu.Unlock()
		p.send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Refused{Refused: &linkv1.Refused{}}})
		time.Sleep(5 * limit.Stall)
		if n := s.told().stalls; n != 0 {
			t.Errorf("%d stalls while Receive was at work", n)
		}
		close(s.block)
		time.Sleep(limit.Ping)
	})
}

func frameWith(n int) *linkv1.ToShell {
	return &linkv1.ToShell{Frame: &linkv1.ToShell_Notice{Notice: &linkv1.Notice{Text: string(make([]byte, n))}}}
}

func health(reason string) *linkv1.State {
	return &linkv1.State{Part: &linkv1.State_Health{Health: &linkv1.Health{GateReason: reason}}}
}

// A page that does not read is cut off; it cannot make the kernel hold its frames for ever.
func TestSlowShellIsClosed(t *testing.T) {
	for name, c := range map[string]struct{ frames, bytes int }{
		"too many frames": {limit.LinkSendQueue + 2, 1},
		"too many bytes":  {70, 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(d *desk) {
				dialer := websocket.Dialer{NetDialContext: d.net.Dial}
				ws, _, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
				if err != nil {
					t.Fatal(err)
				}
				ws.WriteMessage(websocket.BinaryMessage, first(d.boot()))
				synctest.Wait()
				s := d.host.shell(0)
				for range c.frames {
					s.Send(frameWith(c.bytes))
				}
				start := time.Now()
				<-s.left
				if took := time.Since(start); took > limit.LinkClose {
					t.Errorf("it was let go after %v", took)
				}
				s.Send(frameWith(1)) // after the end: nothing happens
				ws.Close()
			})
		})
	}
}

// The same amount of state is no burden: only the latest of each part waits.
func TestStateIsCoalesced(t *testing.T) {
	play(t, func(d *desk) {
		dialer := websocket.Dialer{NetDialContext: d.net.Dial}
		ws, _, err := dialer.Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
		if err != nil {
			t.Fatal(err)
		}
		ws.WriteMessage(websocket.BinaryMessage, first(d.boot()))
		synctest.Wait()
		s := d.host.shell(0)
		n := 3 * limit.LinkSendQueue
		for i := range n {
			s.SendState(health(string(rune('a' + i%26))))
			s.SendState(&linkv1.State{Part: &linkv1.State_Apps{Apps: &linkv1.Apps{}}})
		}
		s.Send(frameWith(1))
		var states, parts int
		var last string
		for {
			_, b, err := ws.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			var m linkv1.ToShell
			if err := proto.Unmarshal(b, &m); err != nil {
				t.Fatal(err)
			}
			if h := m.GetState().GetHealth(); h != nil {
				states++
				last = h.GetGateReason()
			}
			if m.GetState().GetApps() != nil {
				parts++
			}
			if m.GetNotice() != nil {
				break
			}
		}
		if want := string(rune('a' + (n-1)%26)); last != want || states > 2 || parts > 2 {
			t.Errorf("%d health and %d apps parts arrived, the last is %q, want %q", states, parts, last, want)
		}
		ws.Close()
	})
}

func TestFramesArriveInOrderAfterTheWelcome(t *testing.T) {
	play(t, func(d *desk) {
		d.host.early = frameWith(3)
		p := d.open(d.boot())
		s := d.host.shell(0)
		for i := range 100 {
			s.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Notice{Notice: &linkv1.Notice{Code: string(rune(i + 1))}}})
		}
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.frames[0].GetWelcome() == nil || p.frames[1].GetNotice().GetText() == "" {
			t.Fatalf("first came %v and %v", p.frames[0], p.frames[1])
		}
		at := 0
		for _, m := range p.frames[2:] {
			if n := m.GetNotice(); n != nil {
				at++
				if n.GetCode() != string(rune(at)) {
					t.Fatalf("notice %d carries %q", at, n.GetCode())
				}
			}
		}
		if at != 100 {
			t.Errorf("%d of 100 arrived", at)
		}
	})
}

func TestFrames(t *testing.T) {
	id := "0123456789abcdef0123456789abcdef"
	raw := func(m *linkv1.ToKernel) []byte { b, _ := proto.Marshal(m); return b }
	exec := func(frame string, conn, n uint64) []byte {
		return raw(&linkv1.ToKernel{Frame: &linkv1.ToKernel_PortExec{PortExec: &linkv1.PortExec{FrameId: frame, Connection: conn, Id: n}}})
	}
	for _, c := range []struct {
		name   string
		kind   int
		bytes  []byte
		code   int // 0: the link lives
		passed bool
	}{
		{"a good exec", websocket.BinaryMessage, exec(id, 1, 1), 0, true},
		{"the largest id", websocket.BinaryMessage, exec(id, 1, limit.EnvelopeIDMax), 0, true},
		{"an unknown kind", websocket.BinaryMessage, []byte{0xfa, 0x3e, 0x01, 'x'}, 0, false},
		{"an empty frame", websocket.BinaryMessage, nil, 0, false},
		{"text", websocket.TextMessage, exec(id, 1, 1), CloseProtocol, false},
		{"cut short", websocket.BinaryMessage, exec(id, 1, 1)[:9], CloseProtocol, false},
		{"bad UTF-8", websocket.BinaryMessage, append([]byte{0x32, 0x22, 0x0a, 0x20}, []byte("\xff123456789abcdef0123456789abcdef")...), CloseProtocol, false},
		{"a second hello", websocket.BinaryMessage, first("x"), CloseProtocol, false},
		{"a frame id in upper case", websocket.BinaryMessage, exec("0123456789ABCDEF0123456789ABCDEF", 1, 1), CloseProtocol, false},
		{"a short frame id", websocket.BinaryMessage, exec("0123", 1, 1), CloseProtocol, false},
		{"no frame id", websocket.BinaryMessage, exec("", 1, 1), CloseProtocol, false},
		{"connection 0", websocket.BinaryMessage, exec(id, 0, 1), CloseProtocol, false},
		{"envelope 0", websocket.BinaryMessage, exec(id, 1, 0), CloseProtocol, false},
		{"envelope 2^53", websocket.BinaryMessage, exec(id, 1, limit.EnvelopeIDMax+1), CloseProtocol, false},
		{"an answer without a result", websocket.BinaryMessage, raw(&linkv1.ToKernel{Frame: &linkv1.ToKernel_PortResponse{PortResponse: &linkv1.PortResponse{FrameId: id, Connection: 1, Call: 1}}}), CloseProtocol, false},
		{"request 0", websocket.BinaryMessage, raw(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Request{Request: &linkv1.Request{}}}), CloseProtocol, false},
		{"a chunk over its bound", websocket.BinaryMessage, raw(&linkv1.ToKernel{Frame: &linkv1.ToKernel_UploadChunk{UploadChunk: &linkv1.UploadChunk{UploadId: "01HZZZZZZZZZZZZZZZZZZZZZZZ", Data: make([]byte, limit.UploadChunk+1)}}}), CloseProtocol, false},
		{"over 4 MiB", websocket.BinaryMessage, make([]byte, limit.LinkFrameBytes+1), websocket.CloseMessageTooBig, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(d *desk) {
				p := d.open(d.boot())
				p.write.Lock()
				p.ws.WriteMessage(c.kind, c.bytes)
				p.write.Unlock()
				if got := p.closed(); got != c.code {
					t.Errorf("closed with %d, want %d", got, c.code)
				}
				if got := d.Server.Refused() == 1; got != (c.code != 0) {
					t.Errorf("counted: %v", got)
				}
				s := d.host.shell(0)
				s.mu.Lock()
				defer s.mu.Unlock()
				if got := len(s.frames) == 1; got != c.passed {
					t.Errorf("reached the kernel: %v", got)
				}
			})
		})
	}
}

func TestFloodCutsOneShellOff(t *testing.T) {
	play(t, func(d *desk) {
		quiet, loud := d.open(d.boot()), d.open(d.boot())
		for range limit.LinkBurst + 1 {
			loud.send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Pong{Pong: &linkv1.Pong{}}})
		}
		if got := loud.closed(); got != websocket.ClosePolicyViolation {
			t.Errorf("the flood was closed with %d", got)
		}
		if got := quiet.closed(); got != 0 {
			t.Errorf("the other shell was closed with %d", got)
		}
	})
}

func TestLock(t *testing.T) {
	play(t, func(d *desk) {
		a, unused := d.open(d.boot()), d.boot()
		s := d.host.shell(0)
		s.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Locked{Locked: &linkv1.Locked{AtMs: 7}}})
		d.Lock()
		if got := a.closed(); got != CloseLocked || a.frames[len(a.frames)-1].GetLocked().GetAtMs() != 7 {
			t.Errorf("closed with %d, last frame %v", got, a.frames[len(a.frames)-1])
		}
		for name, secret := range map[string]string{"resume": a.resume(), "unused boot": unused, "none": ""} {
			if p := d.open(secret); p.closed() != CloseLocked {
				t.Errorf("%s while locked: %d", name, p.closed())
			}
		}
		d.Unlock()
		for name, secret := range map[string]string{"resume": a.resume(), "unused boot": unused} {
			if p := d.open(secret); p.closed() != CloseSecret {
				t.Errorf("%s of before the lock: %d", name, p.closed())
			}
		}
		if p := d.open(d.boot()); p.welcome == nil {
			t.Errorf("a new secret after the lock: %d", p.closed())
		}
	})
}

func TestCloseLeavesNothing(t *testing.T) {
	play(t, func(d *desk) { // the bubble itself fails on a goroutine that stays
		for range 3 {
			d.open(d.boot())
		}
		ws, _, err := (&websocket.Dialer{NetDialContext: d.net.Dial}).Dial("ws://127.0.0.1:1/link", origin("http://127.0.0.1:1"))
		if err != nil {
			t.Fatal(err)
		}
		ws.WriteMessage(websocket.BinaryMessage, first(d.boot())) // a page that never reads
		synctest.Wait()
		start := time.Now()
		d.Server.Close()
		if took := time.Since(start); took > limit.LinkClose {
			t.Errorf("closing took %v", took)
		}
		for i := range d.host.shells {
			if n := d.host.shell(i).told().gone; n != 1 {
				t.Errorf("shell %d was detached %d times", i, n)
			}
		}
		ws.Close()
	})
}
