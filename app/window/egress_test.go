//go:build desktop && linux && e2e

package window

import (
	"context"
	"crypto/tls"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"neutron/kernel/egress"
	"neutron/kernel/proto/controlv1"
)

// exit is the kernel's real proxy before a TLS server that plays the internet.
type exit struct {
	*egress.Proxy
	address string

	mu    sync.Mutex
	hello map[string]int // names that a client of the server asked for
}

func serveExit(t *testing.T) *exit {
	t.Helper()
	e := &exit{hello: map[string]int{}}
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // the web view does not trust its certificate, and says so
	server.TLS = &tls.Config{GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.hello[h.ServerName]++
		return nil, nil
	}}
	server.StartTLS()
	e.Proxy = egress.New(egress.Options{
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		},
		Dial: func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := e.HTTPServer()
	go func() { _ = s.Serve(l) }()
	e.address = e.Address(l.Addr().String())
	t.Cleanup(func() { _ = s.Close(); e.Close(); server.Close() })
	return e
}

func (e *exit) asked(name string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.hello[name]
}

// The web view reaches a declared host through the proxy, by its credentials, and no other host:
// neither while it is not declared, nor once it no longer is.
func TestDeclaredHostsOnly(t *testing.T) {
	e := serveExit(t)
	s := openTo(t, &controlv1.Egress{Proxy: e.address})
	p := s.shellUp()
	tell := func(origins ...string) {
		e.Allow([]string{"https://a.example.com", "https://b.example.com"}) // the proxy alone would let both through
		s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Egress{Egress: &controlv1.Egress{Proxy: e.address, Origins: origins}}})
	}
	// What goes to a closed door may take its time to fail.
	get := func(host string) {
		p.run(`Promise.race([fetch("https://`+host+`/", {mode: "no-cors"}).catch(() => 0), new Promise(r => setTimeout(r, 2000))]).then(() => 0)`, nil)
	}
	reached := func(host string) bool {
		before := e.asked(host)
		get(host)
		return e.asked(host) > before
	}
	if reached("a.example.com") || reached("b.example.com") {
		t.Error("a host is reached before any was declared")
	}
	tell("https://a.example.com")
	s.until("the declared host is reached", func() bool { return reached("a.example.com") })
	if reached("b.example.com") {
		t.Error("the other host is reached")
	}
	tell("https://b.example.com")
	s.until("the other host is reached once it is declared", func() bool { return reached("b.example.com") })
	if reached("a.example.com") {
		t.Error("a host that is no longer declared is reached")
	}
	tell()
	s.until("nothing is reached when nothing is declared", func() bool { return !reached("b.example.com") })

	// What no filter sees meets the proxy, which knows the hosts too.
	tell("https://a.example.com")
	s.until("the declared host is reached again", func() bool { return reached("a.example.com") })
	e.Allow([]string{"https://a.example.com"})
	before := e.Refused()
	p.run(`document.head.append(Object.assign(document.createElement("link"), {rel: "preconnect", href: "https://c.example.com"}))`, nil)
	if within(patience/40, func() bool { return e.Refused() > before }) {
		t.Log("a preconnect to a foreign host came to the proxy and was refused")
	}
	if e.asked("c.example.com") > 0 {
		t.Error("a preconnect reached a foreign host")
	}
}
