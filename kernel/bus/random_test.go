package bus_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/bus"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

var (
	seeds = flag.Uint64("seeds", 25, "random runs, seeded 1 to so many")
	steps = flag.Int("steps", 150, "random operations in each run")
)

// keptSeeds failed once. The name says what was wrong.
var keptSeeds = map[string]uint64{}

// Random calls, answers, progress, cancels, ends, denials and waits against an
// oracle: every call settles exactly once, no slot leaks, no result or progress
// crosses over, nothing crosses apps without the owner's word.
func TestRandomOperations(t *testing.T) {
	run := func(t *testing.T, seed uint64) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) { newRandom(t, dir, seed).play() })
	}
	for name, seed := range keptSeeds {
		t.Run("kept/"+name, func(t *testing.T) { run(t, seed) })
	}
	for seed := range *seeds {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) { run(t, seed+1) })
	}
}

// exec is what the oracle knows of one call that is not settled.
type exec struct {
	token  uint64
	target endpoint.ID
	caller string // app
}

// delivery is one that the target may still answer.
type delivery struct {
	actor  string
	ref    endpoint.Ref
	number uint64
	token  uint64
}

type execKey struct {
	ref endpoint.Ref
	id  uint64
}

type pair struct{ caller, target string }

type random struct {
	t     *testing.T
	w     *kerneltest.World
	r     *rand.Rand
	trail []string

	tokens  uint64
	execs   map[execKey]exec
	held    []delivery
	numbers map[uint64]bool
	once    map[uint64]bool // tokens that the owner allowed
	session map[pair]bool
}

var randomApps = []string{"apple", "berry", "cherry"}

const echo = `{"name":"echo","inputSchema":{"type":"object","required":["token"],"properties":{"token":{"type":"integer"}},"additionalProperties":false},
"outputSchema":{"type":"object","required":["token"],"properties":{"token":{"type":"integer"}},"additionalProperties":false}}`

func newRandom(t *testing.T, dir string, seed uint64) *random {
	x := &random{
		t: t, r: rand.New(rand.NewPCG(seed, 7)), execs: map[execKey]exec{},
		numbers: map[uint64]bool{}, once: map[uint64]bool{}, session: map[pair]bool{},
	}
	x.w = kerneltest.NewWorld(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir)})
	x.w.Attach("s1", false)
	for _, a := range randomApps {
		x.install(a)
	}
	synctest.Wait()
	for _, a := range randomApps {
		x.open(a)
	}
	synctest.Wait()
	x.check()
	return x
}

func (x *random) install(app string) {
	x.w.Install(endpoint.App{
		ID: app, Name: app, Version: "1.0.0", Hash: "h", Background: "b.html",
		Tiles: []endpoint.TilePage{{ID: "main", Title: "Main", Path: "m.html"}},
	})
}

// open makes both frames of an app connected and pushes their tool.
func (x *random) open(app string) {
	if err := x.w.Open(context.Background(), app+"_tile", "s1", app, "main", "1"); err != nil {
		x.t.Fatal(err)
	}
	for _, name := range []string{app, app + "_tile"} {
		x.connect(name)
	}
}

func (x *random) connect(name string) {
	a := x.w.Actor(name)
	x.lose(a.Ref())
	if err := x.w.Connect(a); err != nil {
		return // its frame is gone
	}
	x.push(a)
}

func (x *random) push(a *kerneltest.Actor) {
	x.tokens++
	x.execs[execKey{a.Ref(), x.tokens}] = exec{}
	x.w.Push(a, x.tokens, echo)
}

// lose forgets the calls of a connection that is over: nobody hears of them.
func (x *random) lose(ref endpoint.Ref) {
	for k := range x.execs {
		if k.ref == ref {
			delete(x.execs, k)
		}
	}
}

func (x *random) play() {
	defer x.w.Close(x.t)
	for range *steps {
		x.step()
		synctest.Wait()
		x.check()
		if x.t.Failed() {
			x.t.Fatalf("after\n%s", strings.Join(x.trail[max(0, len(x.trail)-25):], "\n"))
		}
	}
	time.Sleep(limit.CallTimeoutMax + limit.QuestionUnseen)
	synctest.Wait()
	x.check()
	for k, e := range x.execs {
		x.t.Errorf("call %d (token %d) was never settled", k.id, e.token)
	}
	if n, slots := x.w.Bus.InFlight(), x.w.Bus.Slots(); n != 0 || slots != 0 {
		x.t.Errorf("%d calls in flight and %d endpoints with slots at rest", n, slots)
	}
}

