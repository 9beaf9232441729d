package kernel

import (
	"sync"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// window is the attached native side of the workspace: the only witness of what
// the person really did, and of what the web view's handler really heard.
type window struct {
	k   *Kernel
	out chan *controlv1.AttachWindowResponse
	end func() // ends the sending goroutine, once

	mu    sync.Mutex // guards locks; nothing is called under it
	locks map[string]chan *controlv1.LockState
}

// AttachWindow takes the native window: messages for it go to send, one at a time;
// what it says goes to recv. There is one window. A second one is told to quit, and
// the first one is raised. detach may be called more than once.
func (k *Kernel) AttachWindow(send func(*controlv1.AttachWindowResponse)) (recv func(*controlv1.AttachWindowRequest), detach func()) {
	w := &window{
		k: k, out: make(chan *controlv1.AttachWindowResponse, limit.WindowQueue),
		locks: make(map[string]chan *controlv1.LockState),
	}
	stop := make(chan struct{})
	w.end = sync.OnceFunc(func() { close(stop) })
	k.mu.Lock()
	first := k.window
	if first == nil && !k.closed {
		k.window = w
		k.wg.Go(func() { w.write(send, stop) })
	}
	closed := k.closed
	k.mu.Unlock()
	if first != nil || closed {
		if first != nil {
			first.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Raise{Raise: &controlv1.Raise{}}})
		}
		send(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Quit{Quit: &controlv1.Quit{}}})
		return func(*controlv1.AttachWindowRequest) {}, func() {}
	}
	return w.receive, w.detach
}

// RaiseWindow brings the native window to the front, unlocked; false: there is none.
// Like ShellLink it is a command of the owner.
func (k *Kernel) RaiseWindow() bool {
	w := k.peer()
	if w == nil {
		return false
	}
	if k.Locked() {
		k.unlock()
		w.boot()
	}
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Raise{Raise: &controlv1.Raise{}}})
	return true
}

func (k *Kernel) peer() *window {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.window
}

func (w *window) write(send func(*controlv1.AttachWindowResponse), stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case m := <-w.out:
			send(m)
			if m.GetQuit() != nil {
				return
			}
		}
	}
}

// quit tells the window to end, after what it was told before.
func (w *window) quit() {
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Quit{Quit: &controlv1.Quit{}}})
}

// tell queues a message. A window that takes none is as good as gone.
func (w *window) tell(m *controlv1.AttachWindowResponse) {
	select {
	case w.out <- m:
	default:
		w.k.log.Error("the window takes no messages")
		w.detach()
	}
}

func (w *window) detach() {
	w.k.mu.Lock()
	if w.k.window == w {
		w.k.window = nil
	}
	w.k.mu.Unlock()
	w.end()
}

func (w *window) receive(m *controlv1.AttachWindowRequest) {
	switch m := m.GetWhat().(type) {
	case *controlv1.AttachWindowRequest_BootWanted:
		if m.BootWanted.GetUnlock() {
			w.k.unlock() // the window asks so only after a real click on the locked page's button
		}
		w.boot()
	case *controlv1.AttachWindowRequest_Gesture:
		w.toShell(&linkv1.ToShell{Frame: &linkv1.ToShell_Gesture{Gesture: m.Gesture}})
	case *controlv1.AttachWindowRequest_NativeKey:
		w.toShell(&linkv1.ToShell{Frame: &linkv1.ToShell_NativeKey{NativeKey: m.NativeKey}})
	case *controlv1.AttachWindowRequest_LockState:
		w.heard(m.LockState)
	case *controlv1.AttachWindowRequest_ProcessDied:
		w.k.log.Warn("the web process died", "reason", m.ProcessDied.GetReason())
		w.k.recoverWindow(w, false)
	case *controlv1.AttachWindowRequest_Answered:
		w.k.stallAnswered(w, m.Answered.GetReload())
	}
}

// boot sends the page's address. While locked it holds no secret: the page can
// only show that it is locked.
func (w *window) boot() {
	w.wayOut()
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Boot{Boot: &controlv1.Boot{
		Url: w.k.address(true), SandboxUrl: w.k.o.SandboxURL,
	}}})
}

func (w *window) toShell(m *linkv1.ToShell) {
	if s := w.k.windowShell(); s != nil {
		s.out.Send(m)
	}
}

func (w *window) hold(on bool) {
	w.tell(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_KeyHold{KeyHold: &controlv1.KeyHold{On: on}}})
}

// expect opens a box for the window's answers about one nonce.
func (w *window) expect(nonce string) (answers <-chan *controlv1.LockState, done func()) {
	c := make(chan *controlv1.LockState, 2)
	w.mu.Lock()
	w.locks[nonce] = c
	w.mu.Unlock()
	return c, func() {
		w.mu.Lock()
		delete(w.locks, nonce)
		w.mu.Unlock()
	}
}

func (w *window) heard(l *controlv1.LockState) {
	w.mu.Lock()
	c := w.locks[l.GetNonce()]
	w.mu.Unlock()
	select {
	case c <- l: // a nil channel, nobody waits, is never ready
	default:
	}
}

// windowShell is the shell in the native window; nil: none is attached.
func (k *Kernel) windowShell() *shell {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := len(k.shells) - 1; i >= 0; i-- {
		if k.shells[i].window {
			return k.shells[i]
		}
	}
	return nil
}

var errNoPeer = fault.New("kernel.gate", fault.BridgeOpen, "", "The window's native side is not attached, so its seal cannot be checked.")
