package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// step brings the schema from the version of its index to the next one. Steps
// are append-only: a released one is never changed.
type step struct {
	name string
	run  func(*bbolt.Tx) error
}

var migrations = []step{
	{"the first buckets", func(tx *bbolt.Tx) error {
		for _, n := range names[:8] {
			if _, err := tx.CreateBucketIfNotExists([]byte(n)); err != nil {
				return err
			}
		}
		return nil
	}},
	{"a bucket for what apps keep", func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte(Data))
		return err
	}},
}

// migrate runs the steps that the file has not seen, all in one transaction.
func (s *Store) migrate(steps []step) error {
	var version int
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		version, err = readVersion(tx)
		return err
	})
	if err != nil || version == len(steps) {
		return s.coded(opOpen, err)
	}
	if err := s.db.Update(func(tx *bbolt.Tx) error { return advance(tx, version, steps) }); err != nil {
		return s.coded(opOpen, err)
	}
	s.log.Info("the store was migrated", "from", version, "to", len(steps))
	return nil
}

func advance(tx *bbolt.Tx, version int, steps []step) error {
	for _, st := range steps[version:] {
		if err := st.run(tx); err != nil {
			return fmt.Errorf("migration %q: %w", st.name, err)
		}
	}
	b, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	return b.Put(versionKey, binary.BigEndian.AppendUint32(nil, uint32(len(steps))))
}

// backup copies the file before its schema changes. The store is locked and not
// yet open for writing, so the copy is whole. A copy of the same version that an
// interrupted migration left is replaced.
func (s *Store) backup(version int) error {
	to := filepath.Join(s.dir, "backup")
	final := filepath.Join(to, fmt.Sprintf("neutron-%d.db", version))
	if err := os.MkdirAll(to, 0o700); err != nil {
		return s.coded(opOpen, err)
	}
	if err := copyFile(filepath.Join(s.dir, fileName), final+".new"); err != nil {
		return s.coded(opOpen, errors.Join(err, os.Remove(final+".new")))
	}
	if err := os.Rename(final+".new", final); err != nil {
		return s.coded(opOpen, err)
	}
	s.log.Info("the store was copied before a migration", "version", version)
	return s.coded(opOpen, errors.Join(syncDir(to), syncDir(s.dir)))
}

func copyFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close() //nolint:errcheck // only read
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Sync(), dst.Close())
}
