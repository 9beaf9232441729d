package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"neutron/kernel/fault"
)

const (
	fileName = "neutron.db"
	newName  = "neutron.db.new" // a store on its way to its first commit
)

// The bucket and key of the schema's version: 4 bytes, big endian.
var (
	metaBucket = []byte("neutron")
	versionKey = []byte("schema")
)

// hold makes the data directory and takes its lock. The lock is on the directory
// itself: it leaves no file behind and works where nothing can be written.
func hold(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, coded(opOpen, dir, err)
	}
	d, err := flock(dir, syscall.LOCK_EX)
	if err != nil {
		return nil, err
	}
	if err := probe(dir); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

func flock(dir string, how int) (*os.File, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, coded(opOpen, dir, err)
	}
	if err := syscall.Flock(int(d.Fd()), how|syscall.LOCK_NB); err != nil {
		_ = d.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fault.Newf(opOpen, fault.StoreLocked, dir, "Another Neutron uses the data directory %s.", dir)
		}
		return nil, coded(opOpen, dir, err)
	}
	return d, nil
}

// probe tells a directory that cannot be written before anything is opened.
func probe(dir string) error {
	const writeAndEnter = 3 // W_OK | X_OK
	return coded(opOpen, dir, os.NewSyscallError("access", syscall.Access(dir, writeAndEnter)))
}

// prepare judges an existing file without writing to it, or makes a new one.
func (s *Store) prepare(steps []step) error {
	path := filepath.Join(s.dir, fileName)
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return s.create(steps)
	case err != nil:
		return coded(opOpen, s.dir, err)
	}
	if f, err := os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return coded(opOpen, s.dir, err)
	} else if err := f.Close(); err != nil {
		return coded(opOpen, s.dir, err)
	}
	version, err := inspect(s.dir)
	if err != nil {
		return err
	}
	if version > len(steps) {
		return fault.Newf(opOpen, fault.StoreNewer, s.dir,
			"The data in %s was written by a newer Neutron (schema %d, this one knows %d) and was left untouched.", s.dir, version, len(steps))
	}
	if version < len(steps) {
		return s.backup(version)
	}
	return nil
}

// create makes a store under another name and renames it when its first commit
// is durable, so that a crash leaves either none or a whole one.
func (s *Store) create(steps []step) (err error) {
	path, final := filepath.Join(s.dir, newName), filepath.Join(s.dir, fileName)
	defer func() {
		if err != nil {
			_ = os.Remove(path)
			err = coded(opOpen, s.dir, err)
		}
	}()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bbolt.Open(path, 0o600, options(false))
	if err != nil {
		return err
	}
	if err := errors.Join(db.Update(func(tx *bbolt.Tx) error { return advance(tx, 0, steps) }), db.Close()); err != nil {
		return err
	}
	if err := os.Rename(path, final); err != nil {
		return err
	}
	return syncDir(s.dir)
}

func options(readOnly bool) *bbolt.Options {
	// The timeout is never waited for: our own lock is held before.
	return &bbolt.Options{Timeout: time.Millisecond, ReadOnly: readOnly, PreLoadFreelist: true, FreelistType: bbolt.FreelistMapType}
}

// openFile opens the database and turns what a damaged one does to bbolt, an
// error, a panic or a fault in the mapped file, into STORE_DAMAGED.
func openFile(dir string, readOnly bool) (db *bbolt.DB, err error) {
	err = guarded(dir, func() (err error) {
		db, err = bbolt.Open(filepath.Join(dir, fileName), 0o600, options(readOnly))
		if err != nil && fault.CodeOf(coded(opOpen, dir, err)) == fault.Internal {
			return damagedFault(dir, err) // bbolt has no name for a file that is too short
		}
		return err
	})
	return db, err
}

// inspect reads the whole structure of an existing file without writing and
// gives its schema version.
func inspect(dir string) (version int, err error) {
	if err := wholePages(filepath.Join(dir, fileName)); err != nil {
		return 0, coded(opOpen, dir, err)
	}
	db, err := openFile(dir, true)
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // nothing was written
	err = guarded(dir, func() error {
		return db.View(func(tx *bbolt.Tx) (err error) {
			version, err = readVersion(tx)
			return err
		})
	})
	return version, err
}

// damaged is the finding of a file that is no store of ours.
type damaged string

func (d damaged) Error() string { return string(d) }

func readVersion(tx *bbolt.Tx) (int, error) {
	b := tx.Bucket(metaBucket)
	if b == nil {
		return 0, damaged("the version is missing")
	}
	v := b.Get(versionKey)
	if len(v) != 4 {
		return 0, damaged("the version is not readable")
	}
	return int(binary.BigEndian.Uint32(v)), nil
}

// guarded runs f over a file that nobody vouches for.
func guarded(dir string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = damagedFault(dir, fmt.Errorf("reading panicked: %v", r))
		}
	}()
	return coded(opOpen, dir, f())
}

func damagedFault(dir string, cause error) error {
	return &fault.Error{Op: opOpen, Code: fault.StoreDamaged, Subject: dir, Err: cause,
		Message: fmt.Sprintf("The database in %s is damaged and was left untouched.", dir)}
}

func (s *Store) coded(op fault.Op, err error) error { return coded(op, s.dir, err) }

// coded gives an error of the disk its code and its sentence. A fault of the
// caller's own stays as it is.
func coded(op fault.Op, dir string, err error) error {
	var f *fault.Error
	if err == nil || errors.As(err, &f) {
		return err
	}
	var d damaged
	switch {
	case errors.As(err, &d), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum),
		errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrInvalidMapping):
		return damagedFault(dir, err)
	case errors.Is(err, bolterrors.ErrTimeout):
		return &fault.Error{Op: op, Code: fault.StoreLocked, Subject: dir, Err: err,
			Message: fmt.Sprintf("Another program uses the database in %s.", dir)}
	case full(err):
		return &fault.Error{Op: op, Code: fault.StoreFull, Subject: dir, Err: err,
			Message: fmt.Sprintf("There is no room left for the data directory %s. Nothing was changed.", dir)}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &fault.Error{Op: op, Code: fault.StoreReadOnly, Subject: dir, Err: err,
			Message: fmt.Sprintf("The data directory %s cannot be written. Nothing was changed.", dir)}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ELOOP):
		return &fault.Error{Op: op, Code: fault.StoreReadOnly, Subject: dir, Err: err,
			Message: fmt.Sprintf("The data directory %s cannot be made or read.", dir)}
	}
	return &fault.Error{Op: op, Code: fault.Internal, Subject: dir, Err: err}
}

// full reports a disk, a quota or a file size that is used up. bbolt loses the
// error number when it grows its file, so its text is looked at too.
func full(err error) bool {
	for _, e := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		if errors.Is(err, e) || strings.Contains(err.Error(), e.Error()) {
			return true
		}
	}
	return false
}

// syncDir makes renames and removals in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
