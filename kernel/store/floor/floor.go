// Package floor is bare bbolt, as the store opens it: what benchmarks measure the
// product against. It is imported by tests only.
package floor

import (
	"path/filepath"

	"go.etcd.io/bbolt"
)

var bucket = []byte("bare")

// Floor is one bbolt file with one bucket.
type Floor struct{ db *bbolt.DB }

// Open makes the file in a directory.
func Open(dir string) (*Floor, error) {
	db, err := bbolt.Open(filepath.Join(dir, "bare.db"), 0o600, &bbolt.Options{PreLoadFreelist: true, FreelistType: bbolt.FreelistMapType})
	if err != nil {
		return nil, err
	}
	return &Floor{db}, db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
}

// Put is one durable update.
func (f *Floor) Put(key, value []byte) error {
	return f.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucket).Put(key, value) })
}

// Close closes the file.
func (f *Floor) Close() error { return f.db.Close() }
