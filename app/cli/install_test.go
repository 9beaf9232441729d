package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// source makes an app's directory with a manifest of ours.
func source(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my_notes")
	neutron(t, dataDir(t), "", "app", "new", dir).want(t, 0)
	return dir
}

// edit changes the app's manifest.
func edit(t *testing.T, dir string, pairs ...string) {
	t.Helper()
	file := filepath.Join(dir, "neutron.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	after := strings.NewReplacer(pairs...).Replace(string(b))
	if after == string(b) {
		t.Fatalf("nothing of %q is in %s", pairs, b)
	}
	if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestInstallADirectory(t *testing.T) {
	dir, data := source(t), dataDir(t)
	edit(t, dir, `"version": "0.1.0"`, `"version": "0.1.0", "connect": ["https://api.example.com"]`)
	neutron(t, data, "n\n", "app", "install", dir).want(t, 4, "Leaves this computer for api.example.com", "connects to  https://api.example.com", "Nobody vouches")
	neutron(t, data, "y\n", "app", "install", dir).want(t, 0, "Installed my_notes 0.1.0")
	neutron(t, data, "", "app", "show", "my_notes").want(t, 0, "connects to  https://api.example.com")
	edit(t, dir, "0.1.0", "0.2.0", "api.example.com", "b.example.com")
	neutron(t, data, "y\n", "app", "install", dir).want(t, 0, "What the update changes", "+!!! May now send to b.example.com", "- May no longer send to api.example.com")
	neutron(t, data, "", "app", "install", filepath.Join(dir, "nothing")).want(t, 5, "cannot be read")
	neutron(t, data, "", "app", "install", "/dev/null").want(t, 5, "neither a file nor a directory")
}

// A key, a signed app, updates by it, by another and by nobody, and the owner's way out.
func TestSigners(t *testing.T) {
	dir, data, keys := source(t), dataDir(t), t.TempDir()
	key, other, pack := filepath.Join(keys, "a.key"), filepath.Join(keys, "b.key"), filepath.Join(keys, "p.neutron")
	neutron(t, data, "", "app", "keygen").want(t, 2, "needs -o")
	neutron(t, data, "", "app", "keygen", "-o", key).want(t, 0, "Public key")
	neutron(t, data, "", "app", "keygen", "-o", key).want(t, 1, "left as it is")
	neutron(t, data, "", "app", "keygen", "-o", other).want(t, 0)
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	version, n := "0.1.0", 0
	next := func(keyFile string) {
		t.Helper()
		n++
		edit(t, dir, version, "0.1."+string(rune('0'+n)))
		version = "0.1." + string(rune('0'+n))
		neutron(t, data, "", "app", "pack", dir, "-o", pack).want(t, 0)
		if keyFile != "" {
			neutron(t, data, "", "app", "sign", "--key", keyFile, pack).want(t, 0, "Signed my_notes "+version)
		}
	}
	next(key)
	neutron(t, data, "", "app", "sign", pack).want(t, 2, "needs --key")
	neutron(t, data, "", "app", "sign", "--key", pack, pack).want(t, 1, "no Ed25519 key")
	neutron(t, data, "y\n", "app", "install", pack).want(t, 0, "Signed by a key that is new here")
	next(key)
	neutron(t, data, "y\n", "app", "install", pack).want(t, 0, "the same key as before")
	next(other)
	neutron(t, data, "", "app", "install", pack, "--yes").want(t, 7, "Signed by another key", "SIGNER_CHANGED", "Nothing was changed")
	neutron(t, data, "yes\n", "app", "install", pack, "--yes", "--replace-signer").want(t, 4, "type the app's id")
	neutron(t, data, "", "app", "list").want(t, 0, "0.1.2")
	neutron(t, data, "", "app", "remove", "my_notes", "--yes").want(t, 0)
	next("")
	neutron(t, data, "y\n", "app", "install", pack).want(t, 7, "Not signed, though it was before", "not signed")
	next(other)
	neutron(t, data, "my_notes\n", "app", "install", pack, "--replace-signer").want(t, 0, "Installed my_notes 0.1.5")
	next(key)
	neutron(t, data, "y\n", "app", "install", pack).want(t, 7)
	var r struct {
		Signer struct{ State, Key, Pinned string }
	}
	out := neutron(t, data, "", "app", "install", pack, "--json").want(t, 0).out
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Signer.State != "changed" || len(r.Signer.Key) != 64 || r.Signer.Key == r.Signer.Pinned {
		t.Errorf("%v in %s", err, out)
	}
}

// The flag alone changes nothing where the signer is the same.
func TestReplaceSignerAsksOnlyWhereItMatters(t *testing.T) {
	data := dataDir(t)
	neutron(t, data, "y\n", "app", "install", packed(t), "--replace-signer").want(t, 0, "Installed my_notes")
}

func TestInstallAnAddress(t *testing.T) {
	pack, err := os.ReadFile(packed(t))
	if err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = w.Write(pack)
	}))
	defer srv.Close()
	address, data := srv.URL+"/my_notes.neutron", dataDir(t)
	neutron(t, data, "y\n", "app", "install", address).want(t, 1, "does not begin with https://")
	neutron(t, data, "y\n", "app", "install", "https://me:pw@example.com/a.neutron").want(t, 1, "a user or a password")
	if asked.Load() != 0 {
		t.Error("a refused address was asked")
	}
	neutron(t, data, "y\n", "app", "install", address, "--dev").want(t, 0, address, "Installed my_notes")
	if asked.Load() != 1 {
		t.Errorf("the package was fetched %d times", asked.Load())
	}
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	neutron(t, data, "", "app", "install", missing.URL+"/a", "--dev").want(t, 1, "404", "FETCH_FAILED", "Nothing was installed")
}
