package bus_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/bus"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/schema"
	"neutron/kernel/tool"
)

// kernelTool makes a tool of the test's own.
func kernelTool(t *testing.T, name string, run tool.Handler) *tool.Kernel {
	t.Helper()
	d, err := tool.Parse(fmt.Appendf(nil, `{"name":%q,"inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`, name), schema.NewCache())
	if err != nil {
		t.Fatal(err)
	}
	return &tool.Kernel{Descriptor: d, Run: run}
}

// pair is a world with a tile of one app and the background of another.
func pairOf(t *testing.T, o kerneltest.Options) (w *kerneltest.World, tile, background *kerneltest.Actor) {
	t.Helper()
	w = kerneltest.NewWorld(t, o)
	w.Attach("s1", false)
	w.Install(endpoint.App{ID: "notes", Name: "Notes", Version: "1.0.0", Hash: "h", Background: "b.html", Tiles: []endpoint.TilePage{{ID: "main", Path: "m.html"}}})
	if err := w.Open(context.Background(), "tile", "s1", "notes", "main", "1"); err != nil {
		t.Fatal(err)
	}
	tile, background = w.Actor("tile"), w.Actor("notes")
	for _, a := range []*kerneltest.Actor{tile, background} {
		if err := w.Connect(a); err != nil {
			t.Fatal(err)
		}
		w.Push(a, limit.EnvelopeIDMax, `{"name":"echo","inputSchema":{"type":"object"}}`)
	}
	w.Bus.Wait()
	w.Events()
	return w, tile, background
}

func answers(w *kerneltest.World) map[uint64]kerneltest.Event {
	synctest.Wait()
	out := map[uint64]kerneltest.Event{}
	for _, e := range w.Events() {
		if e.Kind == "ok" || e.Kind == "error" {
			out[e.ID] = e
		}
	}
	return out
}

// A handler that panics, hangs or answers nonsense settles its own call only.
func TestKernelToolsThatFail(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var cause error
		w, tile, _ := pairOf(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir), Tools: []*tool.Kernel{
			kernelTool(t, "test.panic", func(context.Context, tool.Call) ([]byte, error) { panic("no") }),
			kernelTool(t, "test.hang", func(ctx context.Context, _ tool.Call) ([]byte, error) {
				<-ctx.Done()
				cause = context.Cause(ctx)
				return nil, cause
			}),
			kernelTool(t, "test.nonsense", func(context.Context, tool.Call) ([]byte, error) { return []byte(`[1]`), nil }),
			kernelTool(t, "test.uncoded", func(context.Context, tool.Call) ([]byte, error) { return nil, errors.New("of the disk") }),
		}})
		defer w.Close(t)
		for i, name := range []string{"test.panic", "test.hang", "test.nonsense", "test.uncoded"} {
			w.Exec(tile, bus.Exec{ID: uint64(i + 1), Action: "tools.call", Payload: fmt.Appendf(nil, `{"target":"kernel","name":%q,"arguments":{}}`, name)})
		}
		time.Sleep(limit.CallTimeout)
		synctest.Wait()
		got := answers(w)
		for id, want := range map[uint64]fault.Code{1: fault.Internal, 2: fault.Timeout, 3: fault.OutputInvalid, 4: fault.Internal} {
			if code := fault.CodeOf(got[id].Err); code != want {
				t.Errorf("call %d: got %s, want %s", id, code, want)
			}
		}
		if s := fault.Sentence(got[4].Err); strings.Contains(s, "disk") {
			t.Errorf("the cause leaks: %s", s)
		}
		if fault.CodeOf(cause) != fault.Timeout {
			t.Errorf("the handler's context ended with %v", cause)
		}
	})
}

