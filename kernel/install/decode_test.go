package install

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"neutron/kernel/fault"
)

func TestDecode(t *testing.T) {
	raw := good().bytes()
	p := mustDecode(t, raw)
	sum := sha256.Sum256(raw)
	if p.Hash != hex.EncodeToString(sum[:]) || p.Size != int64(len(raw)) {
		t.Errorf("hash %s, size %d", p.Hash, p.Size)
	}
	if want := []string{"app.js", "bg/background.html", "icon.svg", "index.html", "neutron.json"}; !slices.Equal(p.Names(), want) {
		t.Errorf("names %v", p.Names())
	}
	if m := p.Manifest; m.ID != "notes" || m.Version != "1.2.3" || len(m.Tiles) != 1 || m.Background.Path != "bg/background.html" {
		t.Errorf("manifest %+v", m)
	}
	if string(p.Icon) != goodIcon {
		t.Errorf("icon %q", p.Icon)
	}
	for _, part := range good().parts {
		if b, err := p.Read(part.central.name); err != nil || len(b) != int(part.central.size) {
			t.Errorf("%s: %d bytes, %v", part.central.name, len(b), err)
		}
	}
	if _, err := p.Read("nothing"); fault.CodeOf(err) != fault.PackageInvalid {
		t.Errorf("a missing file: %v", err)
	}
}

// Packages of ordinary packers are taken when they are regular.
func TestDecodeOrdinary(t *testing.T) {
	stamp := []byte{0x55, 0x54, 5, 0, 1, 0, 0, 0, 0, 0x75, 0x78, 4, 0, 1, 0, 0, 0}
	for name, c := range map[string]*crafted{
		"time stamps":       good(entry("a.txt", "a").both(func(h *header) { h.extra = stamp })),
		"no flags":          good(entry("a.txt", "a").both(func(h *header) { h.flags = 0 })),
		"level flags":       good(entry("a.txt", "a").both(func(h *header) { h.flags |= flagLevel })),
		"streamed":          good(entry("a.txt", "a").streamed(true)),
		"streamed, bare":    good(entry("a.txt", "a").streamed(false)),
		"streamed and next": good(entry("a.txt", "a").streamed(false), entry("b.txt", "b")),
		"no mode":           good(entry("a.txt", "a").with(func(p *part) { p.attr, p.made = 0x20, 20 })),
		"empty file":        good(entry("a.txt", ""), stored("b.txt", "")),
		"any order":         good(entry("é/ü.txt", "a")).with(func(c *crafted) { slices.Reverse(c.parts) }),
		"names near a rule": good(entry("con_/COM10/nul1..js", "a"), entry("a.b c/.d-e", "b"), entry("日本.txt", "c")),
	} {
		t.Run(name, func(t *testing.T) { mustDecode(t, c.bytes()) })
	}
}

func (c *crafted) with(f func(*crafted)) *crafted { f(c); return c }

// The standard library's own writer streams; its packages are taken too.
func TestDecodeStandardWriter(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, p := range good().parts {
		f, err := w.Create(p.central.name)
		if err != nil {
			t.Fatal(err)
		}
		body := map[string]string{ManifestName: goodManifest, "icon.svg": goodIcon}[p.central.name]
		if _, err := f.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	mustDecode(t, b.Bytes())
}

// A package whose bytes change behind the decoder's back serves nothing.
func TestReadNoticesChange(t *testing.T) {
	raw := good().bytes()
	p := mustDecode(t, raw)
	i := bytes.Index(raw, []byte(goodIcon))
	raw[i+5] ^= 1
	if b, err := p.Read("icon.svg"); err == nil {
		t.Errorf("served changed bytes: %q", b)
	}
	raw[i+5] ^= 1
	// The same length and CRC is not enough.
	f := p.files["icon.svg"]
	f.sum[0] ^= 1
	p.files["icon.svg"] = f
	if _, err := p.Read("icon.svg"); fault.CodeOf(err) != fault.DigestMismatch {
		t.Errorf("a colliding checksum: %v", err)
	}
}

// Every rule about names is the one that catches some row of the table; take it
// away, and that row is taken or refused for another reason.
func TestEachNameRuleCatches(t *testing.T) {
	caught := make(map[string]bool)
	for _, c := range badNames() {
		_, err := decode(c.make())
		caught[fault.Sentence(err)] = true
	}
	for _, r := range nameRules {
		found := false
		for sentence := range caught {
			found = found || strings.HasSuffix(sentence, " "+r.why+".")
		}
		if !found {
			t.Errorf("no row of the table is caught because it %s", r.why)
		}
	}
}
