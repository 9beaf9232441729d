package app

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/link"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// native plays the window's native side: it answers for the locks, and notes the rest.
type native struct {
	tell   func(*controlv1.AttachWindowRequest)
	detach func()

	mu     sync.Mutex
	locks  controlv1.LockState
	silent bool
	told   []*controlv1.AttachWindowResponse
}

// sealed is what a good window says.
var sealed = &controlv1.LockState{FilterOn: true, ProxyOn: true, Redirected: true}

func (b *bench) window() *native {
	n := new(native)
	proto.Merge(&n.locks, sealed)
	n.tell, n.detach = b.kernel.AttachWindow(n.hear)
	n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Attach{Attach: &controlv1.Attach{}}})
	return n
}

func (n *native) hear(m *controlv1.AttachWindowResponse) {
	n.mu.Lock()
	n.told = append(n.told, m)
	nonce := m.GetArmProbe().GetNonce() + m.GetReadLocks().GetNonce()
	state := proto.CloneOf(&n.locks)
	silent := n.silent
	n.mu.Unlock()
	if nonce != "" && !silent {
		state.Nonce = nonce
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_LockState{LockState: state}})
	}
}

// last is the newest message that pick likes, and how many there were.
func (n *native) last(pick func(*controlv1.AttachWindowResponse) bool) (found *controlv1.AttachWindowResponse, count int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range n.told {
		if pick(m) {
			found = m
			count++
		}
	}
	return found, count
}

// boot asks for an address and gives its secret; "" when it holds none.
func (n *native) boot(unlock bool) string {
	n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_BootWanted{BootWanted: &controlv1.BootWanted{Unlock: unlock}}})
	synctest.Wait()
	return n.secret()
}

func (n *native) secret() string {
	m, _ := n.last(func(m *controlv1.AttachWindowResponse) bool { return m.GetBoot() != nil })
	_, secret, _ := strings.Cut(m.GetBoot().GetUrl(), "#boot=")
	return secret
}

func stalledMessage(m *controlv1.AttachWindowResponse) bool   { return m.GetStalled() != nil }
func recoveredMessage(m *controlv1.AttachWindowResponse) bool { return m.GetRecovered() != nil }

func (b *bench) openWindow(n *native) *kerneltest.Page {
	b.t.Helper()
	p := b.attach(kerneltest.PageOptions{Secret: n.boot(false)})
	if !p.Welcome.GetWindow() {
		b.t.Fatal("the kernel does not know its window")
	}
	p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() || h.GetGateReason() != "" })
	return p
}

// The gate opens for a sealed window, and each broken lock alone keeps it shut.
func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(*native)
		page   kerneltest.PageOptions
		reason string
	}{
		"sealed":             {},
		"a message heard":    {spoil: func(n *native) { n.locks.Heard = 1 }, reason: "reached"},
		"not redirected":     {spoil: func(n *native) { n.locks.Redirected = false }, reason: "own address"},
		"no filter":          {spoil: func(n *native) { n.locks.FilterOn = false }, reason: "filter"},
		"no proxy":           {spoil: func(n *native) { n.locks.ProxyOn = false }, reason: "network door"},
		"a handler in sight": {page: kerneltest.PageOptions{HasHandler: true}, reason: "native handler"},
		"a silent window":    {spoil: func(n *native) { n.silent = true }, reason: "did not answer"},
		"a silent probe":     {page: kerneltest.PageOptions{NoProbe: true}, reason: "did not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(b *bench) {
				n := b.window()
				if c.spoil != nil {
					c.spoil(n)
				}
				c.page.Secret = n.boot(false)
				p := b.attach(c.page)
				start := time.Now()
				h := p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() || h.GetGateReason() != "" })
				if h.GetGateOpen() != (c.reason == "") || !strings.Contains(h.GetGateReason(), c.reason) {
					t.Errorf("gate %v, reason %q", h.GetGateOpen(), h.GetGateReason())
				}
				if took := time.Since(start); c.reason == "" && took != limit.ProbeSettle {
					t.Errorf("the gate opened after %v", took)
				}
				b.install(p, 1, "notes", "1.0.0", true)
				_, err := p.OpenTile("notes", "main", "")
				if c.reason == "" {
					if err != nil {
						t.Error(err)
					}
					p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
					return
				}
				if fault.CodeOf(err) != fault.BridgeOpen {
					t.Errorf("a tile behind a shut gate: %v", err)
				}
				if m := p.Mounts(notesBackground); m != 0 {
					t.Errorf("%d backgrounds were mounted behind a shut gate", m)
				}
			})
		})
	}
}

