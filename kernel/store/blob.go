package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"neutron/kernel/fault"
)

const opBlob fault.Op = "store.blob"

// partPrefix names a blob that is still being written.
const partPrefix = "part-"

func (s *Store) blobDir() string { return filepath.Join(s.dir, "blobs") }

func (s *Store) blobPath(hash string) string { return filepath.Join(s.blobDir(), hash[:2], hash) }

// PutBlob writes a blob and counts one reference to it in tx. The bytes are on
// the disk when it returns; if tx does not commit, the next sweep removes them.
// The hash is 64 hex digits of SHA-256.
func (t *Tx) PutBlob(r io.Reader) (hash string, err error) {
	s := t.store
	hash, err = s.writeBlob(r)
	if err != nil {
		return "", coded(opBlob, s.dir, err)
	}
	t.fresh = append(t.fresh, hash)
	return hash, t.RefBlob(hash)
}

// PutBytes is PutBlob of bytes in memory.
func (t *Tx) PutBytes(b []byte) (hash string, err error) { return t.PutBlob(bytes.NewReader(b)) }

func (s *Store) writeBlob(r io.Reader) (hash string, err error) {
	if err := os.MkdirAll(s.blobDir(), 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(s.blobDir(), partPrefix)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, h), r)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", err
	}
	hash = hex.EncodeToString(h.Sum(nil))
	path := s.blobPath(hash)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return "", err
	}
	return hash, errors.Join(syncDir(filepath.Dir(path)), syncDir(s.blobDir()), syncDir(s.dir))
}

// RefBlob counts one more reference to a blob that is there.
func (t *Tx) RefBlob(hash string) error {
	if _, err := t.store.statBlob(hash); err != nil {
		return err
	}
	return t.count(hash, 1)
}

// UnrefBlob counts one reference less. With the last one the file goes, after
// tx has committed.
func (t *Tx) UnrefBlob(hash string) error { return t.count(hash, -1) }

func (t *Tx) count(hash string, by int64) error {
	if !isHash(hash) {
		return noBlob(hash)
	}
	b := t.Bucket(Blobs)
	n := int64(refs(b.Get([]byte(hash)))) + by
	switch {
	case n < 0:
		return fault.New(opBlob, fault.Internal, hash, "a blob that nothing refers to was given up")
	case n > 0:
		return b.Put([]byte(hash), binary.BigEndian.AppendUint64(nil, uint64(n)))
	}
	t.loose = append(t.loose, hash)
	return b.Delete([]byte(hash))
}

// refs reads a count; a row that is none counts as one, so that nothing is lost by it.
func refs(v []byte) uint64 {
	switch len(v) {
	case 0:
		return 0
	case 8:
		return binary.BigEndian.Uint64(v)
	}
	return 1
}

// OpenBlob opens a blob for reading and gives its size in bytes. It needs no
// transaction; a blob that is open stays readable while its last reference goes.
// The reader is an io.ReaderAt too.
func (s *Store) OpenBlob(hash string) (io.ReadSeekCloser, int64, error) {
	if !isHash(hash) {
		return nil, 0, noBlob(hash)
	}
	f, err := os.Open(s.blobPath(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, noBlob(hash)
	}
	if err != nil {
		return nil, 0, s.coded(opBlob, err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, s.coded(opBlob, errors.Join(err, f.Close()))
	}
	return f, info.Size(), nil
}

func (s *Store) statBlob(hash string) (fs.FileInfo, error) {
	if !isHash(hash) {
		return nil, noBlob(hash)
	}
	info, err := os.Stat(s.blobPath(hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noBlob(hash)
	}
	return info, s.coded(opBlob, err)
}

// Sweep removes the files of blobs that nothing refers to and the parts that a
// killed process left. It holds the write transaction, so no blob can be on its
// way meanwhile. It returns how many files went.
func (s *Store) Sweep() (removed int, err error) {
	var unused []string
	look := func(tx *Tx) (err error) {
		unused, err = s.unused(tx)
		return err
	}
	if err := s.View(look); err != nil || len(unused) == 0 {
		return 0, err
	}
	err = s.Update(func(tx *Tx) error {
		if err := look(tx); err != nil {
			return err
		}
		for _, path := range unused {
			if err := os.Remove(path); err != nil {
				return s.coded(opBlob, err)
			}
			removed++
		}
		return nil
	})
	s.log.Info("unused blobs were removed", "files", removed)
	return removed, err
}

// unused lists the files below blobs/ that no row of tx refers to.
func (s *Store) unused(tx *Tx) ([]string, error) {
	files, err := blobFiles(s.dir)
	if err != nil {
		return nil, s.coded(opBlob, err)
	}
	b := tx.Bucket(Blobs)
	return slices.DeleteFunc(files, func(path string) bool {
		name := filepath.Base(path)
		return isHash(name) && path == s.blobPath(name) && refs(b.Get([]byte(name))) > 0
	}), nil
}

// drop removes these blobs unless something refers to them by now. What cannot
// be removed is left to the next sweep.
func (s *Store) drop(hashes []string) {
	if len(hashes) == 0 {
		return
	}
	err := s.Update(func(tx *Tx) error {
		for _, hash := range hashes {
			if refs(tx.Bucket(Blobs).Get([]byte(hash))) > 0 {
				continue
			}
			if err := os.Remove(s.blobPath(hash)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.log.Warn("unused blobs were not removed", "err", err)
	}
}

// blobFiles lists every file below blobs/.
func blobFiles(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(filepath.Join(dir, "blobs"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	return files, err
}

func isHash(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

func noBlob(hash string) error {
	return fault.New(opBlob, fault.StoreDamaged, hash, "The data of an app or a document is missing.")
}
