package sandbox

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const shell = "http://127.0.0.1:4711"

var notes = Site{App: "notes", UID: 7, Hash: "aa"}
var daybook = Site{App: "daybook", UID: 8, Hash: "bb"}

// library is a Lookup over files in memory, keyed app/path.
type library map[string]string

func (f library) File(app string, uid uint64, hash, path string) ([]byte, string, bool) {
	for _, s := range []Site{notes, daybook} {
		if s == (Site{app, uid, hash}) {
			b, ok := f[app+"/"+path]
			return []byte(b), map[bool]string{true: "text/html; charset=utf-8", false: "text/javascript; charset=utf-8"}[strings.HasSuffix(path, ".html")], ok
		}
	}
	return nil, "", false
}

// Connect lets daybook reach one origin.
func (f library) Connect(app string, uid uint64, hash string) []string {
	if (Site{app, uid, hash}) == daybook {
		return []string{"https://api.example.com", "https://b.example.org"}
	}
	return nil
}

var files = library{
	"notes/index.html": "<!doctype html>notes", "notes/x.js": "notes.js", "notes/a b/é.js": "odd",
	"daybook/index.html": "<!doctype html>daybook", "daybook/x.js": "daybook.js",
}

// bed is a Server on a real listener.
type bed struct {
	*Server
	t    *testing.T
	port string
}

func serve(t *testing.T) *bed {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }})
	_, port, _ := net.SplitHostPort(l.Addr().String())
	if err := s.SetSandboxURL("http://*.localhost:" + port); err != nil {
		t.Fatal(err)
	}
	h := s.HTTPServer()
	go func() { _ = h.Serve(Limit(l)) }()
	t.Cleanup(func() { _ = h.Close() })
	return &bed{Server: s, t: t, port: port}
}

// entry mints an address and splits it.
func (b *bed) entry(site Site, frame, page string) (host, target string) {
	b.t.Helper()
	a, err := b.Address(site, frame, page)
	if err != nil {
		b.t.Fatal(err)
	}
	u, err := url.Parse(a)
	if err != nil {
		b.t.Fatal(err)
	}
	return u.Host, u.RequestURI()
}

// get sends one request to the listener, whatever its Host says.
func (b *bed) get(method, host, target string, headers ...string) *http.Response {
	b.t.Helper()
	c, err := net.Dial("tcp", "127.0.0.1:"+b.port)
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	var req strings.Builder
	fmt.Fprintf(&req, "%s %s HTTP/1.1\r\nHost: %s\r\n", method, target, host)
	for _, h := range headers {
		fmt.Fprintf(&req, "%s\r\n", h)
	}
	if !strings.Contains(strings.Join(headers, "\n"), "Connection:") {
		req.WriteString("Connection: close\r\n")
	}
	if _, err := io.WriteString(c, req.String()+"\r\n"); err != nil {
		b.t.Fatal(err)
	}
	raw, err := io.ReadAll(c)
	if err != nil && len(raw) == 0 {
		b.t.Fatal(err)
	}
	return parse(b.t, method, string(raw))
}

const iframe, script = "Sec-Fetch-Dest: iframe", "Sec-Fetch-Dest: script"

