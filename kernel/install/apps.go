package install

import (
	"cmp"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

const (
	opOpen    fault.Op = "install.open"
	opReview  fault.Op = "install.review"
	opApprove fault.Op = "install.approve"
	opRemove  fault.Op = "install.remove"
)

// Options configures Apps. The zero value is useful.
type Options struct {
	// Bundled holds the packages that came with the binary, as *.neutron files at its root.
	Bundled fs.FS
	// Log gets what no caller can be told; nil discards it.
	Log *slog.Logger
	// Dev lets packages come from http on this computer, for authors.
	Dev bool
}

// Apps is the set of installed apps, and the reviews that may add to it.
//
// What List and File say is what the store holds: the set in memory changes
// after a commit only, and every change of a row raises its generation. Apps
// does not end endpoints; whoever calls Approve or Remove tells the registry.
type Apps struct {
	store *store.Store
	log   *slog.Logger
	files *cache

	client *http.Client // fetches packages
	dev    bool

	bundled func() []*bundle

	// changing makes installs and removals one at a time, across their transactions.
	changing sync.Mutex

	mu      sync.Mutex // guards what follows; the store is never called under it
	apps    map[string]Installed
	opened  map[string]*opened // by hash
	reviews []*review          // oldest first
}

// Open reads the installed apps. A row that cannot be read is STORE_DAMAGED; nothing is changed.
func Open(st *store.Store, o Options) (*Apps, error) {
	a := &Apps{store: st, log: o.Log, client: fetchClient(nil), dev: o.Dev, files: newCache(limit.AssetCache), apps: make(map[string]Installed), opened: make(map[string]*opened)}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	a.bundled = sync.OnceValue(func() []*bundle { return readBundled(o.Bundled, a.log) })
	err := st.View(func(tx *store.Tx) error {
		return eachRow(tx, func(i Installed) error { a.apps[i.ID] = i; return nil })
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

func eachRow(tx *store.Tx, f func(Installed) error) error {
	for id, b := range tx.Bucket(store.Apps).All() {
		i, err := decodeRow(string(id), b)
		if err != nil {
			return err
		}
		if err := f(i); err != nil {
			return err
		}
	}
	return nil
}

// Close drops open reviews and closes the packages that are being served.
func (a *Apps) Close() {
	a.mu.Lock()
	reviews, packages := a.reviews, a.opened
	a.reviews, a.opened = nil, make(map[string]*opened)
	a.mu.Unlock()
	for _, r := range reviews {
		r.close()
	}
	for _, o := range packages {
		o.close()
	}
}

// List gives the installed apps by id.
func (a *Apps) List() []Installed {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]Installed, 0, len(a.apps))
	for _, i := range a.apps {
		list = append(list, i)
	}
	slices.SortFunc(list, func(x, y Installed) int { return cmp.Compare(x.ID, y.ID) })
	return list
}

// Get gives one installed app.
func (a *Apps) Get(id string) (Installed, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i, ok := a.apps[id]
	return i, ok
}

// Icon gives an installed app's icon, an SVG; nil without one.
func (a *Apps) Icon(id string) []byte {
	i, _ := a.Get(id)
	return i.Icon
}

// Risks says what an installed app may do, the gravest first. APP_UNKNOWN when it is not installed.
func (a *Apps) Risks(id string) ([]*linkv1.Risk, error) {
	i, ok := a.Get(id)
	if !ok {
		return nil, fault.New(opReview, fault.AppUnknown, id, "")
	}
	s, err := a.signer(id, i.Signer)
	if err != nil {
		return nil, err
	}
	return Risks(&i.Manifest, i.Bundled, s), nil
}

// Approve installs or upgrades what a review showed. The digest must be the one
// that was shown, and the bytes must still be those: DIGEST_MISMATCH otherwise.
// The package, its row and whatever with adds (a receipt) commit in one
// transaction or not at all. with may be nil.
//
// Refusals: REQUEST_EXPIRED for a review that is over, VERSION_NOT_NEWER, LIMIT
// for one app or background too many, SIGNER_CHANGED, and the store's own.
func (a *Apps) Approve(reviewID, digest string, with func(*store.Tx, Installed) error) (Installed, error) {
	return a.approve(reviewID, digest, false, with)
}

// ApproveSigner is Approve of an owner who was told that the package is signed by
// another key than before, or by none, and takes it all the same: its key is
// pinned from now on, or none is.
func (a *Apps) ApproveSigner(reviewID, digest string, with func(*store.Tx, Installed) error) (Installed, error) {
	return a.approve(reviewID, digest, true, with)
}

func (a *Apps) approve(reviewID, digest string, replaceSigner bool, with func(*store.Tx, Installed) error) (Installed, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	r, err := a.take(reviewID, digest)
	if err != nil {
		return Installed{}, err
	}
	var next Installed
	var before string
	err = a.store.Update(func(tx *store.Tx) error {
		next, before, err = r.commit(tx, replaceSigner)
		if err != nil {
			return err
		}
		if with != nil {
			return with(tx, next)
		}
		return nil
	})
	if err != nil {
		a.giveBack(r)
		return Installed{}, err
	}
	r.close()
	a.mu.Lock()
	a.apps[next.ID] = next
	a.mu.Unlock()
	if before != "" {
		a.drop(before)
	}
	return next, nil
}

// commit writes one installation. before is the hash of the version that it replaced.
func (r *review) commit(tx *store.Tx, replaceSigner bool) (next Installed, before string, err error) {
	p, id := r.pack, r.pack.Manifest.ID
	next = Installed{ID: id, Version: p.Manifest.Version, Hash: p.Hash, Generation: 1, InstalledAt: time.Now().Truncate(time.Millisecond), Size: p.Size, Files: len(p.files),
		Manifest: p.Manifest, Icon: p.Icon, Bundled: r.bundled, Signer: p.Signer}
	all := make(map[string]Installed)
	if err := eachRow(tx, func(i Installed) error { all[i.ID] = i; return nil }); err != nil {
		return next, "", err
	}
	old, upgrade := all[id]
	if err := mayFollow(opApprove, all, p); err != nil {
		return next, "", err
	}
	if err := admitSigner(tx, p, replaceSigner); err != nil {
		return next, "", err
	}
	if upgrade {
		next.UID, next.Generation, before = old.UID, old.Generation+1, old.Hash
	} else if next.UID, err = nextUID(tx); err != nil {
		return next, "", err
	}
	hash, err := tx.PutBlob(io.NewSectionReader(p.src, 0, p.Size))
	if err != nil {
		return next, "", err
	}
	if hash != p.Hash {
		return next, "", fault.New(opApprove, fault.DigestMismatch, id, "The package's bytes changed after they were reviewed. Nothing was installed.")
	}
	if upgrade {
		if err := tx.UnrefBlob(old.Hash); err != nil {
			return next, "", err
		}
	}
	b, err := encodeRow(next, p.Raw)
	if err != nil {
		return next, "", err
	}
	return next, before, tx.Bucket(store.Apps).Put([]byte(id), b)
}

// mayFollow judges a package against what is installed: strictly newer, and within the counts.
func mayFollow(op fault.Op, all map[string]Installed, p *Package) error {
	m := &p.Manifest
	old, upgrade := all[m.ID]
	if upgrade {
		switch d := compareVersions(m.Version, old.Version); {
		case d == 0 && p.Hash == old.Hash:
			return fault.Newf(op, fault.VersionNotNewer, m.ID, "%s %s is installed already.", m.Name, old.Version)
		case d == 0:
			return fault.Newf(op, fault.VersionNotNewer, m.ID, "Version %s of %s is installed with other bytes: SHA-256 %.8s… there, %.8s… here. One version means one package, so whoever changed it must give it a higher version. Nothing was changed.", old.Version, m.ID, old.Hash, p.Hash)
		case d < 0:
			return fault.Newf(op, fault.VersionNotNewer, m.ID, "Version %s is older than the installed %s. Going back would bring back what was fixed, so it is refused. To have the older one all the same, remove the app first, with its data. Nothing was changed.", m.Version, old.Version)
		}
	} else if len(all) >= limit.Apps {
		return fault.Newf(op, fault.Limit, m.ID, "%d apps are installed, as many as there may be.", len(all))
	}
	backgrounds := 0
	for id, i := range all {
		if i.Manifest.Background != nil && id != m.ID {
			backgrounds++
		}
	}
	if m.Background != nil && backgrounds >= limit.Backgrounds {
		return fault.Newf(op, fault.Limit, m.ID, "%d installed apps have a background, as many as there may be.", backgrounds)
	}
	return nil
}

// Remove takes an app out: its row, its package and whatever with adds commit in
// one transaction. uid 0 means whichever installation there is; another one than
// the installed is CONFLICT, none is APP_UNKNOWN. with may be nil.
func (a *Apps) Remove(id string, uid uint64, with func(*store.Tx, Installed) error) error {
	a.changing.Lock()
	defer a.changing.Unlock()
	i, ok := a.Get(id)
	switch {
	case !ok:
		return fault.New(opRemove, fault.AppUnknown, id, "")
	case uid != 0 && uid != i.UID:
		return fault.New(opRemove, fault.Conflict, id, "The app was removed and installed again meanwhile.")
	}
	err := a.store.Update(func(tx *store.Tx) error {
		if err := tx.Bucket(store.Apps).Delete([]byte(id)); err != nil {
			return err
		}
		if err := tx.UnrefBlob(i.Hash); err != nil {
			return err
		}
		if with != nil {
			return with(tx, i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	delete(a.apps, id)
	a.mu.Unlock()
	a.drop(i.Hash)
	return nil
}