// The hops of one call, as docs/trace.md names them.
func TestTrace(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var hops []string
		w, tile, background := pairOf(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir), Trace: func(h bus.Hop) {
			mu.Lock()
			defer mu.Unlock()
			if h.ID == 7 {
				hops = append(hops, h.Name)
			}
		}})
		defer w.Close(t)
		w.Exec(tile, bus.Exec{ID: 7, Action: "tools.call", Payload: []byte(`{"target":"app:notes:background","name":"echo","arguments":{}}`)})
		synctest.Wait()
		for _, e := range w.Events() {
			if e.Kind == "deliver" {
				w.Bus.Response(background.Shell, background.Ref(), e.ID, []byte(`{}`), nil)
			}
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if want := []string{"bus.Exec", "bus.decide", "bus.deliver", "bus.Response", "bus.settle"}; !slices.Equal(hops, want) {
			t.Errorf("got %v, want %v", hops, want)
		}
	})
}

// Identity comes from the connection: another shell, or an old connection, is
// not believed, whatever it names (attack cases 1 and 4).
func TestForeignShell(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w, tile, background := pairOf(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir)})
		defer w.Close(t)
		thief := w.Attach("s2", false)
		call := bus.Exec{ID: 1, Action: "tools.call", Payload: []byte(`{"target":"app:notes:background","name":"echo","arguments":{}}`)}
		w.Bus.Exec(thief, tile.Ref(), call)
		if got := answers(w)[1]; got.Shell != "s2" || fault.CodeOf(got.Err) != fault.EndpointGone {
			t.Fatalf("an exec in another shell's frame: %+v", got)
		}
		w.Exec(tile, call)
		synctest.Wait()
		var number uint64
		for _, e := range w.Events() {
			number = e.ID
		}
		w.Bus.Response(thief, background.Ref(), number, []byte(`"stolen"`), nil)
		w.Bus.ProgressFrom(thief, background.Ref(), number, []byte(`"stolen"`))
		w.Bus.CancelExec(thief, tile.Ref(), 1)
		synctest.Wait()
		if e := w.Events(); len(e) != 0 {
			t.Fatalf("another shell settled the call: %+v", e)
		}
		old := tile.Ref()
		if err := w.Connect(tile); err != nil {
			t.Fatal(err)
		}
		w.Events()
		w.Bus.Exec(tile.Shell, old, bus.Exec{ID: 2, Action: "ping", Payload: []byte(`{}`)})
		if got := answers(w)[2]; fault.CodeOf(got.Err) != fault.EndpointGone {
			t.Errorf("an exec on an old connection: %+v", got)
		}
	})
}

// decided lets the owner allow a call of daybook while the disk does what it
// does, and gives what everybody heard.
func decided(t *testing.T, d *failing, meanwhile func(w *kerneltest.World, caller, target *kerneltest.Actor)) []kerneltest.Event {
	t.Helper()
	w, _, target := pairOf(t, kerneltest.Options{Disk: d})
	defer w.Close(t)
	w.Install(endpoint.App{ID: "daybook", Name: "Daybook", Version: "1.0.0", Hash: "h", Background: "b.html"})
	caller := w.Actor("daybook")
	if err := w.Connect(caller); err != nil {
		t.Fatal(err)
	}
	w.Exec(caller, bus.Exec{ID: 1, Action: "tools.call", Payload: []byte(`{"target":"app:notes:background","name":"echo","arguments":{}}`)})
	synctest.Wait()
	w.Events()
	q := w.Desk.Snapshot()[0]
	for _, err := range []error{w.Desk.Open(q.Id), w.Desk.Shown(q.Id)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(limit.QuestionArm)
	d.mu.Lock()
	d.during = func() {
		meanwhile(w, caller, target)
		synctest.Wait() // a connection's lane takes the news in its own time; the disk may be faster
	}
	d.mu.Unlock()
	if err := w.Desk.Answer(q.Id, consent.Once, q.Digest, 0); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	d.fail(nil)
	return w.Events()
}

// The owner's decision is on disk before the delivery: when it cannot be
// written, nothing is delivered.
func TestDecisionThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d := &failing{Disk: kerneltest.Disk(t, dir)}
		d.fail(fault.New("test", fault.StoreFull, "", ""))
		events := decided(t, d, func(*kerneltest.World, *kerneltest.Actor, *kerneltest.Actor) {})
		if len(events) != 1 || fault.CodeOf(events[0].Err) != fault.StoreFull {
			t.Errorf("got %+v, want the caller told STORE_FULL and nobody else anything", events)
		}
	})
}

