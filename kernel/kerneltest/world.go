// Package kerneltest plays scenarios on the real kernel packages: fake shells
// with fake frames stand where the workspace page and its iframes are, and all
// else is the product. It is imported by tests only.
package kerneltest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"neutron/kernel/appdata"
	"neutron/kernel/audit"
	"neutron/kernel/bus"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/store"
	"neutron/kernel/tool"
)

// Event is one thing that the kernel told a shell.
type Event struct {
	Shell   string
	Kind    string // mount, close, deliver, cancel, ok, error, progress
	Ref     endpoint.Ref
	ID      uint64 // the exec's, or the delivery's
	Action  string
	Payload []byte
	Err     error
	Frame   endpoint.Frame // mounts only
}

// Shell is a fake attached shell. It queues what it is told. Slow, if set, holds
// up each Unmount and with it every news that the registry has to tell.
type Shell struct {
	Slow  func()
	name  string
	world *World
}

// ID is endpoint.Shell's.
func (s *Shell) ID() string { return s.name }

// Mount is endpoint.Shell's.
func (s *Shell) Mount(f endpoint.Frame) {
	s.world.add(Event{Shell: s.name, Kind: "mount", Ref: endpoint.Ref{Frame: f.ID}, Frame: f})
}

// Unmount is endpoint.Shell's.
func (s *Shell) Unmount(id endpoint.FrameID, err error) {
	if s.Slow != nil {
		s.Slow()
	}
	s.world.add(Event{Shell: s.name, Kind: "close", Ref: endpoint.Ref{Frame: id}, Err: err})
}

// Deliver is endpoint.Shell's.
func (s *Shell) Deliver(ref endpoint.Ref, call uint64, action string, payload, _ []byte) {
	s.world.add(Event{Shell: s.name, Kind: "deliver", Ref: ref, ID: call, Action: action, Payload: payload})
}

// CancelDelivery is endpoint.Shell's.
func (s *Shell) CancelDelivery(ref endpoint.Ref, call uint64) {
	s.world.add(Event{Shell: s.name, Kind: "cancel", Ref: ref, ID: call})
}

// Respond is endpoint.Shell's.
func (s *Shell) Respond(ref endpoint.Ref, id uint64, ok []byte, err error) {
	kind := "ok"
	if err != nil {
		kind = "error"
	}
	s.world.add(Event{Shell: s.name, Kind: kind, Ref: ref, ID: id, Payload: ok, Err: err})
}

// Progress is endpoint.Shell's.
func (s *Shell) Progress(ref endpoint.Ref, id uint64, value []byte) {
	s.world.add(Event{Shell: s.name, Kind: "progress", Ref: ref, ID: id, Payload: value})
}

// Actor is one fake frame.
type Actor struct {
	Name  string
	Shell *Shell
	Frame endpoint.Frame
	Conn  uint64
}

// Ref is the actor's present connection.
func (a *Actor) Ref() endpoint.Ref { return endpoint.Ref{Frame: a.Frame.ID, Conn: a.Conn} }

// World is one kernel with its fake shells.
type World struct {
	Registry *endpoint.Registry
	Desk     *consent.Desk
	Audit    *audit.Log
	Bus      *bus.Bus
	Data     *appdata.Data // nil without a store

	store  *store.Store
	shells map[string]*Shell

	mu     sync.Mutex // protects everything below
	apps   map[string]endpoint.App
	uids   uint64
	events []Event
	actors map[string]*Actor
}

// Options of a world. Store holds what apps keep and, without Disk, the audit; with
// neither there is a new one. Trace may be nil.
type Options struct {
	Store *store.Store
	Disk  audit.Disk
	Trace func(bus.Hop)
	Tools []*tool.Kernel // added to the kernel's own
}

