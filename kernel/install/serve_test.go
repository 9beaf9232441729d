package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

func TestFileIsExact(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(app("notes", "1.0.0", entry("dir/a.js", "a"), entry("LICENSE", "l"), entry("empty.css", "")))
	other := s.install(app("other", "1.0.0", entry("dir/a.js", "b")))
	for _, c := range []struct {
		app  string
		uid  uint64
		hash string
		name string
		want string // content type; "" refused
	}{
		{"notes", i.UID, i.Hash, "dir/a.js", "text/javascript; charset=utf-8"},
		{"notes", i.UID, i.Hash, "LICENSE", "application/octet-stream"},
		{"notes", i.UID, i.Hash, "empty.css", "text/css; charset=utf-8"},
		{"notes", i.UID, i.Hash, "DIR/a.js", ""},
		{"notes", i.UID, i.Hash, "dir/../dir/a.js", ""},
		{"notes", i.UID, i.Hash, "/dir/a.js", ""},
		{"notes", i.UID, i.Hash, "dir", ""},
		{"notes", i.UID, i.Hash, "dir/", ""},
		{"notes", i.UID, i.Hash, "", ""},
		{"notes", i.UID, strings.Repeat("0", 64), "dir/a.js", ""},
		{"notes", i.UID + 1, i.Hash, "dir/a.js", ""},
		{"nobody", i.UID, i.Hash, "dir/a.js", ""},
		{"notes", i.UID, other.Hash, "dir/a.js", ""},
		{"other", i.UID, i.Hash, "dir/a.js", ""},
	} {
		for range 2 { // the second time from the cache
			if _, ct, ok := s.File(c.app, c.uid, c.hash, c.name); ok != (c.want != "") || ct != c.want {
				t.Errorf("%+v: %q %v", c, ct, ok)
			}
		}
	}
}

// A package that changes on the disk is served no more, not even its good files.
func TestChangedOnDisk(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(app("notes", "1.0.0", stored("a.txt", "honest")))
	if err := s.Verify("notes"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.dir, "blobs", i.Hash[:2], i.Hash)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.File("notes", i.UID, i.Hash, "index.html"); !ok {
		t.Fatal("not served")
	}
	evil := []byte(strings.Replace(string(b), "honest", "evil!!", 1))
	if err := os.WriteFile(path, evil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _, ok := s.File("notes", i.UID, i.Hash, "a.txt"); ok {
		t.Errorf("served %q", got)
	}
	if err := s.Verify("notes"); err == nil {
		t.Error("the checker finds nothing")
	}
	s = s.again()
	if _, _, ok := s.File("notes", i.UID, i.Hash, "index.html"); ok {
		t.Error("a changed package is served after a restart")
	}
	// Another well-formed package in its place.
	if err := os.WriteFile(path, app("notes", "1.0.0", stored("a.txt", "other!")), 0o600); err != nil {
		t.Fatal(err)
	}
	s = s.again()
	if _, _, ok := s.File("notes", i.UID, i.Hash, "index.html"); ok {
		t.Error("a package of another hash is served")
	}
	wants(t, s.Verify("notes"), fault.DigestMismatch)
}

func TestServeWhileChanging(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(app("notes", "1.0.0"))
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				now, ok := s.Get("notes")
				if b, _, served := s.File("notes", now.UID, now.Hash, "index.html"); ok && served && string(b) != "<!doctype html>notes"+now.Version {
					t.Errorf("version %s served %q", now.Version, b)
					return
				}
			}
		})
	}
	for n := 1; n <= 20; n++ {
		i = s.install(app("notes", fmt.Sprintf("1.0.%d", n)))
	}
	if err := s.Remove("notes", i.UID, nil); err != nil {
		t.Error(err)
	}
	close(stop)
	wg.Wait()
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache(100)
	for i := range 50 {
		c.put(cacheKey{"a", fmt.Sprint(i)}, make([]byte, 10))
	}
	if c.used != 100 || len(c.byKey) != 10 || c.order.Len() != 10 {
		t.Errorf("%d bytes in %d files", c.used, len(c.byKey))
	}
	if _, ok := c.get(cacheKey{"a", "40"}); !ok {
		t.Error("the oldest that fits is gone")
	}
	c.put(cacheKey{"b", "x"}, make([]byte, 10))
	if _, ok := c.get(cacheKey{"a", "40"}); !ok {
		t.Error("a file that was just used went before older ones")
	}
	if _, ok := c.get(cacheKey{"a", "41"}); ok {
		t.Error("nothing went")
	}
	c.put(cacheKey{"b", "huge"}, make([]byte, 101))
	if c.forget("a"); c.used != 10 || len(c.byKey) != 1 {
		t.Errorf("after forgetting: %d bytes in %d files", c.used, len(c.byKey))
	}
}

func TestCacheLeavesLargeFilesOut(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(app("notes", "1.0.0", stored("big.bin", strings.Repeat("x", limit.AssetCacheFile+1)), stored("fits.bin", strings.Repeat("x", limit.AssetCacheFile))))
	for _, name := range []string{"big.bin", "fits.bin"} {
		if b, _, ok := s.File("notes", i.UID, i.Hash, name); !ok || len(b) < limit.AssetCacheFile {
			t.Fatalf("%s: %d bytes", name, len(b))
		}
	}
	if s.Apps.files.used != limit.AssetCacheFile {
		t.Errorf("%d bytes are kept", s.Apps.files.used)
	}
}
