// Package store keeps everything durable: one bbolt file and, beside it, blobs
// named by their SHA-256. It is the only importer of bbolt.
//
// What it promises:
//
//  1. When Update or Batch returns nil, the change is on the disk: it survives
//     a killed process and a power cut. When either returns an error, nothing of
//     the change is visible, now or later.
//  2. Open never harms a store that it does not open. A newer, damaged, locked
//     or unwritable one is refused with one sentence, its files untouched.
//  3. A migration runs in one transaction, after a copy of the file was made.
//  4. A blob is in the file system before a row that names it commits, and it
//     goes only after the last row that names it has gone.
//
// Values belong to the caller; this package gives them no meaning. Layout of the
// directory (0700, files 0600): neutron.db, blobs/ab/<hash>, backup/neutron-<n>.db.
package store

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"neutron/kernel/fault"
)

const (
	opOpen   fault.Op = "store.open"
	opUpdate fault.Op = "store.update"
	opView   fault.Op = "store.view"
)

// batchDelay is how long Batch waits for more writers to share its fsync.
const batchDelay = 2 * time.Millisecond

// Options of Open. The zero value is useful.
type Options struct {
	Log *slog.Logger // what was migrated or swept; nil: nowhere
}

// Store is an open store, safe for use by many goroutines.
type Store struct {
	dir  string
	db   *bbolt.DB
	lock *os.File // the data directory, held with flock
	log  *slog.Logger
}

// Open opens or creates the store of a data directory and brings it to this
// version's schema. Codes: STORE_LOCKED, STORE_NEWER, STORE_DAMAGED,
// STORE_READ_ONLY, STORE_FULL; after each of them the files are as they were.
func Open(dir string, o Options) (*Store, error) { return open(dir, o, migrations) }

func open(dir string, o Options, steps []step) (_ *Store, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	lock, err := hold(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, lock: lock, log: o.Log}
	defer func() {
		if err != nil {
			_ = s.Close() // the first error is the one to tell
		}
	}()
	if err := s.prepare(steps); err != nil {
		return nil, err
	}
	if s.db, err = openFile(dir, false); err != nil {
		return nil, err
	}
	s.db.MaxBatchDelay = batchDelay
	if err := s.migrate(steps); err != nil {
		return nil, err
	}
	if _, err := s.Sweep(); err != nil {
		return nil, err
	}
	return s, nil
}

// Dir is the data directory.
func (s *Store) Dir() string { return s.dir }

// View runs f in a read transaction: one unchanging state. f must not keep the
// transaction, nor slices of an iteration, after it returns.
func (s *Store) View(f func(*Tx) error) error {
	err := s.db.View(func(tx *bbolt.Tx) error { return f(&Tx{tx: tx, store: s}) })
	return s.coded(opView, err)
}

// Update runs f in the one write transaction and commits it durably, or not at
// all if f or the commit fails.
func (s *Store) Update(f func(*Tx) error) error {
	var t *Tx
	err := s.db.Update(func(tx *bbolt.Tx) error {
		t = &Tx{tx: tx, store: s}
		return f(t)
	})
	return s.settle(t, err)
}

// Batch is Update for many writers at once: several share one commit. f may run
// more than once, so it must set what it returns each time anew. It waits up to
// 2 ms for company: use Update when there is one writer.
func (s *Store) Batch(f func(*Tx) error) error {
	var t *Tx
	err := s.db.Batch(func(tx *bbolt.Tx) error {
		t = &Tx{tx: tx, store: s}
		return f(t)
	})
	return s.settle(t, err)
}

// settle removes the blobs that the end of a write transaction left without a
// reference. That is housekeeping: it does not change what the transaction was.
func (s *Store) settle(t *Tx, err error) error {
	switch {
	case t == nil:
	case err != nil:
		s.drop(t.fresh)
	default:
		s.drop(t.loose)
	}
	return s.coded(opUpdate, err)
}

// Close waits for running transactions and gives the data directory back. It
// may be called more than once.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	return fault.Wrap("store.close", fault.Internal, s.dir, err)
}

// Size is the size of the database file in bytes, without blobs.
func (s *Store) Size() (n int64) {
	_ = s.db.View(func(tx *bbolt.Tx) error { n = tx.Size(); return nil })
	return n
}

var _ io.Closer = (*Store)(nil)
