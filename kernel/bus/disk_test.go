package bus_test

import (
	"sync"

	"neutron/kernel/audit"
	"neutron/kernel/proto/linkv1"
)

// failing is a real disk that can be made to refuse writes, as a full one does,
// and during whose next write something else can happen.
type failing struct {
	audit.Disk
	mu     sync.Mutex
	err    error
	during func()
}

func (f *failing) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *failing) Write(entries []*linkv1.AuditEntry) error {
	f.mu.Lock()
	err, during := f.err, f.during
	f.during = nil
	f.mu.Unlock()
	if during != nil {
		during()
	}
	if err != nil {
		return err
	}
	return f.Disk.Write(entries)
}
