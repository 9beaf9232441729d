package install

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// keyOf gives the same key for the same word.
func keyOf(word string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(word))
	return ed25519.NewKeyFromSeed(seed[:])
}

func publicOf(word string) string {
	return fmt.Sprintf("%x", []byte(keyOf(word).Public().(ed25519.PublicKey)))
}

// signed is a package signed by the key of a word; no word leaves it as it is.
func signed(t testing.TB, pack []byte, word string) []byte {
	t.Helper()
	if word == "" {
		return pack
	}
	var b bytes.Buffer
	if err := Sign(bytes.NewReader(pack), int64(len(pack)), keyOf(word), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// entryOf is the signature entry of a signed package.
func entryOf(t testing.TB, pack []byte) []byte {
	t.Helper()
	records, err := readArchive(bytes.NewReader(pack), int64(len(pack)), local)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.name == SignatureName {
			var b bytes.Buffer
			if err := unpack(bytes.NewReader(pack), file{at: r.data, packed: r.packed, size: r.size, deflated: r.method == methodDeflate, crc: r.crc}, r.name, &b); err != nil {
				t.Fatal(err)
			}
			return b.Bytes()
		}
	}
	t.Fatal("there is no signature")
	return nil
}

func TestSignIsDeterministic(t *testing.T) {
	once := signed(t, good().bytes(), "a")
	if !bytes.Equal(once, signed(t, once, "a")) {
		t.Error("signing again changes the package")
	}
	other := good()
	other.parts[1], other.parts[4] = other.parts[4], other.parts[1] // packed in another order
	other.parts[2] = stored("app.js", "export {}")
	if !bytes.Equal(once, signed(t, other.bytes(), "a")) {
		t.Error("how the files are packed changes the signed package")
	}
	p := mustDecode(t, once)
	if p.Signer != publicOf("a") || p.Has(SignatureName) || len(p.Names()) != 5 {
		t.Errorf("signer %s, files %v", p.Signer, p.Names())
	}
	if p := mustDecode(t, signed(t, once, "b")); p.Signer != publicOf("b") {
		t.Error("a second signature does not replace the first")
	}
	if mustDecode(t, good().bytes()).Signer != "" {
		t.Error("an unsigned package has a signer")
	}
}

// Every way to break a signature is refused, and named.
func TestBadSignatures(t *testing.T) {
	whole := entryOf(t, signed(t, good().bytes(), "a"))
	body := string(whole)
	lines := strings.SplitAfter(body, "\n")
	with := func(sig string, c *crafted) []byte {
		c.parts = append(c.parts, entry(SignatureName, sig))
		return c.bytes()
	}
	for name, pack := range map[string][]byte{
		"empty":             with("", good()),
		"text":              with("signed by me", good()),
		"another format":    with(strings.Replace(body, "-1\n", "-2\n", 1), good()),
		"cut":               with(body[:len(body)-1], good()),
		"longer":            with(body+"\n", good()),
		"capitals":          with(lines[0]+strings.ToUpper(lines[1])+lines[2], good()),
		"no hex":            with(lines[0]+"zz"+lines[1][2:]+lines[2], good()),
		"carriage return":   with(lines[0]+lines[1][:64]+"\r"+lines[2], good()),
		"lines swapped":     with(lines[0]+lines[2]+lines[1], good()),
		"a bit of the key":  with(lines[0]+flip(lines[1])+lines[2], good()),
		"a bit of the sig":  with(lines[0]+lines[1]+flip(lines[2]), good()),
		"zero signature":    with(lines[0]+lines[1]+strings.Repeat("0", 128)+"\n", good()),
		"zero key":          with(lines[0]+strings.Repeat("0", 64)+"\n"+lines[2], good()),
		"another key":       with(lines[0]+publicOf("b")+"\n"+lines[2], good()),
		"a file changed":    with(body, good().swap(2, entry("app.js", "export {} "))),
		"a file renamed":    with(body, good().swap(2, entry("app2.js", "export {}"))),
		"a file more":       with(body, good(entry("more.js", "x"))),
		"an empty file":     with(body, good(entry("more.js", ""))),
		"a file less":       with(body, &crafted{parts: append(good().parts[:2:2], good().parts[3:]...)}),
		"another manifest":  with(body, withManifest(strings.Replace(goodManifest, "1.2.3", "1.2.4", 1))),
		"two files swapped": with(body, good().swap(1, entry("index.html", "<!doctype html>")).swap(4, entry("bg/background.html", "<!doctype html><title>Notes</title><script type=module src=app.js></script>"))),
	} {
		_, err := decode(pack)
		if fault.CodeOf(err) != fault.PackageInvalid || !strings.Contains(fault.Sentence(err), SignatureName) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := decode(with(body, good())); err != nil {
		t.Errorf("the control: %v", err)
	}
}

// swap replaces one part.
func (c *crafted) swap(i int, p *part) *crafted { c.parts[i] = p; return c }

func flip(hex string) string {
	return strings.Replace(hex, hex[:1], string("0123456789abcdef"[strings.IndexByte("123456789abcdef0", hex[0])]), 1)
}

// A signature of one app says nothing about another one.
func TestSignatureIsNotMoved(t *testing.T) {
	sig := entryOf(t, signed(t, app("notes", "1.0.0"), "a"))
	moved := app("other", "1.0.0", entry(SignatureName, string(sig)))
	if _, err := decode(moved); fault.CodeOf(err) != fault.PackageInvalid {
		t.Errorf("got %v", err)
	}
}

func TestKeys(t *testing.T) {
	file, public, err := NewKey()
	if err != nil {
		t.Fatal(err)
	}
	key, err := ReadKey(file)
	if err != nil || fmt.Sprintf("%x", []byte(key.Public().(ed25519.PublicKey))) != public {
		t.Errorf("%v, %s", err, public)
	}
	for name, bad := range map[string]string{
		"nothing": "", "text": "key", "public": strings.ReplaceAll(string(file), "PRIVATE", "PUBLIC"), "two": string(file) + string(file),
		"not a key": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "long": strings.Repeat("\n", 5_000) + string(file),
		// An elliptic curve key, made for this test.
		"another kind": "-----BEGIN PRIVATE KEY-----\nMEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAQ==\n-----END PRIVATE KEY-----\n",
	} {
		if _, err := ReadKey([]byte(bad)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A step of an app's life: a package signed by a word, whether the owner takes another signer.
type step struct {
	version, signer string
	replace         bool
	state           linkv1.SignerState
	code            fault.Code // "": it is installed
	remove          bool       // afterwards
}

const (
	unsigned = linkv1.SignerState_SIGNER_STATE_UNSIGNED
	newKey   = linkv1.SignerState_SIGNER_STATE_NEW
	sameKey  = linkv1.SignerState_SIGNER_STATE_SAME
	otherKey = linkv1.SignerState_SIGNER_STATE_CHANGED
	noKey    = linkv1.SignerState_SIGNER_STATE_MISSING
	refusal  = fault.SignerChanged
)

func TestPinnedSigners(t *testing.T) {
	for name, steps := range map[string][]step{
		"never signed":              {{"1.0.0", "", false, unsigned, "", false}, {"1.1.0", "", false, unsigned, "", false}},
		"the same key":              {{"1.0.0", "a", false, newKey, "", false}, {"1.1.0", "a", false, sameKey, "", false}},
		"another key":               {{"1.0.0", "a", false, newKey, "", false}, {"1.1.0", "b", false, otherKey, refusal, false}, {"1.2.0", "a", false, sameKey, "", false}},
		"no key":                    {{"1.0.0", "a", false, newKey, "", false}, {"1.1.0", "", false, noKey, refusal, false}},
		"signed later":              {{"1.0.0", "", false, unsigned, "", false}, {"1.1.0", "a", false, newKey, "", false}, {"1.2.0", "", false, noKey, refusal, false}},
		"another key after removal": {{"1.0.0", "a", false, newKey, "", true}, {"2.0.0", "b", false, otherKey, refusal, false}},
		"no key after removal":      {{"1.0.0", "a", false, newKey, "", true}, {"2.0.0", "", false, noKey, refusal, false}},
		"the same after removal":    {{"1.0.0", "a", false, newKey, "", true}, {"0.9.0", "a", false, sameKey, "", false}},
		"the owner takes another":   {{"1.0.0", "a", false, newKey, "", false}, {"1.1.0", "b", true, otherKey, "", false}, {"1.2.0", "a", false, otherKey, refusal, false}, {"1.3.0", "b", false, sameKey, "", false}},
		"the owner takes none":      {{"1.0.0", "a", false, newKey, "", false}, {"1.1.0", "", true, noKey, "", false}, {"1.2.0", "", false, unsigned, "", false}, {"1.3.0", "b", false, newKey, "", false}},
		"a word for nothing":        {{"1.0.0", "a", true, newKey, "", false}, {"1.1.0", "b", false, otherKey, refusal, false}},
		"a refusal pins nothing":    {{"1.0.0", "a", false, newKey, "", false}, {"1.0.0", "b", true, otherKey, fault.VersionNotNewer, false}, {"1.1.0", "a", false, sameKey, "", false}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), Options{})
			for i, st := range steps {
				s = s.again() // a pin is on the disk, not in memory
				s.live(i, st)
			}
		})
	}
}

func (s *shelf) live(i int, st step) {
	s.t.Helper()
	before := s.List()
	r, err := s.review(signed(s.t, app("notes", st.version), st.signer))
	if err == nil {
		if r.Signer.State != st.state || (st.signer != "") != (r.Signer.Key == publicOf(st.signer)) || r.App.Signer != r.Signer.Key {
			s.t.Errorf("step %d: the review says %v", i, r.Signer)
		}
		approve := s.Approve
		if st.replace {
			approve = s.ApproveSigner
		}
		_, err = approve(r.ReviewId, r.App.Hash, nil)
	}
	if fault.CodeOf(err) != st.code && (err != nil || st.code != "") {
		s.t.Fatalf("step %d: %v, want %q", i, err, st.code)
	}
	if err != nil {
		if fmt.Sprint(before) != fmt.Sprint(s.List()) {
			s.t.Errorf("step %d: a refusal changed what is installed", i)
		}
		if st.code == refusal && !strings.Contains(fault.Sentence(err), "Nothing was changed") {
			s.t.Errorf("step %d: %s", i, fault.Sentence(err))
		}
		return
	}
	if got, _ := s.Get("notes"); got.Signer != r.Signer.Key {
		s.t.Errorf("step %d: the row has the signer %q", i, got.Signer)
	}
	if st.remove {
		if err := s.Remove("notes", 0, nil); err != nil {
			s.t.Fatal(err)
		}
	}
}

// A pin that cannot be read stops an install rather than letting anybody in.
func TestDamagedPin(t *testing.T) {
	for _, pin := range []string{"", "{", `{"key":"zz","sinceMs":1}`, `{"key":"` + publicOf("a") + `","sinceMs":1,"more":1}`, `{"key":"abcd","sinceMs":1}`} {
		s := open(t, t.TempDir(), Options{})
		s.put(t, pinKey("notes"), pin)
		_, err := s.review(signed(t, app("notes", "1.0.0"), "a"))
		wants(t, err, fault.StoreDamaged)
	}
}

// put writes a key of the owner's bucket past the package.
func (s *shelf) put(t *testing.T, key []byte, value string) {
	t.Helper()
	if err := s.st.Update(func(tx *store.Tx) error { return tx.Bucket(store.Owner).Put(key, []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func FuzzSignature(f *testing.F) {
	whole := entryOf(f, signed(f, good().bytes(), "a"))
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(strings.ToUpper(string(whole))))
	f.Add([]byte(signatureHead))
	f.Add([]byte{})
	parts := good().parts // packed once: each packing costs more than all else here
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseSignature(b)
		if err == nil && !bytes.Equal(s.bytes(), b) {
			t.Errorf("%q is a second spelling of %q", b, s.bytes())
		}
		p, errPack := decode((&crafted{parts: append(slices.Clone(parts), stored(SignatureName, string(b)))}).bytes())
		if errPack == nil && (err != nil || p.Signer != hex.EncodeToString(s.key)) {
			t.Errorf("%q makes a package with the signer %q", b, p.Signer)
		}
	})
}