// What changes between the owner's word and the delivery stops the delivery.
func TestChangedWhileDecided(t *testing.T) {
	cases := map[string]struct {
		meanwhile func(w *kerneltest.World, caller, target *kerneltest.Actor)
		code      fault.Code // "": the caller is gone
	}{
		"the tool is another": {func(w *kerneltest.World, _, target *kerneltest.Actor) {
			w.Push(target, 5, `{"name":"echo","title":"Delete all","inputSchema":{"type":"object"}}`)
		}, fault.RequestCancelled},
		"the tool is gone": {func(w *kerneltest.World, _, target *kerneltest.Actor) { w.Push(target, 5) }, fault.RequestCancelled},
		"the target starts again": {func(w *kerneltest.World, _, target *kerneltest.Actor) {
			if err := w.Connect(target); err != nil {
				panic(err)
			}
		}, fault.RequestCancelled},
		"the caller cancels": {func(w *kerneltest.World, caller, _ *kerneltest.Actor) {
			w.Bus.CancelExec(caller.Shell, caller.Ref(), 1)
		}, fault.Cancelled},
		"the caller goes": {func(w *kerneltest.World, caller, _ *kerneltest.Actor) {
			w.End(caller, true, fault.EndpointGone)
		}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				var code fault.Code
				for _, e := range decided(t, &failing{Disk: kerneltest.Disk(t, dir)}, c.meanwhile) {
					switch {
					case e.Kind == "deliver":
						t.Error("it was delivered")
					case e.Kind == "error" && e.ID == 1:
						code = fault.CodeOf(e.Err)
					}
				}
				if code != c.code {
					t.Errorf("the caller got %q, want %q", code, c.code)
				}
			})
		})
	}
}

// The registry's word counts, not the news of it: while the news that the
// target was replaced is held up, nothing is delivered to it.
func TestLateNews(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		events := decided(t, &failing{Disk: kerneltest.Disk(t, dir)}, func(w *kerneltest.World, _, target *kerneltest.Actor) {
			w.Install(endpoint.App{ID: "apple", Name: "Apple", Version: "1.0.0", Hash: "h", Background: "b.html"})
			target.Shell.Slow = func() { <-hold }
			go w.Remove("apple") // its end is being told, for long
			time.Sleep(time.Millisecond)
			w.Install(endpoint.App{ID: "notes", Name: "Notes", Version: "2.0.0", Hash: "h2", Background: "b.html"})
			go func() {
				time.Sleep(time.Second)
				close(hold)
			}()
		})
		for _, e := range events {
			if e.Kind == "deliver" {
				t.Errorf("delivered to an endpoint that was replaced: %+v", e)
			}
		}
	})
}

// Lists of costly schemas, one after the other, hold up nobody but their
// sender: a message of another connection is answered before they are judged.
func TestCostlyPushHoldsUpNobody(t *testing.T) {
	w, tile, background := pairOf(t, kerneltest.Options{})
	defer w.Close(t)
	const pushes = 8
	for n := range pushes {
		var list []string
		for i := range limit.ToolsPerEndpoint {
			list = append(list, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object","properties":{"p%d":{"pattern":"^[a-z]{1,20}[0-9]{1,%d}$"}}}}`, i, n, 1+i%9))
		}
		w.Push(background, uint64(n+1), list...)
	}
	w.Exec(tile, bus.Exec{ID: 99, Action: "ping", Payload: []byte(`{}`)})
	w.Bus.Wait()
	for i, e := range w.Events() {
		if e.Ref == tile.Ref() {
			if i == pushes {
				t.Error("the other connection waited for all of them")
			}
			return
		}
	}
	t.Error("the other connection got no answer")
}

// A connection that sends more than can be judged is ended with FLOOD, its
// messages dropped; others go on.
func TestFlood(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		release := sync.OnceFunc(func() { close(hold) })
		w, tile, background := pairOf(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir), Trace: func(h bus.Hop) {
			if h.ID == 1 && h.Name == "bus.Exec" {
				<-hold
			}
		}})
		defer w.Close(t)
		defer release()
		w.Exec(tile, bus.Exec{ID: 1, Action: "tools.list", Payload: []byte(`{"target":"kernel"}`)})
		synctest.Wait()
		ping := bus.Exec{ID: 2, Action: "ping", Payload: []byte(`{}`)}
		for range limit.LaneMessages {
			w.Exec(tile, ping)
		}
		synctest.Wait()
		events := w.Events()
		if len(events) != 1 || events[0].Kind != "close" || events[0].Ref.Frame != tile.Frame.ID || fault.CodeOf(events[0].Err) != fault.Flood {
			t.Fatalf("after one message too many: %d events, the first %+v", len(events), events[0])
		}
		w.Exec(background, bus.Exec{ID: 3, Action: "ping", Payload: []byte(`{}`)})
		if got := answers(w)[3]; got.Err != nil || got.Kind != "ok" {
			t.Errorf("the other connection: %+v", got)
		}
		release()
		synctest.Wait()
		if e := w.Events(); len(e) != 0 {
			t.Errorf("a flooded connection's messages were handled: %d answers", len(e))
		}
	})
}

