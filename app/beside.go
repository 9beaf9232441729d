package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"

	"connectrpc.com/connect"

	"neutron/app/place"
	"neutron/app/window"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/controlv1/controlv1connect"
	"neutron/kernel/remote"
)

// Beside is what `neutron` does when a kernel runs on this data directory already:
// it raises that kernel's window, or opens one on it. Without a display it prints a
// fresh address.
func Beside(ctx context.Context, o Options, out io.Writer) error {
	const op fault.Op = "app.beside"
	p, err := place.Resolve(o.Data)
	if err != nil {
		return err
	}
	c, err := remote.Reach(ctx, p.Socket)
	if err != nil {
		return err
	}
	var r *connect.Response[controlv1.OpenResponse]
	if c != nil {
		r, err = c.Open(ctx, connect.NewRequest(&controlv1.OpenRequest{Raise: true}))
	}
	if c == nil || err != nil {
		return fault.Newf(op, fault.StoreLocked, p.Data, "Another Neutron uses %s and does not answer.", p.Data)
	}
	if r.Msg.GetRaised() {
		return nil
	}
	if why := noWindow(); why != "" {
		_, err := fmt.Fprintf(out, "%s\nNeutron runs already. Its workspace is at\n\n  %s\n\n", why, r.Msg.GetLink())
		return err
	}
	far, err := attach(ctx, c)
	if err != nil {
		return fault.Wrap(op, fault.Internal, p.Socket, err)
	}
	defer far.close()
	return window.Run(ctx, far, window.Options{StateFile: filepath.Join(p.Data, "window.json"), Log: slog.New(slog.DiscardHandler)})
}

// farPeer joins a window of this process and a kernel of another one.
type farPeer struct {
	stream *connect.BidiStreamForClient[controlv1.AttachWindowRequest, controlv1.AttachWindowResponse]
	hear   chan *controlv1.AttachWindowResponse
	cancel context.CancelFunc
	mu     sync.Mutex // one Send at a time
	wg     sync.WaitGroup
}

func attach(ctx context.Context, c controlv1connect.ControlServiceClient) (*farPeer, error) {
	ctx, cancel := context.WithCancel(ctx)
	f := &farPeer{stream: c.AttachWindow(ctx), hear: make(chan *controlv1.AttachWindowResponse, limit.WindowQueue), cancel: cancel}
	if err := f.stream.Send(nil); err != nil { // the headers, so that the kernel may speak first
		cancel()
		return nil, err
	}
	f.wg.Go(func() {
		defer close(f.hear) // the window quits when the kernel is gone
		for {
			m, err := f.stream.Receive()
			if err != nil {
				return
			}
			select {
			case f.hear <- m:
			case <-ctx.Done():
				return
			}
		}
	})
	return f, nil
}

// Tell is window.Peer's.
func (f *farPeer) Tell(m *controlv1.AttachWindowRequest) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stream.Send(m) != nil {
		f.cancel() // the kernel is gone; hear closes
	}
}

// Hear is window.Peer's.
func (f *farPeer) Hear() <-chan *controlv1.AttachWindowResponse { return f.hear }

func (f *farPeer) close() {
	f.cancel()
	f.wg.Wait()
}
