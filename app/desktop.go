package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"neutron/app/window"
	"neutron/kernel"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
)

// Window opens the workspace window: on a kernel of its own, or on the one that
// runs on this data directory already. Without a display it serves browsers.
func Window(ctx context.Context, o Options, out io.Writer) error {
	i, err := Start(o)
	if fault.CodeOf(err) == fault.StoreLocked {
		return Beside(ctx, o, out)
	}
	if err != nil {
		return err
	}
	defer i.Close() // reported below; this one is for early returns
	if why := noWindow(); why != "" {
		if _, err := fmt.Fprintln(out, why); err != nil {
			return fault.Wrap("app.window", fault.Internal, "", err)
		}
		if err := announce(i, false, out); err != nil {
			return fault.Wrap("app.window", fault.Internal, "", err)
		}
		return i.Run(ctx)
	}
	ctx, cancel := i.until(ctx)
	defer cancel()
	p := newPeer(i.kernel)
	defer p.end()
	err = window.Run(ctx, p, windowOptions(i))
	p.end()
	if e := i.Close(); err == nil {
		err = e
	}
	return err
}

func windowOptions(i *Instance) window.Options {
	return window.Options{StateFile: filepath.Join(i.place.Data, "window.json"), Log: i.log}
}

// noWindow says why this process cannot show a window; "": it can.
func noWindow() string {
	switch {
	case !window.Available:
		return "This build of Neutron has no window."
	case runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return "There is no display, so Neutron serves the workspace to a browser."
	}
	return ""
}

// peer joins a window and a kernel of one process.
type peer struct {
	recv   func(*controlv1.AttachWindowRequest)
	detach func()
	hear   chan *controlv1.AttachWindowResponse
	done   chan struct{}
	end    func()
}

func newPeer(k *kernel.Kernel) *peer {
	p := &peer{hear: make(chan *controlv1.AttachWindowResponse, limit.WindowQueue), done: make(chan struct{})}
	p.recv, p.detach = k.AttachWindow(func(m *controlv1.AttachWindowResponse) {
		select {
		case p.hear <- m:
		case <-p.done:
		}
	})
	p.end = sync.OnceFunc(func() { close(p.done); p.detach() })
	return p
}

// Tell is window.Peer's.
func (p *peer) Tell(m *controlv1.AttachWindowRequest) { p.recv(m) }

// Hear is window.Peer's.
func (p *peer) Hear() <-chan *controlv1.AttachWindowResponse { return p.hear }
