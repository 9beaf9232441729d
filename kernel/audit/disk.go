package audit

import (
	"encoding/binary"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// OnStore keeps the durable log in the store's audit bucket: the sequence
// number, big-endian, to the entry. Beyond 100,000 entries the oldest go.
func OnStore(s *store.Store) Disk { return &disk{s} }

type disk struct{ store *store.Store }

func key(seq uint64) []byte { return binary.BigEndian.AppendUint64(nil, seq) }

// Last is Disk's.
func (d *disk) Last() (seq uint64, err error) {
	err = d.store.View(func(tx *store.Tx) error {
		for k := range tx.Bucket(store.Audit).Down(nil) {
			if len(k) == 8 {
				seq = binary.BigEndian.Uint64(k)
			}
			break
		}
		return nil
	})
	return seq, err
}

// Write is Disk's.
func (d *disk) Write(entries []*linkv1.AuditEntry) error {
	const op fault.Op = "audit.write"
	rows := make([][2][]byte, len(entries))
	var newest uint64
	for i, e := range entries {
		v, err := proto.Marshal(e)
		if err != nil {
			return fault.Wrap(op, fault.Internal, "", err)
		}
		rows[i] = [2][]byte{key(e.Seq), v}
		newest = max(newest, e.Seq)
	}
	return d.store.Update(func(tx *store.Tx) error {
		b := tx.Bucket(store.Audit)
		for _, r := range rows {
			if err := b.Put(r[0], r[1]); err != nil {
				return err
			}
		}
		if newest <= limit.AuditEntries {
			return nil
		}
		for k := range b.Down(key(newest - limit.AuditEntries + 1)) {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// Scan is Disk's.
func (d *disk) Scan(before uint64, each func(*linkv1.AuditEntry) bool) error {
	const op fault.Op = "audit.scan"
	return d.store.View(func(tx *store.Tx) error {
		var from []byte
		if before > 0 {
			from = key(before)
		}
		for _, v := range tx.Bucket(store.Audit).Down(from) {
			e := &linkv1.AuditEntry{}
			if err := proto.Unmarshal(v, e); err != nil {
				return fault.Wrap(op, fault.StoreDamaged, "", err)
			}
			if !each(e) {
				break
			}
		}
		return nil
	})
}