// Without its native side nobody can say that the window is sealed.
func TestGateNeedsTheNativeSide(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		secret := n.boot(false)
		n.detach()
		p := b.attach(kerneltest.PageOptions{Secret: secret})
		h := p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() || h.GetGateReason() != "" })
		if h.GetGateOpen() || !strings.Contains(h.GetGateReason(), "not attached") {
			t.Errorf("gate %v, reason %q", h.GetGateOpen(), h.GetGateReason())
		}
	})
}

// Frames wait for the gate, they do not fail.
func TestFramesWaitForTheGate(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		b.installBoth(b.openWindow(n))
		n.mu.Lock()
		n.silent = true
		n.mu.Unlock()
		p := b.attach(kerneltest.PageOptions{Secret: n.boot(false)})
		opened := make(chan error, 1)
		go func() {
			_, err := p.OpenTile("daybook", "main", "")
			opened <- err
		}()
		time.Sleep(limit.ProbeWait / 2)
		synctest.Wait()
		select {
		case err := <-opened:
			t.Fatalf("a tile was answered before the gate was judged: %v", err)
		default:
		}
		n.mu.Lock()
		n.silent = false
		n.mu.Unlock()
		if err := <-opened; err != nil { // the next try of the probe is answered
			t.Error(err)
		}
	})
}

// A shell that was not booted for the window is none, whatever it says of itself.
func TestBrowserIsNoWindow(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.open()
		if p.Welcome.GetWindow() {
			t.Error("a browser passes for the window")
		}
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Gesture{Gesture: &linkv1.Gesture{X: 1}}})
		w := b.openWindow(n)
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Gesture{Gesture: &linkv1.Gesture{X: 2}}})
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_NativeKey{NativeKey: &linkv1.NativeKey{Key: "k", Ctrl: true}}})
		synctest.Wait()
		if len(p.Others()) != 0 {
			t.Errorf("a browser heard %v", p.Others())
		}
		if o := w.Others(); len(o) != 2 || o[0].GetGesture().GetX() != 2 || o[1].GetNativeKey().GetKey() != "k" {
			t.Errorf("the window heard %v", o)
		}
		holds := func() (on bool) {
			m, _ := n.last(func(m *controlv1.AttachWindowResponse) bool { return m.GetKeyHold() != nil })
			return m.GetKeyHold().GetOn()
		}
		hold := &linkv1.ToKernel{Frame: &linkv1.ToKernel_KeyHold{KeyHold: &linkv1.KeyHold{On: true}}}
		p.Send(hold)
		synctest.Wait()
		if holds() {
			t.Error("a browser holds the window's keys")
		}
		w.Send(hold)
		synctest.Wait()
		if !holds() {
			t.Error("the window's shell cannot hold the keys")
		}
		w.Kill()
		synctest.Wait()
		if holds() {
			t.Error("a page that died in a question keeps the keyboard")
		}
	})
}

func TestSecondWindowRaisesTheFirst(t *testing.T) {
	play(t, func(b *bench) {
		first, second := b.window(), b.window()
		synctest.Wait()
		if _, n := first.last(func(m *controlv1.AttachWindowResponse) bool { return m.GetRaise() != nil }); n != 1 {
			t.Errorf("the first was raised %d times", n)
		}
		if _, n := second.last(func(m *controlv1.AttachWindowResponse) bool { return m.GetQuit() != nil }); n != 1 {
			t.Errorf("the second was told to quit %d times", n)
		}
		if !b.kernel.RaiseWindow() {
			t.Error("there is no window")
		}
		first.detach()
		first.detach()
		if b.kernel.RaiseWindow() {
			t.Error("the window is gone and was raised")
		}
		third := b.window()
		if third.boot(false) == "" {
			t.Error("a window after the first has gone gets no address")
		}
	})
}

