package endpoint_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

func notes() endpoint.App {
	return endpoint.App{ID: "notes", Name: "Notes", Version: "1.0.0", Hash: "h", Background: "b.html", Tiles: []endpoint.TilePage{{ID: "main", Path: "m.html"}}}
}

func world(t *testing.T) *kerneltest.World {
	t.Helper()
	w := kerneltest.NewWorld(t, kerneltest.Options{})
	t.Cleanup(func() { w.Close(t) })
	w.Attach("s1", false)
	w.Attach("s2", false)
	w.Install(notes())
	return w
}

func want(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Errorf("%s: got %q (%v), want %q", what, got, err, code)
	}
}

// The numbers of a frame's connections grow, and only the shell that hosts the
// frame can speak of it.
func TestConnectionsAreTheHosts(t *testing.T) {
	w := world(t)
	r, f := w.Registry, w.Actor("notes").Frame
	ref := func(conn uint64) endpoint.Ref { return endpoint.Ref{Frame: f.ID, Conn: conn} }
	var ended []endpoint.Ref
	r.OnEnd(func(ref endpoint.Ref, _ error) { ended = append(ended, ref) })

	want(t, "a handshake told by another shell", r.Connected("s2", ref(1)), fault.EndpointGone)
	want(t, "a frame nobody minted", r.Connected("s1", endpoint.Ref{Frame: "0", Conn: 1}), fault.EndpointGone)
	want(t, "connection 0", r.Connected("s1", ref(0)), fault.InvalidRequest)
	want(t, "the first", r.Connected("s1", ref(3)), "")
	want(t, "the same number", r.Connected("s1", ref(3)), fault.InvalidRequest)
	want(t, "a smaller number", r.Connected("s1", ref(2)), fault.InvalidRequest)
	if _, ok := r.Resolve(ref(3)); !ok || len(ended) != 0 {
		t.Fatalf("the connection is not live; ended %v", ended)
	}
	want(t, "the next", r.Connected("s1", ref(4)), "")
	if _, ok := r.Resolve(ref(3)); ok {
		t.Error("the old connection is still live")
	}
	r.Ended("s2", ref(0), fault.EndpointGone)
	r.Ended("s1", ref(3), fault.EndpointGone)
	want(t, "closing in another shell", r.Close("s2", f.ID), fault.EndpointGone)
	if e, ok := r.Lookup(f.Endpoint); !ok || e.Ref != ref(4) {
		t.Error("a foreign or late end reached the live connection")
	}
	r.Ended("s1", ref(4), fault.EndpointGone)
	r.Ended("s1", ref(4), fault.EndpointGone)
	if len(ended) != 2 || ended[0] != ref(3) || ended[1] != ref(4) {
		t.Errorf("listeners heard of %v, want each connection once", ended)
	}
}

// The bridge probe is mounted whatever the gate says, and is never an endpoint.
func TestProbeIsNoEndpoint(t *testing.T) {
	w := world(t)
	w.Attach("s3", true)
	f, err := w.Registry.Probe("s3", "n1")
	want(t, "the probe", err, "")
	if e := w.Events(); e[len(e)-1].Frame.Nonce != "n1" || e[len(e)-1].Shell != "s3" {
		t.Errorf("mounted %+v", e[len(e)-1])
	}
	ref := endpoint.Ref{Frame: f.ID, Conn: 1}
	want(t, "its handshake", w.Registry.Connected("s3", ref), "")
	if _, ok := w.Registry.Resolve(ref); ok {
		t.Error("the probe can call")
	}
	if n := len(w.Registry.Live()); n != 0 {
		t.Errorf("%d endpoints are live", n)
	}
	for _, s := range w.Registry.Snapshot("s3") {
		if s.FrameId == string(f.ID) {
			t.Error("the probe is shown to the owner")
		}
	}
	want(t, "its end", w.Registry.Close("s3", f.ID), "")
	_, err = w.Registry.Probe("nobody", "n2")
	want(t, "a probe without a shell", err, fault.NoShell)
}

// 96 tiles, not 97; a restart of the same instance is none more.
func TestTilesAreBounded(t *testing.T) {
	w := world(t)
	for range limit.TilesOpen {
		_, err := w.Registry.OpenTile(t.Context(), "s1", "notes", "main", "")
		want(t, "a tile", err, "")
	}
	_, err := w.Registry.OpenTile(t.Context(), "s1", "notes", "main", "")
	want(t, "one more", err, fault.Limit)
}

// Whoever waits for the gate may give up.
func TestGivingUpAtTheGate(t *testing.T) {
	w := world(t)
	w.Attach("s3", true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := w.Registry.OpenTile(ctx, "s3", "notes", "main", "")
	want(t, "given up", err, fault.Cancelled)
	for _, s := range w.Registry.Snapshot("s3") {
		if s.Role == linkv1.Role_ROLE_TILE {
			t.Errorf("it is still listed: %v", s)
		}
	}
}

// refusing gives no address.
type refusing struct{}

func (refusing) Address(endpoint.Frame, string) (string, error) {
	return "", fault.New("test", fault.Internal, "", "no listener")
}

func TestNoAddress(t *testing.T) {
	r := endpoint.New(endpoint.Options{Addresser: refusing{}})
	w := world(t)
	r.Attach(w.Attach("s9", false), false)
	a := notes()
	a.UID, a.Generation = 1, 1
	r.SetApps([]endpoint.App{a})
	_, err := r.OpenTile(t.Context(), "s9", "notes", "main", "")
	want(t, "a tile", err, fault.Internal)
	s := r.Snapshot("s9")
	if len(s) != 1 || s[0].Status != linkv1.FrameStatus_FRAME_STATUS_BLOCKED || s[0].Code != string(fault.Internal) {
		t.Errorf("the background is shown as %v", s)
	}
}

// Many goroutines open, connect, end and look; the race detector and the
// counts judge. Every connection that began has ended once.
func TestManyAtOnce(t *testing.T) {
	w := world(t)
	var mu sync.Mutex
	ended := map[endpoint.Ref]int{}
	w.Registry.OnEnd(func(ref endpoint.Ref, _ error) {
		mu.Lock()
		defer mu.Unlock()
		ended[ref]++
	})
	var wg sync.WaitGroup
	var begun sync.Map
	for i := range 8 {
		wg.Go(func() {
			for n := range 40 {
				shell := []string{"s1", "s2"}[(i+n)%2]
				f, err := w.Registry.OpenTile(t.Context(), shell, "notes", "main", "")
				if err != nil {
					if !errors.Is(err, fault.AppUnknown) {
						t.Error(err)
					}
					continue
				}
				ref := endpoint.Ref{Frame: f.ID, Conn: 1}
				if w.Registry.Connected(shell, ref) == nil {
					begun.Store(ref, true)
				}
				w.Registry.Snapshot(shell)
				if n%3 == 0 {
					w.Registry.Ended(shell, ref, fault.Navigated)
				}
				_ = w.Registry.Close(shell, f.ID) // it may have been superseded
			}
		})
	}
	wg.Go(func() {
		for range 20 {
			w.Install(notes())
		}
	})
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	begun.Range(func(ref, _ any) bool {
		if n := ended[ref.(endpoint.Ref)]; n != 1 {
			t.Errorf("a connection ended %d times", n)
		}
		return true
	})
}
