package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// shelf is Apps on a real store in a directory of its own.
type shelf struct {
	*Apps
	t   testing.TB
	dir string
	st  *store.Store
}

func open(t testing.TB, dir string, o Options) *shelf {
	t.Helper()
	st, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(st, o)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{a, t, dir, st}
	t.Cleanup(s.close)
	return s
}

func (s *shelf) close() {
	s.Apps.Close()
	_ = s.st.Close()
}

// again closes the store and opens it as the next launch does.
func (s *shelf) again() *shelf {
	s.t.Helper()
	s.close()
	return open(s.t, s.dir, Options{})
}

// app is a small package.
func app(id, version string, files ...*part) []byte {
	m := fmt.Sprintf(`{"format":1,"id":%q,"name":"App","version":%q,"tiles":[{"id":"main","title":"Main","path":"index.html"}]}`, id, version)
	return (&crafted{parts: append([]*part{entry(ManifestName, m), entry("index.html", "<!doctype html>"+id+version)}, files...)}).bytes()
}

func resident(id, version string) []byte {
	m := fmt.Sprintf(`{"format":1,"id":%q,"name":"App","version":%q,"background":{"path":"index.html"}}`, id, version)
	return (&crafted{parts: []*part{entry(ManifestName, m), entry("index.html", "<!doctype html>")}}).bytes()
}

func (s *shelf) review(b []byte) (*linkv1.Review, error) {
	return s.Review(Bytes(b), int64(len(b)), "notes.neutron")
}

func (s *shelf) install(b []byte) Installed {
	s.t.Helper()
	r, err := s.review(b)
	if err != nil {
		s.t.Fatal(err)
	}
	i, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return i
}