func (x *random) note(format string, args ...any) {
	x.trail = append(x.trail, fmt.Sprintf(format, args...))
}

func (x *random) actor() (string, *kerneltest.Actor) {
	name := randomApps[x.r.IntN(len(randomApps))]
	if x.r.IntN(2) == 0 {
		name += "_tile"
	}
	return name, x.w.Actor(name)
}

func (x *random) step() {
	name, a := x.actor()
	switch n := x.r.IntN(100); {
	case n < 40:
		x.exec(name, a)
	case n < 60:
		x.answer()
	case n < 68 && len(x.held) > 0:
		d := x.held[x.r.IntN(len(x.held))]
		x.note("progress %d", d.number)
		x.w.Bus.ProgressFrom(x.w.Actor(d.actor).Shell, d.ref, d.number, fmt.Appendf(nil, `{"token":%d}`, d.token))
	case n < 74:
		for k := range x.execs {
			x.note("cancel %d", k.id)
			x.w.Bus.CancelExec(a.Shell, k.ref, k.id)
			break
		}
	case n < 86:
		x.owner()
	case n < 90:
		x.note("reconnect %s", name)
		x.connect(name)
	case n < 92:
		x.note("end %s", name)
		x.lose(a.Ref())
		x.w.End(a, false, fault.New("test", fault.Navigated, "", ""))
	case n < 94:
		app, _, _ := strings.Cut(name, "_")
		x.note("install %s", app)
		for _, f := range []string{app, app + "_tile"} {
			x.lose(x.w.Actor(f).Ref())
		}
		x.install(app)
		for p := range x.session {
			if p.caller == app || p.target == app {
				delete(x.session, p)
			}
		}
		x.open(app)
	default:
		d := time.Duration(x.r.IntN(4_000)) * time.Millisecond
		x.note("wait %s", d)
		time.Sleep(d)
	}
}

func (x *random) exec(name string, a *kerneltest.Actor) {
	target := randomApps[x.r.IntN(len(randomApps))]
	id := endpoint.ID("app:" + target + ":background")
	if x.r.IntN(2) == 0 {
		id = endpoint.ID("app:" + target + ":tile:main:instance:1")
	}
	x.tokens++
	k := execKey{a.Ref(), x.tokens}
	app, _, _ := strings.Cut(name, "_")
	x.execs[k] = exec{x.tokens, id, app}
	x.note("exec %d %s to %s", x.tokens, name, id)
	e := bus.Exec{ID: x.tokens, Action: "tools.call", Payload: fmt.Appendf(nil,
		`{"target":%q,"name":"echo","arguments":{"token":%d},"timeoutMs":%d}`, id, x.tokens, 1+x.r.IntN(60_000))}
	if x.r.IntN(3) == 0 {
		e.Stamp = endpoint.Stamp{Focused: true, Activated: true, Gesture: linkv1.GestureKind_GESTURE_KIND_POINTER}
	}
	x.w.Exec(a, e)
}

// answer settles a delivery: rightly, twice, from a stranger, or badly.
func (x *random) answer() {
	if len(x.held) == 0 {
		return
	}
	i := x.r.IntN(len(x.held))
	d := x.held[i]
	shell := x.w.Actor(d.actor).Shell
	ok := fmt.Appendf(nil, `{"token":%d}`, d.token)
	switch x.r.IntN(8) {
	case 0:
		_, stranger := x.actor()
		if stranger.Ref() != d.ref {
			x.note("stranger answers %d", d.number)
			x.w.Bus.Response(shell, stranger.Ref(), d.number, []byte(`{"token":0}`), nil)
		}
		return
	case 1:
		x.note("fail %d", d.number)
		x.w.Bus.Response(shell, d.ref, d.number, nil, fault.HandlerFailed)
	case 2:
		x.note("bad answer %d", d.number)
		x.w.Bus.Response(shell, d.ref, d.number, []byte(`{"token":"none"}`), nil)
	default:
		x.note("answer %d", d.number)
		x.w.Bus.Response(shell, d.ref, d.number, ok, nil)
		x.w.Bus.Response(shell, d.ref, d.number, []byte(`{"token":0}`), nil)
	}
	x.held = slices.Delete(x.held, i, i+1)
}

