package appdata

import "neutron/kernel/store"

// Preset writes what an installation is said to keep, to test a quota without filling it.
func (d *Data) Preset(uid uint64, u Usage) error {
	return d.store.Update(func(tx *store.Tx) error {
		return tx.Bucket(store.Data).Put(rowKey(usageKind, uid, ""), u.row())
	})
}
