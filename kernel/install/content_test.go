package install

import "testing"

// Attack 21: a file is what its name says, and nothing that runs by accident.
func TestAttack21ContentType(t *testing.T) {
	html := "<!doctype html><script>alert(1)</script>"
	s := open(t, t.TempDir(), Options{})
	names := map[string]string{
		"a.png": "image/png", "b.svg": "image/svg+xml", "c.js": "text/javascript; charset=utf-8", "d": octets, "e.xhtml": octets, "f.xml": octets,
		"g.html.txt": "text/plain; charset=utf-8", "h.unknown": octets, "i.shtml": octets, "j.json": "application/json", "k.wasm": "application/wasm", "l.swf": octets,
	}
	var parts []*part
	for name := range names {
		parts = append(parts, stored(name, html))
	}
	i := s.install(app("notes", "1.0.0", parts...))
	for name, want := range names {
		if _, got, ok := s.File("notes", i.UID, i.Hash, name); !ok || got != want {
			t.Errorf("%s is served as %q, want %q", name, got, want)
		}
	}
	if got := ContentType("A.PNG"); got != "image/png" {
		t.Errorf("capitals give %q", got)
	}
}
