package endpoint

import (
	"cmp"
	"slices"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// recovery is the order in which frames return after a stall. With suspects,
// the others open at once and the suspects follow, one at a time. Without, all
// open one at a time, the last used one last. Each is watched for longer than
// a stall takes to be seen, so that a second stall has one name.
type recovery struct {
	suspects map[Page]bool
	last     Page
	watched  *frame
	begun    bool      // a gate opened since the stall
	quiet    time.Time // nothing was asked for since
	wake     *time.Timer
	timer    *time.Timer // ends the watch
}

func (rc *recovery) takesTurns(p Page) bool { return len(rc.suspects) == 0 || rc.suspects[p] }

// Mark notes that a shell is about to post to a frame, or that it came back.
func (r *Registry) Mark(shellID string, id FrameID, settled bool) {
	r.mu.Lock()
	defer r.unlock()
	f := r.frames[id]
	if f == nil || f.host.shell.ID() != shellID {
		return
	}
	if settled {
		f.marks = max(0, f.marks-1)
		return
	}
	f.marks++
	r.use(f)
}

// Use notes that the person or a caller used an endpoint's frame.
func (r *Registry) Use(ref Ref) {
	r.mu.Lock()
	defer r.unlock()
	if f := r.frames[ref.Frame]; f != nil {
		r.use(f)
	}
}

func (r *Registry) use(f *frame) {
	r.uses++
	f.used = r.uses
}

// Suspects are the pages that one shell had posted to and that did not come
// back, for the native prompt of a stall.
func (r *Registry) Suspects(shellID string) []Page {
	r.mu.Lock()
	defer r.unlock()
	return r.suspects(r.host(shellID))
}

func (r *Registry) suspects(h *host) []Page {
	var out []Page
	for _, f := range r.sortedFrames() {
		if f.host == h && f.marks > 0 && f.Identity.Role != Probe && !slices.Contains(out, pageOf(f.Identity)) {
			out = append(out, pageOf(f.Identity))
		}
	}
	return out
}

// Evidence is what is known of a page that stopped. It can be taken before the
// shell detaches and judged after it.
type Evidence struct {
	Suspects []Page // posted to, and not come back
	watched  Page   // the one whose turn it was
	last     Page   // the one used last
}

// Evidence takes down what speaks against the frames of one shell whose page has
// been silent since then. A stall is seen long after it began: who had the turn
// then counts, not who has it now.
func (r *Registry) Evidence(shellID string, since time.Time) Evidence {
	r.mu.Lock()
	defer r.unlock()
	return r.evidence(r.host(shellID), since)
}

func (r *Registry) evidence(h *host, since time.Time) Evidence {
	e := Evidence{Suspects: r.suspects(h), last: r.lastUsed(h)}
	for _, t := range r.turns {
		if t.host == h && !t.started.After(since) && (t.ended.IsZero() || !t.ended.Before(since)) {
			e.watched = t.page
		}
	}
	return e
}

// turn is the time in which one frame of a recovery was watched.
type turn struct {
	host           *host
	frame          FrameID
	page           Page
	started, ended time.Time // ended is zero while it lasts
}

// turnsKept is more than can lie between the begin of a stall and its discovery.
const turnsKept = 8

func (r *Registry) beginTurn(f *frame) {
	r.turns = append(r.turns, turn{host: f.host, frame: f.ID, page: pageOf(f.Identity), started: time.Now()})
	if n := len(r.turns) - turnsKept; n > 0 {
		r.turns = slices.Delete(r.turns, 0, n)
	}
}

func (r *Registry) endTurn(f *frame) {
	for i := range r.turns {
		if t := &r.turns[i]; t.frame == f.ID && t.ended.IsZero() {
			t.ended = time.Now()
		}
	}
}

// Stalled plans the recovery of a shell whose page stopped and will be loaded
// again. A page that stalls it a second time is quarantined: the one that was
// being watched, or the only suspect that was one before.
func (r *Registry) Stalled(shellID string) StallReport {
	r.mu.Lock()
	defer r.unlock()
	return r.plan(r.evidence(r.host(shellID), time.Now()))
}

// Recover is Stalled by evidence that was taken before: when the stall was seen, or
// before the shell detached.
func (r *Registry) Recover(e Evidence) StallReport {
	r.mu.Lock()
	defer r.unlock()
	return r.plan(e)
}

func (r *Registry) plan(e Evidence) StallReport {
	now := time.Now()
	suspects := slices.Clone(e.Suspects)
	rep := StallReport{At: now}
	for _, p := range suspects {
		if !slices.Contains(rep.Suspects, p.App) {
			rep.Suspects = append(rep.Suspects, p.App)
		}
	}

	culprit, found := r.culprit(e, now)
	for _, p := range suspects {
		r.strikes[p] = now
	}
	r.dropRecovery()
	if found {
		rep.Quarantined = culprit.App
		r.quarantine(culprit)
		suspects = slices.DeleteFunc(suspects, func(p Page) bool { return p == culprit })
	}
	if !found || len(suspects) > 0 {
		rc := &recovery{suspects: map[Page]bool{}, last: e.last}
		for _, p := range suspects {
			rc.suspects[p] = true
		}
		r.recovery = rc
	}
	r.changed = true
	return rep
}

func (r *Registry) culprit(e Evidence, now time.Time) (Page, bool) {
	if e.watched != (Page{}) && (len(e.Suspects) == 0 || slices.Contains(e.Suspects, e.watched)) {
		return e.watched, true
	}
	var again []Page
	for _, p := range e.Suspects {
		if at, ok := r.strikes[p]; ok && now.Sub(at) < limit.StrikeAge {
			again = append(again, p)
		}
	}
	if len(again) == 1 {
		return again[0], true
	}
	return Page{}, false
}

func (r *Registry) lastUsed(h *host) Page {
	var last Page
	var most uint64
	for _, f := range r.frames {
		if f.host == h && f.used > most {
			last, most = pageOf(f.Identity), f.used
		}
	}
	return last
}

// quarantine keeps a page closed until Retry or until its row changes.
func (r *Registry) quarantine(p Page) {
	r.stuck[p] = stuck{fault.Quarantined, r.apps[p.App].Generation}
	for _, f := range r.sortedFrames() {
		if pageOf(f.Identity) == p && f.Identity.Role != Probe {
			r.remove(f, fault.New("endpoint.quarantine", fault.Quarantined, p.App, ""), true)
		}
	}
}

// holdsBack reports whether a mount must wait for its turn.
func (r *Registry) holdsBack(m *mount) bool {
	return r.recovery != nil && r.recovery.takesTurns(pageOf(m.identity))
}

// nextInTurn is the one mount that may start in a recovery; -1: none now.
func (r *Registry) nextInTurn() int {
	rc := r.recovery
	if rc == nil || rc.watched != nil || !rc.begun || time.Since(rc.quiet) < limit.RecoverGather || r.othersStarting() {
		return -1
	}
	turn := func(m *mount) bool { return !m.host.held && rc.takesTurns(pageOf(m.identity)) }
	i := slices.IndexFunc(r.waiting, func(m *mount) bool { return turn(m) && pageOf(m.identity) != rc.last })
	if i < 0 {
		i = slices.IndexFunc(r.waiting, turn)
	}
	return i
}

// othersStarting reports whether a frame that takes no turns is still on its
// way: a stall would not yet tell it from the one whose turn it is.
func (r *Registry) othersStarting() bool {
	for _, f := range r.frames {
		if f.Identity.Role != Probe && !f.connected && !f.blocked && !r.recovery.takesTurns(pageOf(f.Identity)) {
			return true
		}
	}
	return false
}

// watch puts a frame that started in its turn under watch; the time runs from
// its handshake.
func (r *Registry) watch(f *frame) {
	if rc := r.recovery; rc != nil && rc.takesTurns(pageOf(f.Identity)) {
		rc.watched = f
		r.beginTurn(f)
	}
}

func (r *Registry) watchConnected(f *frame) {
	rc := r.recovery
	if rc == nil || rc.watched != f {
		return
	}
	if rc.timer != nil {
		rc.timer.Stop()
	}
	rc.timer = time.AfterFunc(limit.Watch, func() {
		r.mu.Lock()
		defer r.unlock()
		if r.recovery == rc && rc.watched == f {
			rc.watched = nil
			r.endTurn(f)
			r.schedule()
		}
	})
}

func (r *Registry) unwatch(f *frame) {
	if rc := r.recovery; rc != nil && rc.watched == f {
		rc.watched = nil
		r.endTurn(f)
	}
}

// touchRecovery starts the quiet time over: more frames may be asked for.
func (r *Registry) touchRecovery() {
	rc := r.recovery
	if rc == nil {
		return
	}
	rc.begun = rc.begun || slices.ContainsFunc(r.shells, func(h *host) bool { return !h.held })
	rc.quiet = time.Now()
	if rc.wake != nil {
		rc.wake.Stop()
	}
	rc.wake = time.AfterFunc(limit.RecoverGather, func() {
		r.mu.Lock()
		defer r.unlock()
		if r.recovery == rc {
			r.schedule()
		}
	})
}

// endRecovery forgets the plan once every frame that takes turns has had its.
func (r *Registry) endRecovery() {
	rc := r.recovery
	if rc == nil || rc.watched != nil || !rc.begun || time.Since(rc.quiet) < limit.RecoverGather {
		return
	}
	if slices.ContainsFunc(r.waiting, r.holdsBack) {
		return
	}
	r.dropRecovery()
}

func (r *Registry) dropRecovery() {
	if rc := r.recovery; rc != nil {
		for _, t := range []*time.Timer{rc.wake, rc.timer} {
			if t != nil {
				t.Stop()
			}
		}
	}
	r.recovery = nil
}

// compareEndpoints orders a listing.
func compareEndpoints(a, b Endpoint) int { return cmp.Compare(a.ID, b.ID) }
