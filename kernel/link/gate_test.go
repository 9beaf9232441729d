package link

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

const hash = "00000000000000000000000000000000000000000000000000000000000000aa"

// host is a kernel that only remembers what it was told.
type host struct {
	mu     sync.Mutex
	shells []*shell
	refuse error
	early  *linkv1.ToShell // sent from inside Attach
}

type shell struct {
	Sender
	hello  Hello
	mu     sync.Mutex
	frames []*linkv1.ToKernel
	stalls int
	since  time.Duration // how long the last stall had lasted when it was told
	back   int
	gone   int
	come   chan struct{}
	left   chan struct{}
	block  chan struct{} // Receive waits on it
}

func (h *host) Attach(s Sender, hello Hello) (Receiver, *linkv1.Welcome, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return nil, nil, h.refuse
	}
	sh := &shell{Sender: s, hello: hello, come: make(chan struct{}, 1<<16), left: make(chan struct{})}
	h.shells = append(h.shells, sh)
	if h.early != nil {
		s.Send(h.early)
	}
	return sh, &linkv1.Welcome{Version: "test"}, nil
}

func (h *host) shell(i int) *shell {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shells[i]
}

func (s *shell) Receive(m *linkv1.ToKernel) {
	s.mu.Lock()
	s.frames = append(s.frames, m)
	block := s.block
	s.mu.Unlock()
	s.come <- struct{}{}
	if block != nil {
		<-block
	}
}
func (s *shell) Stalled(at time.Time) {
	s.mu.Lock()
	s.stalls++
	s.since = time.Since(at)
	s.mu.Unlock()
}
func (s *shell) Recovered() { s.mu.Lock(); s.back++; s.mu.Unlock() }
func (s *shell) Detach()    { s.mu.Lock(); s.gone++; s.mu.Unlock(); close(s.left) }

var page = fstest.MapFS{
	"index.html":      {Data: []byte("<!doctype html><title>Neutron</title>")},
	"assets/main.js":  {Data: []byte("1")},
	"assets/main.css": {Data: []byte("a{}")},
	"assets/f.woff2":  {Data: []byte("f")},
	"assets/x.exe":    {Data: []byte("MZ")},
}

// serve runs a real listener.
func serve(t *testing.T) (*Server, *host) {
	t.Helper()
	h := &host{}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Host: h, Files: page, Origin: "http://" + ln.Addr().String(), Sandbox: "http://*.localhost:9", Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: s}
	go srv.Serve(ln)
	t.Cleanup(func() { s.Close(); srv.Close() })
	return s, h
}

func bootOf(s *Server) string { return strings.SplitN(s.Boot(false), "#boot=", 2)[1] }

func first(secret string) []byte { return firstFrame(hash, secret) }

func firstFrame(hash, secret string) []byte {
	b, err := proto.Marshal(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Hello{Hello: &linkv1.Hello{ProtocolHash: hash, Secret: secret}}})
	if err != nil {
		panic(err)
	}
	return b
}

// dial opens /link whatever name the request carries.
func dial(s *Server, name string, h http.Header) (*websocket.Conn, int, error) {
	d := websocket.Dialer{NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", s.url.Host)
	}}
	c, r, err := d.Dial("ws://"+name+"/link", h)
	if r != nil {
		return c, r.StatusCode, err
	}
	return c, 0, err
}

