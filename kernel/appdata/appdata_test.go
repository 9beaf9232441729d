package appdata_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/appdata"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
	"neutron/kernel/valid"
)

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		os.Exit(child(job))
	}
	os.Exit(m.Run())
}

// private is a directory for a store, of the mode that a store makes it with.
func private(t testing.TB) string { return filepath.Join(t.TempDir(), "data") }

func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opened is a Data over a store of its own.
func opened(t testing.TB) (*appdata.Data, *store.Store) {
	t.Helper()
	s := openStore(t, private(t))
	d, err := appdata.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		d.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, s
}

// do runs one action to its end and decodes the answer.
func do(d *appdata.Data, uid uint64, name, payload string) (map[string]any, error) {
	type answer struct {
		ok  []byte
		err error
	}
	got := make(chan answer, 1)
	d.Do(appdata.Action{UID: uid, Holder: "f/1", Name: name, Payload: []byte(payload), Done: func(ok []byte, err error) { got <- answer{ok, err} }})
	a := <-got
	if a.err != nil {
		return nil, a.err
	}
	var out map[string]any
	if err := json.Unmarshal(a.ok, &out); err != nil {
		return nil, fmt.Errorf("the answer %q: %w", a.ok, err)
	}
	return out, valid.JSON(a.ok, limit.PayloadBytes)
}

func must(t testing.TB, d *appdata.Data, uid uint64, name, payload string) map[string]any {
	t.Helper()
	out, err := do(d, uid, name, payload)
	if err != nil {
		t.Fatalf("%s %.200s: %v", name, payload, err)
	}
	return out
}

func refused(t *testing.T, d *appdata.Data, code fault.Code, name, payload string) {
	t.Helper()
	if out, err := do(d, 1, name, payload); fault.CodeOf(err) != code {
		t.Errorf("%s %.200s: got %v, %v; want %s", name, payload, out, err, code)
	}
}

func TestRefusals(t *testing.T) {
	d, _ := opened(t)
	must(t, d, 1, "store.put", `{"key":"a","value":1}`)
	long := strings.Repeat("k", limit.DataKey+1)
	for _, c := range []struct {
		code          fault.Code
		name, payload string
	}{
		{fault.InvalidRequest, "store.put", `[]`},
		{fault.InvalidRequest, "store.put", `null`},
		{fault.InvalidRequest, "store.put", ``},
		{fault.InvalidRequest, "store.put", `{"key":"a","key":"b","value":1}`},
		{fault.InvalidRequest, "store.put", `{"Key":"a","value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":1,"value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":null,"value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":"` + long + `","value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":"a\u0000","value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":"a\u0085","value":1}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":1,"ifRevision":"01"}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":1,"ifRevision":"-1"}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":1,"ifRevision":""}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":1,"ifRevision":"18446744073709551616"}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":` + strings.Repeat("[", limit.DataDepth+1) + strings.Repeat("]", limit.DataDepth+1) + `}`},
		{fault.InvalidRequest, "store.put", `{"key":"a","value":[` + strings.Repeat("1,", limit.DataNodes) + `1]}`},
		{fault.Limit, "store.put", `{"key":"a","value":"` + strings.Repeat("x", limit.DataValue) + `"}`},
		{fault.Limit, "store.put", `{"key":"a","value":"` + strings.Repeat("x", limit.PayloadBytes) + `"}`},
		{fault.Conflict, "store.put", `{"key":"a","value":2,"ifRevision":"0"}`},
		{fault.Conflict, "store.put", `{"key":"none","value":2,"ifRevision":"1"}`},
		{fault.Conflict, "store.delete", `{"key":"a","ifRevision":"7"}`},
		{fault.InvalidRequest, "store.get", `{}`},
		{fault.InvalidRequest, "store.get", `{"key":"a","ifRevision":"1"}`},
		{fault.InvalidRequest, "store.list", `{"limit":0}`},
		{fault.InvalidRequest, "store.list", `{"limit":1001}`},
		{fault.InvalidRequest, "store.list", `{"prefix":"` + long + `"}`},
		{fault.InvalidRequest, "store.batch", `{}`},
		{fault.InvalidRequest, "store.batch", `{"changes":[]}`},
		{fault.InvalidRequest, "store.batch", `{"changes":[{"key":"b"}]}`},
		{fault.InvalidRequest, "store.batch", `{"changes":[{"key":"b","value":1,"delete":true}]}`},
		{fault.InvalidRequest, "store.batch", `{"changes":[{"key":"b","value":1},{"key":"b","value":2}]}`},
		{fault.Limit, "store.batch", `{"changes":[` + strings.Repeat(`{"key":"b","value":1},`, limit.DataBatch) + `{"key":"b","value":1}]}`},
		{fault.InvalidRequest, "store.usage", `{"x":1}`},
		{fault.NotSupported, "store.clear", `{}`},
		{fault.InvalidRequest, "store.blob.begin", `{"key":"p"}`},
		{fault.InvalidRequest, "store.blob.begin", `{"key":"p","size":-1}`},
		{fault.InvalidRequest, "store.blob.begin", `{"key":"p","size":1.5}`},
		{fault.Limit, "store.blob.begin", fmt.Sprintf(`{"key":"p","size":%d}`, limit.DataBlob+1)},
		{fault.InvalidRequest, "store.blob.append", `{"upload":"x","offset":0,"data":""}`},
		{fault.InvalidRequest, "store.blob.commit", `{"upload":"x"}`},
		{fault.InvalidRequest, "store.blob.abort", `{}`},
		{fault.InvalidRequest, "store.blob.read", `{"key":"p","offset":-1}`},
		{fault.InvalidRequest, "store.blob.read", fmt.Sprintf(`{"key":"p","length":%d}`, limit.DataChunk+1)},
		{fault.Conflict, "store.blob.read", `{"key":"p","ifRevision":"3"}`},
	} {
		refused(t, d, c.code, c.name, c.payload)
	}
	if u, err := d.Usage(1); err != nil || u.Revision != 1 || u.Entries != 1 || u.Bytes != 2+limit.DataEntry {
		t.Errorf("after the refusals: %+v, %v", u, err)
	}
}