func TestRefusals(t *testing.T) {
	b := serve(t)
	host, page := b.entry(notes, "f1", "index.html")
	other, _ := b.entry(daybook, "f2", "index.html")
	label, _, _ := strings.Cut(host, ".")
	for _, c := range []struct {
		name, method, host, target string
		headers                    []string
		want                       Refusal
	}{
		{"literal address", "GET", "127.0.0.1:" + b.port, page, []string{iframe}, RefusedHost},
		{"bare localhost", "GET", "localhost:" + b.port, page, []string{iframe}, RefusedHost},
		{"dot localhost", "GET", ".localhost:" + b.port, page, []string{iframe}, RefusedHost},
		{"deeper name", "GET", "a." + host, "/x.js", []string{script}, RefusedHost},
		{"missing port", "GET", label + ".localhost", "/x.js", []string{script}, RefusedHost},
		{"other port", "GET", label + ".localhost:1", "/x.js", []string{script}, RefusedHost},
		{"trailing dot", "GET", label + ".localhost.:" + b.port, "/x.js", []string{script}, RefusedHost},
		{"upper-case name", "GET", label + ".LOCALHOST:" + b.port, "/x.js", []string{script}, RefusedHost},
		{"foreign name", "GET", "evil.example:" + b.port, "/x.js", []string{script}, RefusedHost},
		{"foreign name under a label", "GET", label + ".evil.example:" + b.port, "/x.js", []string{script}, RefusedHost},
		{"absolute target", "GET", "evil.example", "http://" + host + "/x.js", []string{script}, RefusedHost},
		{"unknown label", "GET", strings.Repeat("0", 32) + ".localhost:" + b.port, "/x.js", []string{script}, RefusedLabel},
		{"upper-case label", "GET", strings.ToUpper(label) + ".localhost:" + b.port, "/x.js", []string{script}, RefusedLabel},
		{"half a label", "GET", label[:16] + ".localhost:" + b.port, "/x.js", []string{script}, RefusedLabel},
		{"post", "POST", host, "/x.js", []string{script, "Content-Length: 0"}, RefusedMethod},
		{"head", "HEAD", host, "/x.js", []string{script}, RefusedMethod},
		{"options", "OPTIONS", host, "/x.js", []string{script}, RefusedMethod},
		{"put", "PUT", host, "/x.js", []string{script, "Content-Length: 0"}, RefusedMethod},
		{"upgrade", "GET", host, "/x.js", []string{"Connection: Upgrade, close", "Upgrade: websocket", script}, RefusedUpgrade},
		{"service worker", "GET", host, "/x.js", []string{"Service-Worker: script", "Sec-Fetch-Dest: serviceworker"}, RefusedServiceWorker},
		{"empty service worker header", "GET", host, "/x.js", []string{"Service-Worker: ", script}, RefusedServiceWorker},
		{"web page's origin", "GET", host, "/x.js", []string{"Origin: https://evil.example", script}, RefusedOrigin},
		{"own origin", "GET", host, "/x.js", []string{"Origin: http://" + host, script}, RefusedOrigin},
		{"shell's origin", "GET", host, "/x.js", []string{"Origin: " + shell, script}, RefusedOrigin},
		{"two origins", "GET", host, "/x.js", []string{"Origin: null", "Origin: null", script}, RefusedOrigin},
		{"empty origin", "GET", host, "/x.js", []string{"Origin: ", script}, RefusedOrigin},
		{"body", "GET", host, "/x.js", []string{"Content-Length: 1", script, "", "x"}, RefusedBody},
		{"chunked body", "GET", host, "/x.js", []string{"Transfer-Encoding: chunked", script, "", "0", ""}, RefusedBody},
		{"dot dot", "GET", host, "/../x.js", []string{script}, RefusedPath},
		{"encoded dot dot", "GET", host, "/%2e%2e/x.js", []string{script}, RefusedPath},
		{"encoded dot", "GET", host, "/%2E/x.js", []string{script}, RefusedPath},
		{"encoded slash", "GET", host, "/a%2fx.js", []string{script}, RefusedPath},
		{"encoded backslash", "GET", host, "/..%5Cx.js", []string{script}, RefusedPath},
		{"backslash", "GET", host, "/..\\x.js", []string{script}, RefusedPath},
		{"nul", "GET", host, "/x.js%00.html", []string{script}, RefusedPath},
		{"empty part", "GET", host, "//x.js", []string{script}, RefusedPath},
		{"no destination", "GET", host, "/x.js", nil, RefusedDestination},
		{"two destinations", "GET", host, "/x.js", []string{script, script}, RefusedDestination},
		{"asset as a document", "GET", host, "/x.js", []string{"Sec-Fetch-Dest: document"}, RefusedDestination},
		{"asset as an object", "GET", host, "/x.js", []string{"Sec-Fetch-Dest: object"}, RefusedDestination},
		{"asset as a shared worker", "GET", host, "/x.js", []string{"Sec-Fetch-Dest: sharedworker"}, RefusedDestination},
		{"unheard-of destination", "GET", host, "/x.js", []string{"Sec-Fetch-Dest: hologram"}, RefusedDestination},
		{"page as a script", "GET", host, page, []string{script}, RefusedDestination},
		{"page by fetch", "GET", host, page, []string{"Sec-Fetch-Dest: empty"}, RefusedDestination},
		{"page in a top window", "GET", host, page, []string{"Sec-Fetch-Dest: document"}, RefusedDestination},
		{"page in an embed", "GET", host, page, []string{"Sec-Fetch-Dest: embed"}, RefusedDestination},
		{"page without a destination", "GET", host, page, nil, RefusedDestination},
		{"page without a token", "GET", host, "/index.html", []string{iframe}, RefusedToken},
		{"empty token", "GET", host, "/index.html?e=", []string{iframe}, RefusedToken},
		{"made-up token", "GET", host, "/index.html?e=" + strings.Repeat("0", 32), []string{iframe}, RefusedToken},
		{"token and more", "GET", host, page + "&x=1", []string{iframe}, RefusedToken},
		{"another label's token", "GET", other, page, []string{iframe}, RefusedToken},
		{"another page's token", "GET", host, strings.Replace(page, "index", "other", 1), []string{iframe}, RefusedToken},
		{"asset in an iframe", "GET", host, "/x.js", []string{iframe}, RefusedToken},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := b.Refused()
			r := b.get(c.method, c.host, c.target, c.headers...)
			if r.StatusCode != 403 {
				t.Fatalf("status %d", r.StatusCode)
			}
			if got := r.Header.Get("Content-Security-Policy"); got != "sandbox; default-src 'none'" {
				t.Errorf("policy of a refusal: %q", got)
			}
			for h := range r.Header {
				if strings.HasPrefix(h, "Access-Control") || h == "Set-Cookie" {
					t.Errorf("refusal carries %s", h)
				}
			}
			after := b.Refused()
			for i := range refusals {
				if d := after[Refusal(i)] - before[Refusal(i)]; (d == 1) != (Refusal(i) == c.want) {
					t.Errorf("%s counted %d times, want %s", Refusal(i), d, c.want)
				}
			}
		})
	}
	// None of the refusals may have used the good token up.
	if r := b.get("GET", host, page, iframe); r.StatusCode != 200 {
		t.Errorf("the good load after all the bad ones: %d", r.StatusCode)
	}
}

