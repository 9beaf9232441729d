package endpoint

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// Options of a registry. OnChange may be nil; it is called after any change
// that Snapshot shows.
type Options struct {
	Addresser Addresser
	OnChange  func()
}

// Registry is the kernel's one record of shells, frames and connections.
type Registry struct {
	addresser Addresser
	onChange  func()

	// mu protects everything below. No shell, listener or timer is waited for
	// under it: what must be told is appended to effects and run by unlock.
	mu       sync.Mutex
	effects  []func()
	draining bool
	changed  bool

	onEnd    []func(Ref, error)
	apps     map[string]App
	shells   []*host // oldest first
	frames   map[FrameID]*frame
	live     map[ID]*frame // connected frames by endpoint
	waiting  []*mount      // in order of arrival
	stuck    map[Page]stuck
	turns    []turn    // of frames watched lately, oldest first
	recovery *recovery // nil: no stall is being recovered from
	strikes  map[Page]time.Time
	uses     uint64 // counts uses, to know the last used frame
}

// host is one attached shell.
type host struct {
	shell  Shell
	held   bool  // the gate is shut
	closed error // the gate stays shut for good
}

// frame is one minted frame and its present connection.
type frame struct {
	Frame
	host      *host
	name      string
	conn      uint64 // of the newest handshake; 0: none yet
	connected bool
	blocked   bool
	attempt   int // mounts of this background so far
	used      uint64
	marks     int // deliveries posted and not come back
	ready     *time.Timer
}

// stuck is why a page may not run.
type stuck struct {
	code       fault.Code
	generation uint64
}

// mount is one frame that waits for the gate, or for its turn in a recovery.
type mount struct {
	host     *host
	identity Identity
	attempt  int
	asked    time.Time
	done     func(Frame, error) // nil for backgrounds
}

// New makes an empty registry.
func New(o Options) *Registry {
	return &Registry{
		addresser: o.Addresser, onChange: o.OnChange,
		apps: map[string]App{}, frames: map[FrameID]*frame{}, live: map[ID]*frame{},
		stuck: map[Page]stuck{}, strikes: map[Page]time.Time{},
	}
}

// OnEnd registers a listener for the end of connections. It is called once per
// connection, with the fault its callers should get.
func (r *Registry) OnEnd(f func(Ref, error)) {
	r.mu.Lock()
	defer r.unlock()
	r.onEnd = append(r.onEnd, f)
}

// unlock releases the lock and runs the effects in order. Whoever finds another
// goroutine running them leaves its own to that one.
func (r *Registry) unlock() {
	if r.draining {
		r.mu.Unlock()
		return
	}
	r.draining = true
	for len(r.effects) > 0 || r.changed {
		todo, changed := r.effects, r.changed
		r.effects, r.changed = nil, false
		r.mu.Unlock()
		for _, f := range todo {
			f()
		}
		if changed && r.onChange != nil {
			r.onChange()
		}
		r.mu.Lock()
	}
	r.draining = false
	r.mu.Unlock()
}

func (r *Registry) tell(f func()) { r.effects = append(r.effects, f) }

// Attach adds a shell. While held no frame opens in it; Release opens the gate.
// A shell whose id is attached already replaces the former one.
func (r *Registry) Attach(s Shell, held bool) {
	r.mu.Lock()
	defer r.unlock()
	r.detach(s.ID())
	r.shells = append(r.shells, &host{shell: s, held: held})
	r.changed = true
	r.touchRecovery()
	r.placeBackgrounds()
	r.schedule()
}

// Detach ends every frame of a shell and hands its backgrounds to the oldest
// shell left.
func (r *Registry) Detach(shellID string) {
	r.mu.Lock()
	defer r.unlock()
	r.detach(shellID)
	r.placeBackgrounds()
	r.schedule()
}

func (r *Registry) detach(shellID string) {
	i := slices.IndexFunc(r.shells, func(h *host) bool { return h.shell.ID() == shellID })
	if i < 0 {
		return
	}
	h := r.shells[i]
	r.shells = slices.Delete(r.shells, i, i+1)
	gone := fault.New("endpoint.detach", fault.EndpointGone, "", "The workspace that held the endpoint is gone.")
	for _, f := range r.framesOf(h) {
		r.remove(f, gone, false)
	}
	r.dropWaiting(func(m *mount) error {
		if m.host == h {
			return fault.New("endpoint.detach", fault.NoShell, string(m.identity.ID()), "")
		}
		return nil
	})
	r.changed = true
}

// Shells counts the attached shells.
func (r *Registry) Shells() int {
	r.mu.Lock()
	defer r.unlock()
	return len(r.shells)
}

// Hold shuts the gate of one shell; frames that run go on.
func (r *Registry) Hold(shellID string) {
	r.mu.Lock()
	defer r.unlock()
	if h := r.host(shellID); h != nil {
		h.held = true
		r.changed = true
	}
}

// Release opens the gate of one shell and starts what waited for it.
func (r *Registry) Release(shellID string) {
	r.mu.Lock()
	defer r.unlock()
	h := r.host(shellID)
	if h == nil {
		return
	}
	h.held, h.closed = false, nil
	r.changed = true
	r.touchRecovery()
	r.placeBackgrounds()
	r.schedule()
}

// Refuse keeps the gate of one shell shut for good: whatever waits or asks
// later fails with err.
func (r *Registry) Refuse(shellID string, err error) {
	r.mu.Lock()
	defer r.unlock()
	h := r.host(shellID)
	if h == nil {
		return
	}
	h.held, h.closed = true, err
	r.changed = true
	r.schedule() // fails what waits here
	r.placeBackgrounds()
	r.schedule()
}

