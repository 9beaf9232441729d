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

// Schema is the version that this binary writes.
var Schema = len(migrations)

// First opens a store as the first binary did: without the later steps.
func First(dir string) (*Store, error) { return open(dir, Options{}, migrations[:1]) }
