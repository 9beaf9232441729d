package store

import "go.etcd.io/bbolt"

// Migrated opens a store as a binary that knows extra more schema steps, each of
// which runs f.
func Migrated(dir string, extra int, f func(*bbolt.Tx) error) (*Store, error) {
	steps := migrations
	for range extra {
		steps = append(steps[:len(steps):len(steps)], step{"a later step", f})
	}
	return open(dir, Options{}, steps)
}
