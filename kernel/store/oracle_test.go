package store_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/store"
)

// oracle is what the store should hold: rows of two buckets, blobs by content, receipts.
type oracle struct {
	rows     map[store.Name]map[string]string
	blobs    map[string]int // content: references
	receipts map[string]string
}

func (o oracle) clone() oracle {
	c := oracle{map[store.Name]map[string]string{}, maps.Clone(o.blobs), maps.Clone(o.receipts)}
	for n, m := range o.rows {
		c.rows[n] = maps.Clone(m)
	}
	return c
}

var errRollback = errors.New("roll back")

// TestRandomOperationsAgainstAnOracle commits, rolls back and reopens at random
// and compares everything with maps. A seed that failed once becomes a line here.
func TestRandomOperationsAgainstAnOracle(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, uint64(time.Now().UnixNano())} {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { randomOperations(t, rand.New(rand.NewPCG(seed, 7))) })
	}
}

func randomOperations(t *testing.T, r *rand.Rand) {
	dir := private(t)
	s := open(t, dir)
	o := oracle{map[store.Name]map[string]string{store.Apps: {}, store.Audit: {}}, map[string]int{}, map[string]string{}}
	hashes := map[string]string{} // content: hash
	for range 60 {
		if r.IntN(12) == 0 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, dir)
		}
		next := o.clone()
		fail := r.IntN(4) == 0
		err := s.Update(func(tx *store.Tx) error {
			for range 1 + r.IntN(12) {
				if err := operation(tx, r, next, hashes); err != nil {
					return err
				}
			}
			if fail {
				return fault.Wrap("test", fault.Cancelled, "", errRollback)
			}
			return nil
		})
		switch {
		case fail && !errors.Is(err, errRollback), !fail && err != nil:
			t.Fatalf("update: %v", err)
		case !fail:
			o = next
		}
		compare(t, s, o, hashes)
		if t.Failed() {
			t.FailNow()
		}
	}
	sound(t, s.Check())
}

// operation does one random thing to the transaction and to the oracle.
func operation(tx *store.Tx, r *rand.Rand, o oracle, hashes map[string]string) error {
	name := []store.Name{store.Apps, store.Audit}[r.IntN(2)]
	b, key := tx.Bucket(name), strconv.Itoa(r.IntN(40))
	switch r.IntN(7) {
	case 0, 1:
		v := fmt.Sprint(r.Uint64())
		o.rows[name][key] = v
		return b.Put([]byte(key), []byte(v))
	case 2:
		delete(o.rows[name], key)
		return b.Delete([]byte(key))
	case 3: // delete in a loop
		for k := range b.Prefix([]byte(key)) {
			delete(o.rows[name], string(k))
			if err := b.Delete([]byte(string(k))); err != nil {
				return err
			}
		}
		return nil
	case 4:
		content := "blob " + strconv.Itoa(r.IntN(6))
		hash, err := tx.PutBytes([]byte(content))
		hashes[content] = hash
		o.blobs[content]++
		return err
	case 5:
		for content, n := range o.blobs {
			if n > 0 {
				o.blobs[content]--
				return tx.UnrefBlob(hashes[content])
			}
		}
		return nil
	}
	old, replay, err := store.Receipt(tx, "c", key, "kind", []byte(key))
	if was, known := o.receipts[key]; err != nil || replay != known || string(old) != was {
		return fmt.Errorf("receipt %s: %q, %v, %w; want %q, %v", key, old, replay, err, was, known)
	}
	if replay {
		return nil
	}
	o.receipts[key] = fmt.Sprint(r.Uint64())
	return store.PutReceipt(tx, "c", key, "kind", []byte(key), []byte(o.receipts[key]))
}

func compare(t *testing.T, s *store.Store, o oracle, hashes map[string]string) {
	t.Helper()
	view(t, s, func(tx *store.Tx) {
		for name, want := range o.rows {
			got := map[string]string{}
			var order []string
			for k, v := range tx.Bucket(name).All() {
				got[string(k)] = string(v)
				order = append(order, string(k))
			}
			if !maps.Equal(got, want) || !slices.IsSorted(order) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			var down []string
			for k := range tx.Bucket(name).Down(nil) {
				down = append(down, string(k))
			}
			slices.Reverse(down)
			if !slices.Equal(down, order) {
				t.Errorf("%s downwards: %v, upwards %v", name, down, order)
			}
		}
		for key, want := range o.receipts {
			if got, replay, err := store.Receipt(tx, "c", key, "kind", []byte(key)); !replay || err != nil || string(got) != want {
				t.Errorf("receipt %s: %q, %v, %v", key, got, replay, err)
			}
		}
	})
	files := 0
	for content, n := range o.blobs {
		r, size, err := s.OpenBlob(hashes[content])
		if (err == nil) != (n > 0) {
			t.Errorf("%s with %d references: %v", content, n, err)
		}
		if err == nil {
			files++
			if size != int64(len(content)) {
				t.Errorf("%s has %d bytes", content, size)
			}
			_ = r.Close()
		}
	}
	if got := blobFiles(t, s.Dir()); len(got) != files {
		t.Errorf("%d blob files, want %d", len(got), files)
	}
}
