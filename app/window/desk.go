package window

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// native is what a desk does to the real window. No method waits.
type native interface {
	arm(open int)
	proxy(address string) // empty: the dead one
	filter(rules []byte, dir string)
	load(address string)
	endPage()
	hold(on bool)
	raise()
	prompt(w words, arm time.Duration)
	closePrompt()
	quit()
}

// verdict is what is known of the content filter.
type verdict int

const (
	filterUnknown verdict = iota // none was asked for, or it is compiling
	filterOn
	filterOff
)

// asked is which prompt is on screen.
type asked int

const (
	askedNothing asked = iota
	askedStall
	askedLoop
)

// A page that ends this often within deathWindow is not started again without the owner.
const (
	deathsMax   = 4
	deathWindow = time.Minute
)

// desk is the state of one window: the talk with the kernel on one side, the hook on the other.
type desk struct {
	peer  Peer
	n     native
	out   *outbox
	log   *slog.Logger
	dir   string // holds the compiled filter while the window lives
	first bootstrap

	heard   atomic.Uint64 // native messages of any frame since the probe was armed
	proxied atomic.Bool

	mu       sync.Mutex // guards the rest; held for assignments only, never across a call out
	shell    string     // origin of the shell; empty before the first Boot
	sandbox  string     // its listener as http://*.localhost:S
	address  string     // of the page
	proxy    string     // the way out; empty: there is none
	origins  []string   // what it leads to
	filter   verdict
	probe    *string // nonce of a probe whose answer waits for the filter
	asked    asked
	deaths   []time.Time
	ending   bool // the owner gave the page up: its end is expected
	stopping bool
}

func newDesk(peer Peer, n native, dir string, log *slog.Logger) *desk {
	return &desk{peer: peer, n: n, out: newOutbox(), log: log, dir: dir, first: newBootstrap(log)}
}

// ---- the kernel speaks

// listen serves the kernel's messages until the window is gone. It quits when the channel is closed
// or stop is.
func (d *desk) listen(stop, gone <-chan struct{}) {
	for {
		select {
		case m, open := <-d.peer.Hear():
			if !open {
				d.n.quit()
				return
			}
			d.hear(m)
		case <-stop:
			d.n.quit()
			return
		case <-gone:
			return
		}
	}
}

func (d *desk) hear(m *controlv1.AttachWindowResponse) {
	switch what := m.GetWhat().(type) {
	case *controlv1.AttachWindowResponse_Boot:
		d.boot(what.Boot.GetUrl(), what.Boot.GetSandboxUrl())
	case *controlv1.AttachWindowResponse_Egress:
		d.egress(what.Egress.GetProxy(), what.Egress.GetOrigins())
	case *controlv1.AttachWindowResponse_ArmProbe:
		d.armProbe(what.ArmProbe.GetNonce())
	case *controlv1.AttachWindowResponse_ReadLocks:
		d.tellLocks(what.ReadLocks.GetNonce())
	case *controlv1.AttachWindowResponse_KeyHold:
		d.n.hold(what.KeyHold.GetOn())
	case *controlv1.AttachWindowResponse_Stalled:
		d.ask(askedStall, stallWords(what.Stalled.GetSuspects()))
	case *controlv1.AttachWindowResponse_Recovered:
		d.recovered()
	case *controlv1.AttachWindowResponse_Raise:
		d.n.raise()
	case *controlv1.AttachWindowResponse_Quit:
		d.n.quit()
	}
}

// boot goes to the shell: through the bootstrap page once, later straight to it.
func (d *desk) boot(address, sandbox string) {
	shell, err := origin(address)
	if err != nil {
		d.log.Error("window.boot", "err", err)
		return
	}
	d.mu.Lock()
	changed := shell != d.shell || sandbox != d.sandbox
	d.shell, d.sandbox = shell, sandbox
	if changed {
		d.filter = filterUnknown
	}
	origins := d.origins
	d.mu.Unlock()
	if changed {
		d.seal(shell, sandbox, origins)
	}
	if !d.first.offer(address) {
		d.n.load(address)
	}
}