func TestServes(t *testing.T) {
	b := serve(t)
	host, page := b.entry(notes, "f1", "index.html")
	own := "http://" + host
	for _, c := range []struct {
		name, target, want string
		headers            []string
		status             int
	}{
		{"page", page, "<!doctype html>notes", []string{iframe, "Cookie: a=b"}, 200},
		{"script", "/x.js", "notes.js", []string{script}, 200},
		{"for an opaque frame", "/x.js", "notes.js", []string{script, "Origin: null"}, 200},
		{"by fetch, with a query", "/x.js?v=2", "notes.js", []string{"Sec-Fetch-Dest: empty"}, 200},
		{"an odd name", "/a%20b/%C3%A9.js", "odd", []string{script}, 200},
		{"a range", "/x.js", "note", []string{"Sec-Fetch-Dest: video", "Range: bytes=0-3"}, 206},
		{"many ranges", "/x.js", "notes.js", []string{"Sec-Fetch-Dest: video", "Range: bytes=0-1,0-1,0-1"}, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := b.get("GET", host, c.target, c.headers...)
			body, _ := io.ReadAll(r.Body)
			if r.StatusCode != c.status || string(body) != c.want {
				t.Fatalf("got %d %q", r.StatusCode, body)
			}
			for name, want := range map[string]string{
				"Content-Security-Policy": "sandbox allow-scripts; default-src 'none'; script-src " + own + " 'unsafe-inline' 'wasm-unsafe-eval'; style-src " + own +
					" 'unsafe-inline'; img-src " + own + " data: blob:; font-src " + own + " data:; media-src " + own + " data: blob:; worker-src " + own +
					" blob:; connect-src " + own + " data: blob:; frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors " + shell,
				"Cross-Origin-Resource-Policy": "cross-origin",
				"Access-Control-Allow-Origin":  "*",
				"X-Content-Type-Options":       "nosniff",
				"Referrer-Policy":              "no-referrer",
				"X-Dns-Prefetch-Control":       "off",
				"Origin-Agent-Cluster":         "?1",
				"Cache-Control":                "no-store",
				"Permissions-Policy":           PermissionsPolicy,
				"Set-Cookie":                   "",
				"Last-Modified":                "",
			} {
				if got := r.Header.Values(name); strings.Join(got, "|") != want {
					t.Errorf("%s: got %q want %q", name, got, want)
				}
			}
		})
	}
	for _, f := range []string{"Content-Security-Policy", "script"} {
		if strings.Contains(ContentSecurityPolicy(own, shell), "'self'") {
			t.Errorf("%s: 'self' matches nothing in an opaque frame", f)
		}
	}
	if r := b.get("GET", host, "/nothing.js", script); r.StatusCode != 404 || r.Header.Get("Content-Security-Policy") != "sandbox; default-src 'none'" {
		t.Errorf("a missing file: %d %v", r.StatusCode, r.Header)
	}
}

