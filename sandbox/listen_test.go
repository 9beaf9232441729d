package sandbox

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func parse(t *testing.T, method, raw string) *http.Response {
	t.Helper()
	r, err := http.ReadResponse(bufio.NewReader(strings.NewReader(raw)), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%v in %q", err, raw)
	}
	return r
}

func TestHeaderBound(t *testing.T) {
	b := serve(t)
	host, _ := b.entry(notes, "f", "index.html")
	if r := b.get("GET", host, "/x.js", script, "X-Pad: "+strings.Repeat("a", headerBytes/2)); r.StatusCode != 200 {
		t.Errorf("below the bound: %d", r.StatusCode)
	}
	// net/http allows itself 4 KiB of slack over the bound.
	if r := b.get("GET", host, "/x.js", script, "X-Pad: "+strings.Repeat("a", headerBytes+8<<10)); r.StatusCode != 431 {
		t.Errorf("over the bound: %d", r.StatusCode)
	}
}

func TestConnectionBound(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	lim := limitTo(l, 2)
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := lim.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	defer dial().Close()
	defer dial().Close()
	a, b := <-accepted, <-accepted
	over := dial()
	if _, err := over.Read(make([]byte, 1)); err == nil {
		t.Error("the third connection was held")
	}
	_ = a.Close()
	_ = a.Close() // giving a place back twice would block the listener or open it wide
	defer dial().Close()
	c := <-accepted
	over = dial()
	if _, err := over.Read(make([]byte, 1)); err == nil {
		t.Error("a place was given back twice")
	}
	_, _ = b.Close(), c.Close()
}

func TestConnectionEnds(t *testing.T) {
	b := serve(t)
	host, _ := b.entry(notes, "f", "index.html")
	c, err := net.Dial("tcp", "127.0.0.1:"+b.port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	br := bufio.NewReader(c)
	n := 0
	for ; n < perConnection+1; n++ {
		if _, err := io.WriteString(c, "GET /x.js HTTP/1.1\r\nHost: "+host+"\r\n"+script+"\r\n\r\n"); err != nil {
			break
		}
		r, err := http.ReadResponse(br, nil)
		if err != nil {
			break
		}
		_, _ = io.Copy(io.Discard, r.Body)
	}
	if n != perConnection {
		t.Errorf("one connection was answered %d times, want %d", n, perConnection)
	}
}

// slow is a Lookup that answers one app only when it is let go.
type slow struct {
	library
	entered chan struct{}
	let     chan struct{}
}

func (s slow) File(app string, uid uint64, hash, path string) ([]byte, string, bool) {
	if app == notes.App {
		s.entered <- struct{}{}
		<-s.let
	}
	return s.library.File(app, uid, hash, path)
}

// A label that asks for everything at once waits for itself; another is answered meanwhile.
func TestHogWaitsForItself(t *testing.T) {
	b := serve(t)
	hold := slow{files, make(chan struct{}), make(chan struct{})}
	b.lookup = hold
	hog, _ := b.entry(notes, "f1", "index.html")
	other, _ := b.entry(daybook, "f2", "index.html")
	answers := make(chan int)
	const asked = answersPerLabel + 3
	for range asked {
		go func() { answers <- b.get("GET", hog, "/x.js", script).StatusCode }()
	}
	for range answersPerLabel {
		<-hold.entered
	}
	select {
	case <-hold.entered:
		t.Error("more answers of one label are under way than may be")
	default:
	}
	if r := b.get("GET", other, "/x.js", script); r.StatusCode != 200 {
		t.Errorf("the other app: %d", r.StatusCode)
	}
	close(hold.let)
	for range asked - answersPerLabel {
		<-hold.entered
	}
	for range asked {
		if got := <-answers; got != 200 {
			t.Errorf("a waiting request: %d", got)
		}
	}
}