func (x *random) owner() {
	for _, q := range x.w.Desk.Snapshot() {
		if x.r.IntN(3) == 0 {
			_ = x.w.Desk.Open(q.Id)
		}
	}
	for _, q := range x.w.Desk.Snapshot() {
		if q.State != linkv1.QuestionState_QUESTION_STATE_OPEN {
			continue
		}
		_ = x.w.Desk.Shown(q.Id)
		time.Sleep(limit.QuestionArm)
		choice := []consent.Choice{consent.Deny, consent.Once, consent.Once, consent.Session}[x.r.IntN(4)]
		// What the owner allows, the oracle allows; before, so that a delivery
		// that is on its way finds it.
		token := tokenOf(q.Arguments)
		p := pair{q.Caller.AppId, q.Target.AppId}
		switch choice {
		case consent.Once:
			x.once[token] = true
		case consent.Session:
			x.once[token], x.session[p] = true, true
		}
		x.note("owner answers %s for token %d", choice, token)
		if err := x.w.Desk.Answer(q.Id, choice, q.Digest, time.Second); err != nil {
			delete(x.once, token)
			if choice == consent.Session {
				delete(x.session, p)
			}
		}
		return
	}
}

func tokenOf(raw []byte) uint64 {
	var v struct {
		Token uint64 `json:"token"`
	}
	_ = json.Unmarshal(raw, &v) // a zero token matches nothing
	return v.Token
}

// check compares what the kernel told with what the oracle knows.
func (x *random) check() {
	for _, e := range x.w.Events() {
		k := execKey{e.Ref, e.ID}
		known, open := x.execs[k]
		switch e.Kind {
		case "ok", "error":
			if !open {
				x.t.Errorf("an answer to call %d, which is not open: %s %v", e.ID, e.Payload, e.Err)
				continue
			}
			x.settled(k, known, e)
		case "progress":
			if !open || tokenOf(e.Payload) != known.token {
				x.t.Errorf("progress %s for call %d (open: %v)", e.Payload, e.ID, open)
			}
		case "deliver":
			x.delivered(e)
		case "cancel":
			x.held = slices.DeleteFunc(x.held, func(d delivery) bool { return d.number == e.ID })
		}
	}
}

func (x *random) settled(k execKey, known exec, e kerneltest.Event) {
	busy := 0
	for other := range x.execs {
		if other.ref == k.ref && x.execs[other].token != 0 {
			busy++
		}
	}
	delete(x.execs, k)
	switch code := fault.CodeOf(e.Err); {
	case code == "" && known.token != 0 && tokenOf(e.Payload) != known.token:
		x.t.Errorf("call %d got the result of another: %s", k.id, e.Payload)
	case code == fault.Busy && busy <= limit.CallsInFlight:
		x.t.Errorf("call %d is BUSY with %d calls open", k.id, busy)
	case code == fault.Internal:
		x.t.Errorf("call %d: %v", k.id, e.Err)
	}
}

func (x *random) delivered(e kerneltest.Event) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Caller    struct {
			Endpoint endpoint.ID `json:"endpoint"`
			AppID    string      `json:"appId"`
		} `json:"caller"`
	}
	if err := json.Unmarshal(e.Payload, &p); err != nil {
		x.t.Fatal(err)
	}
	token := tokenOf(p.Arguments)
	var to string
	for _, name := range []string{"apple", "berry", "cherry", "apple_tile", "berry_tile", "cherry_tile"} {
		if x.w.Actor(name).Frame.ID == e.Ref.Frame {
			to = name
		}
	}
	target, _, _ := strings.Cut(to, "_")
	switch {
	case x.numbers[e.ID]:
		x.t.Errorf("delivery %d came twice", e.ID)
	case endpoint.AppOf(p.Caller.Endpoint) != p.Caller.AppID:
		x.t.Errorf("delivery %d names %s as a frame of %s", e.ID, p.Caller.Endpoint, p.Caller.AppID)
	case p.Caller.AppID != target && !x.once[token] && !x.session[pair{p.Caller.AppID, target}]:
		x.t.Errorf("token %d went from %s to %s without the owner's word", token, p.Caller.AppID, to)
	}
	x.numbers[e.ID] = true
	x.held = append(x.held, delivery{to, e.Ref, e.ID, token})
}
