// Package kernel is the only authority of Neutron: it owns the store, the
// installed apps, the frames, the bus, the owner's questions and the link to
// every shell, and it is the only door to them for package app.
//
// Lock order: a lock of this package is never held while another package is
// called. Callbacks of the packages below (a frame changed, a question came) push
// a part of the state to every shell and return.
package kernel

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"neutron/kernel/appdata"
	"neutron/kernel/audit"
	"neutron/kernel/bus"
	"neutron/kernel/consent"
	"neutron/kernel/egress"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/link"
	"neutron/kernel/proto"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/schema"
	"neutron/kernel/store"
	"neutron/kernel/tool"
)

// Sandbox is what the kernel asks of the listener that serves apps' bytes.
type Sandbox interface {
	// Retire ends what an app had under any other uid or hash. Hash "" ends all of it.
	Retire(app string, uid uint64, hash string)
	// Forget ends every address that was ever minted.
	Forget()
}

// Options of a kernel. Log may be nil.
type Options struct {
	Store       *store.Store
	Log         *slog.Logger
	ShellFiles  fs.FS // the built shell page
	Bundled     fs.FS // packages that come with this build, *.neutron at its root
	Version     string
	ShellOrigin string // e.g. http://127.0.0.1:1234
	SandboxURL  string // e.g. http://*.localhost:1235
	Egress      string // e.g. 127.0.0.1:1236, where Kernel.Egress listens; empty: the window has no way out
	Dev         bool   // for app authors: packages may come from http on this computer
	Addresser   endpoint.Addresser
	Sandbox     Sandbox
	Trace       func(bus.Hop) // sees every hop of every call; nil: nobody does
}

// Kernel is one running kernel.
type Kernel struct {
	o      Options
	log    *slog.Logger
	store  *store.Store
	mark   *linkv1.OwnerMark
	frames *endpoint.Registry
	desk   *consent.Desk
	audit  *audit.Log
	apps   *install.Apps
	data   *appdata.Data
	bus    *bus.Bus
	link   *link.Server
	egress *egress.Proxy

	refused  atomic.Uint64  // messages that the shells refused by themselves
	ever     atomic.Bool    // anything was ever installed
	wg       sync.WaitGroup // every goroutine of this package
	changing sync.Mutex     // makes appsChanged one at a time; taken before any other lock
	docsMu   sync.Mutex     // makes pushDocs one at a time; taken before mu

	mu       sync.Mutex // guards all below; no other package is called under it
	shells   []*shell   // oldest first
	window   *window
	locked   bool
	closed   bool
	diskFull bool
	stall    *linkv1.StallReport
	left     *left // of the window's last page; nil once it was judged
}

// New builds a kernel over an open store. Its handlers answer at once; Close ends it.
func New(o Options) (*Kernel, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	k := &Kernel{o: o, log: o.Log, store: o.Store}
	var err error
	if k.mark, err = ownerMark(o.Store); err != nil {
		return nil, err
	}
	ever, err := everInstalled(o.Store)
	if err != nil {
		return nil, err
	}
	k.ever.Store(ever)
	k.frames = endpoint.New(endpoint.Options{Addresser: o.Addresser, OnChange: k.pushFrames})
	k.desk = consent.New(consent.Options{OnChange: k.pushQuestions})
	if k.audit, err = audit.Start(audit.OnStore(o.Store), audit.Options{Log: o.Log, Failed: k.noteDisk}); err != nil {
		return nil, err
	}
	if err := k.build(); err != nil {
		if e := k.audit.Close(); e != nil {
			o.Log.Error("audit", "err", e)
		}
		return nil, err
	}
	return k, nil
}

func (k *Kernel) build() (err error) {
	if k.apps, err = install.Open(k.store, install.Options{Bundled: k.o.Bundled, Log: k.log, Dev: k.o.Dev}); err != nil {
		return err
	}
	if k.data, err = appdata.Open(k.store); err != nil {
		return err
	}
	k.bus = bus.New(bus.Options{
		Data: k.data, Registry: k.frames, Desk: k.desk, Audit: k.audit, Log: k.log, Schemas: schema.NewCache(), Trace: k.o.Trace,
		Tools: tool.NewSet(
			tool.AppsList(k.frames), tool.AppsDescribe(k.frames), tool.EndpointsList(k.frames),
			tool.PermissionsRequest(), tool.AuditList(k.audit),
		),
	})
	k.link, err = link.New(link.Options{
		Host: k, Files: k.o.ShellFiles, Origin: k.o.ShellOrigin, Sandbox: k.o.SandboxURL, Hash: proto.Hash, Log: k.log,
	})
	if err != nil {
		return err
	}
	k.egress = egress.New(egress.Options{Began: k.connecting, Log: k.log})
	k.appsChanged()
	return nil
}

// Shell is the handler of the shell listener.
func (k *Kernel) Shell() http.Handler { return k.link }

// run starts a goroutine that Close waits for; false: the kernel is closing.
func (k *Kernel) run(f func()) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return false
	}
	k.wg.Go(f)
	return true
}

// Close ends every shell, the window, and all work, and writes the audit down. The
// store stays open: it is the caller's.
func (k *Kernel) Close() error {
	k.mu.Lock()
	if k.closed {
		k.mu.Unlock()
		return nil
	}
	k.closed = true
	w := k.window
	k.mu.Unlock()
	why := fault.New("kernel.close", fault.NoShell, "", "Neutron is closing.")
	k.frames.EndRun(why)
	k.desk.EndRun(why)
	k.link.Close()
	k.egress.Close()
	if w != nil {
		w.quit()
	}
	k.wg.Wait()
	k.bus.Wait()
	k.data.Close()
	k.apps.Close()
	return k.audit.Close()
}

// Status is what `neutron status` and doctor ask for.
type Status struct {
	Version, Workspace, Sandbox, ProtocolHash string
	Window, Locked                            bool
	Shells, Frames                            int
	Refused                                   uint64 // requests, hellos, frames and messages turned away since the start
}

// Status says how the kernel is.
func (k *Kernel) Status() Status {
	k.mu.Lock()
	s := Status{Window: k.window != nil, Locked: k.locked, Shells: len(k.shells)}
	k.mu.Unlock()
	s.Version, s.Workspace, s.Sandbox, s.ProtocolHash = k.o.Version, k.o.ShellOrigin+"/", k.o.SandboxURL, proto.Hash
	s.Frames = len(k.frames.Live())
	s.Refused = k.link.Refused() + k.bus.Refused() + k.egress.Refused() + k.refused.Load()
	return s
}

// FollowAudit sends each call that is settled from now on until ctx ends.
func (k *Kernel) FollowAudit(ctx context.Context) <-chan *linkv1.AuditEntry {
	return k.audit.Follow(ctx)
}

// QueryAudit reads the durable log, newest first.
func (k *Kernel) QueryAudit(q *linkv1.QueryAudit) (*linkv1.AuditPage, error) { return k.audit.Query(q) }