// TestLargestValueStaysReadable puts the widest, the deepest and the longest value and reads each in every way.
func TestLargestValueStaysReadable(t *testing.T) {
	d, _ := opened(t)
	key := strings.Repeat(`\"`, limit.DataKey)
	for _, value := range []string{
		"[" + strings.Repeat("1,", limit.DataNodes-3) + "1]",
		strings.Repeat("[", limit.DataDepth) + strings.Repeat("]", limit.DataDepth),
		`"` + strings.Repeat("x", limit.DataValue-2) + `"`,
	} {
		must(t, d, 1, "store.put", `{"key":"`+key+`","value":`+value+`}`)
		must(t, d, 1, "store.get", `{"key":"`+key+`"}`)
		must(t, d, 1, "store.put", `{"key":"z`+key[2:]+`","value":`+value+`}`)
		page := must(t, d, 1, "store.list", `{"values":true}`)
		if len(page["entries"].([]any)) == 0 {
			t.Error("an empty page of large values")
		}
	}
}

// TestQuotas fills what one installation may keep to the last byte, and one byte more.
func TestQuotas(t *testing.T) {
	d, s := opened(t)
	const row = 1 + 3 + limit.DataEntry // key k, value of three bytes
	if err := d.Preset(1, appdata.Usage{Revision: 7, Bytes: limit.DataBytes - row}); err != nil {
		t.Fatal(err)
	}
	refused(t, d, fault.Limit, "store.put", `{"key":"k","value":1000}`)
	refused(t, d, fault.Limit, "store.batch", `{"changes":[{"key":"k","value":100},{"key":"l","value":1}]}`)
	must(t, d, 1, "store.put", `{"key":"k","value":100}`)
	refused(t, d, fault.Limit, "store.put", `{"key":"k","value":1000}`)
	upload := must(t, d, 1, "store.blob.begin", `{"key":"p","size":0}`)["upload"]
	refused(t, d, fault.Limit, "store.blob.commit", fmt.Sprintf(`{"upload":%q}`, upload)) // its key counts too
	must(t, d, 1, "store.put", `{"key":"k","value":1}`)                                   // less is always taken
	must(t, d, 2, "store.put", `{"key":"other","value":1000}`)                            // another one's is its own

	if err := d.Preset(3, appdata.Usage{BlobBytes: limit.DataBlobBytes - 3}); err != nil {
		t.Fatal(err)
	}
	blob(t, d, 3, "p", []byte("abc"))
	upload = must(t, d, 3, "store.blob.begin", `{"key":"q","size":1}`)["upload"]
	must(t, d, 3, "store.blob.append", fmt.Sprintf(`{"upload":%q,"offset":0,"data":"AA=="}`, upload))
	if _, err := do(d, 3, "store.blob.commit", fmt.Sprintf(`{"upload":%q}`, upload)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("one byte more of blobs: %v", err)
	}
	sound(t, s)
}

