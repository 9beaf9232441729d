package proto

import (
	"os"
	"strings"
	"testing"
)

// TestHashIsCurrent fails when a message or the port protocol changed without `make gen`.
func TestHashIsCurrent(t *testing.T) {
	spec, err := os.ReadFile("../../" + SpecPath)
	if err != nil {
		t.Fatal(err)
	}
	version, err := SpecVersion(spec)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Fingerprint(version)
	if err != nil {
		t.Fatal(err)
	}
	if Hash != want {
		t.Errorf("hash.go holds %s, the messages give %s: run make gen", Hash, want)
	}
	ts, err := os.ReadFile("../../frontend/src/wire/hash.ts")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(ts), `"`+want+`"`) {
		t.Errorf("frontend/src/wire/hash.ts does not hold %s: run make gen", want)
	}
}

func TestFingerprintCoversThePort(t *testing.T) {
	a, err := Fingerprint(1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fingerprint(2)
	if err != nil {
		t.Fatal(err)
	}
	if a == b || len(a) != 64 {
		t.Errorf("port versions 1 and 2 give %s and %s", a, b)
	}
}

func TestSpecVersion(t *testing.T) {
	for _, c := range []struct {
		spec string
		want int
	}{
		{"# Port\n\nVersion: 1\n", 1},
		{"version 12 of it", 12},
		{"the version: 3 is not at the start of its line", 0},
		{"Version: one", 0},
	} {
		got, err := SpecVersion([]byte(c.spec))
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("SpecVersion(%q) = %d, %v", c.spec, got, err)
		}
	}
}
