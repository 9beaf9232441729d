package kerneltest

import (
	"testing"

	"neutron/kernel/audit"
	"neutron/kernel/store"
)

// Disk opens the durable log of a test in a directory of its own. The store is
// closed when the test ends.
func Disk(t testing.TB, dir string) audit.Disk {
	t.Helper()
	return audit.OnStore(Store(t, dir))
}

// Store opens a store that is closed when the test ends.
func Store(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
