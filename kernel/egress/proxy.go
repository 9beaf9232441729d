// Package egress is the only way out of the window: a CONNECT proxy on loopback
// that lets TLS through to the hosts of approved origins, port 443, and to nothing
// else.
//
//  1. A host passes when it is spelled exactly as in the list. It is looked up
//     here, never by the web view, and reached by the address that was judged:
//     one that is not of the public internet refuses the whole answer.
//  2. Only who knows the credentials of this launch is heard. They are told to the
//     window alone and stand in no page.
//  3. What passes is ciphertext: host, bytes and time are reported when a tunnel
//     ends, and nothing else is seen.
package egress

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

const op fault.Op = "egress"

// port is the only one that an origin without a port means.
const port = 443

// Options of a proxy. Every part may be nil.
type Options struct {
	// Resolve looks a host up; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	// Dial reaches an address that was judged; nil is TCP.
	Dial func(ctx context.Context, to netip.AddrPort) (net.Conn, error)
	// Began hears of each connection to an approved host, and what it returns, of
	// its end. Neither may block for long.
	Began func(host string) (ended func(Connection))
	Log   *slog.Logger
}

// Connection is what is known of one connection that was let through, or that an
// approved host could not be reached for. Err is nil for the former.
type Connection struct {
	Host     string
	Up, Down int64 // bytes from the window and to it, of TLS
	Err      error
}

// Proxy is the http.Handler of the proxy's listener. Create it with New.
type Proxy struct {
	o        Options
	log      *slog.Logger
	secret   string
	expected [sha256.Size]byte // of the Proxy-Authorization header
	refused  atomic.Uint64

	mu    sync.Mutex // guards what follows; nothing is called under it
	allow map[string]bool
	open  map[*tunnel]bool
	ended bool
	wg    sync.WaitGroup // tunnels
}

// New makes a proxy that lets nothing through until Allow.
func New(o Options) *Proxy {
	p := &Proxy{o: o, log: o.Log, secret: rand.Text(), allow: map[string]bool{}, open: map[*tunnel]bool{}}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	if p.o.Resolve == nil {
		p.o.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			// The dot keeps the system from trying the name inside the domains of this network.
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host+".")
		}
	}
	if p.o.Dial == nil {
		p.o.Dial = func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", to.String())
		}
	}
	if p.o.Began == nil {
		p.o.Began = func(string) func(Connection) { return func(Connection) {} }
	}
	p.expected = sha256.Sum256([]byte("Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+p.secret))))
	return p
}

const user = "window"

// Address is the proxy as a web view is told of it, with this launch's
// credentials; listener is the host and port that serves it.
func (p *Proxy) Address(listener string) string {
	return "http://" + user + ":" + p.secret + "@" + listener
}

// Allow replaces the origins that are let through, and ends what is open to any
// other host. What is no origin by valid.Origin is left out.
func (p *Proxy) Allow(origins []string) {
	allow := make(map[string]bool, len(origins))
	for _, o := range origins {
		if host, err := valid.Origin(o); err == nil {
			allow[host] = true
		}
	}
	p.mu.Lock()
	p.allow = allow
	var over []*tunnel
	for t := range p.open {
		if !allow[t.host] {
			over = append(over, t)
		}
	}
	p.mu.Unlock()
	end(over)
}

// EndAll ends every connection, as a lock does. New ones are let through again.
func (p *Proxy) EndAll() {
	p.mu.Lock()
	var over []*tunnel
	for t := range p.open {
		over = append(over, t)
	}
	p.mu.Unlock()
	end(over)
}

func end(tunnels []*tunnel) {
	for _, t := range tunnels {
		t.cancel()
	}
}

// Close lets nothing through any more, ends what is open and waits for it.
func (p *Proxy) Close() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.EndAll()
	p.wg.Wait()
}

// Refused counts what was turned away since New.
func (p *Proxy) Refused() uint64 { return p.refused.Load() }

