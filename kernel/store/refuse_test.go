package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"neutron/kernel/fault"
	"neutron/kernel/store"
)

// report prints what a child's job ended with, for the parent to read.
func report(err error) int {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s %s", fault.CodeOf(err), fault.Sentence(err))
		if fault.CodeOf(err) == fault.Internal {
			fmt.Fprintf(os.Stderr, " (%v)", err)
		}
		return 1
	}
	return 0
}

// run runs a job of the test binary and gives the code and the sentence it ended with.
func run(t *testing.T, c *exec.Cmd, job string) (fault.Code, string) {
	t.Helper()
	c.Env = append(os.Environ(), childVariable+"="+job)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Run(); err == nil {
		return "", ""
	}
	code, sentence, _ := strings.Cut(stderr.String(), " ")
	return fault.Code(code), sentence
}

// snapshot is every file of a directory with its mode and its bytes.
func snapshot(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %v %x\n", path, info.Mode(), sha256.Sum256(raw))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// refused checks the code, that there is one sentence which names the directory, and that nothing changed.
func refused(t *testing.T, dir, before string, want, got fault.Code, sentence string) {
	t.Helper()
	if got != want {
		t.Errorf("got %q (%s), want %s", got, sentence, want)
	}
	if !strings.Contains(sentence, dir) || strings.Count(sentence, "\n") > 0 {
		t.Errorf("the sentence does not name the directory: %q", sentence)
	}
	if after := snapshot(t, dir); after != before {
		t.Errorf("files changed\nbefore:\n%s\nafter:\n%s", before, after)
	}
}

// filled makes a store with some rows and a blob and closes it.
func filled(t testing.TB, dir string) {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(func(tx *store.Tx) error {
		for i := range 300 {
			if err := tx.Bucket(store.Docs).Put(fmt.Appendf(nil, "key %d", i), bytes.Repeat([]byte{byte(i)}, 50)); err != nil {
				return err
			}
		}
		_, err := tx.PutBytes([]byte("blob"))
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefusesALockedStore(t *testing.T) {
	dir := private(t)
	s := open(t, dir)
	before := snapshot(t, dir)
	_, err := store.Open(dir, store.Options{})
	refused(t, dir, before, fault.StoreLocked, fault.CodeOf(err), fault.Sentence(err))
	code, sentence := run(t, exec.Command(os.Args[0]), "open "+dir)
	refused(t, dir, before, fault.StoreLocked, code, sentence)
	if f := store.CheckFile(dir); len(f) != 1 || f[0].OK {
		t.Errorf("the checker read a locked store: %v", f)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

func TestOpenRefusesANewerStore(t *testing.T) {
	dir := private(t)
	s, err := store.Migrated(dir, 1, func(*bbolt.Tx) error { return nil })
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	_, err = store.Open(dir, store.Options{})
	refused(t, dir, before, fault.StoreNewer, fault.CodeOf(err), fault.Sentence(err))
}

func TestOpenRefusesADamagedStore(t *testing.T) {
	whole := private(t)
	filled(t, whole)
	good, err := os.ReadFile(filepath.Join(whole, "neutron.db"))
	if err != nil {
		t.Fatal(err)
	}
	closed := open(t, whole)
	used := closed.Size()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	with := func(at int, b byte, n int) []byte {
		bad := bytes.Clone(good)
		copy(bad[at:], bytes.Repeat([]byte{b}, n))
		return bad
	}
	for name, bad := range map[string][]byte{
		"empty": {}, "text": []byte("hello"), "zeros": make([]byte, 1<<16), "half": good[:len(good)/2], "cut by a page": good[:used-4096],
		"one page": good[:4096], "both metas": with(0, 0xff, 8192), "every other page": with(8192, 0xff, len(good)-8192), "pages of zeros": with(8192, 0, len(good)-8192),
		"a ring of pages": ring(t, good), "a page used and free": freed(t, good),
	} {
		t.Run(name, func(t *testing.T) {
			dir := private(t)
			if err := os.WriteFile(filepath.Join(dir, "neutron.db"), bad, 0o600); err != nil {
				t.Fatal(err)
			}
			before := snapshot(t, dir)
			_, err := store.Open(dir, store.Options{})
			refused(t, dir, before, fault.StoreDamaged, fault.CodeOf(err), fault.Sentence(err))
			ok := true
			for _, f := range store.CheckFile(dir) {
				ok = ok && f.OK
			}
			if ok {
				t.Error("the checker finds nothing wrong")
			}
		})
	}
}

// page finds the last page of a kind (1 a branch, 2 a leaf, 16 the free list) in
// a database file of 4 KiB pages.
func page(t *testing.T, file []byte, kind uint16) (at int) {
	t.Helper()
	for i := 2 * 4096; i < len(file); i += 4096 {
		if binary.NativeEndian.Uint16(file[i+8:]) == kind && binary.NativeEndian.Uint64(file[i:]) == uint64(i/4096) {
			at = i
		}
	}
	if at == 0 {
		t.Fatalf("no page of kind %d", kind)
	}
	return at
}

// ring makes a branch lead back to itself: fuzzing found that the database
// follows such a page for ever.
func ring(t *testing.T, good []byte) []byte {
	bad := bytes.Clone(good)
	at := page(t, bad, 1)
	binary.NativeEndian.PutUint64(bad[at+16+8:], uint64(at/4096))
	return bad
}

// freed lists a page that is in use as free: the next write would take it.
func freed(t *testing.T, good []byte) []byte {
	bad := bytes.Clone(good)
	at := page(t, bad, 16)
	if binary.NativeEndian.Uint16(bad[at+10:]) == 0 {
		t.Fatal("the free list is empty")
	}
	binary.NativeEndian.PutUint64(bad[at+16:], uint64(page(t, bad, 1)/4096))
	return bad
}

// TestOpenRefusesAReadOnlyDirectory runs the child as another account when this
// one may write everywhere. The positive control is that account on the same
// directory while it may write.
func TestOpenRefusesAReadOnlyDirectory(t *testing.T) {
	for _, made := range []bool{false, true} {
		t.Run(fmt.Sprintf("with a store %v", made), func(t *testing.T) {
			dir := private(t)
			if made {
				filled(t, dir)
			}
			child := func() *exec.Cmd { return exec.Command(os.Args[0]) }
			if os.Getuid() == 0 {
				const nobody = 65534
				child = func() *exec.Cmd {
					c := exec.Command(os.Args[0])
					c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
					return c
				}
				give(t, dir, nobody)
			}
			if made {
				if code, sentence := run(t, child(), "open "+dir); code != "" {
					t.Fatalf("while it may be written: %s %s", code, sentence)
				}
			}
			before := snapshot(t, dir)
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			code, sentence := run(t, child(), "open "+dir)
			refused(t, dir, before, fault.StoreReadOnly, code, sentence)
		})
	}
}

// give makes an account own everything in dir, and lets it in there and to the test binary.
func give(t *testing.T, dir string, uid int) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, uid, uid))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, leaf := range []string{filepath.Dir(dir), filepath.Dir(os.Args[0])} {
		for p := leaf; len(p) > 1; p = filepath.Dir(p) {
			info, err := os.Stat(p)
			if err == nil && info.Mode().Perm()&0o011 != 0o011 {
				err = os.Chmod(p, info.Mode()|0o011)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// fill writes until the disk is full, which has to be a STORE_FULL, and then
// checks that the last durable state is what is there.
func fill(s *store.Store) error {
	n := 0
	for ; n < 1000; n++ {
		err := s.Update(func(tx *store.Tx) error {
			if n%2 == 1 {
				if _, err := tx.PutBytes(bytes.Repeat(fmt.Append(nil, n), 5_000)); err != nil {
					return err
				}
			}
			return tx.Bucket(store.Journal).Put(fmt.Append(nil, n), bytes.Repeat([]byte{1}, 20_000))
		})
		if err == nil {
			continue
		}
		for _, f := range s.Check() {
			if !f.OK {
				return fmt.Errorf("the checker: %s: %s", f.Check, f.Detail)
			}
		}
		rows := 0
		_ = s.View(func(tx *store.Tx) error {
			for range tx.Bucket(store.Journal).All() {
				rows++
			}
			return nil
		})
		if rows != n {
			return fmt.Errorf("%d rows of %d", rows, n)
		}
		return errors.Join(err, s.Close())
	}
	return errors.New("the disk never got full")
}

func TestAFullDisk(t *testing.T) {
	limited := func(kib int) *exec.Cmd {
		return exec.Command("sh", "-c", fmt.Sprintf("ulimit -f %d; exec %q", 2*kib, os.Args[0])) // in blocks of 512 bytes
	}
	t.Run("while it is made", func(t *testing.T) {
		dir := private(t)
		before := snapshot(t, dir)
		code, sentence := run(t, limited(4), "open "+dir)
		refused(t, dir, before, fault.StoreFull, code, sentence)
	})
	t.Run("while it is used", func(t *testing.T) {
		dir := private(t)
		filled(t, dir)
		code, sentence := run(t, limited(1024), "fill "+dir)
		if code != fault.StoreFull || !strings.Contains(sentence, dir) {
			t.Errorf("got %s %s", code, sentence)
		}
		s := open(t, dir)
		sound(t, s.Check())
	})
	t.Run("on a small file system", func(t *testing.T) {
		dir := private(t)
		if err := syscall.Mount("neutron-test", dir, "tmpfs", 0, "size=1m"); err != nil {
			t.Logf("no file system can be mounted here (%v); the file size limit above stands for it", err)
			return
		}
		t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if code, sentence := run(t, exec.Command(os.Args[0]), "fill "+dir); code != fault.StoreFull {
			t.Errorf("got %s %s", code, sentence)
		}
		sound(t, store.CheckFile(dir))
	})
}

func TestMigration(t *testing.T) {
	dir := private(t)
	filled(t, dir)
	old, err := os.ReadFile(filepath.Join(dir, "neutron.db"))
	if err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, dir)
	broken := errors.New("broken step")
	if _, err := store.Migrated(dir, 1, func(tx *bbolt.Tx) error {
		return errors.Join(tx.DeleteBucket([]byte(store.Docs)), broken)
	}); !errors.Is(err, broken) {
		t.Fatalf("a failing step: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "backup")); err != nil {
		t.Fatal(err)
	}
	if after := snapshot(t, dir); after != before {
		t.Error("a failing step left something")
	}
	s, err := store.Migrated(dir, 2, func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(store.Owner)).Put([]byte("migrated"), []byte("yes"))
	})
	if err != nil {
		t.Fatal(err)
	}
	view(t, s, func(tx *store.Tx) {
		if string(tx.Bucket(store.Owner).Get([]byte("migrated"))) != "yes" || tx.Bucket(store.Docs).Get([]byte("key 7")) == nil {
			t.Error("the migration lost or did nothing")
		}
	})
	sound(t, s.Check())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "backup", fmt.Sprintf("neutron-%d.db", store.Schema)))
	if err != nil || !bytes.Equal(kept, old) {
		t.Errorf("the copy before the migration differs or is missing: %v", err)
	}
	if _, err := store.Open(dir, store.Options{}); fault.CodeOf(err) != fault.StoreNewer {
		t.Errorf("the older binary: %v", err)
	}
}

// FuzzStoreOpen changes bytes of a good file. It opens or it is refused by a
// code, with the file untouched; it never ends the process.
func FuzzStoreOpen(f *testing.F) {
	dir := private(f)
	filled(f, dir)
	good, err := os.ReadFile(filepath.Join(dir, "neutron.db"))
	if err != nil {
		f.Fatal(err)
	}
	for page := range min(16, len(good)/4096) {
		f.Add(uint32(page*4096+8), []byte{0xff, 0xff}, uint32(0))
		f.Add(uint32(page*4096+16), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, uint32(page))
	}
	f.Fuzz(func(t *testing.T, at uint32, with []byte, cut uint32) {
		bad := bytes.Clone(good)
		copy(bad[int(at)%len(bad):], with)
		bad = bad[:len(bad)-int(cut)%len(bad)]
		dir := private(t)
		path := filepath.Join(dir, "neutron.db")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(dir, store.Options{})
		if err == nil {
			_ = s.Close()
			return
		}
		if c := fault.CodeOf(err); c != fault.StoreDamaged && c != fault.StoreNewer {
			t.Fatalf("code %s: %v", c, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, bad) {
			t.Fatal("a refused file was changed")
		}
	})
}

// TestFirstSchema brings a store of the first schema to this one: sound before,
// and with its rows and the new bucket after.
func TestFirstSchema(t *testing.T) {
	dir := private(t)
	s, err := store.First(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(func(tx *store.Tx) error { return tx.Bucket(store.Docs).Put([]byte("old"), []byte("row")) }); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound(t, store.CheckFile(dir))
	s = open(t, dir)
	if err := s.Update(func(tx *store.Tx) error { return tx.Bucket(store.Data).Put([]byte("new"), []byte("row")) }); err != nil {
		t.Fatal(err)
	}
	view(t, s, func(tx *store.Tx) {
		if string(tx.Bucket(store.Docs).Get([]byte("old"))) != "row" {
			t.Error("the migration lost a row")
		}
	})
	sound(t, s.Check())
}

// TestFrom iterates from a key that is there, and from one that is not, to the end of the prefix.
func TestFrom(t *testing.T) {
	s := open(t, private(t))
	err := s.Update(func(tx *store.Tx) error {
		b := tx.Bucket(store.Data)
		for _, k := range []string{"a/1", "a/2", "a/4", "b/1"} {
			if err := b.Put([]byte(k), nil); err != nil {
				return err
			}
		}
		for start, want := range map[string]string{"a/": "a/1 a/2 a/4 ", "a/2": "a/2 a/4 ", "a/3": "a/4 ", "a/5": "", "b": ""} {
			got := ""
			for k := range b.From([]byte(start), []byte("a/")) {
				got += string(k) + " "
			}
			if got != want {
				t.Errorf("from %s: %q, want %q", start, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
