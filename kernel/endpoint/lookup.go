package endpoint

import (
	"slices"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
)

func (f *frame) endpoint() Endpoint {
	return Endpoint{ID: f.Endpoint, Ref: Ref{f.ID, f.conn}, Identity: f.Identity, Name: f.name, Shell: f.host.shell}
}

// Lookup finds the live endpoint of that id.
func (r *Registry) Lookup(id ID) (Endpoint, bool) {
	r.mu.Lock()
	defer r.unlock()
	f := r.live[id]
	if f == nil {
		return Endpoint{}, false
	}
	return f.endpoint(), true
}

// Resolve finds the endpoint behind one connection; false: the connection is
// over, or never was an endpoint's.
func (r *Registry) Resolve(ref Ref) (Endpoint, bool) {
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[ref.Frame]
	if f == nil || !f.connected || f.conn != ref.Conn || f.Identity.Role == Probe {
		return Endpoint{}, false
	}
	return f.endpoint(), true
}

// Missing says why a target is not live: NO_SHELL while no shell is attached,
// else ENDPOINT_GONE.
func (r *Registry) Missing(id ID) error {
	const op fault.Op = "endpoint.lookup"
	r.mu.Lock()
	defer r.unlock()
	if len(r.shells) == 0 {
		return fault.New(op, fault.NoShell, string(id), "")
	}
	return fault.New(op, fault.EndpointGone, string(id), "No such endpoint is live.")
}

// Expected reports whether an endpoint is not live but on its way: its frame
// waits for the gate or a recovery, or starts and is not overdue.
func (r *Registry) Expected(id ID) bool {
	r.mu.Lock()
	defer r.unlock()
	for _, f := range r.frames {
		if f.Endpoint == id && !f.connected && !f.blocked {
			return true
		}
	}
	for _, m := range r.waiting {
		if m.host.closed == nil && m.identity.ID() == id {
			return true
		}
	}
	return false
}

// Live lists the connected endpoints by id.
func (r *Registry) Live() []Endpoint {
	r.mu.Lock()
	defer r.unlock()
	out := make([]Endpoint, 0, len(r.live))
	for _, f := range r.live {
		out = append(out, f.endpoint())
	}
	slices.SortFunc(out, compareEndpoints)
	return out
}

// Apps lists the installed rows by id.
func (r *Registry) Apps() []App {
	r.mu.Lock()
	defer r.unlock()
	return r.appsInOrder()
}

// IdentityOf is what a frame shows, if it is there.
func (r *Registry) IdentityOf(id FrameID) (Identity, bool) {
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[id]
	if f == nil {
		return Identity{}, false
	}
	return f.Identity, true
}

// FrameOf gives the frame of an app's endpoint for the owner's eyes; "" when it
// is not live.
func (r *Registry) FrameOf(id ID) FrameID {
	e, _ := r.Lookup(id)
	return e.Ref.Frame
}

// Snapshot is every frame, every mount that waits, and every page that is kept
// closed, as one shell sees them.
func (r *Registry) Snapshot(shellID string) []*linkv1.FrameState {
	r.mu.Lock()
	defer r.unlock()
	var out []*linkv1.FrameState
	state := func(i Identity, st linkv1.FrameStatus, code fault.Code, here bool) *linkv1.FrameState {
		s := &linkv1.FrameState{
			EndpointId: string(i.ID()), AppId: i.App, TileId: i.Tile, Role: linkv1.Role(i.Role),
			Status: st, Code: string(code), Here: here,
		}
		if code != "" {
			s.Reason = code.Text()
		}
		out = append(out, s)
		return s
	}
	for _, f := range r.sortedFrames() {
		if f.Identity.Role == Probe {
			continue
		}
		st, code := linkv1.FrameStatus_FRAME_STATUS_STARTING, fault.Code("")
		switch {
		case f.connected:
			st = linkv1.FrameStatus_FRAME_STATUS_READY
		case f.blocked:
			st, code = linkv1.FrameStatus_FRAME_STATUS_BLOCKED, fault.NotReady
		}
		state(f.Identity, st, code, f.host.shell.ID() == shellID).FrameId = string(f.ID)
	}
	for _, m := range r.waiting {
		state(m.identity, linkv1.FrameStatus_FRAME_STATUS_HELD, "", m.host.shell.ID() == shellID)
	}
	pages := make([]Page, 0, len(r.stuck))
	for p := range r.stuck {
		pages = append(pages, p)
	}
	slices.SortFunc(pages, func(a, b Page) int {
		return slices.Compare([]string{a.App, a.Tile}, []string{b.App, b.Tile})
	})
	for _, p := range pages {
		role := Background
		if p.Tile != "" {
			role = Tile
		}
		i, ok := identityOf(r.apps[p.App], role, p.Tile, "")
		if !ok {
			continue
		}
		st := linkv1.FrameStatus_FRAME_STATUS_BLOCKED
		if r.stuck[p].code == fault.Quarantined {
			st = linkv1.FrameStatus_FRAME_STATUS_QUARANTINED
		}
		state(i, st, r.stuck[p].code, false)
	}
	return out
}