// Bytes count like messages.
func TestFloodOfBytes(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		release := sync.OnceFunc(func() { close(hold) })
		w, tile, _ := pairOf(t, kerneltest.Options{Disk: kerneltest.Disk(t, dir), Trace: func(h bus.Hop) {
			if h.ID == 1 && h.Name == "bus.Exec" {
				<-hold
			}
		}})
		defer w.Close(t)
		defer release()
		w.Exec(tile, bus.Exec{ID: 1, Action: "tools.list", Payload: []byte(`{"target":"kernel"}`)})
		synctest.Wait()
		big := bus.Exec{ID: 2, Action: "ping", Payload: make([]byte, 1<<20)}
		for range limit.LaneBytes/len(big.Payload) - 1 {
			w.Exec(tile, big)
		}
		synctest.Wait()
		if e := w.Events(); len(e) != 0 {
			t.Fatalf("below the limit: %+v", e[0].Kind)
		}
		w.Exec(tile, big)
		synctest.Wait()
		if e := w.Events(); len(e) != 1 || fault.CodeOf(e[0].Err) != fault.Flood {
			t.Errorf("over the limit: %d events", len(e))
		}
	})
}

// Waiting for the end while messages still come is no fault.
func TestWaitWhileMessagesCome(t *testing.T) {
	w, tile, _ := pairOf(t, kerneltest.Options{})
	defer w.Close(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range 300 {
				w.Exec(tile, bus.Exec{ID: uint64(n + 1), Action: "ping", Payload: []byte(`{}`)})
			}
		})
		wg.Go(func() {
			for range 100 {
				w.Bus.Wait()
			}
		})
	}
	wg.Wait()
	w.Bus.Wait()
	if n := len(w.Events()); n != 4*300 {
		t.Errorf("%d answers to 1200 pings", n)
	}
}

// A push is in force before whatever its connection sends next, however dear
// the push is and however quickly the next message follows.
func TestOrderWithinAConnection(t *testing.T) {
	w, _, background := pairOf(t, kerneltest.Options{})
	defer w.Close(t)
	const rounds = 60
	for n := range uint64(rounds) {
		w.Push(background, 1_000+n, fmt.Sprintf(`{"name":"v%d","inputSchema":{"type":"object","properties":{"p":{"pattern":"^[a-z]{1,%d}$"}}}}`, n, n+1))
		w.Exec(background, bus.Exec{ID: 2_000 + n, Action: "tools.list", Payload: []byte(`{"target":"app:notes:background"}`)})
	}
	w.Bus.Wait()
	last := uint64(0)
	for _, e := range w.Events() {
		if e.ID < 2_000 {
			continue
		}
		if e.ID <= last {
			t.Errorf("%d was answered after %d", e.ID, last)
		}
		last = e.ID
		if want := fmt.Sprintf(`"name":"v%d"`, e.ID-2_000); !strings.Contains(string(e.Payload), want) {
			t.Errorf("listing %d does not have the push before it: %s %v", e.ID, e.Payload, e.Err)
		}
	}
	if last != 2_000+rounds-1 {
		t.Errorf("the last listing is %d", last)
	}
}