// NewWorld builds the kernel. It is closed at the end of the test.
func NewWorld(t testing.TB, o Options) *World {
	t.Helper()
	w := &World{apps: map[string]endpoint.App{}, shells: map[string]*Shell{}, actors: map[string]*Actor{}}
	w.Registry = endpoint.New(endpoint.Options{Addresser: w})
	w.Desk = consent.New(consent.Options{})
	if o.Store == nil && o.Disk == nil {
		o.Store = Store(t, t.TempDir())
	}
	if o.Disk == nil {
		o.Disk = audit.OnStore(o.Store)
	}
	log, err := audit.Start(o.Disk, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.Audit = log
	tools := append(o.Tools, tool.AppsList(w.Registry), tool.AppsDescribe(w.Registry), tool.EndpointsList(w.Registry),
		tool.PermissionsRequest(), tool.AuditList(w.Audit))
	options := bus.Options{Registry: w.Registry, Desk: w.Desk, Audit: w.Audit, Tools: tool.NewSet(tools...), Trace: o.Trace}
	if w.store = o.Store; o.Store != nil {
		if w.Data, err = appdata.Open(o.Store); err != nil {
			t.Fatal(err)
		}
		options.Data = w.Data
	}
	w.Bus = bus.New(options)
	return w
}

// Close ends the run and waits for everything that was started.
func (w *World) Close(t testing.TB) {
	t.Helper()
	locked := fault.New("kerneltest.close", fault.Locked, "", "")
	w.Registry.EndRun(locked)
	w.Desk.EndRun(locked)
	for name := range w.shells {
		w.Registry.Detach(name)
	}
	w.Bus.Wait()
	if w.Data != nil {
		w.Data.Close()
	}
	if err := w.Audit.Close(); err != nil {
		t.Error(err)
	}
	if n := w.Bus.InFlight(); n != 0 {
		t.Errorf("%d calls are still in flight after everything ended", n)
	}
}

// Address is endpoint.Addresser's.
func (w *World) Address(f endpoint.Frame, page string) (string, error) {
	return "http://" + f.Identity.App + ".localhost/" + page, nil
}

func (w *World) add(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
	if e.Kind == "mount" && e.Frame.Identity.Role == endpoint.Background {
		w.actors[e.Frame.Identity.App] = &Actor{Name: e.Frame.Identity.App, Shell: w.shells[e.Shell], Frame: e.Frame}
	}
}

// Events takes what the shells were told since the last time.
func (w *World) Events() []Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.events
	w.events = nil
	return e
}

// Attach adds a fake shell.
func (w *World) Attach(name string, held bool) *Shell {
	s := &Shell{name: name, world: w}
	w.shells[name] = s
	w.Registry.Attach(s, held)
	return s
}

// Detach takes a fake shell away.
func (w *World) Detach(name string) {
	w.Registry.Detach(name)
	delete(w.shells, name)
}

// Install puts one row; an app that is there keeps its uid and gets a new
// generation.
func (w *World) Install(a endpoint.App) {
	w.setApps(func() {
		if old, ok := w.apps[a.ID]; ok {
			a.UID, a.Generation = old.UID, old.Generation+1
		} else {
			w.uids++
			a.UID, a.Generation = w.uids, 1
		}
		w.apps[a.ID] = a
	})
}

// Remove takes one row away, and what the app keeps.
func (w *World) Remove(id string) {
	w.setApps(func() {
		if w.Data != nil {
			uid := w.apps[id].UID
			if err := w.store.Update(func(tx *store.Tx) error { return w.Data.Remove(tx, uid) }); err != nil {
				panic(err)
			}
		}
		delete(w.apps, id)
	})
}

func (w *World) setApps(change func()) {
	w.mu.Lock()
	change()
	rows := make([]endpoint.App, 0, len(w.apps))
	for _, a := range w.apps {
		rows = append(rows, a)
	}
	w.mu.Unlock()
	w.Registry.SetApps(rows)
	w.Desk.SetApps(rows)
}

// Actor finds a fake frame by name.
func (w *World) Actor(name string) *Actor {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.actors[name]
}

// Open opens a tile in a shell and names its frame.
func (w *World) Open(ctx context.Context, name, shell, app, tile, instance string) error {
	f, err := w.Registry.OpenTile(ctx, shell, app, tile, instance)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.actors[name] = &Actor{Name: name, Shell: w.shells[shell], Frame: f}
	return nil
}

// Connect completes one more handshake of a frame.
func (w *World) Connect(a *Actor) error {
	a.Conn++
	return w.Registry.Connected(a.Shell.name, a.Ref())
}

// End tells the kernel that a connection (or, with whole, the frame) ended.
func (w *World) End(a *Actor, whole bool, err error) {
	ref := a.Ref()
	if whole {
		ref.Conn = 0
	}
	w.Registry.Ended(a.Shell.name, ref, err)
}

// Exec sends an exec of a frame.
func (w *World) Exec(a *Actor, e bus.Exec) { w.Bus.Exec(a.Shell, a.Ref(), e) }

// Push exposes tools, given by their descriptors, and fails on a refusal.
func (w *World) Push(a *Actor, id uint64, descriptors ...string) {
	w.Exec(a, bus.Exec{ID: id, Action: "tools.push", Payload: fmt.Appendf(nil, `{"tools":[%s]}`, strings.Join(descriptors, ","))})
}

// nameOf is the actor of a frame, or its bare id.
func (w *World) nameOf(f endpoint.FrameID) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := make([]string, 0, len(w.actors))
	for n := range w.actors {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if w.actors[n].Frame.ID == f {
			return n
		}
	}
	return "?"
}
