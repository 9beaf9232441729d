package store

import (
	"bytes"
	"iter"
	"slices"

	"go.etcd.io/bbolt"

	"neutron/kernel/fault"
)

// Name is a bucket's name.
type Name string

// The buckets of the store.
const (
	Apps     Name = "apps"     // app id: installed row
	Counters Name = "counters" // name: a number that only grows
	Docs     Name = "docs"     // key: a durable document of the shell
	Audit    Name = "audit"    // sequence: entry of the durable log
	Receipts Name = "receipts" // written by Receipt and PutReceipt only
	Owner    Name = "owner"    // name: the owner's settings and trust mark
	Blobs    Name = "blobs"    // written by PutBlob, RefBlob and UnrefBlob only
	Journal  Name = "journal"  // what was begun and must be ended after a restart
	Data     Name = "data"     // what apps keep, by installation
)

// names lists every bucket, for migrations and the checker.
var names = []Name{Apps, Counters, Docs, Audit, Receipts, Owner, Blobs, Journal, Data}

// Tx is a transaction. It is valid inside the function it was given to, and in
// one goroutine.
type Tx struct {
	tx    *bbolt.Tx
	store *Store
	fresh []string // blobs that this transaction wrote
	loose []string // blobs whose last reference it took
}

// Bucket is one named map of bytes to bytes within a transaction, ordered by key.
type Bucket struct {
	b        *bbolt.Bucket
	writable bool
}

// Bucket gives a bucket of the list above.
func (t *Tx) Bucket(n Name) *Bucket {
	return &Bucket{t.tx.Bucket([]byte(n)), t.tx.Writable()}
}

// Writable reports whether the transaction may write.
func (t *Tx) Writable() bool { return t.tx.Writable() }

// Get is a copy of a key's value; nil when there is none.
func (b *Bucket) Get(key []byte) []byte { return bytes.Clone(b.b.Get(key)) }

// Put sets a key's value. A nil value is stored as an empty one. Keys have 1 to
// 32768 bytes.
func (b *Bucket) Put(key, value []byte) error {
	if value == nil {
		value = []byte{} // Get must tell it from none
	}
	return fault.Wrap("store.put", fault.Internal, "", b.b.Put(key, value))
}

// Delete removes a key; a key that is not there is no error.
func (b *Bucket) Delete(key []byte) error {
	return fault.Wrap("store.delete", fault.Internal, "", b.b.Delete(key))
}

// Next gives the bucket's next sequence number, beginning with 1. It never
// repeats one that was committed.
func (b *Bucket) Next() (uint64, error) {
	n, err := b.b.NextSequence()
	return n, fault.Wrap("store.next", fault.Internal, "", err)
}

// All iterates over the bucket in the order of keys. Key and value are valid
// until the next step and must not be changed. In a write transaction the loop
// may put and delete.
func (b *Bucket) All() iter.Seq2[[]byte, []byte] { return b.Prefix(nil) }

// Prefix iterates like All over the keys that begin with prefix.
func (b *Bucket) Prefix(prefix []byte) iter.Seq2[[]byte, []byte] { return b.From(prefix, prefix) }

// From iterates like Prefix, beginning with the first key that is not below start.
func (b *Bucket) From(start, prefix []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		c := b.b.Cursor()
		k, v := c.Seek(start)
		for k != nil && bytes.HasPrefix(k, prefix) {
			last := k
			if b.writable {
				last = bytes.Clone(k) // the loop's own writes may move the page under k
			}
			if !yield(k, v) {
				return
			}
			if !b.writable {
				k, v = c.Next()
			} else if k, v = c.Seek(last); bytes.Equal(k, last) {
				k, v = c.Next()
			}
		}
	}
}

// Down iterates like All, but downwards, over the keys strictly below before;
// nil: from the last key on.
func (b *Bucket) Down(before []byte) iter.Seq2[[]byte, []byte] {
	if b.writable {
		return b.downCopied(before)
	}
	return func(yield func(k, v []byte) bool) {
		c := b.b.Cursor()
		k, v := c.Last()
		if before != nil {
			if at, _ := c.Seek(before); at != nil {
				k, v = c.Prev()
			} else {
				k, v = c.Last()
			}
		}
		for k != nil && yield(k, v) {
			k, v = c.Prev()
		}
	}
}

// downCopied lists the keys first: bbolt's cursor stops on its way down at a
// page that deletes of the same transaction have emptied.
func (b *Bucket) downCopied(before []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		var keys [][]byte
		for k := range b.All() {
			if before != nil && bytes.Compare(k, before) >= 0 {
				break
			}
			keys = append(keys, bytes.Clone(k))
		}
		for _, k := range slices.Backward(keys) {
			if v := b.b.Get(k); v != nil && !yield(k, v) {
				return
			}
		}
	}
}
