package sandbox

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// without takes single gates away: the positive control of an attack.
func (b *bed) without(names ...Refusal) {
	b.gates = slices.DeleteFunc(gates(), func(g gate) bool {
		return slices.Contains(names, g.name)
	})
}

// Attack 10: a name of the attacker's is rebound to this machine, so that his
// page and the listener are one origin to the browser.
func TestAttack10Rebinding(t *testing.T) {
	b := serve(t)
	host, _ := b.entry(notes, "f", "index.html")
	label, _, _ := strings.Cut(host, ".")
	attack := func() (bool, string) {
		r := b.get("GET", label+".evil.example:"+b.port, "/x.js", "Sec-Fetch-Dest: empty", "Sec-Fetch-Site: same-origin")
		body, _ := io.ReadAll(r.Body)
		return r.StatusCode == 200, string(body)
	}
	if ok, body := attack(); ok {
		t.Errorf("a rebound name read %q", body)
	}
	// The control keeps the label and gives up only the comparison with our own name.
	b.gates = slices.Clone(gates())
	b.gates[0].pass = func(_ *Server, v *visit) bool {
		v.label, _, _ = strings.Cut(v.r.Host, ".")
		return true
	}
	if ok, _ := attack(); !ok {
		t.Error("control: the attack fails even without the gate, so the test shows nothing")
	}
}

// Attack 12: a foreign page sends what needs no permission of CORS: a form post,
// a no-cors fetch, an element; and reads what a starred ACAO would let it read.
func TestAttack12ForeignPage(t *testing.T) {
	b := serve(t)
	host, page := b.entry(notes, "f", "index.html")
	for _, a := range []struct {
		name, method, target string
		headers              []string
		gate                 Refusal
	}{
		{"form post", "POST", "/x.js", []string{"Sec-Fetch-Site: cross-site", script, "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0"}, RefusedMethod},
		{"cors fetch", "GET", "/x.js", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: empty", "Origin: https://evil.example"}, RefusedOrigin},
		{"top window", "GET", "/x.js", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"}, RefusedDestination},
		{"app steers its frame to another app", "GET", page[:strings.Index(page, "?")], []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", iframe}, RefusedToken},
	} {
		b.gates = gates()
		if r := b.get(a.method, host, a.target, a.headers...); r.StatusCode != 403 {
			t.Errorf("%s: %d", a.name, r.StatusCode)
		}
		b.without(a.gate)
		if r := b.get(a.method, host, a.target, a.headers...); r.StatusCode != 200 {
			t.Errorf("%s, control without %s: %d", a.name, a.gate, r.StatusCode)
		}
	}
}

// Attack 16: a page registers a service worker, which would then answer for
// every later page of its label.
func TestAttack16ServiceWorker(t *testing.T) {
	b := serve(t)
	host, _ := b.entry(notes, "f", "index.html")
	attack := func() int {
		return b.get("GET", host, "/x.js", "Service-Worker: script", "Sec-Fetch-Dest: serviceworker", "Sec-Fetch-Mode: same-origin").StatusCode
	}
	if got := attack(); got != 403 {
		t.Error(got)
	}
	b.without(RefusedServiceWorker)
	if got := attack(); got != 403 {
		t.Error("the destination is a second lock:", got)
	}
	b.without(RefusedServiceWorker, RefusedDestination)
	if got := attack(); got != 200 {
		t.Error("control:", got)
	}
}

// joining is the naive look-up that attack 17 hopes for: it cleans and joins.
type joining struct{ library }

func (j joining) File(app string, uid uint64, hash, path string) ([]byte, string, bool) {
	return []byte("secret of " + path), "text/plain", true
}

// Attack 17: names that leave the package's tree, in every spelling that survives a parser.
func TestAttack17Traversal(t *testing.T) {
	b := serve(t)
	host, _ := b.entry(notes, "f", "index.html")
	for _, target := range []string{"/../x", "/a/../../x", "/./x", "/%2e%2e/x", "/%2E%2e%2Fx", "/..%2fx", "/..%5cx", "/..\\x", "/x%00.js", "//etc/passwd", "/a//b", "/%5c%5chost%5cx"} {
		b.gates, b.lookup = gates(), files
		if r := b.get("GET", host, target, script); r.StatusCode != 403 {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
		// One lock gone: the index still knows only the names of the package.
		b.gates = slices.Clone(gates())
		b.gates[7].pass = func(_ *Server, v *visit) bool {
			v.path = strings.TrimPrefix(v.r.URL.Path, "/")
			return true
		}
		if r := b.get("GET", host, target, script); r.StatusCode != 404 {
			t.Errorf("%s without the path gate: %d", target, r.StatusCode)
		}
		b.lookup = joining{}
		if r := b.get("GET", host, target, script); r.StatusCode != 200 {
			t.Errorf("%s, control with a look-up that joins: %d", target, r.StatusCode)
		}
	}
}
