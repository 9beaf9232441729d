package kernel

import (
	"slices"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// welcome is what a shell learns first.
func (k *Kernel) welcome(s *shell) (*linkv1.Welcome, error) {
	docs, err := k.docs()
	if err != nil {
		return nil, err
	}
	w := &linkv1.Welcome{
		Version: k.o.Version, SandboxUrl: k.o.SandboxURL, Window: s.window,
		OwnerMark: k.mark, Docs: docs, FirstStart: !k.ever.Load(),
	}
	for _, r := range limit.Table() {
		w.Limits = append(w.Limits, &linkv1.Limit{Name: r.Name, Value: r.Value, Unit: r.Unit})
	}
	for code, text := range fault.Codes() {
		w.Codes = append(w.Codes, &linkv1.Code{Code: string(code), Text: text})
	}
	return w, nil
}

func (k *Kernel) allShells() []*shell {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.shells)
}

func (k *Kernel) forget(s *shell) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shells = slices.DeleteFunc(k.shells, func(o *shell) bool { return o == s })
}

// pushAll gives one shell the whole state.
func (k *Kernel) pushAll(s *shell) {
	s.out.SendState(k.appsState())
	s.out.SendState(k.questionsState())
	s.out.SendState(k.framesState(s))
	s.out.SendState(k.healthState(s))
}

func (k *Kernel) pushApps() {
	state := k.appsState()
	for _, s := range k.allShells() {
		s.out.SendState(state)
	}
}

func (k *Kernel) pushQuestions() {
	state := k.questionsState()
	for _, s := range k.allShells() {
		s.out.SendState(state)
	}
}

func (k *Kernel) pushFrames() {
	for _, s := range k.allShells() {
		s.out.SendState(k.framesState(s))
	}
}

func (k *Kernel) pushHealth() {
	for _, s := range k.allShells() {
		s.out.SendState(k.healthState(s))
	}
}

func (k *Kernel) appsState() *linkv1.State {
	apps := &linkv1.Apps{Bundled: k.apps.Bundled()}
	for _, i := range k.apps.List() {
		apps.Installed = append(apps.Installed, i.App())
	}
	return &linkv1.State{Part: &linkv1.State_Apps{Apps: apps}}
}

func (k *Kernel) questionsState() *linkv1.State {
	return &linkv1.State{Part: &linkv1.State_Questions{Questions: &linkv1.Questions{Questions: k.desk.Snapshot()}}}
}

func (k *Kernel) framesState(s *shell) *linkv1.State {
	return &linkv1.State{Part: &linkv1.State_Frames{Frames: &linkv1.Frames{Frames: k.frames.Snapshot(s.id)}}}
}

func (k *Kernel) healthState(s *shell) *linkv1.State {
	open, reason := s.gate()
	k.mu.Lock()
	defer k.mu.Unlock()
	return &linkv1.State{Part: &linkv1.State_Health{Health: &linkv1.Health{
		GateOpen: open, GateReason: reason, DiskFull: k.diskFull, Stall: k.stall,
	}}}
}

// noteDisk keeps the owner informed: writes fail while the disk is full.
func (k *Kernel) noteDisk(err error) {
	full := fault.CodeOf(err) == fault.StoreFull
	if err != nil && !full {
		return
	}
	k.mu.Lock()
	changed := k.diskFull != full
	k.diskFull = full
	k.mu.Unlock()
	if changed {
		k.pushHealth()
	}
}