// files is what lies in the data directory, byte for byte.
func (s *shelf) files() map[string]string {
	m := make(map[string]string)
	err := fs.WalkDir(os.DirFS(s.dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(s.dir, name))
		sum := sha256.Sum256(b)
		m[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

func wants(t testing.TB, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("got %v, want %s", err, code)
	}
}

// Every bad package is refused at the review, and leaves no byte behind.
func TestBadPackagesWriteNothing(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	s.install(app("first", "1.0.0"))
	before, table := s.files(), badPackages()
	if len(table) < 120 {
		t.Errorf("only %d bad packages", len(table))
	}
	for _, c := range table {
		t.Run(c.name, func(t *testing.T) {
			b := c.make()
			source := &closing{Reader: bytes.NewReader(b)}
			_, err := s.Review(source, int64(len(b)), c.name)
			refused(t, err, c.code, c.entry)
			if !source.closed {
				t.Error("the refused package was left open")
			}
			if after := s.files(); !equal(before, after) {
				t.Errorf("the data directory changed: %v", after)
			}
		})
	}
	if len(s.List()) != 1 || len(s.reviews) != 0 {
		t.Errorf("%d apps, %d reviews", len(s.List()), len(s.reviews))
	}
}

type closing struct {
	*bytes.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func equal(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

func TestInstallUpgradeRemove(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	r, err := s.review(good().bytes())
	if err != nil {
		t.Fatal(err)
	}
	if r.InstalledVersion != "" || r.Source != "notes.neutron" || r.Files != 5 || r.App.Name != "Notes" || !r.App.Background || string(r.App.IconSvg) != goodIcon {
		t.Errorf("review %v", r)
	}
	if len(s.List()) != 0 {
		t.Fatal("installed before the owner's word")
	}
	one, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil {
		t.Fatal(err)
	}
	if one.UID != 1 || one.Generation != 1 || one.Hash != r.App.Hash {
		t.Errorf("installed %+v", one)
	}
	s = s.again()
	if got, ok := s.Get("notes"); !ok || got.UID != 1 || got.Manifest.Name != "Notes" || !got.InstalledAt.Equal(one.InstalledAt) {
		t.Errorf("after a restart: %+v", got)
	}
	b, contentType, ok := s.File("notes", 1, one.Hash, "app.js")
	if !ok || string(b) != "export {}" || contentType != "text/javascript; charset=utf-8" {
		t.Errorf("served %q %q %v", b, contentType, ok)
	}

	next := strings.Replace(goodManifest, "1.2.3", "1.10.0", 1)
	r, err = s.review(withManifest(next).bytes())
	if err != nil {
		t.Fatal(err)
	}
	if r.InstalledVersion != "1.2.3" {
		t.Errorf("upgrade review says %q is installed", r.InstalledVersion)
	}
	two, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil {
		t.Fatal(err)
	}
	if two.UID != 1 || two.Generation != 2 || two.Version != "1.10.0" {
		t.Errorf("upgraded %+v", two)
	}
	if _, _, ok := s.File("notes", 1, one.Hash, "app.js"); ok {
		t.Error("the old version is still served")
	}
	if _, _, ok := s.File("notes", 1, two.Hash, "app.js"); !ok {
		t.Error("the new version is not served")
	}
	if files := s.blobs(); len(files) != 1 || !strings.HasSuffix(files[0], two.Hash) {
		t.Errorf("packages on the disk: %v", files)
	}

	wants(t, s.Remove("notes", 2, nil), fault.Conflict)
	wants(t, s.Remove("nobody", 0, nil), fault.AppUnknown)
	if err := s.Remove("notes", 1, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.File("notes", 1, two.Hash, "app.js"); ok || len(s.List()) != 0 || len(s.blobs()) != 0 {
		t.Errorf("after the removal: %v, %v", s.List(), s.blobs())
	}
	s = s.again()
	if again := s.install(good().bytes()); again.UID != 2 || again.Generation != 1 {
		t.Errorf("installed again as %+v: a uid was used twice", again)
	}
}

func (s *shelf) blobs() (list []string) {
	for name := range s.files() {
		if strings.HasPrefix(name, "blobs/") {
			list = append(list, name)
		}
	}
	return list
}

func TestVersionsOnlyGrow(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	s.install(app("notes", "1.9.0"))
	for name, b := range map[string][]byte{
		"the same bytes":             app("notes", "1.9.0"),
		"the same version, changed":  app("notes", "1.9.0", entry("x", "x")),
		"a lower version":            app("notes", "1.8.9"),
		"lower by number, not text":  app("notes", "1.10.0"),
		"a lower major":              app("notes", "0.99.99"),
		"a lower version, same name": app("notes", "1.0.10"),
	} {
		before := s.files()
		_, err := s.review(b)
		if name == "lower by number, not text" {
			if err != nil {
				t.Errorf("1.10.0 is newer than 1.9.0: %v", err)
			}
			continue
		}
		if wants(t, err, fault.VersionNotNewer); !equal(before, s.files()) {
			t.Errorf("%s: something was written", name)
		}
	}
}

// Two reviews of one app were fine when they were opened; the transaction has the last word.
func TestApproveJudgesAgain(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	old, err := s.review(app("notes", "1.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := s.review(app("notes", "2.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approve(fresh.ReviewId, fresh.App.Hash, nil); err != nil {
		t.Fatal(err)
	}
	_, err = s.Approve(old.ReviewId, old.App.Hash, nil)
	wants(t, err, fault.VersionNotNewer)
	if i, _ := s.Get("notes"); i.Version != "2.0.0" || i.Generation != 1 {
		t.Errorf("after a refused downgrade: %+v", i)
	}
}

func TestDigestBindsApproval(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	b := app("notes", "1.0.0", stored("x.txt", "honest"))
	r, err := s.review(b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Approve(r.ReviewId, strings.Repeat("0", 64), nil)
	wants(t, err, fault.DigestMismatch)
	// The file changes between the review and the word.
	i := bytes.Index(b, []byte("honest"))
	copy(b[i:], "evil!!")
	_, err = s.Approve(r.ReviewId, r.App.Hash, nil)
	wants(t, err, fault.DigestMismatch)
	if len(s.List()) != 0 {
		t.Error("changed bytes were installed")
	}
	copy(b[i:], "honest")
	if _, err := s.Approve(r.ReviewId, r.App.Hash, nil); err != nil {
		t.Errorf("a refused approval ended the review: %v", err)
	}
	_, err = s.Approve(r.ReviewId, r.App.Hash, nil)
	wants(t, err, fault.RequestExpired)
}

// What with adds commits with the row or not at all.
func TestWithIsOneTransaction(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	r, err := s.review(app("notes", "1.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	receipt := []byte("receipt")
	put := func(tx *store.Tx, _ Installed) error { return tx.Bucket(store.Docs).Put(receipt, receipt) }
	_, err = s.Approve(r.ReviewId, r.App.Hash, func(tx *store.Tx, i Installed) error {
		_ = put(tx, i)
		return fault.New("test", fault.StoreFull, "", "")
	})
	wants(t, err, fault.StoreFull)
	has := func() (ok bool) {
		_ = s.st.View(func(tx *store.Tx) error { ok = tx.Bucket(store.Docs).Get(receipt) != nil; return nil })
		return ok
	}
	if has() || len(s.List()) != 0 {
		t.Error("half a commit")
	}
	if _, err := s.st.Sweep(); err != nil || len(s.blobs()) != 0 {
		t.Errorf("the package of a failed install stays: %v, %v", s.blobs(), err)
	}
	if _, err := s.Approve(r.ReviewId, r.App.Hash, put); err != nil || !has() {
		t.Errorf("the whole commit: %v", err)
	}
	wants(t, s.Remove("notes", 0, func(*store.Tx, Installed) error { return fault.New("test", fault.StoreFull, "", "") }), fault.StoreFull)
	if s = s.again(); len(s.List()) != 1 {
		t.Error("a failed removal removed")
	}
}

func TestCounts(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	for i := range limit.Backgrounds {
		s.install(resident(fmt.Sprintf("back%d", i), "1.0.0"))
	}
	_, err := s.review(resident("one_more", "1.0.0"))
	wants(t, err, fault.Limit)
	s.install(resident("back0", "1.0.1")) // an upgrade of one that counts already
	s.install(app("plain", "1.0.0"))
	_, err = s.review(resident("plain", "1.1.0"))
	wants(t, err, fault.Limit)

	// The count of apps, on rows that no package made.
	full := open(t, t.TempDir(), Options{})
	p := mustDecode(t, app("seed", "1.0.0"))
	if err := full.st.Update(func(tx *store.Tx) error {
		for n := range limit.Apps {
			id := fmt.Sprintf("seed%d", n)
			b, err := encodeRow(Installed{ID: id, UID: uint64(n + 1), Generation: 1, Hash: p.Hash}, bytes.Replace(p.Raw, []byte(`"seed"`), []byte(`"`+id+`"`), 1))
			if err != nil {
				return err
			}
			if err := tx.Bucket(store.Apps).Put([]byte(id), b); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	full = full.again()
	if n := len(full.List()); n != limit.Apps {
		t.Fatalf("%d apps", n)
	}
	_, err = full.review(app("notes", "1.0.0"))
	wants(t, err, fault.Limit)
	if _, err := full.review(app("seed7", "2.0.0")); err != nil {
		t.Errorf("an upgrade at the limit: %v", err)
	}
}

func TestReviewsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, t.TempDir(), Options{})
		defer s.close()
		b := app("notes", "1.0.0")
		var sources []*closing
		var ids []string
		for range limit.ReviewsOpen + 1 {
			src := &closing{Reader: bytes.NewReader(b)}
			r, err := s.Review(src, int64(len(b)), "x")
			if err != nil {
				t.Fatal(err)
			}
			sources, ids = append(sources, src), append(ids, r.ReviewId)
		}
		if !sources[0].closed || sources[1].closed {
			t.Error("one review too many does not end the oldest, and only it")
		}
		s.Discard(ids[1])
		s.Discard(ids[1])
		if !sources[1].closed {
			t.Error("a discarded review holds its package")
		}
		time.Sleep(limit.ReviewAge)
		_, err := s.Approve(ids[2], mustDecode(t, b).Hash, nil)
		wants(t, err, fault.RequestExpired)
		if !sources[2].closed || !sources[4].closed {
			t.Error("an expired review holds its package")
		}
	})
}

func TestBundled(t *testing.T) {
	s := open(t, t.TempDir(), Options{Bundled: fstest.MapFS{
		"notes.neutron":  {Data: good().bytes()},
		"broken.neutron": {Data: []byte("PK")},
		"README":         {Data: []byte("x")},
	}})
	list := s.Bundled()
	if len(list) != 1 || list[0].Id != "notes" {
		t.Fatalf("bundled %v", list)
	}
	_, err := s.ReviewBundled("nobody")
	wants(t, err, fault.AppUnknown)
	r, err := s.ReviewBundled("notes")
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(r.Risks, func(k *linkv1.Risk) bool { return k.Tag == "publisher" }) {
		t.Error("a bundled app is called unsigned")
	}
	i, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil || !i.Bundled {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestDamagedRow(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(app("notes", "1.0.0"))
	for _, row := range []string{"", "{}", `{"uid":1}`, "\xff"} {
		if err := s.st.Update(func(tx *store.Tx) error { return tx.Bucket(store.Apps).Put([]byte("notes"), []byte(row)) }); err != nil {
			t.Fatal(err)
		}
		_, err := Open(s.st, Options{})
		wants(t, err, fault.StoreDamaged)
	}
	if _, _, ok := s.File("notes", i.UID, i.Hash, "index.html"); !ok {
		t.Error("the running launch lost the app")
	}
}

// What crosses the wire is the row, and nothing that a package could add to it.
func TestWire(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(good().bytes())
	a := i.App()
	if a.Id != "notes" || a.Uid != i.UID || a.Generation != 1 || a.Hash != i.Hash || a.Version != "1.2.3" || a.Name != "Notes" || a.Description != "Short notes." ||
		!a.Background || a.Tray || a.InstalledAtMs != i.InstalledAt.UnixMilli() || string(a.IconSvg) != goodIcon {
		t.Errorf("%v", a)
	}
	if len(a.Tiles) != 1 || a.Tiles[0].Id != "main" || a.Tiles[0].Title != "Notes" {
		t.Errorf("tiles %v", a.Tiles)
	}
	if string(s.Icon("notes")) != goodIcon || s.Icon("nobody") != nil {
		t.Error("icons")
	}
	risks, err := s.Risks("notes")
	if err != nil || len(risks) == 0 || risks[0].Tag != "publisher" {
		t.Errorf("%v, %v", risks, err)
	}
	_, err = s.Risks("nobody")
	wants(t, err, fault.AppUnknown)
}

// A size that the caller gets wrong is a refusal, whichever way.
func TestWrongSize(t *testing.T) {
	b := good().bytes()
	for _, n := range []int64{0, 21, int64(len(b)) - 1, int64(len(b)) + 1, 2 * int64(len(b))} {
		if _, err := Decode(bytes.NewReader(b), n); fault.CodeOf(err) != fault.PackageInvalid {
			t.Errorf("size %d of %d: %v", n, len(b), err)
		}
	}
	_, err := Decode(bytes.NewReader(b), limit.PackageBytes+1)
	wants(t, err, fault.PackageTooLarge)
}

// Many reviews, approvals and removals at once leave every uid and generation used once.
func TestApprovalsAtOnce(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	type key struct{ uid, generation uint64 }
	got := make(chan key)
	const workers = 4
	for w := range workers {
		go func() {
			defer func() { got <- key{} }()
			for n := range 6 {
				b := app("notes", fmt.Sprintf("1.%d.%d", n, w))
				r, err := s.review(b)
				if err != nil {
					continue // another was faster to a higher version
				}
				i, err := s.Approve(r.ReviewId, r.App.Hash, nil)
				if err == nil {
					got <- key{i.UID, i.Generation}
				}
				if n%3 == 2 {
					_ = s.Remove("notes", 0, nil)
				}
			}
		}()
	}
	seen := make(map[key]bool)
	for left := workers; left > 0; {
		k := <-got
		switch {
		case k == key{}:
			left--
		case seen[k]:
			t.Errorf("%+v was given twice", k)
		}
		seen[k] = true
	}
	if len(seen) < 2 {
		t.Error("nothing was installed")
	}
}
