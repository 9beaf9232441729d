package kernel

import (
	"encoding/binary"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// disk keeps the audit's entries in the store, by their number. It is the
// audit.Disk of a kernel.
type disk struct{ s *store.Store }

func seqKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// Last is audit.Disk's.
func (d disk) Last() (n uint64, err error) {
	err = d.s.View(func(tx *store.Tx) error {
		for k := range tx.Bucket(store.Audit).Down(nil) {
			n = binary.BigEndian.Uint64(k)
			break
		}
		return nil
	})
	return n, err
}

// Write is audit.Disk's. The oldest entries go when there are more than limit.AuditEntries.
func (d disk) Write(entries []*linkv1.AuditEntry) error {
	return d.s.Update(func(tx *store.Tx) error {
		b := tx.Bucket(store.Audit)
		var newest uint64
		for _, e := range entries {
			raw, err := proto.Marshal(e)
			if err != nil {
				return fault.Wrap("kernel.audit", fault.Internal, e.GetTool(), err)
			}
			if err := b.Put(seqKey(e.GetSeq()), raw); err != nil {
				return err
			}
			newest = max(newest, e.GetSeq())
		}
		return trim(b, newest)
	})
}

// Scan is audit.Disk's.
func (d disk) Scan(before uint64, each func(*linkv1.AuditEntry) bool) error {
	return d.s.View(func(tx *store.Tx) error {
		var from []byte
		if before > 0 {
			from = seqKey(before)
		}
		for k, raw := range tx.Bucket(store.Audit).Down(from) {
			e := new(linkv1.AuditEntry)
			if err := proto.Unmarshal(raw, e); err != nil {
				return fault.Wrap("kernel.audit", fault.StoreDamaged, string(k), err)
			}
			if !each(e) {
				break
			}
		}
		return nil
	})
}

// trim drops what is too old.
func trim(b *store.Bucket, newest uint64) error {
	if newest <= limit.AuditEntries {
		return nil
	}
	for k := range b.All() {
		if binary.BigEndian.Uint64(k) > newest-limit.AuditEntries {
			break
		}
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