// egress takes the way out and what it leads to. WebKit breaks off every load when its proxy changes, so
// the proxy comes before the first page and stays; what passes changes with the filter, whose
// former rules hold until the new ones do.
func (d *desk) egress(proxy string, origins []string) {
	d.mu.Lock()
	moved, other := proxy != d.proxy, !slices.Equal(origins, d.origins)
	d.proxy, d.origins = proxy, origins
	shell, sandbox := d.shell, d.sandbox
	d.mu.Unlock()
	if moved {
		d.n.proxy(proxy)
	}
	if other && shell != "" {
		d.seal(shell, sandbox, origins)
	}
}

// seal compiles the filter for these addresses.
func (d *desk) seal(shell, sandbox string, origins []string) {
	rules, err := filterRules(shell, sandbox, origins)
	switch {
	case err != nil:
		d.filtered(false, err.Error())
	case openFilter():
		d.filtered(false, "left open")
	default:
		d.n.filter(rules, d.dir)
	}
}

func (d *desk) armProbe(nonce string) {
	d.heard.Store(0)
	d.mu.Lock()
	wait := d.filter == filterUnknown
	if wait {
		d.probe = &nonce
	}
	d.mu.Unlock()
	if !wait {
		d.tellLocks(nonce)
	}
}

func (d *desk) tellLocks(nonce string) {
	d.mu.Lock()
	on, here := d.filter == filterOn, d.shell != "" && strings.HasPrefix(d.address, d.shell+"/")
	d.mu.Unlock()
	d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_LockState{LockState: &controlv1.LockState{
		Nonce: nonce, Heard: d.heard.Load(), FilterOn: on, ProxyOn: d.proxied.Load(), Redirected: here,
	}}}, false)
}

func (d *desk) ask(what asked, w words) {
	d.mu.Lock()
	again := d.asked == what
	d.asked = what
	d.mu.Unlock()
	if !again { // a prompt that the owner is reading stays as it is
		d.n.prompt(w, limit.QuestionArm)
	}
}

func (d *desk) recovered() {
	d.mu.Lock()
	stall := d.asked == askedStall
	if stall {
		d.asked = askedNothing
	}
	d.mu.Unlock()
	if stall {
		d.n.closePrompt()
	}
}

// ---- the hook speaks, on the GTK thread

// armed: the locks hold, so the shell may be asked for.
func (d *desk) armed() {
	d.first.release()
	d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Attach{Attach: &controlv1.Attach{}}}, false)
	d.wantBoot(false)
}

func (d *desk) wantBoot(unlock bool) {
	d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_BootWanted{BootWanted: &controlv1.BootWanted{Unlock: unlock}}}, false)
}

func (d *desk) filtered(ok bool, why string) {
	d.mu.Lock()
	d.filter = filterOff
	if ok {
		d.filter = filterOn
	}
	nonce := d.probe
	d.probe = nil
	d.mu.Unlock()
	if !ok {
		d.log.Error("window.filter", "why", why)
	}
	if nonce != nil {
		d.tellLocks(*nonce)
	}
}

func (d *desk) moved(address string) {
	d.mu.Lock()
	d.address = address
	d.mu.Unlock()
}

// mayGo judges a navigation of the page or of a frame; a frame's own policy is narrower still.
func (d *desk) mayGo(address string, gesture bool) bool {
	d.mu.Lock()
	shell, sandbox := d.shell, d.sandbox
	d.mu.Unlock()
	for _, own := range []string{"about:", "blob:", "data:"} {
		if strings.HasPrefix(address, own) {
			return true
		}
	}
	if strings.HasPrefix(address, "wails:") {
		return d.first.open()
	}
	if shell == "" {
		return false
	}
	if rest, ours := strings.CutPrefix(address, shell+"/"); ours {
		if path, _, _ := strings.Cut(rest, "?"); path == UnlockPath[1:] {
			if gesture {
				d.wantBoot(true)
			}
			return false
		}
		return true
	}
	return inSandbox(address, sandbox)
}