func TestWindowLock(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.openWindow(n)
		b.kernel.Lock()
		if code := p.Done(); code != link.CloseLocked {
			t.Errorf("closed with %d", code)
		}
		if secret := n.boot(false); secret != "" {
			t.Error("a reload of the locked window got a secret")
		}
		secret := n.boot(true)
		q := b.attach(kerneltest.PageOptions{Secret: secret})
		if !q.Welcome.GetWindow() || b.kernel.Locked() {
			t.Errorf("after the unlock: %v, locked %v", q.Welcome, b.kernel.Locked())
		}

		b.kernel.Lock()
		q.Done()
		if !b.kernel.RaiseWindow() || b.kernel.Locked() {
			t.Error("a command of the owner's did not unlock")
		}
		synctest.Wait()
		if again := b.attach(kerneltest.PageOptions{Secret: n.secret()}); !again.Welcome.GetWindow() {
			t.Errorf("the raised window: %v", again.Welcome)
		}
	})
}

// stallStory opens a window with notes (background) and daybook, in which a call
// to notes is on its way when the page stops.
func stallStory(b *bench, n *native, p *kerneltest.Page) {
	b.t.Helper()
	tile, err := p.OpenTile("daybook", "main", "")
	if err != nil {
		b.t.Fatal(err)
	}
	ask(tile)
	if len(p.Questions()) == 0 {
		synctest.Wait()
	}
	if len(p.Questions()) > 0 {
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			b.t.Fatal(err)
		}
	}
	synctest.Wait()
	p.Freeze(true)
}

// hang is a tool that never answers: its delivery stays marked.
var hang = map[string]kerneltest.Script{"notes": {Descriptors: []string{searchTool}}}

func TestStallRecovery(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.attach(kerneltest.PageOptions{Secret: n.boot(false), Scripts: hang})
		p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		b.installBoth(p)
		stallStory(b, n, p)
		time.Sleep(limit.Stall + 2*limit.Ping)
		synctest.Wait()
		m, count := n.last(stalledMessage)
		if count != 1 || len(m.GetStalled().GetSuspects()) != 1 || m.GetStalled().GetSuspects()[0] != "Notes" {
			t.Fatalf("the prompt: %v, %d times", m, count)
		}

		// "Wait", and it does not help: the owner is asked again.
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Answered{Answered: &controlv1.Answered{}}})
		time.Sleep(limit.StallAgain + time.Second)
		if _, count := n.last(stalledMessage); count != 2 {
			t.Errorf("after waiting the owner was asked %d times", count)
		}

		// "Reload": the page is cut off, and a fresh address comes by itself.
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Answered{Answered: &controlv1.Answered{Reload: true}}})
		if code := p.Done(); code != link.CloseReplaced {
			t.Errorf("the dead page's link closed with %d", code)
		}
		synctest.Wait()
		p = b.attach(kerneltest.PageOptions{Secret: n.secret(), Scripts: hang})
		h := p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		if h.GetStall() == nil || len(h.GetStall().GetSuspects()) != 1 || h.GetStall().GetSuspects()[0] != "notes" || h.GetStall().GetQuarantined() != "" {
			t.Errorf("the report: %v", h.GetStall())
		}
		p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY) // it gets one more chance

		// It stops the page again: now it is kept closed.
		stallStory(b, n, p)
		time.Sleep(limit.Stall + 2*limit.Ping)
		synctest.Wait()
		n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Answered{Answered: &controlv1.Answered{Reload: true}}})
		p.Done()
		synctest.Wait()
		p = b.attach(kerneltest.PageOptions{Secret: n.secret(), Scripts: hang})
		h = p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		if h.GetStall().GetQuarantined() != "notes" {
			t.Errorf("the second report: %v", h.GetStall())
		}
		p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_QUARANTINED)
		if p.Mounts(notesBackground) != 0 {
			t.Error("a quarantined background was mounted")
		}
		if _, err := p.OpenTile("daybook", "main", ""); err != nil {
			t.Errorf("the innocent app: %v", err)
		}
		// The owner may try it again.
		if _, err := p.Request("", func(r *linkv1.Request) {
			r.What = &linkv1.Request_RetryFrame{RetryFrame: &linkv1.RetryFrame{AppId: "notes"}}
		}); err != nil {
			t.Error(err)
		}
		p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
	})
}