func TestTokenLife(t *testing.T) {
	b := serve(t)
	host, page := b.entry(notes, "f1", "index.html")
	if r := b.get("GET", host, page, iframe); r.StatusCode != 200 {
		t.Fatalf("first use: %d", r.StatusCode)
	}
	if r := b.get("GET", host, page, iframe); r.StatusCode != 403 {
		t.Errorf("second use: %d", r.StatusCode)
	}
	_, first := b.entry(notes, "f2", "index.html")
	_, second := b.entry(notes, "f2", "index.html")
	if r := b.get("GET", host, first, iframe); r.StatusCode != 403 {
		t.Errorf("a token that a newer one of its frame replaced: %d", r.StatusCode)
	}
	if r := b.get("GET", host, second, iframe); r.StatusCode != 200 {
		t.Errorf("the newer token: %d", r.StatusCode)
	}
	_, closed := b.entry(notes, "f3", "index.html")
	b.Revoke("f3")
	if r := b.get("GET", host, closed, iframe); r.StatusCode != 403 {
		t.Errorf("a closed frame's token: %d", r.StatusCode)
	}
	_, late := b.entry(notes, "f4", "index.html")
	b.Retire("notes", notes.UID, "cc")
	if r := b.get("GET", host, late, iframe); r.StatusCode != 403 {
		t.Errorf("a retired label's page: %d", r.StatusCode)
	}
	if r := b.get("GET", host, "/x.js", script); r.StatusCode != 403 {
		t.Errorf("a retired label's file: %d", r.StatusCode)
	}
	again, _ := b.entry(notes, "f5", "index.html")
	if again == host {
		t.Error("a retired label came back")
	}
	b.Forget()
	if r := b.get("GET", again, "/x.js", script); r.StatusCode != 403 {
		t.Errorf("after Forget: %d", r.StatusCode)
	}
}

func TestTokenExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }})
		if err := s.SetSandboxURL("http://*.localhost:1"); err != nil {
			t.Fatal(err)
		}
		use := func(wait time.Duration) bool {
			a, err := s.Address(notes, "f", "index.html")
			if err != nil {
				t.Fatal(err)
			}
			u, _ := url.Parse(a)
			time.Sleep(wait)
			label, _, _ := strings.Cut(u.Host, ".")
			return s.redeem(u.Query().Get("e"), label, "index.html")
		}
		if !use(59 * time.Second) {
			t.Error("refused before its time")
		}
		if use(60 * time.Second) {
			t.Error("taken after its time")
		}
	})
}

func TestTokensAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }})
		if err := s.SetSandboxURL("http://*.localhost:1"); err != nil {
			t.Fatal(err)
		}
		for i := range tokensLive {
			if _, err := s.Address(notes, fmt.Sprint("f", i), "index.html"); err != nil {
				t.Fatal(i, err)
			}
		}
		if _, err := s.Address(notes, "more", "index.html"); err == nil {
			t.Error("one token too many")
		}
		time.Sleep(time.Minute)
		if _, err := s.Address(notes, "more", "index.html"); err != nil {
			t.Error("after the others expired:", err)
		}
		if len(s.tokens) != 1 || len(s.frames) != 1 {
			t.Errorf("%d tokens and %d frames are kept", len(s.tokens), len(s.frames))
		}
	})
}