// inSandbox reports whether an address belongs to a label of the sandbox listener.
func inSandbox(address, sandbox string) bool {
	head, tail, ok := strings.Cut(sandbox, "*")
	if !ok {
		return sandbox != "" && strings.HasPrefix(address, sandbox+"/")
	}
	rest, ok := strings.CutPrefix(address, head)
	if !ok {
		return false
	}
	label, _, ok := strings.Cut(rest, tail+"/")
	return ok && label != "" && !strings.ContainsAny(label, "/@:?#.")
}

// died: the web process ended. After a stall the kernel sends the next Boot by itself.
func (d *desk) died(reason int32) {
	now := time.Now()
	d.mu.Lock()
	expected := d.stopping || d.ending
	d.ending = false
	if expected {
		d.address = ""
		d.mu.Unlock()
		return
	}
	d.address, d.asked = "", askedNothing
	recent := d.deaths[:0]
	for _, t := range d.deaths {
		if now.Sub(t) < deathWindow {
			recent = append(recent, t)
		}
	}
	d.deaths = append(recent, now)
	count := len(d.deaths)
	d.mu.Unlock()
	d.log.Warn("window.died", "reason", reason, "recent", count)
	d.first.spend()
	d.n.hold(false)
	d.n.closePrompt()
	d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_ProcessDied{ProcessDied: &controlv1.ProcessDied{Reason: reason}}}, false)
	if count > deathsMax {
		d.ask(askedLoop, loopWords(count))
		return
	}
	d.wantBoot(false)
}

// answered is the owner's choice in a prompt; first is its default button.
func (d *desk) answered(first bool) {
	d.mu.Lock()
	what := d.asked
	d.asked = askedNothing
	d.ending = what == askedStall && first
	d.mu.Unlock()
	switch what {
	case askedStall:
		if first { // before the kernel hears of it: its Boot comes at once, and the hook keeps the order
			d.n.hold(false)
			d.n.endPage()
		}
		d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Answered{Answered: &controlv1.Answered{Reload: first}}}, false)
	case askedLoop:
		if first {
			d.wantBoot(false)
		} else {
			d.n.quit()
		}
	}
}

func (d *desk) pressed(x, y int32, age time.Duration) {
	d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Gesture{Gesture: &linkv1.Gesture{
		X: x, Y: y, AgeMs: uint64(age.Milliseconds()),
	}}}, true)
}

// keyPress is one key as GTK gave it.
type keyPress struct {
	typed, plain chord // plain: the key of the first layout and level
	keyval       uint32
	age          time.Duration
	held, again  bool // keys are held; this is GTK's second delivery
}

// key tells the kernel of a key and reports whether the page must not see it.
func (d *desk) key(k keyPress) bool {
	c, own := k.typed, shortcut(k.plain)
	if own {
		c = k.plain
	}
	if own || k.held {
		d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_NativeKey{NativeKey: &linkv1.NativeKey{
			Key: c.key, Alt: c.alt, Ctrl: c.ctrl, Shift: c.shift, Meta: c.meta, Shortcut: own,
		}}}, true)
		return true
	}
	if !k.again && !c.silent() {
		d.out.put(&controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_Gesture{Gesture: &linkv1.Gesture{
			Key: true, Keyval: evidenceKey(k.keyval), AgeMs: uint64(k.age.Milliseconds()),
		}}}, true)
	}
	return false
}

// stop makes the end of the web process the end, not a reason to start again.
func (d *desk) stop() {
	d.mu.Lock()
	d.stopping = true
	d.mu.Unlock()
}
