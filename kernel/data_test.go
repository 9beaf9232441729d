package kernel

import (
	"errors"
	"testing"

	"neutron/kernel/appdata"
	"neutron/kernel/fault"
	"neutron/kernel/store"
)

// puts writes one entry of an installation and waits for the answer.
func (k *Kernel) puts(uid uint64) error {
	done := make(chan error, 1)
	k.data.Do(appdata.Action{UID: uid, Name: "store.put", Payload: []byte(`{"key":"a","value":1}`), Done: func(_ []byte, err error) { done <- err }})
	return <-done
}

// TestRemovalTakesTheData removes an app: what it kept goes with its row or not at
// all, nothing can be written afterwards, and a new installation begins empty.
func TestRemovalTakesTheData(t *testing.T) {
	k := newKernel(t)
	entries := func(uid uint64) uint64 {
		t.Helper()
		u, err := k.data.Usage(uid)
		if err != nil {
			t.Fatal(err)
		}
		return u.Entries
	}
	old := k.reaching(t, "notes", "https://example.org").GetUid()
	if err := k.puts(old); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("the removal does not commit")
	if err := k.remove("notes", old, func(*store.Tx) error { return stop }); err == nil {
		t.Fatal("no failure")
	}
	if n := entries(old); n != 1 {
		t.Errorf("a removal that failed left %d entries", n)
	}
	if err := k.Remove("notes", old); err != nil {
		t.Fatal(err)
	}
	if n := entries(old); n != 0 {
		t.Errorf("%d entries are left", n)
	}
	if err := k.puts(old); fault.CodeOf(err) != fault.Superseded {
		t.Errorf("a late write: %v", err)
	}
	now := k.reaching(t, "notes", "https://example.org").GetUid()
	if n := entries(now); now == old || n != 0 {
		t.Errorf("installation %d after %d begins with %d entries", now, old, n)
	}
	if err := k.puts(now); err != nil {
		t.Error(err)
	}
}
