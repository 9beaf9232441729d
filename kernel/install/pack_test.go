package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"neutron/kernel/fault"
)

// write fills a directory; a name with a slash makes its directories.
func write(t testing.TB, dir string, files map[string]string) string {
	t.Helper()
	for name, body := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func sourceFiles() map[string]string {
	return map[string]string{ManifestName: goodManifest, "index.html": "<!doctype html>", "icon.svg": goodIcon, "bg/background.html": "<!doctype html>", "app.js": "export {}"}
}

func TestPackIsDeterministic(t *testing.T) {
	var first bytes.Buffer
	dir := write(t, t.TempDir(), sourceFiles())
	if err := Pack(dir, &first); err != nil {
		t.Fatal(err)
	}
	other := write(t, t.TempDir(), sourceFiles())
	old := time.Unix(1e9, 0)
	for name := range sourceFiles() {
		if err := os.Chtimes(filepath.Join(other, name), old, old); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(other, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, other, map[string]string{".git/config": "x", ".DS_Store": "x", "app.js~": "x", "notes-1.2.3.neutron": "x"})
	var second bytes.Buffer
	if err := Pack(other, &second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same files at other times and modes gave other bytes")
	}
	p := mustDecode(t, first.Bytes())
	if want := []string{"app.js", "bg/background.html", "icon.svg", "index.html", ManifestName}; !slices.Equal(p.Names(), want) {
		t.Errorf("packed %v", p.Names())
	}
}

// A file that deflates like a bomb is stored, so that Pack never writes what Decode refuses.
func TestPackStoresBombs(t *testing.T) {
	dir := write(t, t.TempDir(), sourceFiles())
	write(t, dir, map[string]string{"zero.bin": strings.Repeat("\x00", 3<<20)})
	var b bytes.Buffer
	if err := Pack(dir, &b); err != nil {
		t.Fatal(err)
	}
	if b.Len() < 3<<20 {
		t.Error("three MiB of zeros were deflated")
	}
}

func TestPackRefuses(t *testing.T) {
	for _, c := range []struct {
		name, entry string
		code        fault.Code
		spoil       func(t *testing.T, dir string)
	}{
		{"link to a file", "link.js", fault.PackageInvalid, func(t *testing.T, dir string) { link(t, "app.js", filepath.Join(dir, "link.js")) }},
		{"link out", "secret", fault.PackageInvalid, func(t *testing.T, dir string) { link(t, "/etc/hostname", filepath.Join(dir, "secret")) }},
		{"link to a directory", "sub", fault.PackageInvalid, func(t *testing.T, dir string) { link(t, "bg", filepath.Join(dir, "sub")) }},
		{"reserved name", "aux.js", fault.PackageInvalid, func(t *testing.T, dir string) { write(t, dir, map[string]string{"aux.js": ""}) }},
		{"name in form D", `"e\u0301.js"`, fault.PackageInvalid, func(t *testing.T, dir string) { write(t, dir, map[string]string{"e\u0301.js": ""}) }},
		{"names that differ in case", "b/App.js", fault.PackageInvalid, func(t *testing.T, dir string) {
			write(t, dir, map[string]string{"b/App.js": "", "B/App.js": ""})
		}},
		{"dependencies", "node_modules", fault.PackageInvalid, func(t *testing.T, dir string) { write(t, dir, map[string]string{"node_modules/a/b.js": ""}) }},
		{"no manifest", ManifestName, fault.PackageInvalid, func(t *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, ManifestName)) }},
		{"missing page", ManifestName + "#/tiles/0/path", fault.ManifestInvalid, func(t *testing.T, dir string) { _ = os.Remove(filepath.Join(dir, "index.html")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, t.TempDir(), sourceFiles())
			c.spoil(t, dir)
			var b bytes.Buffer
			refused(t, Pack(dir, &b), c.code, c.entry)
			if b.Len() > 0 {
				t.Error("something was written")
			}
		})
	}
	if err := Pack(filepath.Join(t.TempDir(), "none"), new(bytes.Buffer)); fault.CodeOf(err) != fault.PackageInvalid {
		t.Errorf("a missing directory: %v", err)
	}
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// refused wants this code, and the entry in the subject and at the head of the sentence.
func refused(t testing.TB, err error, code fault.Code, entry string) {
	t.Helper()
	f, ok := err.(*fault.Error)
	switch {
	case !ok:
		t.Fatalf("got %v, want %s of %s", err, code, entry)
	case f.Code != code || f.Subject != entry:
		t.Errorf("got %s of %q (%v), want %s of %q", f.Code, f.Subject, f, code, entry)
	case !strings.HasPrefix(f.Message, entry+" "):
		t.Errorf("the sentence does not name the entry: %q", f.Message)
	}
}
