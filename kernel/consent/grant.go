package consent

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/policy"
	"neutron/kernel/proto/linkv1"
)

// grant is one permission of this run.
type grant struct {
	id     uint64
	caller *linkv1.Party
	target *linkv1.Party
	since  time.Time
	used   time.Time
}

// grant stores what a question asked for. The caller holds mu.
func (d *Desk) grant(q *question) {
	if _, ok := d.grants[q.key]; ok {
		return
	}
	d.nextID++
	d.grants[q.key] = &grant{id: d.nextID, caller: q.wire.Caller, target: q.wire.Target, since: time.Now()}
}

// Holds reports whether the owner granted exactly this key.
func (d *Desk) Holds(k policy.Key) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.grants[k]
	return ok
}

// Used notes that a grant let something through.
func (d *Desk) Used(k policy.Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if g := d.grants[k]; g != nil {
		g.used = time.Now()
	}
}

// Grants lists the grants of this run, newest first.
func (d *Desk) Grants() []*linkv1.Grant {
	d.mu.Lock()
	defer d.mu.Unlock()
	type row struct {
		id uint64
		w  *linkv1.Grant
	}
	rows := make([]row, 0, len(d.grants))
	for k, g := range d.grants {
		w := &linkv1.Grant{
			Id: strconv.FormatUint(g.id, 10), Caller: proto.CloneOf(g.caller), Target: proto.CloneOf(g.target),
			Tool: k.Tool, Scope: Session, SinceMs: g.since.UnixMilli(),
		}
		if !g.used.IsZero() {
			w.LastUsedMs = g.used.UnixMilli()
		}
		rows = append(rows, row{g.id, w})
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.id, a.id) })
	out := make([]*linkv1.Grant, len(rows))
	for i, r := range rows {
		out[i] = r.w
	}
	return out
}

// Revoke ends one grant. Calls that it let through go on. CONFLICT: it is gone.
func (d *Desk) Revoke(id string) error {
	d.mu.Lock()
	for k, g := range d.grants {
		if strconv.FormatUint(g.id, 10) == id {
			delete(d.grants, k)
			d.mu.Unlock()
			d.changed()
			return nil
		}
	}
	d.mu.Unlock()
	return fault.New("consent.revoke", fault.Conflict, id, "The grant is gone already.")
}

// SetApps drops the grants and pauses of installations that changed or are
// gone. The keys would not match any more; this keeps the owner's list true.
func (d *Desk) SetApps(apps []endpoint.App) {
	type installation struct {
		id  string
		uid uint64
	}
	now := map[installation]uint64{}
	for _, a := range apps {
		now[installation{a.ID, a.UID}] = a.Generation
	}
	d.mu.Lock()
	for k := range d.grants {
		caller := k.CallerKind != policy.KindApp || now[installation{k.Caller, k.CallerUID}] == k.CallerGeneration
		if !caller || now[installation{k.Target, k.TargetUID}] != k.TargetGeneration {
			delete(d.grants, k)
		}
	}
	for who := range d.paused {
		if _, ok := now[installation{who.name, who.uid}]; who.kind == policy.KindApp && !ok {
			delete(d.paused, who)
		}
	}
	d.mu.Unlock()
	d.changed()
}

// PartyOf is a live endpoint as the owner sees it.
func PartyOf(e endpoint.Endpoint) *linkv1.Party {
	i := e.Identity
	return &linkv1.Party{
		EndpointId: string(e.ID), AppId: i.App, Uid: i.UID, Name: e.Name,
		Version: i.Version, Hash: i.Hash, Place: place(i.Role),
	}
}

func place(r endpoint.Role) string {
	switch r {
	case endpoint.Tile:
		return "Tile"
	case endpoint.Background:
		return "Background"
	case endpoint.Tray:
		return "Tray"
	}
	return ""
}