// HTTPServer is a server for this proxy with its bounds set. It speaks HTTP/1.1
// only; connections that carry a tunnel are the proxy's own until Close.
func (p *Proxy) HTTPServer() *http.Server {
	s := &http.Server{
		Handler: p, ReadHeaderTimeout: limit.EgressHello, ReadTimeout: limit.EgressHello, IdleTimeout: limit.EgressHello,
		WriteTimeout: limit.EgressDial + limit.EgressHello, MaxHeaderBytes: limit.EgressHead, Protocols: new(http.Protocols), DisableGeneralOptionsHandler: true,
	}
	s.Protocols.SetHTTP1(true)
	return s
}

// ServeHTTP judges one request and carries its tunnel.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if why := p.judge(r); why != nil {
		p.refuse(w, why)
		return
	}
	host, _, _ := strings.Cut(r.RequestURI, ":")
	t, err := p.admit(host)
	if err != nil {
		p.refuse(w, &refusal{http.StatusServiceUnavailable, "limit"})
		return
	}
	ended := p.o.Began(host)
	defer func() { p.release(t, ended) }()
	gone := context.AfterFunc(r.Context(), t.cancel) // who gives up waits for nothing
	far, err := p.reach(t.ctx, host)
	if err != nil {
		t.err = err
		status := http.StatusBadGateway
		if fault.CodeOf(err) == fault.Denied {
			status = http.StatusForbidden
		}
		p.refuse(w, &refusal{status, "unreachable"})
		return
	}
	gone()
	near, err := hijack(w)
	if err != nil {
		t.err = fault.Wrap(op, fault.Internal, host, errors.Join(err, far.Close()))
		return
	}
	t.carry(near, far)
}

// refusal is an answer that lets nothing through.
type refusal struct {
	status int
	why    string
}

// judge admits exactly one form of request. Who has no credentials learns nothing
// but that they are needed.
func (p *Proxy) judge(r *http.Request) *refusal {
	got := sha256.Sum256([]byte(strings.Join(r.Header.Values("Proxy-Authorization"), ",")))
	if subtle.ConstantTimeCompare(got[:], p.expected[:]) != 1 {
		return &refusal{http.StatusProxyAuthRequired, "credentials"}
	}
	if r.Method != http.MethodConnect {
		return &refusal{http.StatusMethodNotAllowed, "method"}
	}
	host, number, ok := strings.Cut(r.RequestURI, ":")
	p.mu.Lock()
	allowed := p.allow[host]
	p.mu.Unlock()
	if !ok || number != "443" || !allowed {
		return &refusal{http.StatusForbidden, "host"}
	}
	if r.ContentLength > 0 || len(r.TransferEncoding) > 0 {
		return &refusal{http.StatusBadRequest, "body"}
	}
	return nil
}

func (p *Proxy) refuse(w http.ResponseWriter, why *refusal) {
	// Each doubling is told, without the host: any frame can ask for any name.
	if n := p.refused.Add(1); n&(n-1) == 0 && why.status != http.StatusProxyAuthRequired {
		p.log.Info("egress refused", "why", why.why, "times", n)
	}
	h := w.Header()
	// On the same connection WebKitGTK 2.50 asks again for the proxy's own address instead of the host.
	h.Set("Connection", "close")
	if why.status == http.StatusProxyAuthRequired {
		h.Set("Proxy-Authenticate", `Basic realm="neutron"`)
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(why.status)
	_, _ = w.Write([]byte("refused: " + why.why + "\n"))
}

// reach looks a host up, judges every address of the answer and dials some of
// them in order. DENIED: the name leads inside.
func (p *Proxy) reach(ctx context.Context, host string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, limit.EgressDial)
	defer cancel()
	addresses, err := p.o.Resolve(ctx, host)
	if err != nil {
		return nil, fault.Wrap(op, fault.Unreachable, host, err)
	}
	for _, a := range addresses {
		if err := valid.PublicAddr(a); err != nil {
			p.log.Warn("a declared host leads inside", "host", host, "address", a)
			return nil, err
		}
	}
	err = fault.New(op, fault.Unreachable, host, "The host has no address.")
	for _, a := range addresses[:min(len(addresses), limit.EgressTries)] {
		var c net.Conn
		if c, err = p.o.Dial(ctx, netip.AddrPortFrom(a.Unmap(), port)); err == nil {
			return c, nil
		}
	}
	return nil, fault.Wrap(op, fault.Unreachable, host, err)
}

// Union is the sorted set of the origins of some lists.
func Union(lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}