// TestRemove takes everything of one installation, and nothing of another.
func TestRemove(t *testing.T) {
	d, s := opened(t)
	for uid := range uint64(3) {
		must(t, d, uid, "store.put", `{"key":"a","value":1}`)
		blob(t, d, uid, "p", bytes.Repeat([]byte("b"), 3000))
	}
	if err := s.Update(func(tx *store.Tx) error { return d.Remove(tx, 1) }); err != nil {
		t.Fatal(err)
	}
	if u, err := d.Usage(1); err != nil || u != (appdata.Usage{}) {
		t.Errorf("after the removal: %+v, %v", u, err)
	}
	refused(t, d, fault.Superseded, "store.put", `{"key":"late","value":1}`)
	for _, uid := range []uint64{0, 2} {
		if u, err := d.Usage(uid); err != nil || u.Entries != 1 || u.Blobs != 1 {
			t.Errorf("installation %d after the removal: %+v, %v", uid, u, err)
		}
	}
	sound(t, s)
}

// sound runs the store's checker.
func sound(t *testing.T, s *store.Store) {
	t.Helper()
	for _, f := range s.Check() {
		if !f.OK {
			t.Errorf("%s: %s", f.Check, f.Detail)
		}
	}
}

// blob writes a blob in chunks and returns its revision.
func blob(t testing.TB, d *appdata.Data, uid uint64, key string, b []byte) string {
	t.Helper()
	upload := must(t, d, uid, "store.blob.begin", fmt.Sprintf(`{"key":%q,"size":%d}`, key, len(b)))["upload"].(string)
	for at := 0; at < len(b); at += limit.DataChunk {
		chunk := base64.StdEncoding.EncodeToString(b[at:min(len(b), at+limit.DataChunk)])
		must(t, d, uid, "store.blob.append", fmt.Sprintf(`{"upload":%q,"offset":%d,"data":%q}`, upload, at, chunk))
	}
	return must(t, d, uid, "store.blob.commit", fmt.Sprintf(`{"upload":%q}`, upload))["revision"].(string)
}

func TestBlobs(t *testing.T) {
	d, s := opened(t)
	want := make([]byte, 2*limit.DataChunk+17)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range want {
		want[n] = byte(random.Uint32())
	}
	if got := blob(t, d, 1, "p", want); got != "1" {
		t.Errorf("the first revision is %s", got)
	}
	blob(t, d, 2, "p", want) // the same bytes of another one
	var got []byte
	for len(got) < len(want) {
		b := must(t, d, 1, "store.blob.read", fmt.Sprintf(`{"key":"p","offset":%d,"ifRevision":"1"}`, len(got)))["blob"].(map[string]any)
		chunk, err := base64.StdEncoding.DecodeString(b["data"].(string))
		if err != nil || len(chunk) == 0 || b["size"].(float64) != float64(len(want)) {
			t.Fatalf("at %d: %v, %d bytes of %v", len(got), err, len(chunk), b["size"])
		}
		got = append(got, chunk...)
	}
	if !bytes.Equal(got, want) {
		t.Error("other bytes came back")
	}
	if b := must(t, d, 1, "store.blob.read", `{"key":"p","offset":99999999}`)["blob"].(map[string]any); b["data"] != "" {
		t.Errorf("beyond the end: %v", b)
	}
	upload := must(t, d, 1, "store.blob.begin", `{"key":"q","size":4,"ifRevision":"0"}`)["upload"].(string)
	for _, c := range []string{
		`{"upload":%q,"offset":1,"data":"AAAA"}`, `{"upload":%q,"offset":0,"data":"AAAAAAAA"}`,
		`{"upload":%q,"offset":0,"data":"AA"}`, `{"upload":%q,"offset":0,"data":"AAA\n"}`, `{"upload":%q,"offset":0,"data":"AA\n=="}`, `{"upload":%q,"data":"AAAA"}`,
	} {
		refused(t, d, fault.InvalidRequest, "store.blob.append", fmt.Sprintf(c, upload))
	}
	must(t, d, 1, "store.blob.begin", `{"key":"r","size":0}`)
	refused(t, d, fault.Busy, "store.blob.begin", `{"key":"s","size":0}`)
	d.End("f/1")
	refused(t, d, fault.InvalidRequest, "store.blob.append", fmt.Sprintf(`{"upload":%q,"offset":0,"data":"AAAA"}`, upload))
	blob(t, d, 1, "empty", nil)
	if page := must(t, d, 1, "store.blob.list", `{}`); len(page["entries"].([]any)) != 2 {
		t.Errorf("the list: %v", page)
	}
	must(t, d, 1, "store.blob.delete", `{"key":"p"}`)
	if b := must(t, d, 1, "store.blob.read", `{"key":"p"}`); b["blob"] != nil {
		t.Errorf("after the delete: %v", b)
	}
	if u, err := d.Usage(1); err != nil || u.Blobs != 1 || u.BlobBytes != 0 {
		t.Errorf("%+v %v", u, err)
	}
	if b := must(t, d, 2, "store.blob.read", `{"key":"p"}`); b["blob"] == nil {
		t.Error("the other one's bytes went too")
	}
	sound(t, s)
}

