// Package sandbox serves the bytes of untrusted apps to their frames.
//
// Every installation has its own host name, a label of 128 random bits that is
// new at each launch; a page is served into an iframe only, and only against a
// one-time entry token that the kernel minted for that load. The package knows
// the kernel through Lookup alone, holds no credential, reads and sets no
// cookie, and has no route that changes anything.
package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Lookup gives the verified bytes of installed apps.
type Lookup interface {
	// File returns one file of exactly this installation and content hash, by the
	// name it has in the package, with its media type. It is false for anything
	// that is not installed now under that uid and hash.
	File(app string, uid uint64, hash, path string) (content []byte, contentType string, ok bool)
	// Connect lists the https origins that this installation declared and the owner
	// approved; none for anything that is not installed now under that uid and hash.
	Connect(app string, uid uint64, hash string) []string
}

// Site is whose bytes a label serves: one installation at one content hash.
type Site struct {
	App  string
	UID  uint64
	Hash string
}

// Options configures a Server. Lookup and ShellOrigin are required.
type Options struct {
	Lookup Lookup
	// ShellOrigin is the only origin that may hold a frame, e.g. http://127.0.0.1:4711.
	ShellOrigin func() string
	// TokenAge is how long an entry token waits for its one use; zero is 60 s.
	TokenAge time.Duration
	// Log gets a line whenever the refusals of a kind have doubled; nil discards them.
	Log *slog.Logger
}

// Server is the http.Handler of the sandbox listener. Create it with New.
type Server struct {
	lookup      Lookup
	shellOrigin func() string
	tokenAge    time.Duration
	log         *slog.Logger
	gates       []gate
	base        atomic.Pointer[address]
	refused     [len(refusals)]atomic.Uint64
	serving     chan struct{}

	mu     sync.Mutex // guards what follows; nothing is called under it
	sites  map[string]*shelf
	labels map[Site]string
	tokens map[tokenHash]token
	frames map[string]tokenHash
}

// New makes a Server that refuses everything until SetSandboxURL told it its address.
func New(o Options) *Server {
	s := &Server{lookup: o.Lookup, shellOrigin: o.ShellOrigin, tokenAge: o.TokenAge, log: o.Log, gates: gates(),
		serving: make(chan struct{}, answersAtOnce)}
	if s.tokenAge <= 0 {
		s.tokenAge = 60 * time.Second
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.Forget()
	return s
}

// address is a base URL split at its wildcard.
type address struct {
	scheme, tail string // tail is ".localhost:1234"
}

// SetSandboxURL tells the address clients reach, with a star for the label:
// http://*.localhost:PORT, or what a proxy in front shows. The Host of every
// request must then match it exactly.
func (s *Server) SetSandboxURL(pattern string) error {
	u, err := url.Parse(strings.Replace(pattern, "*", "label", 1))
	if err != nil {
		return fmt.Errorf("sandbox address: %w", err)
	}
	tail, ok := strings.CutPrefix(u.Host, "label.")
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("sandbox address: the scheme must be http or https")
	case !ok || tail == "" || strings.Count(pattern, "*") != 1 || u.Host != strings.ToLower(u.Host):
		return errors.New("sandbox address: the host must be *. and a lower-case name")
	case u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return errors.New("sandbox address: nothing may follow the host")
	}
	s.base.Store(&address{scheme: u.Scheme, tail: "." + tail})
	return nil
}

// SandboxURL is the address as clients reach it, with a star for the label; empty before SetSandboxURL.
func (s *Server) SandboxURL() string {
	b := s.base.Load()
	if b == nil {
		return ""
	}
	return b.scheme + "://*" + b.tail
}

func (a *address) origin(label string) string { return a.scheme + "://" + label + a.tail }

// ServeHTTP answers one request: through every gate in order, then with a file or with nothing.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &visit{r: r, base: s.base.Load()}
	for _, g := range s.gates {
		if !g.pass(s, v) {
			s.refuse(w, v, g.name)
			return
		}
	}
	// Answers are held in memory: few of one label at once, so that a hog waits
	// for itself, and not many in all.
	for _, places := range []chan struct{}{v.shelf.serving, s.serving} {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
		case <-r.Context().Done():
			return
		}
	}
	content, contentType, ok := s.file(v.shelf.site, v.path)
	if !ok {
		s.answer(w, http.StatusNotFound, "not found")
		return
	}
	setHeaders(w.Header(), v.base.origin(v.label), s.shellOrigin(), contentType, s.connect(v.shelf.site))
	// Media elements ask for ranges; one is answered, a list of them is not.
	if strings.Contains(r.Header.Get("Range"), ",") {
		r.Header.Del("Range")
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (s *Server) file(site Site, path string) ([]byte, string, bool) {
	if site == probeSite {
		return probePage, typeHTML, path == probePath
	}
	return s.lookup.File(site.App, site.UID, site.Hash, path)
}

// connect is what a page may reach beside its own files. The probe reaches nothing.
func (s *Server) connect(site Site) []string {
	if site == probeSite {
		return nil
	}
	return s.lookup.Connect(site.App, site.UID, site.Hash)
}

func (s *Server) refuse(w http.ResponseWriter, v *visit, why Refusal) {
	// Each doubling is told: a page that is refused in a loop must not fill the log.
	if n := s.refused[why].Add(1); n&(n-1) == 0 {
		app := ""
		if v.shelf != nil {
			app = v.shelf.site.App
		}
		s.log.Info("sandbox refused", "why", why.String(), "times", n, "app", app, "dest", v.r.Header.Get("Sec-Fetch-Dest"))
	}
	s.answer(w, http.StatusForbidden, "refused: "+why.String())
}

// answer is every response that carries no file. Should an engine show it, it is a document that can do nothing.
func (s *Server) answer(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// Refused counts the refusals of each kind since New, for the health page and the tests.
func (s *Server) Refused() map[Refusal]uint64 {
	m := make(map[Refusal]uint64)
	for i := range s.refused {
		if n := s.refused[i].Load(); n > 0 {
			m[Refusal(i)] = n
		}
	}
	return m
}