// A page that hangs by itself leaves no mark. After the first stall all frames
// return one at a time, so the second one names it, however late the owner answers.
func TestStallWithoutSuspects(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.openWindow(n)
		b.install(p, 1, "daybook", "1.0.0", false)
		b.install(p, 2, "notes", "1.0.0", false)
		b.install(p, 3, "hoggy", "1.0.0", false)
		reload := func() *kerneltest.Page {
			time.Sleep(20 * time.Second) // the owner reads the prompt
			n.tell(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Answered{Answered: &controlv1.Answered{Reload: true}}})
			p.Done()
			synctest.Wait()
			p = b.attach(kerneltest.PageOptions{Secret: n.secret()})
			p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
			return p
		}
		// open restores the layout; the hog stops the page a while after its handshake.
		open := func(p *kerneltest.Page) {
			for _, app := range []string{"daybook", "hoggy", "notes"} {
				go func() {
					if _, err := p.OpenTile(app, "main", "a"); err == nil && app == "hoggy" {
						time.Sleep(1500 * time.Millisecond)
						p.Freeze(true)
					}
				}()
			}
		}
		open(p)
		if h := reload().Health(); h.GetStall() == nil || len(h.GetStall().GetSuspects()) != 0 || h.GetStall().GetQuarantined() != "" {
			t.Errorf("the first report: %v", h.GetStall())
		}
		open(p)
		for name := ""; name == ""; { // its turn comes, and then the prompt
			time.Sleep(time.Second)
			if _, asked := n.last(stalledMessage); asked == 2 {
				name = "asked"
			}
		}
		if h := reload().Health(); h.GetStall().GetQuarantined() != "hoggy" {
			t.Errorf("the second report: %v", h.GetStall())
		}
		for app, want := range map[string]fault.Code{"hoggy": fault.Quarantined, "daybook": "", "notes": ""} {
			if _, err := p.OpenTile(app, "main", "a"); fault.CodeOf(err) != want {
				t.Errorf("%s: %v", app, err)
			}
		}
	})
}

func TestStallThatPasses(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.openWindow(n)
		p.Freeze(true)
		time.Sleep(limit.Stall + 2*limit.Ping)
		p.Freeze(false)
		time.Sleep(2 * limit.Ping)
		synctest.Wait()
		_, asked := n.last(stalledMessage)
		_, back := n.last(recoveredMessage)
		if asked != 1 || back != 1 {
			t.Errorf("%d prompts, %d withdrawn", asked, back)
		}
		time.Sleep(time.Minute)
		if _, asked := n.last(stalledMessage); asked != 1 {
			t.Errorf("asked %d times about one stall", asked)
		}
	})
}

// A dead web process is not asked about: the window comes back by itself, and the
// page that was at work when it died is a suspect. Whether the link's end or the
// window's word comes first makes no difference.
func TestWebProcessDies(t *testing.T) {
	for name, linkFirst := range map[string]bool{"the link ends first": true, "the window tells first": false} {
		t.Run(name, func(t *testing.T) {
			play(t, func(b *bench) {
				n := b.window()
				died := &controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_ProcessDied{ProcessDied: &controlv1.ProcessDied{Reason: 1}}}
				crash := func(p *kerneltest.Page) *linkv1.Health {
					if linkFirst {
						p.Kill()
						synctest.Wait()
						n.tell(died)
					} else {
						n.tell(died)
						p.Done()
					}
					p = b.attach(kerneltest.PageOptions{Secret: n.boot(false), Scripts: hang})
					return p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
				}
				p := b.attach(kerneltest.PageOptions{Secret: n.boot(false), Scripts: hang})
				p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
				b.installBoth(p)
				stallStory(b, n, p)
				if h := crash(p); len(h.GetStall().GetSuspects()) != 1 || h.GetStall().GetQuarantined() != "" {
					t.Errorf("the report: %v", h.GetStall())
				}
				if _, asked := n.last(stalledMessage); asked != 0 {
					t.Error("the owner was asked about a dead process")
				}
			})
		})
	}
}

// A page that was only closed or reloaded is no suspect.
func TestReloadIsNoCrash(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.openWindow(n)
		b.installBoth(p)
		p.Kill()
		p = b.attach(kerneltest.PageOptions{Secret: p.Welcome.GetResume()})
		if h := p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() }); h.GetStall() != nil {
			t.Errorf("the report: %v", h.GetStall())
		}
	})
}

// A browser's tab that stalls is only noted: the kernel cannot end it.
func TestStalledBrowser(t *testing.T) {
	play(t, func(b *bench) {
		n := b.window()
		p := b.open()
		p.Freeze(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if _, asked := n.last(stalledMessage); asked != 0 {
			t.Error("the window was asked about a browser's tab")
		}
		p.Freeze(false)
		if _, err := p.Request("", func(r *linkv1.Request) { r.What = &linkv1.Request_ListGrants{ListGrants: &linkv1.ListGrants{}} }); err != nil {
			t.Errorf("the tab came back: %v", err)
		}
	})
}