// TestIdleUploadMakesRoom lets the time of an unfinished blob pass.
func TestIdleUploadMakesRoom(t *testing.T) {
	dir := private(t)
	synctest.Test(t, func(t *testing.T) {
		s := openStore(t, dir)
		d, err := appdata.Open(s)
		if err != nil {
			t.Fatal(err)
		}
		for range limit.DataUploads {
			must(t, d, 1, "store.blob.begin", `{"key":"p","size":1}`)
		}
		time.Sleep(limit.DataUploadIdle - time.Nanosecond)
		refused(t, d, fault.Busy, "store.blob.begin", `{"key":"p","size":1}`)
		time.Sleep(time.Nanosecond)
		must(t, d, 1, "store.blob.begin", `{"key":"p","size":1}`)
		d.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestTold hears every revision once, in order, before its answer, from many writers.
func TestTold(t *testing.T) {
	d, _ := opened(t)
	const writers, each = 16, 40
	var told []uint64 // by the one goroutine that commits
	var answered sync.WaitGroup
	for w := range writers {
		answered.Go(func() {
			for n := range each {
				done := make(chan error, 1)
				d.Do(appdata.Action{
					UID: 1, Name: "store.put", Payload: fmt.Appendf(nil, `{"key":"%d","value":%d}`, w, n),
					Told: func(r uint64) { told = append(told, r) },
					Done: func(ok []byte, err error) {
						if want := fmt.Sprintf(`{"revision":"%d"}`, told[len(told)-1]); string(ok) != want {
							t.Errorf("answered %s after %s was told", ok, want)
						}
						done <- err
					},
				})
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	}
	answered.Wait()
	for n, r := range told {
		if r != uint64(n+1) {
			t.Fatalf("revision %d was told as number %d", r, n+1)
		}
	}
	if len(told) != writers*each {
		t.Errorf("%d revisions were told of %d", len(told), writers*each)
	}
}

// TestCloseRefusesLater answers what was on its way and refuses the rest.
func TestCloseRefusesLater(t *testing.T) {
	d, _ := opened(t)
	must(t, d, 1, "store.put", `{"key":"a","value":1}`)
	d.Close()
	refused(t, d, fault.NoShell, "store.put", `{"key":"a","value":2}`)
}

// TestRandom runs random changes and reads of two installations against two maps.
func TestRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	d, s := opened(t)
	type entry struct {
		revision uint64
		value    string
	}
	world := map[uint64]map[string]entry{1: {}, 2: {}}
	revisions := map[uint64]uint64{}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("seed %d: "+format, append([]any{seed}, args...)...)
	}
	for step := range 600 {
		uid := 1 + random.Uint64N(2)
		is := world[uid]
		key := func() string {
			return []string{"a", "b/", "b/1", "b/2", "b/é", "c", "\U0001F600", "z"}[random.IntN(8)]
		}
		change := func(k string) (text string, conflict, gone bool, v string) {
			now := is[k].revision
			expect := ""
			if random.IntN(3) == 0 {
				n := now
				if random.IntN(3) == 0 {
					n, conflict = now+1+random.Uint64N(3), true
				}
				expect = fmt.Sprintf(`,"ifRevision":"%d"`, n)
			}
			v = strconv.Itoa(random.IntN(1e6))
			if random.IntN(4) == 0 {
				return fmt.Sprintf(`{"key":%q,"delete":true%s}`, k, expect), conflict, true, ""
			}
			return fmt.Sprintf(`{"key":%q,"value":%s%s}`, k, v, expect), conflict, false, v
		}
		switch random.IntN(5) {
		case 0, 1, 2: // a batch of one to four
			next, conflicts, changed := maps.Clone(is), false, false
			var texts []string
			seen := map[string]bool{}
			for range 1 + random.IntN(4) {
				k := key()
				if seen[k] {
					continue
				}
				seen[k] = true
				text, conflict, gone, v := change(k)
				texts = append(texts, text)
				conflicts = conflicts || conflict
				if _, there := next[k]; gone {
					changed = changed || there
					delete(next, k)
				} else {
					changed = true
					next[k] = entry{revisions[uid] + 1, v}
				}
			}
			out, err := do(d, uid, "store.batch", `{"changes":[`+strings.Join(texts, ",")+`]}`)
			if conflicts {
				if fault.CodeOf(err) != fault.Conflict {
					fail("step %d: %v, %v for %v", step, out, err, texts)
				}
				continue
			}
			if err != nil {
				fail("step %d: %v for %v", step, err, texts)
			}
			if changed {
				revisions[uid]++
				world[uid] = next
			}
			if out["revision"] != strconv.FormatUint(revisions[uid], 10) {
				fail("step %d: revision %v, want %d", step, out["revision"], revisions[uid])
			}
		case 3:
			k := key()
			out := must(t, d, uid, "store.get", fmt.Sprintf(`{"key":%q}`, k))
			e, there := is[k]
			switch got := out["entry"].(type) {
			case nil:
				if there {
					fail("step %d: %q is missing", step, k)
				}
			case map[string]any:
				if got["revision"] != strconv.FormatUint(e.revision, 10) || fmt.Sprint(int(got["value"].(float64))) != e.value {
					fail("step %d: %q is %v, want %+v", step, k, got, e)
				}
			}
		case 4: // the whole list of a prefix, in random pages
			prefix := []string{"", "b/", "b", "x", "\U0001F600"}[random.IntN(5)]
			var want, got []string
			for _, k := range slices.Sorted(maps.Keys(is)) {
				if strings.HasPrefix(k, prefix) {
					want = append(want, k+"="+is[k].value)
				}
			}
			after := ""
			for {
				page := must(t, d, uid, "store.list", fmt.Sprintf(`{"prefix":%q,"after":%q,"limit":%d,"values":true}`, prefix, after, 1+random.IntN(3)))
				for _, e := range page["entries"].([]any) {
					e := e.(map[string]any)
					got = append(got, e["key"].(string)+"="+fmt.Sprint(int(e["value"].(float64))))
				}
				next, more := page["next"].(string)
				if !more {
					break
				}
				after = next
			}
			if !slices.Equal(want, got) {
				fail("step %d: the list of %q is %v, want %v", step, prefix, got, want)
			}
		}
	}
	for uid, is := range world {
		var bytes uint64
		for k, e := range is {
			bytes += uint64(len(k)+len(e.value)) + limit.DataEntry
		}
		if u, err := d.Usage(uid); err != nil || u.Bytes != bytes || u.Entries != uint64(len(is)) || u.Revision != revisions[uid] {
			fail("usage of %d: %+v, %v; want %d bytes in %d", uid, u, err, bytes, len(is))
		}
	}
	for _, f := range s.Check() {
		if !f.OK {
			fail("%s: %s", f.Check, f.Detail)
		}
	}
}

// FuzzActions feeds any payload to any action: it answers once, with JSON within
// the budgets or a fault that is the caller's, and what is kept stays readable.
func FuzzActions(f *testing.F) {
	names := []string{
		"store.put", "store.get", "store.delete", "store.list", "store.batch", "store.usage", "store.blob.begin", "store.blob.append",
		"store.blob.commit", "store.blob.abort", "store.blob.read", "store.blob.list", "store.blob.delete", "store.x",
	}
	for n, payload := range []string{
		`{"key":"a","value":{"b":[1,"\u00e9"]},"ifRevision":"0"}`, `{"key":"a"}`, `{"key":"a","ifRevision":"1"}`, `{"prefix":"a","after":"","limit":3,"values":true}`,
		`{"changes":[{"key":"a","value":1},{"key":"b","delete":true}]}`, `{}`, `{"key":"p","size":3}`, `{"upload":"x","offset":0,"data":"AAAA"}`,
		`{"upload":"x"}`, `{"upload":"x"}`, `{"key":"p","offset":1,"length":2}`, `{"prefix":""}`, `{"key":"p"}`, `{"key":"\ud800"}`,
	} {
		f.Add(uint8(n), []byte(payload))
	}
	d, _ := opened(f)
	f.Fuzz(func(t *testing.T, n uint8, payload []byte) {
		_, err := do(d, 1, names[int(n)%len(names)], string(payload))
		switch fault.CodeOf(err) {
		case "", fault.InvalidRequest, fault.Limit, fault.Conflict, fault.Busy, fault.NotSupported:
		default:
			t.Errorf("%v", err)
		}
		must(t, d, 1, "store.list", `{"values":true}`)
		d.End("f/1")
	})
}