// knock says hello and reports the status, the close code, or 1 for a welcome.
func knock(t *testing.T, s *Server, name string, h http.Header, kind int, hello []byte) (int, *linkv1.Welcome, *websocket.Conn) {
	t.Helper()
	c, status, err := dial(s, name, h)
	if err != nil {
		return status, nil, nil
	}
	t.Cleanup(func() { c.Close() })
	c.WriteMessage(kind, hello)
	c.SetReadDeadline(time.Now().Add(2 * limit.HelloWait))
	_, b, err := c.ReadMessage()
	if ce, ok := err.(*websocket.CloseError); ok {
		return ce.Code, nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var m linkv1.ToShell
	if err := proto.Unmarshal(b, &m); err != nil || m.GetWelcome() == nil {
		t.Fatalf("first frame %v %v", &m, err)
	}
	return 1, m.GetWelcome(), c
}

func origin(v ...string) http.Header { return http.Header{"Origin": v} }

// welcomeOf attaches with a secret that must be good.
func welcomeOf(t *testing.T, s *Server, secret string) (*linkv1.Welcome, *websocket.Conn) {
	t.Helper()
	code, w, c := knock(t, s, s.url.Host, origin(s.o.Origin), websocket.BinaryMessage, first(secret))
	if code != 1 {
		t.Fatalf("good hello: %d", code)
	}
	return w, c
}

func TestLinkGate(t *testing.T) {
	s, h := serve(t)
	good, own := s.url.Host, s.o.Origin
	port := good[strings.IndexByte(good, ':'):]
	hello := func(m *linkv1.ToKernel) []byte { b, _ := proto.Marshal(m); return b }
	bin := websocket.BinaryMessage
	for _, c := range []struct {
		name, host string
		h          http.Header
		kind       int
		first      func() []byte
		want       int
	}{
		{"null origin", good, origin("null"), bin, nil, 403},
		{"no origin", good, nil, bin, nil, 403},
		{"two origins", good, origin(own, own), bin, nil, 403},
		{"own origin after another", good, origin("https://evil.example", own), bin, nil, 403},
		{"origin with a path", good, origin(own + "/"), bin, nil, 403},
		{"other port", good, origin("http://127.0.0.1:1"), bin, nil, 403},
		{"localhost origin", good, origin("http://localhost" + port), bin, nil, 403},
		{"https origin", good, origin("https://127.0.0.1" + port), bin, nil, 403},
		{"wails origin", good, origin("wails://wails"), bin, nil, 403},
		{"app origin", good, origin("http://0123456789abcdef.localhost:9"), bin, nil, 403},
		{"upper case origin", good, origin(strings.ToUpper(own)), bin, nil, 403},
		{"host localhost", "localhost" + port, origin(own), bin, nil, 403},
		{"host rebound", "evil.example" + port, origin(own), bin, nil, 403},
		{"host without port", "127.0.0.1", origin(own), bin, nil, 403},
		{"host with a dot", "127.0.0.1." + port, origin(own), bin, nil, 403},
		{"host of another loopback", "127.0.0.2" + port, origin(own), bin, nil, 403},
		{"empty secret", good, origin(own), bin, func() []byte { return first("") }, CloseSecret},
		{"wrong secret", good, origin(own), bin, func() []byte { return first(strings.Repeat("0", 64)) }, CloseSecret},
		{"secret in upper case", good, origin(own), bin, func() []byte { return first(strings.ToUpper(bootOf(s)) + "A") }, CloseSecret},
		{"wrong protocol", good, origin(own), bin, func() []byte { return firstFrame(strings.Repeat("0", 64), bootOf(s)) }, CloseProtocol},
		{"no protocol", good, origin(own), bin, func() []byte { return firstFrame("", bootOf(s)) }, CloseProtocol},
		{"not a hello", good, origin(own), bin, func() []byte {
			return hello(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Pong{Pong: &linkv1.Pong{}}})
		}, CloseProtocol},
		{"hello as text", good, origin(own), websocket.TextMessage, nil, CloseProtocol},
		{"empty frame", good, origin(own), bin, func() []byte { return nil }, CloseProtocol},
		{"not protobuf", good, origin(own), bin, func() []byte { return []byte{0xff, 0xff, 0xff} }, CloseProtocol},
		{"hello over 4 KiB", good, origin(own), bin, func() []byte { return first(strings.Repeat("a", limit.HelloBytes)) }, websocket.CloseMessageTooBig},
	} {
		if c.first == nil {
			c.first = func() []byte { return first(bootOf(s)) }
		}
		if got, _, _ := knock(t, s, c.host, c.h, c.kind, c.first()); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
	if len(h.shells) != 0 {
		t.Fatalf("%d refused shells reached the kernel", len(h.shells))
	}
	if n := s.Refused(); n < 25 {
		t.Errorf("%d refusals were counted", n)
	}
	// The control: the same hello with nothing wrong in it.
	secret := bootOf(s)
	w, _ := welcomeOf(t, s, secret)
	if len(w.Resume) != 64 || len(w.Client) != 26 || w.Resume == secret {
		t.Errorf("welcome %v", w)
	}
	if got, _, _ := knock(t, s, good, origin(own), bin, first(secret)); got != CloseSecret {
		t.Errorf("a boot secret worked twice: %d", got)
	}
}

func TestLinkIsNoPlainRequest(t *testing.T) {
	s, _ := serve(t)
	for _, method := range []string{"GET", "POST", "HEAD", "OPTIONS"} {
		if got := request(t, s, method, s.url.Host, "/link", map[string]string{"Origin": s.o.Origin}).StatusCode; got != 403 {
			t.Errorf("%s /link: %d", method, got)
		}
	}
}

func request(t *testing.T, s *Server, method, host, path string, h map[string]string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://"+s.url.Host, nil)
	r.RequestURI, r.Host = "", host
	r.URL.Path = path
	if strings.Contains(path, "%") {
		r.URL.Opaque = "//" + s.url.Host + path
	}
	for n, v := range h {
		r.Header.Set(n, v)
	}
	res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if c := res.Header.Get("Set-Cookie"); c != "" {
		t.Errorf("%s %s sets a cookie %q", method, path, c)
	}
	return res
}

func TestShellGate(t *testing.T) {
	s, _ := serve(t)
	good := s.url.Host
	port := good[strings.IndexByte(good, ':'):]
	doc := map[string]string{"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	own := map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "script"}
	from := func(site, dest string) map[string]string {
		return map[string]string{"Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}
	}
	for _, c := range []struct {
		name, method, host, path string
		h                        map[string]string
		want                     int
	}{
		{"page", "GET", good, "/", doc, 200},
		{"page by a link elsewhere", "GET", good, "/", from("cross-site", "document"), 200},
		{"script", "GET", good, "/assets/main.js", own, 200},
		{"style", "GET", good, "/assets/main.css", own, 200},
		{"font", "GET", good, "/assets/f.woff2", own, 200},
		{"a program without fetch metadata", "GET", good, "/", nil, 200},

		{"localhost", "GET", "localhost" + port, "/", doc, 403},
		{"no port", "GET", "127.0.0.1", "/", doc, 403},
		{"other port", "GET", "127.0.0.1:1", "/", doc, 403},
		{"rebound name", "GET", "evil.example" + port, "/", doc, 403},
		{"name with our address in front", "GET", "127.0.0.1.evil.example" + port, "/", doc, 403},
		{"decimal address", "GET", "2130706433" + port, "/", doc, 403},
		{"IPv6 loopback", "GET", "[::1]" + port, "/", doc, 403},
		{"POST", "POST", good, "/", doc, 403},
		{"form post by a page", "POST", good, "/", from("cross-site", "document"), 403},
		{"HEAD", "HEAD", good, "/", doc, 403},
		{"OPTIONS", "OPTIONS", good, "/assets/main.js", own, 403},
		{"DELETE", "DELETE", good, "/", doc, 403},
		{"script of a foreign page", "GET", good, "/assets/main.js", from("cross-site", "script"), 403},
		{"script of another port", "GET", good, "/assets/main.js", from("same-site", "script"), 403},
		{"fetch of a foreign page", "GET", good, "/", from("cross-site", "empty"), 403},
		{"frame of a foreign page", "GET", good, "/", from("cross-site", "iframe"), 403},
		{"object of a foreign page", "GET", good, "/", from("cross-site", "object"), 403},
		{"metadata without a site", "GET", good, "/", map[string]string{"Sec-Fetch-Dest": "script"}, 403},

		{"no such file", "GET", good, "/assets/none.js", own, 404},
		{"a folder", "GET", good, "/assets", own, 404},
		{"a folder with a slash", "GET", good, "/assets/", own, 404},
		{"a kind outside the table", "GET", good, "/assets/x.exe", own, 404},
		{"dot dot", "GET", good, "/assets/../index.html", doc, 404},
		{"encoded dot dot", "GET", good, "/assets/%2e%2e/index.html", doc, 404},
		{"encoded slash", "GET", good, "/assets%2f..%2findex.html", doc, 404},
		{"two slashes", "GET", good, "//index.html", doc, 404},
		{"backslash", "GET", good, "/assets\\main.js", own, 404},
	} {
		if got := request(t, s, c.method, c.host, c.path, c.h).StatusCode; got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}

func TestShellHeaders(t *testing.T) {
	s, _ := serve(t)
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/assets/main.js": "text/javascript; charset=utf-8",
		"/assets/main.css": "text/css; charset=utf-8", "/assets/f.woff2": "font/woff2", "/none.js": "text/plain; charset=utf-8",
	} {
		h := request(t, s, "GET", s.url.Host, path, nil).Header
		for name, want := range map[string]string{
			"Content-Type": kind,
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
				"connect-src 'self' ws://" + s.url.Host + "; frame-src http://*.localhost:9; worker-src 'self'; object-src 'none'; base-uri 'none'; " +
				"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types neutron",
			"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
			"Access-Control-Allow-Origin": "",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if !strings.Contains(h.Get("Permissions-Policy"), "camera=()") {
			t.Errorf("%s: Permissions-Policy %q", path, h.Get("Permissions-Policy"))
		}
	}
}

func TestBootAddresses(t *testing.T) {
	s, _ := serve(t)
	page := func(address string) string { before, _, _ := strings.Cut(address, "#"); return before }
	if a := s.Boot(false); page(a) != s.o.Origin+"/" {
		t.Errorf("a browser's address is %s", a)
	}
	a, b := s.Boot(true), s.Boot(true)
	if page(a) == page(b) {
		t.Errorf("a window that stands at %s would not load %s", a, b)
	}
	path := strings.TrimPrefix(page(b), s.o.Origin)
	res, err := http.Get(s.o.Origin + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 {
		t.Errorf("%s: %d", path, res.StatusCode)
	}
}

func TestMissingPageSaysSo(t *testing.T) {
	s, _ := serve(t)
	s.o.Files = fstest.MapFS{}
	res := request(t, s, "GET", s.url.Host, "/", nil)
	b, _ := io.ReadAll(res.Body)
	if res.StatusCode != 404 || !strings.Contains(string(b), "make build") {
		t.Errorf("%d %q", res.StatusCode, b)
	}
}
