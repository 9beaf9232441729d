package bus_test

import (
	"sync"

	"neutron/kernel/audit"
	"neutron/kernel/proto/linkv1"
)

// failing is a real disk that can be made to refuse writes, as a full one does.
type failing struct {
	audit.Disk
	mu  sync.Mutex
	err error
}

func (f *failing) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *failing) Write(entries []*linkv1.AuditEntry) error {
	f.mu.Lock()
	err := f.err
	f.mu.Unlock()
	if err != nil {
		return err
	}
	return f.Disk.Write(entries)
}
