package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"go.etcd.io/bbolt"

	"neutron/kernel/fault"
)

// Finding is one line of the checker.
type Finding struct {
	Check  string // what was looked at
	OK     bool
	Detail string // what was found; for a finding that is not OK, what is wrong
}

// findings is a report on its way.
type findings []Finding

func (f *findings) add(check string, ok bool, format string, args ...any) {
	*f = append(*f, Finding{check, ok, fmt.Sprintf(format, args...)})
}

// judge adds the outcome of one check.
func (f *findings) judge(check, good string, err error) {
	if err != nil {
		f.add(check, false, "%v", err)
		return
	}
	f.add(check, true, "%s", good)
}

// Check examines an open store: pages, buckets, receipts, and that every blob is
// there and has its hash. It reads everything and writes nothing.
func (s *Store) Check() []Finding {
	var f findings
	err := s.db.View(func(tx *bbolt.Tx) error {
		f.check(tx, s.dir)
		return nil
	})
	if err != nil {
		f.judge("database", "", s.coded(opView, err))
	}
	return f
}

// CheckFile examines the store of a data directory that no kernel runs on. It
// writes nothing, makes nothing and migrates nothing.
func CheckFile(dir string) []Finding {
	var f findings
	if _, err := os.Stat(filepath.Join(dir, fileName)); os.IsNotExist(err) {
		f.add("database", true, "there is none yet in %s", dir)
		return f
	}
	lock, err := flock(dir, syscall.LOCK_SH)
	if err != nil {
		f.add("database", false, "%s", fault.Sentence(err))
		return f
	}
	defer lock.Close() //nolint:errcheck // only held
	f.judge("directory", "it can be written", sentence(probe(dir)))
	version, err := inspect(dir)
	if err != nil {
		f.add("database", false, "%s", fault.Sentence(err))
		return f
	}
	if version > len(migrations) {
		f.add("schema", false, "it is version %d, written by a newer Neutron; this one knows %d", version, len(migrations))
		return f
	}
	f.add("schema", true, "version %d of %d", version, len(migrations))
	err = guarded(dir, func() error {
		db, err := openFile(dir, true)
		if err != nil {
			return err
		}
		defer db.Close() //nolint:errcheck // nothing was written
		return db.View(func(tx *bbolt.Tx) error {
			f.check(tx, dir)
			return nil
		})
	})
	if err != nil {
		f.add("database", false, "%s", fault.Sentence(err))
	}
	return f
}

func sentence(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s", fault.Sentence(err))
}

// check runs every check over one transaction.
func (f *findings) check(tx *bbolt.Tx, dir string) {
	f.judge("files", "only the owner can read them", private(dir))
	var err error
	for e := range tx.Check() { // drained to its end: it sends from a goroutine
		if err == nil {
			err = e
		}
	}
	f.judge("pages", fmt.Sprintf("%d bytes are sound", tx.Size()), err)
	for _, n := range names {
		if tx.Bucket([]byte(n)) == nil {
			f.add("buckets", false, "the bucket %s is missing", n)
			return
		}
	}
	f.add("buckets", true, "all %d are there", len(names))
	f.receipts(tx.Bucket([]byte(Receipts)))
	f.blobs(tx.Bucket([]byte(Blobs)), dir)
}

// private checks that no other account can read the data.
func private(dir string) error {
	for _, name := range []string{"", fileName} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			return fmt.Errorf("%s has mode %v", filepath.Join(dir, name), info.Mode().Perm())
		}
	}
	return nil
}

// receipts checks that rows and their order name each other.
func (f *findings) receipts(b *bbolt.Bucket) {
	rows, order := 0, 0
	err := b.ForEach(func(k, v []byte) error {
		switch k[0] {
		case rowPrefix:
			rows++
			r, ok := readReceipt(v)
			if !ok || !bytes.Equal(b.Get(orderKey(r.seq)), k) {
				return fmt.Errorf("the receipt %q is not in the order", k)
			}
		case orderPrefix:
			order++
			if _, ok := readReceipt(b.Get(v)); !ok {
				return fmt.Errorf("the order names a receipt that is not there: %q", v)
			}
		default:
			return fmt.Errorf("a row of no known kind: %q", k)
		}
		return nil
	})
	if err == nil && rows != order {
		err = fmt.Errorf("%d receipts and %d in the order", rows, order)
	}
	f.judge("receipts", fmt.Sprintf("%d are kept", rows), err)
}

// blobs checks every referred blob against its hash, and counts files that
// nothing refers to: those are no harm, the next start removes them.
func (f *findings) blobs(b *bbolt.Bucket, dir string) {
	s := &Store{dir: dir}
	count, known := 0, map[string]bool{}
	err := b.ForEach(func(k, v []byte) error {
		hash := string(k)
		count++
		known[hash] = true
		if len(v) != 8 || refs(v) == 0 || !isHash(hash) {
			return fmt.Errorf("the count of %q is not readable", k)
		}
		return s.verify(hash)
	})
	f.judge("blobs", fmt.Sprintf("%d are there and have their hash", count), err)
	files, err := blobFiles(dir)
	if err != nil {
		f.judge("unused blobs", "", err)
		return
	}
	unused := 0
	for _, path := range files {
		if !known[filepath.Base(path)] {
			unused++
		}
	}
	f.add("unused blobs", true, "%d files wait for the next sweep", unused)
}

func (s *Store) verify(hash string) error {
	r, _, err := s.OpenBlob(hash)
	if err != nil {
		return fmt.Errorf("the blob %s is missing or not readable", hash)
	}
	defer r.Close() //nolint:errcheck // only read
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return fmt.Errorf("the blob %s is not readable: %w", hash, err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != hash {
		return fmt.Errorf("the blob %s has other bytes", hash)
	}
	return nil
}
