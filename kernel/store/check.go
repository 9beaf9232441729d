package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
// there and has its hash. It reads everything and changes nothing. Writers wait
// while it looks at the pages: bbolt's own check shares its list of free pages
// with them.
func (s *Store) Check() []Finding {
	var f findings
	var hashes []string
	err := s.exclusively(func(tx *bbolt.Tx) { f.pages(tx, s.dir) })
	if err == nil {
		err = s.db.View(func(tx *bbolt.Tx) error {
			hashes = f.rows(tx)
			return nil
		})
	}
	if err != nil {
		f.judge("database", "", s.coded(opView, err))
		return f
	}
	f.blobs(s.dir, hashes, func(hash string) (used bool) {
		_ = s.db.View(func(tx *bbolt.Tx) error { // outside the other one: a read in a read may wait for ever
			used = tx.Bucket([]byte(Blobs)).Get([]byte(hash)) != nil
			return nil
		})
		return used
	})
	return f
}

// exclusively runs f while nobody writes, and takes back what it did.
func (s *Store) exclusively(f func(*bbolt.Tx)) error {
	tx, err := s.db.Begin(true)
	if err != nil {
		return err
	}
	f(tx)
	return tx.Rollback()
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
			f.pages(tx, dir)
			f.blobs(dir, f.rows(tx), func(string) bool { return true })
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

// pages checks the files' modes and the database's own structure.
func (f *findings) pages(tx *bbolt.Tx, dir string) {
	f.judge("files", "only the owner can read them", private(dir))
	var err error
	for e := range tx.Check() { // drained to its end: it sends from a goroutine
		if err == nil {
			err = e
		}
	}
	f.judge("pages", fmt.Sprintf("%d bytes are sound", tx.Size()), err)
}

// rows checks what this package itself keeps, and lists the blobs in use.
func (f *findings) rows(tx *bbolt.Tx) (hashes []string) {
	version, _ := readVersion(tx)
	for _, n := range names {
		if n == Data && version < 2 {
			continue // the next start makes it
		}
		if tx.Bucket([]byte(n)) == nil {
			f.add("buckets", false, "the bucket %s is missing", n)
			return nil
		}
	}
	f.add("buckets", true, "all %d are there", len(names))
	f.receipts(tx.Bucket([]byte(Receipts)))
	err := tx.Bucket([]byte(Blobs)).ForEach(func(k, v []byte) error {
		if len(v) != 8 || refs(v) == 0 || !isHash(string(k)) {
			return fmt.Errorf("the count of %q is not readable", k)
		}
		hashes = append(hashes, string(k))
		return nil
	})
	f.judge("blob counts", fmt.Sprintf("%d blobs are in use", len(hashes)), err)
	return hashes
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

// blobs checks these blobs against their hashes, and counts files that nothing
// refers to: those are no harm, the next start removes them. One that fails is a
// finding only if it is still used.
func (f *findings) blobs(dir string, hashes []string, used func(hash string) bool) {
	s := &Store{dir: dir}
	var wrong error
	for _, hash := range hashes {
		if err := s.verify(hash); err != nil && wrong == nil && used(hash) {
			wrong = err
		}
	}
	f.judge("blobs", fmt.Sprintf("%d are there and have their hash", len(hashes)), wrong)
	files, err := blobFiles(dir)
	if err != nil {
		f.judge("unused blobs", "", err)
		return
	}
	unused := 0
	for _, path := range files {
		if !slices.Contains(hashes, filepath.Base(path)) {
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
