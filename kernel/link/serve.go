package link

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// Options of a Server. Every field but Log is needed.
type Options struct {
	Host    Host
	Files   fs.FS  // the built shell page: index.html and its assets
	Origin  string // the shell's own origin, e.g. "http://127.0.0.1:1234"
	Sandbox string // source expression of the frames, e.g. "http://*.localhost:1235"
	Hash    string // the protocol hash
	Log     *slog.Logger
}

// Server is the handler of the shell listener W.
type Server struct {
	o       Options
	url     *url.URL
	csp     string
	secrets secrets
	open    guards

	waiting  chan struct{} // a slot per socket that has not said hello
	failures failures

	locked  atomic.Bool
	starts  atomic.Uint64 // addresses made for the window
	refused atomic.Uint64 // requests and hellos turned away
	cookies atomic.Uint64 // requests that carried a cookie of another program on this address

	mu     sync.Mutex // guards conns and closed; nothing is called under it
	conns  map[*conn]struct{}
	closed bool
	wg     sync.WaitGroup
}

// guards switches single defences off. Only tests do, to see that the attack which
// each one stops would otherwise succeed.
type guards struct {
	host, origin, method, fetch, hash, secret, pace bool
}

// New makes the handler.
func New(o Options) (*Server, error) {
	u, err := url.Parse(o.Origin)
	if err != nil || u.Scheme+"://"+u.Host != o.Origin {
		return nil, fault.Newf("link.new", fault.InvalidRequest, o.Origin, "%q is not an origin", o.Origin)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{
		o: o, url: u, csp: policyFor(u, o.Sandbox),
		waiting: make(chan struct{}, limit.HellosWaiting),
		conns:   make(map[*conn]struct{}),
	}, nil
}

// Boot is the shell's address with a fresh one-time secret in its fragment: good
// once, for limit.BootSecret. window marks it as made for the native window; its
// address is a new one each time, since a page that is told to go to its own address
// with another fragment would stay as it is.
func (s *Server) Boot(window bool) string {
	query := ""
	if window {
		query = "?start=" + strconv.FormatUint(s.starts.Add(1), 10)
	}
	return s.o.Origin + "/" + query + "#boot=" + s.secrets.boot(window)
}

// Lock ends every secret and closes every shell with CloseLocked, after what is
// queued. Until Unlock every hello gets the same answer, so that a page which comes
// back shows the lock and not a stale address.
func (s *Server) Lock() {
	s.locked.Store(true)
	s.secrets.revoke()
	for _, c := range s.all() {
		c.Close(CloseLocked, "locked")
	}
}

// Unlock lets new secrets in. The old ones stay dead.
func (s *Server) Unlock() { s.locked.Store(false) }

// Refused counts the requests and hellos that were turned away.
func (s *Server) Refused() uint64 { return s.refused.Load() }

// Close ends every link and waits for their goroutines.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	for _, c := range s.all() {
		c.Close(1001, "Neutron is closing")
	}
	s.wg.Wait()
}

func (s *Server) all() []*conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		l = append(l, c)
	}
	return l
}

// enter counts a link's goroutine in, unless the server is closed.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// ServeHTTP judges the Host before anything else: a name that was rebound to this
// address is still the wrong name.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Host != s.url.Host && !s.open.host {
		s.refuse(w, r, "host", http.StatusForbidden)
		return
	}
	if r.Header.Get("Cookie") != "" { // never read: cookies of all ports of one host are shared
		s.cookies.Add(1)
		s.o.Log.Warn("a request carried a cookie", "path", r.URL.Path)
	}
	if r.URL.Path == "/link" {
		s.serveLink(w, r)
		return
	}
	s.serveFile(w, r)
}

func (s *Server) refuse(w http.ResponseWriter, r *http.Request, why string, status int) {
	s.refused.Add(1)
	s.o.Log.Warn("refused", "listener", "shell", "why", why, "method", r.Method, "host", r.Host, "path", r.URL.Path)
	h := w.Header()
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	http.Error(w, "refused: "+why, status)
}

func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && !s.open.method {
		s.refuse(w, r, "method", http.StatusForbidden)
		return
	}
	if !fetchAllowed(r.Header) && !s.open.fetch {
		s.refuse(w, r, "fetch metadata", http.StatusForbidden)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	kind, ok := contentType(name)
	if !ok || !fs.ValidPath(name) {
		s.missing(w, name)
		return
	}
	b, err := fs.ReadFile(s.o.Files, name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Error("shell file", "name", name, "err", err)
		}
		s.missing(w, name)
		return
	}
	setHeaders(w.Header(), s.csp)
	w.Header().Set("Content-Type", kind)
	w.Write(b) // a client that went away is no error of ours
}

func (s *Server) missing(w http.ResponseWriter, name string) {
	setHeaders(w.Header(), s.csp)
	text := "not found"
	if name == "index.html" {
		text = "this build of Neutron holds no shell page; run make build"
	}
	http.Error(w, text, http.StatusNotFound)
}

// fetchAllowed lets the page itself load its files, and a person open the page.
// A client that sends no fetch metadata is no browser of today; it gets what is
// public anyhow.
func fetchAllowed(h http.Header) bool {
	switch site := h.Values("Sec-Fetch-Site"); len(site) {
	case 0:
		return len(h.Values("Sec-Fetch-Dest")) == 0
	case 1:
		return site[0] == "same-origin" || h.Get("Sec-Fetch-Dest") == "document"
	}
	return false
}
