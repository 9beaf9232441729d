package kernel

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// The bridge gate is a release gate, judged anew for every shell that attaches: no
// app frame is created in it before the probe, a page in an app's cage that tries
// every way to the native handler, was seen to reach nothing. In a browser there
// is no handler to reach, but the probe proves that frames work at all.

// openGate runs the probe and opens or refuses the shell's gate.
func (k *Kernel) openGate(ctx context.Context, s *shell) {
	var err error
	for range limit.ProbeTries {
		if err = k.probe(ctx, s); err == nil || fault.CodeOf(err) != fault.Timeout || ctx.Err() != nil {
			break
		}
		k.log.Warn("bridge probe", "shell", s.id, "err", err)
	}
	if ctx.Err() != nil {
		return
	}
	s.setGate(err)
	if err != nil {
		k.log.Error("bridge gate stays shut", "shell", s.id, "err", err)
		k.frames.Refuse(s.id, fault.New("kernel.gate", fault.BridgeOpen, s.id, fault.Sentence(err)))
	} else {
		k.log.Info("bridge gate open", "shell", s.id)
		k.frames.Release(s.id)
	}
	k.pushHealth()
}

// probe is one run. TIMEOUT: somebody did not answer. BRIDGE_OPEN: the seal is broken.
func (k *Kernel) probe(ctx context.Context, s *shell) error {
	const op fault.Op = "kernel.gate"
	var b [16]byte
	rand.Read(b[:]) // never fails
	nonce := hex.EncodeToString(b[:])

	var w *window
	var answers <-chan *controlv1.LockState
	if s.window {
		if w = k.peer(); w == nil {
			return errNoPeer
		}
		var done func()
		answers, done = w.expect(nonce)
		defer done()
		w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ArmProbe{ArmProbe: &controlv1.ArmProbe{Nonce: nonce}}})
		if _, err := wait(ctx, answers, "The window did not answer in time."); err != nil {
			return err
		}
	}

	reports := s.expectReport(nonce)
	defer s.expectReport("")
	f, err := k.frames.Probe(s.id, nonce)
	if err != nil {
		return err
	}
	defer k.closeProbe(s.id, f.ID)
	report, err := wait(ctx, reports, "The hidden test page did not answer in time.")
	if err != nil {
		return err
	}
	switch {
	case report.GetFrameId() != string(f.ID):
		return fault.New(op, fault.BridgeOpen, s.id, "The test page's report came from another frame.")
	case report.GetError() != "":
		return fault.New(op, fault.Timeout, s.id, "The hidden test page failed.")
	case report.GetHasHandler():
		return fault.New(op, fault.BridgeOpen, s.id, "An app's page could see the window's native handler.")
	}
	if w == nil {
		return nil
	}

	settle := time.NewTimer(limit.ProbeSettle)
	defer settle.Stop()
	select {
	case <-settle.C:
	case <-ctx.Done():
		return fault.Wrap(op, fault.Cancelled, s.id, ctx.Err())
	}
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ReadLocks{ReadLocks: &controlv1.ReadLocks{Nonce: nonce}}})
	locks, err := wait(ctx, answers, "The window did not answer in time.")
	if err != nil {
		return err
	}
	return judge(s.id, locks)
}

// judge wants all the locks: each alone would do, so that one may fail unnoticed.
func judge(subject string, l *controlv1.LockState) error {
	const op fault.Op = "kernel.gate"
	switch {
	case l.GetHeard() > 0:
		return fault.New(op, fault.BridgeOpen, subject, "A message from an app's page reached the window's native handler.")
	case !l.GetRedirected():
		return fault.New(op, fault.BridgeOpen, subject, "The window's page is not at the shell's own address.")
	case !l.GetFilterOn():
		return fault.New(op, fault.BridgeOpen, subject, "The window's content filter is off.")
	case !l.GetProxyOn():
		return fault.New(op, fault.BridgeOpen, subject, "The window's network door is open.")
	}
	return nil
}

// closeProbe removes the probe; it may be gone with its shell.
func (k *Kernel) closeProbe(shell string, id endpoint.FrameID) {
	if err := k.frames.Close(shell, id); err != nil {
		k.log.Debug("probe closed", "err", err)
	}
}

func wait[T any](ctx context.Context, c <-chan T, late string) (v T, err error) {
	t := time.NewTimer(limit.ProbeWait)
	defer t.Stop()
	select {
	case v = <-c:
		return v, nil
	case <-t.C:
		return v, fault.New("kernel.gate", fault.Timeout, "", late)
	case <-ctx.Done():
		return v, fault.Wrap("kernel.gate", fault.Cancelled, "", ctx.Err())
	}
}

// expectReport opens a box for the report with this nonce; "" closes it.
func (s *shell) expectReport(nonce string) <-chan *linkv1.ProbeReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nonce, s.reports = nonce, make(chan *linkv1.ProbeReport, 1)
	return s.reports
}

func (s *shell) probeReport(r *linkv1.ProbeReport) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.nonce == "" || r.GetNonce() != s.nonce {
		return
	}
	select {
	case s.reports <- r:
	default:
	}
}

// setGate records the verdict: nil opens the gate.
func (s *shell) setGate(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gateOpen, s.gateReason = err == nil, ""
	if err != nil {
		s.gateReason = fault.Sentence(err)
	}
}

func (s *shell) gate() (open bool, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gateOpen, s.gateReason
}
