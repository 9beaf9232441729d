package install

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
	"neutron/kernel/valid"
)

// Source is a package's bytes before they are installed. Apps owns it from the
// call on and closes it when the review ends, on every path.
type Source interface {
	io.ReaderAt
	io.Closer
}

// review is one open question to the owner. It holds the verified package until it is answered.
type review struct {
	id      string
	pack    *Package
	source  Source
	bundled bool
	expires time.Time
}

func (r *review) close() { _ = r.source.Close() }

// Review decodes and verifies a package of size bytes and says what the owner
// decides on; from says where the bytes came from. Nothing is written. The
// answer is Approve or Discard; a review that is neither within limit.ReviewAge
// is over, and so is the oldest when more than limit.ReviewsOpen are open.
func (a *Apps) Review(source Source, size int64, from string) (*linkv1.Review, error) {
	return a.review(source, size, local, shownSource(from), false)
}

// ReviewBundled reviews an app that came with the binary. APP_UNKNOWN when there is none of that id.
func (a *Apps) ReviewBundled(id string) (*linkv1.Review, error) {
	for _, b := range a.bundled() {
		if b.pack.Manifest.ID == id {
			return a.review(memory{bytes.NewReader(b.bytes)}, int64(len(b.bytes)), local, "Comes with Neutron", true)
		}
	}
	return nil, fault.New(opReview, fault.AppUnknown, id, "No such app came with Neutron.")
}

func (a *Apps) review(source Source, size int64, c caps, from string, bundled bool) (*linkv1.Review, error) {
	p, err := decodeWithin(source, size, c)
	if err == nil {
		err = a.mayFollow(p)
	}
	var signer *linkv1.Signer
	if err == nil {
		signer, err = a.signer(p.Manifest.ID, p.Signer)
	}
	if err != nil {
		_ = source.Close()
		return nil, err
	}
	r := &review{id: random128(), pack: p, source: source, bundled: bundled, expires: time.Now().Add(limit.ReviewAge)}
	a.mu.Lock()
	ended := a.expire()
	if len(a.reviews) >= limit.ReviewsOpen {
		ended = append(ended, a.reviews[0])
		a.reviews = a.reviews[1:]
	}
	a.reviews = append(a.reviews, r)
	old, upgrade := a.apps[p.Manifest.ID]
	a.mu.Unlock()
	for _, e := range ended {
		e.close()
	}
	v := &linkv1.Review{ReviewId: r.id, App: wireApp(&p.Manifest, p.Hash, p.Icon, p.Signer), Source: from, SizeBytes: uint64(size),
		Files: uint32(len(p.files)), Signer: signer, Risks: Risks(&p.Manifest, bundled, signer)}
	if upgrade {
		v.InstalledVersion, v.Changes = old.Version, Changes(&old, p)
		if old.Bundled && !bundled {
			v.Changes = slices.Insert(v.Changes, 0, unbundled())
		}
	}
	return v, nil
}

// signer says how a key stands to the one that is pinned for an app.
func (a *Apps) signer(id, key string) (s *linkv1.Signer, err error) {
	err = a.store.View(func(tx *store.Tx) error {
		before, err := pinned(tx, id)
		s = signerOf(key, before)
		return err
	})
	return s, err
}

// mayFollow judges early what Approve judges again inside its transaction.
func (a *Apps) mayFollow(p *Package) error {
	all := make(map[string]Installed)
	for _, i := range a.List() {
		all[i.ID] = i
	}
	return mayFollow(opReview, all, p)
}

// expire takes the reviews whose time is over out. The caller holds the lock and closes them after it.
func (a *Apps) expire() (ended []*review) {
	now := time.Now()
	a.reviews = slices.DeleteFunc(a.reviews, func(r *review) bool {
		over := !now.Before(r.expires)
		if over {
			ended = append(ended, r)
		}
		return over
	})
	return ended
}

// take ends a review for its approval; giveBack undoes it when the commit failed.
func (a *Apps) take(id, digest string) (*review, error) {
	a.mu.Lock()
	ended := a.expire()
	defer func() {
		for _, e := range ended {
			e.close()
		}
	}()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.reviews, func(r *review) bool { return r.id == id })
	if i < 0 {
		return nil, fault.New(opApprove, fault.RequestExpired, "", "This review is over. Open the package again.")
	}
	r := a.reviews[i]
	if digest != r.pack.Hash {
		return nil, fault.New(opApprove, fault.DigestMismatch, r.pack.Manifest.ID, "")
	}
	a.reviews = slices.Delete(a.reviews, i, i+1)
	return r, nil
}

func (a *Apps) giveBack(r *review) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reviews = append(a.reviews, r)
}

// Discard ends a review without a trace. One that is over already is no error.
func (a *Apps) Discard(id string) {
	a.mu.Lock()
	i := slices.IndexFunc(a.reviews, func(r *review) bool { return r.id == id })
	if i < 0 {
		a.mu.Unlock()
		return
	}
	r := a.reviews[i]
	a.reviews = slices.Delete(a.reviews, i, i+1)
	a.mu.Unlock()
	r.close()
}

// bundle is a package inside the binary.
type bundle struct {
	bytes []byte
	pack  *Package
}

// Bundled lists the apps that came with the binary, by id, installed or not.
func (a *Apps) Bundled() []*linkv1.App {
	var list []*linkv1.App
	for _, b := range a.bundled() {
		list = append(list, wireApp(&b.pack.Manifest, b.pack.Hash, b.pack.Icon, b.pack.Signer))
	}
	return list
}

// readBundled decodes what came with the binary. One that is broken is left out: a fault of the build, not of this launch.
func readBundled(files fs.FS, log *slog.Logger) []*bundle {
	if files == nil {
		return nil
	}
	names, err := fs.Glob(files, "*.neutron")
	if err != nil {
		log.Error("bundled apps cannot be listed", "err", err)
	}
	var list []*bundle
	for _, name := range names {
		b, err := fs.ReadFile(files, name)
		if err == nil {
			var p *Package
			if p, err = Decode(bytes.NewReader(b), int64(len(b))); err == nil {
				list = append(list, &bundle{bytes: b, pack: p})
				continue
			}
		}
		log.Error("bundled app is broken", "file", name, "err", err)
	}
	slices.SortFunc(list, func(x, y *bundle) int { return strings.Compare(x.pack.Manifest.ID, y.pack.Manifest.ID) })
	return list
}

// memory is a Source that needs no closing.
type memory struct{ *bytes.Reader }

// Close does nothing.
func (memory) Close() error { return nil }

// Bytes makes a Source of a package that is in memory.
func Bytes(b []byte) Source { return memory{bytes.NewReader(b)} }

// shownSource makes a file's foreign name safe to show.
func shownSource(from string) string {
	const shown = 120
	from = path.Base(strings.ReplaceAll(from, `\`, "/"))
	if valid.SafeText(from, shown) != nil {
		return quote(from)
	}
	return from
}

func compareVersions(a, b string) int { return valid.CompareVersions(a, b) }

func random128() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program instead
	return hex.EncodeToString(b[:])
}