func (r *Registry) host(shellID string) *host {
	for _, h := range r.shells {
		if h.shell.ID() == shellID {
			return h
		}
	}
	return nil
}

func (r *Registry) framesOf(h *host) []*frame {
	var out []*frame
	for _, f := range r.frames {
		if f.host == h {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *frame) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// SetApps replaces the installed rows. Every frame whose row changed in any
// way, or is gone, ends now; backgrounds start again with their new identity.
func (r *Registry) SetApps(apps []App) {
	r.mu.Lock()
	defer r.unlock()
	next := make(map[string]App, len(apps))
	for _, a := range apps {
		next[a.ID] = a
	}
	r.apps = next
	for _, f := range r.sortedFrames() {
		if f.Identity.Role == Probe {
			continue
		}
		if err := r.stale(f.Identity); err != nil {
			r.remove(f, err, true)
		}
	}
	r.dropWaiting(func(m *mount) error { return r.stale(m.identity) })
	for p, s := range r.stuck {
		if a, ok := next[p.App]; !ok || a.Generation != s.generation {
			delete(r.stuck, p)
			delete(r.strikes, p)
		}
	}
	r.changed = true
	r.placeBackgrounds()
	r.schedule()
}

// stale says why an identity is no longer that of an installed page, or nil.
func (r *Registry) stale(i Identity) error {
	a, ok := r.apps[i.App]
	if !ok {
		return fault.New("endpoint.stale", fault.AppUnknown, i.App, "The app was removed.")
	}
	if now, ok := identityOf(a, i.Role, i.Tile, i.Instance); !ok || now != i {
		return fault.New("endpoint.stale", fault.Superseded, i.App, "The app was updated.")
	}
	return nil
}

// identityOf is what a page of this row is now; false: the row has no such page.
func identityOf(a App, role Role, tile, instance string) (Identity, bool) {
	i := Identity{App: a.ID, UID: a.UID, Version: a.Version, Hash: a.Hash, Generation: a.Generation, Role: role, Instance: instance}
	switch role {
	case Background:
		i.Page = a.Background
		return i, a.Background != ""
	case Tile:
		t, ok := a.tile(tile)
		i.Tile, i.Page = t.ID, t.Path
		return i, ok
	}
	return i, false
}

func (r *Registry) sortedFrames() []*frame {
	out := make([]*frame, 0, len(r.frames))
	for _, f := range r.frames {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *frame) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// OpenTile mints a tile for a shell. An empty instance makes a new one; an
// instance that lives in another shell gets a new one too, and one that lives
// in this shell is superseded. It waits while the gate is shut or a recovery
// holds the page back, until ctx ends. Codes: APP_UNKNOWN, INVALID_REQUEST,
// LIMIT, QUARANTINED, BRIDGE_OPEN, NO_SHELL, CANCELLED.
func (r *Registry) OpenTile(ctx context.Context, shellID, app, tile, instance string) (Frame, error) {
	const op fault.Op = "endpoint.openTile"
	type opened struct {
		frame Frame
		err   error
	}
	answer := make(chan opened, 1)
	r.mu.Lock()
	h := r.host(shellID)
	a, known := r.apps[app]
	switch {
	case h == nil:
		r.unlock()
		return Frame{}, fault.New(op, fault.NoShell, app, "")
	case !known:
		r.unlock()
		return Frame{}, fault.New(op, fault.AppUnknown, app, "")
	case r.tiles() >= limit.TilesOpen:
		r.unlock()
		return Frame{}, fault.Newf(op, fault.Limit, app, "At most %d tiles can be open.", limit.TilesOpen)
	}
	if instance == "" || r.instanceElsewhere(h, app, tile, instance) {
		instance = newInstance()
	}
	id, ok := identityOf(a, Tile, tile, instance)
	if !ok {
		r.unlock()
		return Frame{}, fault.New(op, fault.InvalidRequest, app, "The app has no such tile.")
	}
	// A page held by the watchdog is opened again only by Retry.
	if s, held := r.stuck[pageOf(id)]; held {
		r.unlock()
		return Frame{}, fault.New(op, s.code, app, "")
	}
	m := &mount{host: h, identity: id, asked: time.Now(), done: func(f Frame, err error) { answer <- opened{f, err} }}
	r.waiting = append(r.waiting, m)
	r.changed = true
	r.touchRecovery()
	r.schedule()
	r.unlock()

	select {
	case o := <-answer:
		return o.frame, o.err
	case <-ctx.Done():
	}
	r.mu.Lock()
	if i := slices.Index(r.waiting, m); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
		r.changed = true
		r.unlock()
		return Frame{}, fault.Wrap(op, fault.Cancelled, app, context.Cause(ctx))
	}
	r.unlock()
	// It was minted in the same moment: the answer is there or about to be.
	o := <-answer
	return o.frame, o.err
}

func (r *Registry) tiles() int {
	n := 0
	for _, f := range r.frames {
		if f.Identity.Role == Tile {
			n++
		}
	}
	for _, m := range r.waiting {
		if m.identity.Role == Tile {
			n++
		}
	}
	return n
}

func (r *Registry) instanceElsewhere(h *host, app, tile, instance string) bool {
	for _, f := range r.frames {
		i := f.Identity
		if f.host != h && i.Role == Tile && i.App == app && i.Tile == tile && i.Instance == instance {
			return true
		}
	}
	return false
}
