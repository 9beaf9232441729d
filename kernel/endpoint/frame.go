package endpoint

import (
	"slices"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// placeBackgrounds makes sure that every declared background runs, or waits,
// in the oldest shell whose gate may still open.
func (r *Registry) placeBackgrounds() {
	i := slices.IndexFunc(r.shells, func(h *host) bool { return h.closed == nil })
	if i < 0 {
		return
	}
	h := r.shells[i]
	has := map[string]bool{}
	for _, f := range r.frames {
		if f.Identity.Role == Background {
			has[f.Identity.App] = true
		}
	}
	for _, m := range r.waiting {
		if m.identity.Role == Background {
			has[m.identity.App] = true
		}
	}
	for _, a := range r.appsInOrder() {
		id, declared := identityOf(a, Background, "", "")
		if !declared || has[a.ID] {
			continue
		}
		if _, held := r.stuck[pageOf(id)]; held {
			continue
		}
		r.waiting = append(r.waiting, &mount{host: h, identity: id, asked: time.Now()})
	}
}

func (r *Registry) appsInOrder() []App {
	ids := make([]string, 0, len(r.apps))
	for id := range r.apps {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	out := make([]App, len(ids))
	for i, id := range ids {
		out[i] = r.apps[id]
	}
	return out
}

// schedule starts every waiting mount that may start now.
func (r *Registry) schedule() {
	for {
		i := r.nextMount()
		if i < 0 {
			r.endRecovery()
			return
		}
		m := r.waiting[i]
		r.waiting = slices.Delete(r.waiting, i, i+1)
		r.start(m)
	}
}

// nextMount finds a waiting mount that may start or must fail now; -1: none.
func (r *Registry) nextMount() int {
	for i, m := range r.waiting {
		if m.host.closed != nil {
			return i
		}
		if _, held := r.stuck[pageOf(m.identity)]; held {
			return i
		}
		if !m.host.held && !r.holdsBack(m) {
			return i
		}
	}
	return r.nextInTurn()
}

// start mints the frame of one mount, or fails it.
func (r *Registry) start(m *mount) {
	const op fault.Op = "endpoint.mount"
	r.changed = true
	fail := func(err error) {
		if m.done != nil {
			r.tell(func() { m.done(Frame{}, err) })
		}
	}
	if m.host.closed != nil {
		fail(m.host.closed)
		return
	}
	if s, held := r.stuck[pageOf(m.identity)]; held {
		fail(fault.New(op, s.code, m.identity.App, ""))
		return
	}
	f := &frame{host: m.host, name: r.apps[m.identity.App].Name, attempt: m.attempt + 1}
	f.Frame = Frame{ID: newFrameID(), Endpoint: m.identity.ID(), Identity: m.identity}
	url, err := r.addresser.Address(f.Frame, m.identity.Page)
	if err != nil {
		if m.done == nil {
			r.stuck[pageOf(m.identity)] = stuck{fault.CodeOf(err), m.identity.Generation}
		}
		fail(err)
		return
	}
	f.URL = url
	for _, old := range r.sortedFrames() {
		if old.Endpoint == f.Endpoint {
			r.remove(old, fault.New(op, fault.Superseded, string(f.Endpoint), ""), true)
		}
	}
	r.frames[f.ID] = f
	r.watch(f)
	f.ready = time.AfterFunc(limit.Ready, func() { r.notReady(f) })
	if m.done != nil {
		fr := f.Frame
		r.tell(func() { m.done(fr, nil) })
		return
	}
	r.mountIn(f)
}

func (r *Registry) mountIn(f *frame) {
	s, fr := f.host.shell, f.Frame
	r.tell(func() { s.Mount(fr) })
}

// notReady ends the wait for a frame's handshake. A background is mounted once
// more; after that, and for tiles at once, the frame is blocked, and a late
// handshake still recovers it.
func (r *Registry) notReady(f *frame) {
	r.mu.Lock()
	defer r.unlock()
	if r.frames[f.ID] != f || f.connected {
		return
	}
	r.changed = true
	if f.Identity.Role == Background && f.attempt < 2 {
		m := &mount{host: f.host, identity: f.Identity, attempt: f.attempt, asked: time.Now()}
		r.remove(f, fault.New("endpoint.ready", fault.NotReady, string(f.Endpoint), ""), true)
		r.waiting = append(r.waiting, m)
		r.schedule()
		return
	}
	f.blocked = true
	r.unwatch(f)
	r.schedule()
}

// Probe mounts the hidden bridge probe in one shell, whatever the gate says.
// It is never an endpoint.
func (r *Registry) Probe(shellID, nonce string) (Frame, error) {
	const op fault.Op = "endpoint.probe"
	r.mu.Lock()
	defer r.unlock()
	h := r.host(shellID)
	if h == nil {
		return Frame{}, fault.New(op, fault.NoShell, "", "")
	}
	f := &frame{host: h}
	f.Frame = Frame{ID: newFrameID(), Identity: Identity{Role: Probe}, Nonce: nonce}
	url, err := r.addresser.Address(f.Frame, "")
	if err != nil {
		return Frame{}, err
	}
	f.URL = url
	r.frames[f.ID] = f
	r.mountIn(f)
	return f.Frame, nil
}

// Connected records a completed handshake of one of the shell's own frames. The
// number must grow; the former connection ends at once.
func (r *Registry) Connected(shellID string, ref Ref) error {
	const op fault.Op = "endpoint.connected"
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[ref.Frame]
	if f == nil || f.host.shell.ID() != shellID {
		return fault.New(op, fault.EndpointGone, string(ref.Frame), "")
	}
	if ref.Conn <= f.conn {
		return fault.New(op, fault.InvalidRequest, string(ref.Frame), "The number of a connection must grow.")
	}
	r.disconnect(f, fault.New(op, fault.EndpointGone, string(f.Endpoint), "The endpoint started again."))
	f.conn, f.connected, f.blocked = ref.Conn, true, false
	f.marks = 0
	if f.ready != nil {
		f.ready.Stop()
	}
	if f.Identity.Role != Probe {
		r.live[f.Endpoint] = f
	}
	r.use(f)
	r.watchConnected(f)
	r.changed = true
	r.schedule()
	return nil
}

// Ended records that a shell ended a connection of one of its frames, or (with
// connection 0) that the frame itself is gone. Callers get err's code, or
// ENDPOINT_GONE. A background that went away by itself is mounted once more.
func (r *Registry) Ended(shellID string, ref Ref, err error) {
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[ref.Frame]
	if f == nil || f.host.shell.ID() != shellID {
		return
	}
	if ref.Conn != 0 {
		if f.connected && f.conn == ref.Conn {
			r.disconnect(f, err)
			// Reload within the frame: it has the usual time to be ready again.
			f.ready = time.AfterFunc(limit.Ready, func() { r.notReady(f) })
			r.changed = true
		}
		return
	}
	r.lose(f, err, false)
}

// End ends a frame from the kernel's side, because of what its page did.
func (r *Registry) End(ref Ref, err error) {
	r.mu.Lock()
	defer r.unlock()
	if f := r.frames[ref.Frame]; f != nil && f.conn == ref.Conn {
		r.lose(f, err, true)
	}
}

// lose removes a frame that ended against the owner's will. A background comes
// back once, unless what it did speaks against it.
func (r *Registry) lose(f *frame, err error, tellShell bool) {
	r.remove(f, err, tellShell)
	switch {
	case f.Identity.Role != Background:
	case f.attempt < 2 && fault.CodeOf(err) != fault.Theft && fault.CodeOf(err) != fault.Flood:
		r.waiting = append(r.waiting, &mount{host: f.host, identity: f.Identity, attempt: f.attempt, asked: time.Now()})
	default:
		r.stuck[pageOf(f.Identity)] = stuck{fault.CodeOf(err), f.Identity.Generation}
	}
	r.schedule()
}

// Close ends a frame because its shell asked for it.
func (r *Registry) Close(shellID string, id FrameID) error {
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[id]
	if f == nil || f.host.shell.ID() != shellID {
		return fault.New("endpoint.close", fault.EndpointGone, string(id), "")
	}
	r.remove(f, fault.New("endpoint.close", fault.EndpointGone, string(f.Endpoint), "The owner closed it."), true)
	r.schedule()
	return nil
}

// Retry lets a blocked or quarantined page start again. Blocked frames of it
// are removed; backgrounds start by themselves, tiles when the shell opens them.
func (r *Registry) Retry(app, tile string) error {
	const op fault.Op = "endpoint.retry"
	r.mu.Lock()
	defer r.unlock()
	if _, ok := r.apps[app]; !ok {
		return fault.New(op, fault.AppUnknown, app, "")
	}
	p := Page{App: app, Tile: tile}
	delete(r.stuck, p)
	delete(r.strikes, p)
	for _, f := range r.sortedFrames() {
		if pageOf(f.Identity) == p && f.blocked {
			r.remove(f, fault.New(op, fault.NotReady, string(f.Endpoint), ""), true)
		}
	}
	r.changed = true
	r.placeBackgrounds()
	r.schedule()
	return nil
}

// EndRun ends every frame of every shell and shuts the gates of those that are
// still attached: the owner locked Neutron, or it quits.
func (r *Registry) EndRun(err error) {
	r.mu.Lock()
	defer r.unlock()
	for _, h := range r.shells {
		h.held, h.closed = true, err
	}
	for _, f := range r.sortedFrames() {
		r.remove(f, err, true)
	}
	r.dropWaiting(func(*mount) error { return err })
	r.dropRecovery()
	clear(r.strikes)
}

// dropWaiting fails and forgets every waiting mount for which why gives an error.
func (r *Registry) dropWaiting(why func(*mount) error) {
	kept := r.waiting[:0]
	for _, m := range r.waiting {
		err := why(m)
		if err == nil {
			kept = append(kept, m)
			continue
		}
		if m.done != nil {
			r.tell(func() { m.done(Frame{}, err) })
		}
	}
	clear(r.waiting[len(kept):])
	r.waiting = kept
}

// remove forgets a frame: its connection ends, and its shell is told if it has
// to remove the iframe.
func (r *Registry) remove(f *frame, err error, tellShell bool) {
	if r.frames[f.ID] != f {
		return
	}
	delete(r.frames, f.ID)
	if f.ready != nil {
		f.ready.Stop()
	}
	r.disconnect(f, err)
	r.unwatch(f)
	r.changed = true
	if tellShell {
		s, id := f.host.shell, f.ID
		r.tell(func() { s.Unmount(id, err) })
	}
}

// disconnect ends the present connection, if there is one.
func (r *Registry) disconnect(f *frame, err error) {
	if !f.connected {
		return
	}
	f.connected = false
	if r.live[f.Endpoint] == f {
		delete(r.live, f.Endpoint)
	}
	ref := Ref{f.ID, f.conn}
	listeners := r.onEnd
	r.tell(func() {
		for _, l := range listeners {
			l(ref, err)
		}
	})
}
