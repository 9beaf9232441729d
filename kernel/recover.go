package kernel

import (
	"time"

	"neutron/kernel/endpoint"
	"neutron/kernel/limit"
	"neutron/kernel/link"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// The watchdog. In WebKitGTK all frames share the shell's thread, so one app can
// stop the whole page. The link notices; the owner decides in a native prompt; the
// page is then loaded again and the registry lets the suspects back one at a time.
// In a browser only the tab's own owner can end it: there the kernel just notes it.

// Stalled is link.Receiver's.
func (s *shell) Stalled(since time.Time) {
	s.k.log.Warn("a shell stalled", "shell", s.id, "window", s.window)
	if !s.window {
		return
	}
	// Now, and not when the owner has answered: the turns of a recovery go on.
	e := s.k.frames.Evidence(s.id, since)
	s.mu.Lock()
	s.stalled, s.evidence = true, e
	s.mu.Unlock()
	s.k.askAboutStall(s)
}

// Recovered is link.Receiver's.
func (s *shell) Recovered() {
	s.k.log.Info("a shell answers again", "shell", s.id)
	s.mu.Lock()
	was := s.stalled
	s.stalled = false
	s.mu.Unlock()
	if w := s.k.peer(); was && w != nil {
		w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Recovered{Recovered: &controlv1.Recovered{}}})
	}
}

func (k *Kernel) askAboutStall(s *shell) {
	w := k.peer()
	if w == nil {
		return
	}
	names := make([]string, 0, 4)
	for _, p := range k.frames.Suspects(s.id) {
		names = append(names, k.nameOf(p))
	}
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Stalled{Stalled: &controlv1.Stalled{Suspects: names}}})
}

// nameOf is an app's display name, or its id when it has just been removed.
func (k *Kernel) nameOf(p endpoint.Page) string {
	for _, a := range k.frames.Apps() {
		if a.ID == p.App {
			return a.Name
		}
	}
	return p.App
}

// stallAnswered takes the owner's choice in the native prompt. "Wait" asks again
// later, as long as the page is silent.
func (k *Kernel) stallAnswered(w *window, reload bool) {
	if reload {
		k.recoverWindow(w, true)
		return
	}
	s := k.windowShell()
	if s == nil {
		return
	}
	s.again(limit.StallAgain, func() {
		s.mu.Lock()
		still := s.stalled
		s.mu.Unlock()
		if still {
			k.askAboutStall(s)
		}
	})
}

// again runs f after d unless the shell has gone by then.
func (s *shell) again(d time.Duration, f func()) {
	t := time.AfterFunc(d, func() {
		if s.ctx.Err() == nil {
			f()
		}
	})
	s.mu.Lock()
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = t
	s.mu.Unlock()
}

// recoverWindow plans the return of the window's frames and cuts the dead page
// off. After a stall it also sends the address to load; a window whose web process
// died asks for one by itself, and its link may have ended first.
func (k *Kernel) recoverWindow(w *window, boot bool) {
	s := k.windowShell()
	k.mu.Lock()
	left := k.left
	k.left = nil
	k.mu.Unlock()
	switch {
	case s != nil:
		k.report(k.frames.Recover(s.stopped()))
		s.out.Close(link.CloseReplaced, "the page is loaded again")
	case left != nil && time.Since(left.at) < limit.CrashTold:
		k.report(k.frames.Recover(left.evidence))
	}
	if boot {
		w.boot()
	}
}

// stopped is what speaks against the frames of a page that stalled, or has just died.
func (s *shell) stopped() endpoint.Evidence {
	s.mu.Lock()
	stalled, e := s.stalled, s.evidence
	s.mu.Unlock()
	if stalled {
		return e
	}
	return s.k.frames.Evidence(s.id, time.Now())
}

// left is how the window's page was when its link ended.
type left struct {
	at       time.Time
	evidence endpoint.Evidence
}

func (k *Kernel) noteLeft(s *shell) {
	l := &left{time.Now(), s.stopped()}
	k.mu.Lock()
	k.left = l
	k.mu.Unlock()
}

func (k *Kernel) report(r endpoint.StallReport) {
	k.log.Warn("recovering the window", "suspects", r.Suspects, "quarantined", r.Quarantined)
	k.mu.Lock()
	k.stall = &linkv1.StallReport{AtMs: r.At.UnixMilli(), Suspects: r.Suspects, Quarantined: r.Quarantined}
	k.mu.Unlock()
	k.pushHealth()
}
