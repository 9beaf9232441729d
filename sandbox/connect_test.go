package sandbox

import (
	"strings"
	"testing"
)

// connectOf is the connect-src directive of a file that is served.
func connectOf(t *testing.T, policy string) string {
	t.Helper()
	for d := range strings.SplitSeq(policy, "; ") {
		if rest, ok := strings.CutPrefix(d, "connect-src "); ok {
			return rest
		}
	}
	t.Fatalf("no connect-src in %q", policy)
	return ""
}

// Declared origins stand in the policy of their own installation and in no other one's.
func TestDeclaredOrigins(t *testing.T) {
	b := serve(t)
	mine, _ := b.entry(daybook, "f1", "index.html")
	other, _ := b.entry(notes, "f2", "index.html")
	updated, _ := b.entry(Site{App: "daybook", UID: 8, Hash: "cc"}, "f3", "index.html")
	probe, err := b.ProbeAddress("f4")
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{
		mine:  "http://" + mine + " data: blob: https://api.example.com https://b.example.org",
		other: "http://" + other + " data: blob:",
	} {
		r := b.get("GET", host, "/x.js", script)
		if got := connectOf(t, r.Header.Get("Content-Security-Policy")); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	// Another hash of the same app has no file here, and nothing declared.
	if r := b.get("GET", updated, "/x.js", script); strings.Contains(r.Header.Get("Content-Security-Policy"), "example") {
		t.Error("another version's origins are served")
	}
	host, page, _ := strings.Cut(strings.TrimPrefix(probe, "http://"), "/")
	if r := b.get("GET", host, "/"+page, iframe); r.StatusCode != 200 || strings.Contains(r.Header.Get("Content-Security-Policy"), "https:") {
		t.Errorf("the probe: %d %s", r.StatusCode, r.Header.Get("Content-Security-Policy"))
	}
}

// Nothing that an origin holds can end the directive or widen it.
func TestSourcesTakeOnlyOrigins(t *testing.T) {
	const own = "http://aa.localhost:1"
	plain := ContentSecurityPolicy(own, shell)
	for _, bad := range []string{
		"", "*", "https:", "https://", "https://*", "https://*.example.com", "http://example.com", "data:", "'self'", "'unsafe-inline'", "wss://example.com",
		"https://example.com; script-src *", "https://example.com *", "https://example.com,https://b.example", "https://example.com\r\nX: y", "https://example.com/x",
		"https://example.com:8443", "https://me@example.com", "https://EXAMPLE.com", "https://ex\u00e4mple.com",
	} {
		if got := ContentSecurityPolicy(own, shell, bad); got != plain {
			t.Errorf("%q gives %s", bad, got)
		}
	}
	if got := ContentSecurityPolicy(own, shell, "https://example.com"); got == plain {
		t.Error("the control: a declared origin is left out")
	}
}
