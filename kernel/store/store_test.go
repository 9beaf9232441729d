package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		os.Exit(child(job))
	}
	os.Exit(m.Run())
}

// private makes a data directory with the mode that a real one has.
func private(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func update(t testing.TB, s *store.Store, f func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(f); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, s *store.Store, f func(*store.Tx)) {
	t.Helper()
	if err := s.View(func(tx *store.Tx) error { f(tx); return nil }); err != nil {
		t.Fatal(err)
	}
}

// sound fails the test for every finding of the checker that is not OK.
func sound(t testing.TB, findings []store.Finding) {
	t.Helper()
	for _, f := range findings {
		if !f.OK {
			t.Errorf("checker: %s: %s", f.Check, f.Detail)
		}
	}
}

func TestRowsSurviveAReopen(t *testing.T) {
	dir := private(t)
	s := open(t, dir)
	update(t, s, func(tx *store.Tx) error {
		b := tx.Bucket(store.Docs)
		return errors.Join(b.Put([]byte("k"), []byte("v")), b.Put([]byte("empty"), nil), b.Put([]byte("gone"), []byte("x")), b.Delete([]byte("gone")))
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir)
	view(t, s, func(tx *store.Tx) {
		b := tx.Bucket(store.Docs)
		if got := b.Get([]byte("k")); string(got) != "v" {
			t.Errorf("k is %q", got)
		}
		if got := b.Get([]byte("empty")); got == nil || len(got) != 0 {
			t.Errorf("an empty value reads as %#v", got)
		}
		if got := b.Get([]byte("gone")); got != nil {
			t.Errorf("a deleted key reads as %q", got)
		}
		if err := b.Put([]byte("k"), nil); err == nil {
			t.Error("a read transaction took a write")
		}
	})
	sound(t, s.Check())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound(t, store.CheckFile(dir))
}

func TestAFailedUpdateLeavesNothing(t *testing.T) {
	s := open(t, private(t))
	mine := errors.New("mine")
	err := s.Update(func(tx *store.Tx) error {
		if err := tx.Bucket(store.Docs).Put([]byte("k"), []byte("v")); err != nil {
			return err
		}
		if _, err := tx.PutBytes([]byte("a blob")); err != nil {
			return err
		}
		return fault.Wrap("test", fault.Conflict, "", mine)
	})
	if fault.CodeOf(err) != fault.Conflict || !errors.Is(err, mine) {
		t.Errorf("the caller's own fault came back as %v", err)
	}
	view(t, s, func(tx *store.Tx) {
		if tx.Bucket(store.Docs).Get([]byte("k")) != nil {
			t.Error("the row is there")
		}
	})
	if files := blobFiles(t, s.Dir()); len(files) != 0 {
		t.Errorf("files are left: %v", files)
	}
}

func TestIteration(t *testing.T) {
	s := open(t, private(t))
	var want []string
	update(t, s, func(tx *store.Tx) error {
		for i := range 500 {
			k := fmt.Sprintf("a%03d", i)
			want = append(want, k)
			if err := tx.Bucket(store.Docs).Put([]byte(k), []byte(strings.Repeat("v", 100))); err != nil {
				return err
			}
		}
		return errors.Join(tx.Bucket(store.Docs).Put([]byte("b"), nil), tx.Bucket(store.Docs).Put([]byte("\xff\xff"), nil))
	})
	collect := func(b *store.Bucket, down bool, before []byte, prefix string) (got []string) {
		if down {
			for k := range b.Down(before) {
				got = append(got, string(k))
			}
			return got
		}
		for k := range b.Prefix([]byte(prefix)) {
			got = append(got, string(k))
		}
		return got
	}
	each := func(b *store.Bucket) {
		if got := collect(b, false, nil, "a"); !slices.Equal(got, want) {
			t.Errorf("prefix: %d keys", len(got))
		}
		if got := collect(b, false, nil, ""); len(got) != 502 || !slices.IsSorted(got) {
			t.Errorf("all: %d keys", len(got))
		}
		if got := collect(b, true, nil, ""); len(got) != 502 || got[0] != "\xff\xff" || got[501] != "a000" {
			t.Errorf("down: %d keys", len(got))
		}
		if got := collect(b, true, []byte("a002"), ""); !slices.Equal(got, []string{"a001", "a000"}) {
			t.Errorf("down from a002: %v", got)
		}
		if got := collect(b, true, []byte("a0015"), ""); !slices.Equal(got, []string{"a001", "a000"}) {
			t.Errorf("down from a key that is not there: %v", got)
		}
		if got := collect(b, true, []byte("a"), ""); got != nil {
			t.Errorf("down from before the first: %v", got)
		}
	}
	view(t, s, func(tx *store.Tx) { each(tx.Bucket(store.Docs)) })
	update(t, s, func(tx *store.Tx) error { each(tx.Bucket(store.Docs)); return nil })
	view(t, s, func(tx *store.Tx) {
		if got := collect(tx.Bucket(store.Apps), true, nil, ""); got != nil {
			t.Errorf("down an empty bucket: %v", got)
		}
	})
	// Deleting in the loop skips nothing.
	update(t, s, func(tx *store.Tx) error {
		b := tx.Bucket(store.Docs)
		n := 0
		for k := range b.Prefix([]byte("a")) {
			if n++; n%2 == 0 {
				if err := b.Delete(bytes.Clone(k)); err != nil {
					return err
				}
			}
		}
		if n != 500 {
			t.Errorf("saw %d of 500 keys", n)
		}
		m := 0
		for k := range b.Down([]byte("b")) {
			m++
			if err := b.Delete(bytes.Clone(k)); err != nil {
				return err
			}
		}
		if m != 250 {
			t.Errorf("saw %d of 250 keys downwards", m)
		}
		return nil
	})
}

// TestIterationOverFreshRows deletes in the transaction that put: the pages are in
// memory then, and a plain cursor would skip rows, or stop early.
func TestIterationOverFreshRows(t *testing.T) {
	s := open(t, private(t))
	key := func(i int) []byte { return fmt.Appendf(nil, "%04d", i) }
	const n = 1000
	for name, c := range map[string]struct {
		delete func(b *store.Bucket, seen int, at []byte, step int) error
		want   int
	}{
		"the current row": {func(b *store.Bucket, _ int, at []byte, _ int) error { return b.Delete(bytes.Clone(at)) }, n},
		"the row after the next": {func(b *store.Bucket, _ int, at []byte, step int) error {
			i, err := strconv.Atoi(string(at))
			return errors.Join(err, b.Delete(key(i+2*step)))
		}, n / 2},
		"pages not yet reached": {func(b *store.Bucket, seen int, _ []byte, _ int) (err error) {
			for i := 100; seen == 1 && i < n-100 && err == nil; i++ {
				err = b.Delete(key(i))
			}
			return err
		}, 200},
	} {
		for _, down := range []bool{false, true} {
			seen := 0
			update(t, s, func(tx *store.Tx) error {
				b := tx.Bucket(store.Docs)
				for i := range n {
					if err := b.Put(key(i), bytes.Repeat([]byte{1}, 40)); err != nil {
						return err
					}
				}
				loop, step := b.All(), 1
				if down {
					loop, step = b.Down(nil), -1
				}
				for k := range loop {
					seen++
					if err := c.delete(b, seen, k, step); err != nil {
						return err
					}
				}
				return nil
			})
			if seen != c.want {
				t.Errorf("%s, down %v: saw %d of %d rows", name, down, seen, c.want)
			}
		}
	}
}

func TestReceipts(t *testing.T) {
	s := open(t, private(t))
	lookup := func(tx *store.Tx, client, sub, kind, payload string) (string, bool, fault.Code) {
		got, replay, err := store.Receipt(tx, client, sub, kind, []byte(payload))
		return string(got), replay, fault.CodeOf(err)
	}
	update(t, s, func(tx *store.Tx) error {
		if _, replay, code := lookup(tx, "c1", "s1", "put", "p"); replay || code != "" {
			t.Errorf("a new command: replay %v, code %s", replay, code)
		}
		return store.PutReceipt(tx, "c1", "s1", "put", []byte("p"), []byte("answer"))
	})
	view(t, s, func(tx *store.Tx) {
		for _, c := range []struct {
			client, sub, kind, payload string
			answer                     string
			replay                     bool
			code                       fault.Code
		}{
			{"c1", "s1", "put", "p", "answer", true, ""},
			{"c2", "s1", "put", "p", "", false, ""},
			{"c1", "s2", "put", "p", "", false, ""},
			{"c1", "s1", "put", "changed", "", false, fault.InvalidRequest},
			{"c1", "s1", "remove", "p", "", false, fault.InvalidRequest},
			{"", "s1", "put", "p", "", false, fault.InvalidRequest},
			{"c1", "a\x00b", "put", "p", "", false, fault.InvalidRequest},
			{"c1", strings.Repeat("x", limit.Instance+1), "put", "p", "", false, fault.InvalidRequest},
		} {
			answer, replay, code := lookup(tx, c.client, c.sub, c.kind, c.payload)
			if answer != c.answer || replay != c.replay || code != c.code {
				t.Errorf("%v: got %q, %v, %s", c, answer, replay, code)
			}
		}
	})
	if err := s.Update(func(tx *store.Tx) error { return store.PutReceipt(tx, "c1", "s1", "put", nil, nil) }); err == nil {
		t.Error("a receipt was written twice")
	}
	sound(t, s.Check())
}

func TestReceiptsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, private(t))
		put := func(from, to int) {
			update(t, s, func(tx *store.Tx) error {
				for i := from; i < to; i++ {
					if err := store.PutReceipt(tx, "c", fmt.Sprint(i), "k", nil, []byte("a")); err != nil {
						return err
					}
				}
				return nil
			})
		}
		known := func(i int) (replay bool) {
			view(t, s, func(tx *store.Tx) { _, replay, _ = store.Receipt(tx, "c", fmt.Sprint(i), "k", nil) })
			return replay
		}
		put(0, limit.Receipts)
		if !known(0) {
			t.Error("forgotten at the limit")
		}
		put(limit.Receipts, limit.Receipts+1)
		if known(0) || !known(1) {
			t.Errorf("over the limit: the oldest known %v, the next %v", known(0), known(1))
		}
		<-time.After(limit.ReceiptAge)
		put(limit.Receipts+1, limit.Receipts+2)
		if !known(2) {
			t.Error("forgotten at its age")
		}
		<-time.After(time.Millisecond)
		put(limit.Receipts+2, limit.Receipts+3)
		if known(3) || known(limit.Receipts) || !known(limit.Receipts+1) {
			t.Error("the age does not decide")
		}
		sound(t, s.Check())
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

func blobFiles(t testing.TB, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "blobs"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBlobs(t *testing.T) {
	dir := private(t)
	s := open(t, dir)
	var hash string
	put := func(b string) func(*store.Tx) error {
		return func(tx *store.Tx) (err error) { hash, err = tx.PutBlob(strings.NewReader(b)); return err }
	}
	update(t, s, put("hello"))
	if hash != "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" {
		t.Errorf("hash %s", hash)
	}
	update(t, s, put("hello")) // the second reference
	update(t, s, func(tx *store.Tx) error { return tx.RefBlob(hash) })
	for range 2 {
		update(t, s, func(tx *store.Tx) error { return tx.UnrefBlob(hash) })
	}
	r, size, err := s.OpenBlob(hash)
	if err != nil || size != 5 {
		t.Fatalf("size %d, %v", size, err)
	}
	update(t, s, func(tx *store.Tx) error { return tx.UnrefBlob(hash) })
	if got, err := io.ReadAll(r); string(got) != "hello" || err != nil {
		t.Errorf("an open blob ended: %q, %v", got, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if files := blobFiles(t, dir); len(files) != 0 {
		t.Errorf("the last reference left %v", files)
	}
	for name, err := range map[string]error{
		"open": func() error { _, _, err := s.OpenBlob(hash); return err }(),
		"ref":  s.Update(func(tx *store.Tx) error { return tx.RefBlob(hash) }),
		"path": func() error { _, _, err := s.OpenBlob("../neutron.db"); return err }(),
	} {
		if fault.CodeOf(err) != fault.StoreDamaged {
			t.Errorf("%s of a missing blob: %v", name, err)
		}
	}
	if err := s.Update(func(tx *store.Tx) error { return tx.UnrefBlob(hash) }); fault.CodeOf(err) != fault.Internal {
		t.Errorf("one reference too few: %v", err)
	}
	// Taken away and given back in one transaction.
	update(t, s, put("again"))
	update(t, s, func(tx *store.Tx) error {
		if err := tx.UnrefBlob(hash); err != nil {
			return err
		}
		return tx.RefBlob(hash)
	})
	if _, _, err := s.OpenBlob(hash); err != nil {
		t.Error(err)
	}
	sound(t, s.Check())
}

func TestSweepTakesOnlyWhatNothingRefersTo(t *testing.T) {
	dir := private(t)
	s := open(t, dir)
	var kept string
	update(t, s, func(tx *store.Tx) (err error) { kept, err = tx.PutBytes([]byte("kept")); return err })
	stray := filepath.Join(dir, "blobs", "ab", strings.Repeat("ab", 32))
	misplaced := filepath.Join(dir, "blobs", kept)
	for _, p := range []string{stray, misplaced, filepath.Join(dir, "blobs", "part-1")} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte("kept"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := s.Sweep(); n != 3 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	if files := blobFiles(t, dir); len(files) != 1 || filepath.Base(files[0]) != kept {
		t.Errorf("left: %v", files)
	}
}

func TestTheCheckerFindsDamagedAndMissingBlobs(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"changed": func(p string) error { return os.WriteFile(p, []byte("other"), 0o600) },
		"missing": os.Remove,
	} {
		dir := private(t)
		s := open(t, dir)
		update(t, s, func(tx *store.Tx) error { _, err := tx.PutBytes([]byte("bytes")); return err })
		if err := harm(blobFiles(t, dir)[0]); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			i := slices.IndexFunc(s.Check(), func(f store.Finding) bool { return f.Check == "blobs" && !f.OK })
			if i < 0 {
				t.Errorf("%s: not found in %v", name, s.Check())
			}
		}
	}
}

// TestCheckWhileOthersWrite is for the race detector: doctor asks a running kernel.
func TestCheckWhileOthersWrite(t *testing.T) {
	s := open(t, private(t))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				var hash string
				update(t, s, func(tx *store.Tx) (err error) { hash, err = tx.PutBytes(fmt.Append(nil, i)); return err })
				update(t, s, func(tx *store.Tx) error {
					return errors.Join(tx.UnrefBlob(hash), tx.Bucket(store.Docs).Put(fmt.Append(nil, i%50), bytes.Repeat([]byte{1}, 500)))
				})
			}
		}
	})
	for range 20 {
		sound(t, s.Check())
	}
	close(stop)
	wg.Wait()
}

func TestBatchSharesCommits(t *testing.T) {
	s := open(t, private(t))
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			err := s.Batch(func(tx *store.Tx) error {
				if i == 13 {
					return fault.New("test", fault.Denied, "", "")
				}
				return tx.Bucket(store.Journal).Put(fmt.Append(nil, i), []byte("x"))
			})
			if (i == 13) != (fault.CodeOf(err) == fault.Denied) {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	view(t, s, func(tx *store.Tx) {
		n := 0
		for range tx.Bucket(store.Journal).All() {
			n++
		}
		if n != 63 {
			t.Errorf("%d rows", n)
		}
	})
}
