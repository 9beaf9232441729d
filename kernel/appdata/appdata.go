// Package appdata is one installation's own durable key-value store.
//
// What it promises:
//
//  1. A change that was answered is on the disk. One that was refused left no
//     trace, and a batch is made whole or not at all.
//  2. Every change has a revision: a number that only grows, one for each
//     committed change of the installation, and kept with what it wrote.
//     A change that names the revision it expects is refused with CONFLICT when
//     it finds another; revision 0 means that nothing may be there.
//  3. Everything is filed under the installation's uid. What is removed inherits
//     nothing, and nothing can be written to it any more: Remove commits
//     together with the row.
//  4. Changes of one installation are committed, and told, in the order in which
//     they were asked for.
//
// Changes that wait at the same time share one transaction, and so one wait for
// the disk; each is judged by itself, on what the former ones left.
package appdata

import (
	"sync"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
)

// Data is what all installations keep. It is safe for use by many goroutines.
type Data struct {
	store *store.Store

	mu      sync.Mutex // guards all below; never held while the store is called
	quiet   *sync.Cond // committing became false
	waiting []*change  // in the order they came
	working bool       // a goroutine commits what waits
	closed  bool
	uploads uploads
}

// change is one write on its way: edits that are made together or not at all.
type change struct {
	uid   uint64
	bytes int // about what it adds to a transaction
	edits []edit
	// told hears the revision, in the order of the commits and before done does,
	// if anything changed; nil: nobody.
	told func(revision uint64)
	done func(revision uint64, err error)

	changed bool
	at      uint64
	err     error
}

// Open makes the one Data of a store, and forgets what kept late writes out of
// installations that were removed while another kernel ran.
func Open(s *store.Store) (*Data, error) {
	d := &Data{store: s, uploads: uploads{}}
	d.quiet = sync.NewCond(&d.mu)
	var any bool
	err := s.View(func(tx *store.Tx) error {
		for range tx.Bucket(store.Data).Prefix([]byte{goneKind}) {
			any = true
			break
		}
		return nil
	})
	if err != nil || !any {
		return d, err
	}
	return d, s.Update(func(tx *store.Tx) error {
		b := tx.Bucket(store.Data)
		for k := range b.Prefix([]byte{goneKind}) {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
		return nil
	})
}

// Close waits for the changes that are on their way; later ones are refused.
// The store stays open: it is the caller's.
func (d *Data) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for d.working {
		d.quiet.Wait()
	}
	clear(d.uploads)
}

// Remove deletes everything that an installation keeps, in the transaction that
// takes its row. Once that is committed, a write that was on its way finds
// nothing to write to.
func (d *Data) Remove(tx *store.Tx, uid uint64) error {
	b := tx.Bucket(store.Data)
	for _, v := range b.Prefix(rowKey(blobKind, uid, "")) {
		if err := tx.UnrefBlob(blobOf(v).hash); err != nil {
			return err
		}
	}
	for _, kind := range []byte{valueKind, blobKind, usageKind} {
		for k := range b.Prefix(rowKey(kind, uid, "")) {
			if err := b.Delete(k); err != nil {
				return err
			}
		}
	}
	return b.Put(rowKey(goneKind, uid, ""), nil)
}

// submit queues a change. done is called once, from another goroutine unless the
// change is refused at once.
func (d *Data) submit(c *change) {
	d.mu.Lock()
	if d.closed {
		d.mu.Unlock()
		c.done(0, fault.New(opWrite, fault.NoShell, "", "Neutron is closing."))
		return
	}
	d.waiting = append(d.waiting, c)
	start := !d.working
	d.working = true
	d.mu.Unlock()
	if start {
		go d.work()
	}
}

// work commits what waits until nothing does.
func (d *Data) work() {
	for {
		d.mu.Lock()
		group := d.group()
		if len(group) == 0 {
			d.working = false
			d.quiet.Broadcast()
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
		d.commit(group)
	}
}

// group takes the changes that go into the next transaction. The caller holds mu.
func (d *Data) group() []*change {
	n, size := 0, 0
	for n < len(d.waiting) && n < limit.DataGroup && (n == 0 || size+d.waiting[n].bytes <= limit.DataGroupSize) {
		size += d.waiting[n].bytes
		n++
	}
	group := d.waiting[:n:n]
	d.waiting = d.waiting[n:]
	return group
}

// commit makes a group of changes durable and answers them. A change that is
// refused has written nothing; a transaction that fails fails them all.
func (d *Data) commit(group []*change) {
	err := d.store.Update(func(tx *store.Tx) error {
		views := map[uint64]*view{}
		for _, c := range group {
			v := views[c.uid]
			if v == nil {
				v = newView(tx, c.uid)
				views[c.uid] = v
			}
			var write func() error
			write, c.err = v.plan(c.edits)
			if c.changed = write != nil; c.changed {
				if err := write(); err != nil {
					return err
				}
			}
			c.at = v.usage.Revision
		}
		return nil
	})
	for _, c := range group {
		if c.err == nil {
			c.err = err
		}
		if c.err == nil && c.changed && c.told != nil {
			c.told(c.at)
		}
		c.done(c.at, c.err)
	}
}
