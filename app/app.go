// Package app puts Neutron together: it finds the data directory, opens the
// store, builds the kernel, starts the listeners and runs a window or serves
// browsers. It is the only package that knows all the others.
package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"

	"neutron/app/place"
	"neutron/examples"
	"neutron/frontend"
	"neutron/kernel"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/store"
	"neutron/sandbox"
)

// Options say where and how an instance runs. The zero value is useful.
type Options struct {
	Version    string
	Data       string // data directory; empty: NEUTRON_DATA, then XDG
	Listen     string // address of the shell listener; empty: 127.0.0.1 and any port
	ShellURL   string // origin that browsers use for the shell, if a proxy shows another one
	SandboxURL string // pattern that browsers use for frames, e.g. http://*.localhost:8080
	Dev        bool   // for app authors: packages may come from http on this computer

	// Tests play an instance in memory.
	open func(address string) (net.Listener, error)
	log  *slog.Logger
}

// Instance is one running kernel with its listeners.
type Instance struct {
	place  place.Place
	store  *store.Store
	kernel *kernel.Kernel
	log    *slog.Logger

	shell, frames *http.Server
	shellOrigin   string
	sandboxURL    string

	stopped context.Context // ends when a shutdown is asked for
	stop    context.CancelFunc

	undo []func() error // what Close does, last first
	wg   sync.WaitGroup
	once sync.Once
}

// Start brings an instance up. STORE_LOCKED: another one runs on this data directory.
func Start(o Options) (*Instance, error) { return begin(o, (*Instance).listen) }

// begin takes the data directory, opens what is in it, and goes on with build.
func begin(o Options, build func(*Instance, Options) error) (*Instance, error) {
	i := new(Instance)
	i.stopped, i.stop = context.WithCancel(context.Background())
	err := i.start(o)
	if err == nil {
		err = build(i, o)
	}
	if err != nil {
		return nil, errors.Join(err, i.Close())
	}
	return i, nil
}

// Kernel is the instance's kernel.
func (i *Instance) Kernel() *kernel.Kernel { return i.kernel }

// Place is where the instance's data lives.
func (i *Instance) Place() place.Place { return i.place }

// SandboxURL is the base of every frame address, with a star for the label.
func (i *Instance) SandboxURL() string { return i.sandboxURL }

func (i *Instance) start(o Options) error {
	p, err := place.Resolve(o.Data)
	if err != nil {
		return err
	}
	i.place = p
	lock, err := p.Lock()
	if err != nil {
		return err
	}
	i.later(lock.Close)
	if err := i.openLog(o); err != nil {
		return err
	}
	if i.store, err = store.Open(p.Data, store.Options{Log: i.log}); err != nil {
		return err
	}
	i.later(i.store.Close)
	return nil
}

func (i *Instance) openLog(o Options) error {
	if o.log != nil {
		i.log = o.log
		return nil
	}
	log, err := i.place.Logger()
	if err != nil {
		return err
	}
	i.log = log.Logger
	i.later(log.Close)
	end, err := i.place.CrashFile()
	if err != nil {
		return err
	}
	i.later(end)
	return nil
}

// listen opens both listeners before the kernel is built: their addresses are part
// of every header and gate. Nothing is answered until all of it stands.
func (i *Instance) listen(o Options) error {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	inMemory := o.open != nil
	if !inMemory {
		o.open = open
	}
	wl, err := listen(o.Listen, o.open)
	if err != nil {
		return err
	}
	i.later(ignoreClosed(wl.Close))
	sl, err := listen("127.0.0.1:0", o.open)
	if err != nil {
		return err
	}
	i.later(ignoreClosed(sl.Close))
	el, err := listen("127.0.0.1:0", o.open)
	if err != nil {
		return err
	}
	i.later(ignoreClosed(el.Close))
	i.shellOrigin = or(o.ShellURL, "http://"+wl.Addr().String())
	_, port, err := net.SplitHostPort(sl.Addr().String())
	if err != nil {
		return fault.Wrap("app.listen", fault.Internal, "", err)
	}
	i.sandboxURL = or(o.SandboxURL, "http://*.localhost:"+port)

	files := new(lookup)
	box := sandbox.New(sandbox.Options{Lookup: files, ShellOrigin: func() string { return i.shellOrigin }, Log: i.log})
	if err := box.SetSandboxURL(i.sandboxURL); err != nil {
		return fault.Newf("app.listen", fault.InvalidRequest, i.sandboxURL, "%v", err)
	}
	i.kernel, err = kernel.New(kernel.Options{
		Store: i.store, Log: i.log, ShellFiles: frontend.Files(), Bundled: examples.Files(), Version: o.Version,
		ShellOrigin: i.shellOrigin, SandboxURL: i.sandboxURL, Addresser: addresser{box}, Sandbox: box,
		Egress: el.Addr().String(), Dev: o.Dev,
	})
	if err != nil {
		return err
	}
	files.k = i.kernel
	i.shell, i.frames = shellServer(i.kernel.Shell()), box.HTTPServer()
	i.serve(i.shell, sandbox.Limit(wl))
	i.serve(i.frames, sandbox.Limit(sl))
	i.serve(i.kernel.Egress(), sandbox.Limit(el))
	i.later(i.kernel.Close)
	if inMemory {
		return nil
	}
	return i.listenControl()
}

func (i *Instance) serve(s *http.Server, l net.Listener) {
	s.ErrorLog = slog.NewLogLogger(i.log.Handler(), slog.LevelWarn)
	i.wg.Go(func() {
		if err := closed(s.Serve(l)); err != nil {
			i.log.Error("a listener ended", "err", err)
		}
	})
	i.later(s.Close)
}

func (i *Instance) later(f func() error) { i.undo = append(i.undo, f) }

// Close ends links, listeners and the store, in the reverse order of their start,
// and waits for all of it. It may be called more than once.
func (i *Instance) Close() (err error) {
	i.once.Do(func() {
		for n := len(i.undo) - 1; n >= 0; n-- {
			err = errors.Join(err, i.undo[n]())
		}
		i.wg.Wait()
	})
	return err
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func ignoreClosed(f func() error) func() error { return func() error { return closed(f()) } }

// addresser lets the sandbox mint what the kernel's registry asks for; neither
// knows the other.
type addresser struct{ box *sandbox.Server }

// Address is endpoint.Addresser's.
func (a addresser) Address(f endpoint.Frame, page string) (string, error) {
	if f.Identity.Role == endpoint.Probe {
		return a.box.ProbeAddress(string(f.ID))
	}
	i := f.Identity
	return a.box.Address(sandbox.Site{App: i.App, UID: i.UID, Hash: i.Hash}, string(f.ID), page)
}

// lookup gives the sandbox the kernel's verified files. It is filled in before the
// sandbox listener answers.
type lookup struct{ k *kernel.Kernel }

// File is sandbox.Lookup's.
func (l *lookup) File(app string, uid uint64, hash, path string) ([]byte, string, bool) {
	return l.k.File(app, uid, hash, path)
}

// Connect is sandbox.Lookup's.
func (l *lookup) Connect(app string, uid uint64, hash string) []string {
	return l.k.Connect(app, uid, hash)
}

// Run serves until ctx ends, or a shutdown is asked for, and reports what went wrong while closing.
func (i *Instance) Run(ctx context.Context) error {
	ctx, cancel := i.until(ctx)
	defer cancel()
	<-ctx.Done()
	return i.Close()
}
