package install

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// naive unpacks a package as the victims of attacks 17 to 19 do: it joins names
// and follows what it finds. It is the positive control: the attack is real.
func naive(t *testing.T, b []byte, into string) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		body, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		name := into + "/" + strings.ReplaceAll(f.Name, `\`, "/")
		_ = os.MkdirAll(filepath.Dir(name), 0o700)
		if f.Mode()&os.ModeSymlink != 0 {
			_ = os.Symlink(string(raw), name)
			continue
		}
		_ = os.WriteFile(name, raw, 0o600)
	}
}

// victim is a directory in which a file outside of the package's place must survive.
func victim(t *testing.T) (into, outside string) {
	dir := t.TempDir()
	outside = filepath.Join(dir, "victim")
	if err := os.WriteFile(outside, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "app"), outside
}

func survives(t *testing.T, outside string) bool {
	b, err := os.ReadFile(outside)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) == "precious"
}

// Attacks 17 and 19: names that leave the package's place.
func TestAttack17And19NamesThatLeave(t *testing.T) {
	for _, name := range []string{"../victim", "bg/../../victim", `..\victim`, `bg\..\..\victim`} {
		b := good(entry(name, "owned")).bytes()
		if _, err := decode(b); err == nil {
			t.Errorf("%s: taken", name)
		}
		into, outside := victim(t)
		if naive(t, b, into); survives(t, outside) {
			t.Errorf("%s, control: a naive unpacker is not fooled", name)
		}
		// Without the rules this decoder takes the package too: it is they that refuse it.
		rules := nameRules
		nameRules = nil
		if _, err := decode(b); err != nil {
			t.Errorf("%s, control without the rules: %v", name, err)
		}
		nameRules = rules
	}
}

// Attack 18: a link in the package, and a file written through it.
func TestAttack18SymbolicLink(t *testing.T) {
	linked := entry("d", "..").with(func(p *part) { p.attr = 0o120777 << 16 })
	b := good(linked, entry("e/x", "1")).bytes()
	if _, err := decode(b); err == nil {
		t.Error("a link was taken")
	}
	through := good(entry("d", "..").with(func(p *part) { p.attr = 0o120777 << 16 }), entry("d/victim", "owned")).bytes()
	if _, err := decode(through); err == nil {
		t.Error("a file under a link was taken")
	}
	into, outside := victim(t)
	if naive(t, through, into); survives(t, outside) {
		t.Error("control: a naive unpacker does not write through the link")
	}
}

// Attack 19: two entries of one name show a reviewer one file and run another.
func TestAttack19TwoEntriesOfOneName(t *testing.T) {
	for _, second := range []string{"app.js", "App.js", "APP.JS"} {
		b := good(entry(second, "evil()")).bytes()
		if _, err := decode(b); err == nil {
			t.Errorf("%s: taken", second)
		}
		if fold(second) != fold("app.js") {
			t.Errorf("%s and app.js are two files to this decoder and one to a disk", second)
		}
	}
	// Control: to the reader that Go programs use, the later entry silently wins.
	b := good(entry("app.js", "evil()")).bytes()
	into, _ := victim(t)
	naive(t, b, into)
	if got, err := os.ReadFile(filepath.Join(into, "app.js")); err != nil || string(got) != "evil()" {
		t.Errorf("control: %q, %v", got, err)
	}
}