func TestLabels(t *testing.T) {
	b := serve(t)
	one, _ := b.entry(notes, "f1", "index.html")
	same, _ := b.entry(notes, "f2", "index.html")
	other, _ := b.entry(Site{notes.App, notes.UID + 1, notes.Hash}, "f3", "index.html")
	if one != same || one == other {
		t.Errorf("labels %s, %s of one installation and %s of another", one, same, other)
	}
	if label, _, _ := strings.Cut(one, "."); len(label) != 32 || strings.Trim(label, "0123456789abcdef") != "" {
		t.Errorf("label %q is not 128 bits", label)
	}
	if r := b.get("GET", other, "/x.js", script); r.StatusCode != 404 {
		t.Errorf("a label whose installation is gone: %d", r.StatusCode)
	}
	fresh := serve(t)
	if h, _ := fresh.entry(notes, "f1", "index.html"); h[:32] == one[:32] {
		t.Error("a label outlived its launch")
	}
}

func TestSandboxURL(t *testing.T) {
	s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }})
	if _, err := s.Address(notes, "f", "index.html"); err == nil {
		t.Error("an address before the listener has one")
	}
	for _, bad := range []string{"", "http://localhost:1", "http://*:1", "http://*.*.localhost:1", "ws://*.localhost:1", "http://*.localhost:1/x",
		"http://*.localhost:1?", "http://*.localhost:1#a", "http://u@*.localhost:1", "http://*.LOCALHOST:1", "http://x*.localhost:1", "*.localhost:1"} {
		if err := s.SetSandboxURL(bad); err == nil {
			t.Errorf("taken: %q", bad)
		}
	}
	if err := s.SetSandboxURL("https://*.apps.example"); err != nil {
		t.Fatal(err)
	}
	a, err := s.Address(notes, "f", "a b/é.html")
	if err != nil {
		t.Fatal(err)
	}
	if u, err := url.Parse(a); err != nil || u.Scheme != "https" || !strings.HasSuffix(u.Host, ".apps.example") || u.Path != "/a b/é.html" {
		t.Errorf("address %q", a)
	}
	if s.SandboxURL() != "https://*.apps.example" {
		t.Error(s.SandboxURL())
	}
}

func TestProbePage(t *testing.T) {
	b := serve(t)
	a, err := b.ProbeAddress("probe")
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(a)
	host, _ := b.entry(notes, "f1", "index.html")
	if host == u.Host {
		t.Error("the probe shares a label")
	}
	r := b.get("GET", u.Host, u.RequestURI(), iframe)
	body, _ := io.ReadAll(r.Body)
	if r.StatusCode != 200 || !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "sandbox allow-scripts; default-src 'none'; script-src http://"+u.Host+" ") {
		t.Fatalf("%d %v", r.StatusCode, r.Header)
	}
	for _, way := range []string{"webkit.messageHandlers.external", "chrome.webview", "external.invoke", "WailsInvoke", "neutron:msgbus:ready", "event.source !== parent"} {
		if !strings.Contains(string(body), way) {
			t.Errorf("the probe does not try %s", way)
		}
	}
	if r := b.get("GET", u.Host, "/x.js", script); r.StatusCode != 404 {
		t.Errorf("the probe's label serves more than the probe: %d", r.StatusCode)
	}
}

// A page that is refused in a loop is counted exactly and logged a few times.
func TestRefusalsDoNotFillTheLog(t *testing.T) {
	var lines strings.Builder
	s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }, Log: slog.New(slog.NewTextHandler(&lines, nil))})
	const asked = 1_000
	for range asked {
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/x.js", nil))
	}
	if n := s.Refused()[RefusedHost]; n != asked {
		t.Errorf("%d of %d were counted", n, asked)
	}
	if n := strings.Count(lines.String(), "\n"); n != 10 {
		t.Errorf("%d lines", n)
	}
}
