package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"neutron/kernel/egress"
	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// noSandbox serves nothing.
type noSandbox struct{}

func (noSandbox) Retire(string, uint64, string) {}
func (noSandbox) Forget()                       {}

func newKernel(t *testing.T) *Kernel {
	t.Helper()
	s, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := New(Options{Store: s, ShellFiles: fstest.MapFS{"index.html": {}}, ShellOrigin: "http://127.0.0.1:1", SandboxURL: "http://*.localhost:2", Sandbox: noSandbox{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = k.Close(), s.Close() })
	return k
}

// reaching installs an app that declares one origin.
func (k *Kernel) reaching(t *testing.T, id, origin string) *linkv1.App {
	t.Helper()
	dir := t.TempDir()
	m := fmt.Sprintf(`{"format":1,"id":%q,"name":"App","version":"1.0.0","tiles":[{"id":"main","title":"Main","path":"index.html"}],"connect":[%q]}`, id, origin)
	for name, text := range map[string]string{"neutron.json": m, "index.html": "<!doctype html>"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := install.Pack(dir, &b); err != nil {
		t.Fatal(err)
	}
	r, err := k.Review(install.Bytes(b.Bytes()), int64(b.Len()), "x")
	if err != nil {
		t.Fatal(err)
	}
	a, err := k.Approve(r.GetReviewId(), r.GetApp().GetHash(), false)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Each connection is one entry of the audit: who declared the host, how much moved, how it ended.
func TestConnectionsAreAudited(t *testing.T) {
	k := newKernel(t)
	k.reaching(t, "alone", "https://one.example.com")
	k.reaching(t, "first", "https://two.example.com")
	k.reaching(t, "second", "https://two.example.com")
	k.connecting("one.example.com")(egress.Connection{Host: "one.example.com", Up: 12, Down: 345})
	k.connecting("two.example.com")(egress.Connection{Host: "two.example.com", Err: fault.New("x", fault.Denied, "", "")})
	k.connecting("gone.example.com")(egress.Connection{Host: "gone.example.com", Err: errors.New("x")})
	if err := k.audit.Flush(); err != nil {
		t.Fatal(err)
	}
	page, err := k.QueryAudit(&linkv1.QueryAudit{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range page.GetEntries() {
		got = append(got, fmt.Sprintf("%s %s %s %s %s %s", e.GetCaller().GetEndpointId(), e.GetTarget().GetEndpointId(), e.GetTool(), e.GetStatus(), e.GetDecision(), e.GetResult()))
	}
	want := []string{
		`window https://gone.example.com connect INTERNAL declared {"sentBytes":0,"receivedBytes":0}`,
		`window https://two.example.com connect DENIED declared {"sentBytes":0,"receivedBytes":0}`,
		`app:alone https://one.example.com connect ok declared {"sentBytes":12,"receivedBytes":345}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// What the sandbox may name is what is installed now, and nothing of another version or installation.
func TestConnectIsOfThisInstallation(t *testing.T) {
	k := newKernel(t)
	a := k.reaching(t, "alone", "https://one.example.com")
	if got := k.Connect("alone", a.GetUid(), a.GetHash()); !slices.Equal(got, []string{"https://one.example.com"}) {
		t.Errorf("got %v", got)
	}
	if k.Connect("alone", a.GetUid()+1, a.GetHash()) != nil || k.Connect("alone", a.GetUid(), "x") != nil || k.Connect("other", a.GetUid(), a.GetHash()) != nil {
		t.Error("another installation, version or app gets its origins")
	}
	if err := k.Remove("alone", 0); err != nil {
		t.Fatal(err)
	}
	if len(k.origins()) != 0 || k.Connect("alone", a.GetUid(), a.GetHash()) != nil {
		t.Error("a removed app leaves its origins")
	}
}
