package install

import (
	"archive/zip"
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"neutron/kernel/fault"
)

// FuzzDecode: whatever is refused is refused with a code and a subject; whatever
// is taken means the same to another reader of the format.
func FuzzDecode(f *testing.F) {
	f.Add(good().bytes())
	f.Add(good(entry("a/b.txt", "abc").streamed(true), stored("é.txt", "")).bytes())
	for _, list := range [][]badPackage{badKinds(), badLayouts()} {
		for _, c := range list {
			f.Add(c.make())
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decode(b)
		if err != nil {
			if e, ok := err.(*fault.Error); !ok || e.Subject == "" || e.Message == "" {
				t.Fatalf("refused without a subject or a sentence: %#v", err)
			}
			return
		}
		oracle, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatalf("taken, but another reader says %v", err)
		}
		var names []string
		for _, z := range oracle.File {
			names = append(names, z.Name)
			r, err := z.Open()
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := io.ReadAll(r)
			if err != nil {
				t.Fatalf("%s: %v", z.Name, err)
			}
			ours, err := p.Read(z.Name)
			if err != nil || !bytes.Equal(ours, theirs) {
				t.Fatalf("%s: %d bytes and %d, %v", z.Name, len(ours), len(theirs), err)
			}
			if !z.Mode().IsRegular() || strings.Contains(z.Name, "..") && checkName(z.Name) != nil {
				t.Fatalf("taken: %s %v", z.Name, z.Mode())
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, p.Names()) {
			t.Fatalf("%v and %v", names, p.Names())
		}
	})
}

// FuzzManifest: a manifest that is taken means the same when it is written again.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(goodManifest))
	f.Add([]byte(`{"format":1,"id":"tray","name":"Tray","version":"0.0.1","background":{"path":"b.html"},"tray":{"title":"T","path":"t.html","icon":"t.svg"}}`))
	for _, c := range badManifests() {
		b := c.make()
		if r, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
			if m, err := r.Open(ManifestName); err == nil {
				raw, _ := io.ReadAll(io.LimitReader(m, 4<<10))
				f.Add(raw)
			}
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := DecodeManifest(raw)
		if err != nil {
			if fault.CodeOf(err) != fault.ManifestInvalid || !strings.HasPrefix(err.(*fault.Error).Subject, ManifestName) {
				t.Fatalf("refused as %v", err)
			}
			return
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		n, err := DecodeManifest(again)
		if err != nil {
			t.Fatalf("%s was taken, its own writing %s is not: %v", raw, again, err)
		}
		if len(m.Tiles) == 0 {
			m.Tiles, n.Tiles = nil, nil
		}
		if !reflect.DeepEqual(m, n) {
			t.Fatalf("%+v and %+v", m, n)
		}
	})
}

// FuzzName: a name that is taken is a plain relative path to every system.
func FuzzName(f *testing.F) {
	for _, n := range []string{"a/b.js", "../x", "CON", "a\\b", "é", "a/./b", "x "} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n string) {
		if checkName(n) != nil {
			return
		}
		if strings.ContainsAny(n, "\\:\x00%") || strings.HasPrefix(n, "/") || n == "" || len(n) > 512 {
			t.Fatalf("%q", n)
		}
		for p := range strings.SplitSeq(n, "/") {
			if p == "" || p == "." || p == ".." || strings.HasSuffix(p, ".") || strings.HasSuffix(p, " ") {
				t.Fatalf("%q", n)
			}
		}
		if fold(fold(n)) != fold(n) {
			t.Fatalf("folding %q twice differs", n)
		}
	})
}

// FuzzCheck: whatever a page or a script holds, the checks end and point into it.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"localStorage.x", "`${`${a}`}`", "/[/]/.test(x)", "<script>eval(1)</script>", "<form><a href=x>", "a/*", "\"\\", "<style>@import '//x'"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, name := range []string{"x.js", "x.html", "x.css"} {
			c := &checker{has: map[string]bool{}}
			c.file(name, b)
			for _, found := range c.found {
				if found.Line < 1 || found.Line > 1+bytes.Count(b, []byte("\n")) || found.Column < 1 || found.Column > len(b)+1 || found.Text == "" {
					t.Fatalf("%s: %+v", name, found)
				}
			}
		}
	})
}
