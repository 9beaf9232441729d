package kernel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"neutron/kernel/audit"
	"neutron/kernel/egress"
	"neutron/kernel/fault"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// Egress is the server of the window's one way out. It listens at Options.Egress.
func (k *Kernel) Egress() *http.Server { return k.egress.HTTPServer() }

// Connect lists what the sandbox may let this installation connect to; see sandbox.Lookup.
func (k *Kernel) Connect(app string, uid uint64, hash string) []string {
	i, ok := k.apps.Get(app)
	if !ok || i.UID != uid || i.Hash != hash {
		return nil
	}
	return i.Manifest.Connect
}

// origins is what all installed apps together declared and the owner approved.
func (k *Kernel) origins() []string {
	var lists [][]string
	for _, i := range k.apps.List() {
		lists = append(lists, i.Manifest.Connect)
	}
	return egress.Union(lists...)
}

// openWay lets exactly the approved origins through, and tells the window.
func (k *Kernel) openWay() {
	k.egress.Allow(k.origins())
	if w := k.peer(); w != nil {
		w.wayOut()
	}
}

// wayOut tells the window where its proxy is and what may pass. A kernel without a proxy opens nothing.
func (w *window) wayOut() {
	e := &controlv1.Egress{}
	if w.k.o.Egress != "" {
		e.Proxy, e.Origins = w.k.egress.Address(w.k.o.Egress), w.k.origins()
	}
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Egress{Egress: e}})
}

// connecting opens the audit entry of one connection out of the window. Its caller is the
// app that declared the host; where several did, the window is all that is known.
func (k *Kernel) connecting(host string) func(egress.Connection) {
	origin := "https://" + host
	caller := &linkv1.Party{EndpointId: "window", Place: "Window"}
	declared := 0
	for _, i := range k.apps.List() {
		if !slices.Contains(i.Manifest.Connect, origin) {
			continue
		}
		if declared++; declared == 1 {
			caller = &linkv1.Party{EndpointId: "app:" + i.ID, AppId: i.ID, Uid: i.UID, Name: i.Manifest.Name, Version: i.Version, Hash: i.Hash, Place: "Window"}
		} else {
			caller = &linkv1.Party{EndpointId: "window", Place: "Window"}
		}
	}
	record := k.audit.Begin(audit.Call{Caller: caller, Target: &linkv1.Party{EndpointId: origin}, Tool: "connect"})
	return func(c egress.Connection) {
		status := audit.OK
		if c.Err != nil {
			status = string(fault.CodeOf(c.Err))
		}
		moved, err := json.Marshal(struct {
			Sent     int64 `json:"sentBytes"`
			Received int64 `json:"receivedBytes"`
		}{c.Up, c.Down})
		if err != nil {
			k.log.Error("audit", "err", err)
		}
		record.Settle(status, "declared", moved)
	}
}

// ends adds to the review of an upgrade what the update itself takes away.
func (k *Kernel) ends(r *linkv1.Review, err error) (*linkv1.Review, error) {
	if err != nil || r.GetInstalledVersion() == "" {
		return r, err
	}
	id, frames, grants := r.GetApp().GetId(), 0, 0
	for _, f := range k.frames.Snapshot("") {
		if f.GetAppId() == id && f.GetFrameId() != "" {
			frames++
		}
	}
	for _, g := range k.desk.Grants() {
		if g.GetCaller().GetAppId() == id || g.GetTarget().GetAppId() == id {
			grants++
		}
	}
	add := func(tag, title, consequence string, n int) {
		if n > 0 {
			r.Changes = append(r.Changes, &linkv1.Change{Kind: linkv1.ChangeKind_CHANGE_KIND_ENDS, Tag: tag, Title: title, Consequence: consequence, Fact: fmt.Sprint(n)})
		}
	}
	add("frames", "Ends its open pages", "They start again with the new version. What they hold and have not kept is lost.", frames)
	add("grants", "Ends its permissions", "What it was allowed, and what others were allowed to use of it, is asked for again.", grants)
	return r, nil
}
