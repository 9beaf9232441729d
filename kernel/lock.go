package kernel

import (
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
)

// Lock ends what the owner's presence allowed: every shell's secret, every frame,
// every grant and question of this run. Durable things stay as they are.
func (k *Kernel) Lock() {
	k.mu.Lock()
	already := k.locked
	k.locked = true
	shells := append([]*shell(nil), k.shells...)
	k.mu.Unlock()
	if already {
		return
	}
	k.log.Info("locked")
	why := fault.New("kernel.lock", fault.Locked, "", "")
	k.frames.EndRun(why)
	k.desk.EndRun(why)
	k.o.Sandbox.Forget()
	k.egress.EndAll()
	at := time.Now().UnixMilli()
	for _, s := range shells {
		s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Locked{Locked: &linkv1.Locked{AtMs: at}}})
	}
	k.link.Lock()
}

// Locked reports whether the owner locked Neutron.
func (k *Kernel) Locked() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.locked
}

// unlock lets new secrets be made. It is an act of the owner: a click on the
// window's own lock page, or a command at a terminal of the same user.
func (k *Kernel) unlock() {
	k.mu.Lock()
	was := k.locked
	k.locked = false
	k.mu.Unlock()
	if was {
		k.log.Info("unlocked")
		k.link.Unlock()
	}
}

// ShellLink unlocks, and mints a fresh address for a browser: once, 60 s.
func (k *Kernel) ShellLink() string {
	k.unlock()
	return k.address(false)
}

// address is the page's address with a fresh secret; while locked, without one.
func (k *Kernel) address(window bool) string {
	if k.Locked() {
		return k.o.ShellOrigin + "/"
	}
	return k.link.Boot(window)
}
