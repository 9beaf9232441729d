//go:build desktop && linux

package window

import (
	"context"
	_ "embed"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"neutron/kernel/fault"
)

//go:embed icon.png
var icon []byte

// Available says whether this build has a window.
const Available = true

// Run opens the window and returns when it was closed: by the owner, by the kernel's Quit or the end
// of its channel, by ctx, or by SIGTERM. No process of the web view is alive then. It takes
// over the calling thread, which becomes GTK's, and may be called once per process.
// It fails with NOT_SUPPORTED when there is no display or WebKit's process sandbox cannot start.
func Run(ctx context.Context, peer Peer, o Options) error {
	const op fault.Op = "window.Run"
	runtime.LockOSThread() // GTK and WebKit belong to this thread from the first call on
	if !display() {
		return fault.New(op, fault.NotSupported, "display", "There is no display here; use neutron serve.")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	adoptOrphans()
	if err := prepareWeb(ctx); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "neutron-window-")
	if err != nil {
		return fault.Wrap(op, fault.Internal, "filter", err)
	}
	defer os.RemoveAll(dir)

	h := &hook{}
	d := newDesk(peer, h, dir, o.Log)
	current = d
	done := make(chan struct{})
	var talk sync.WaitGroup
	talk.Go(func() { d.out.run(peer.Tell, done) })

	g := readGeometry(o.StateFile)
	h.closing = func(now geometry) {
		d.stop()
		writeGeometry(o.StateFile, now, o.Log)
	}
	state := options.Normal
	if g.Maximised {
		state = options.Maximised
	}
	err = wails.Run(&options.App{
		Title: titleOr(o.Title), Width: g.Width, Height: g.Height, MinWidth: minWidth, MinHeight: minHeight,
		WindowStartState: state,
		BackgroundColour: options.NewRGB(0xe8, 0xea, 0xed),
		AssetServer:      &assetserver.Options{Handler: d.first},
		Logger:           quiet{o.Log}, LogLevelProduction: logger.ERROR,
		Linux: &linux.Options{Icon: icon, ProgramName: "neutron", WebviewGpuPolicy: gpuPolicy},
		OnStartup: func(wctx context.Context) {
			started(wctx)
			h.arm(openLocks())
			talk.Go(func() { d.listen(ctx.Done(), done) })
		},
		// Every way to close comes here, also Wails's own for signals. Its quit may miss a loop that
		// does not run yet, so ours is posted to it instead.
		OnBeforeClose: func(context.Context) bool {
			h.quit()
			return true
		},
	})
	d.stop()
	close(done)
	endPages(o.Log)
	talk.Wait()
	if err != nil {
		return fault.Wrap(op, fault.Internal, "wails", err)
	}
	return nil
}

func titleOr(title string) string {
	if title == "" {
		return "Neutron"
	}
	return title
}

// quiet passes what Wails logs to our log. A refused native message is an error line there.
type quiet struct{ log *slog.Logger }

func (q quiet) Print(s string)   { q.log.Debug("wails", "text", s) }
func (q quiet) Trace(s string)   { q.log.Debug("wails", "text", s) }
func (q quiet) Debug(s string)   { q.log.Debug("wails", "text", s) }
func (q quiet) Info(s string)    { q.log.Debug("wails", "text", s) }
func (q quiet) Warning(s string) { q.log.Warn("wails", "text", s) }
func (q quiet) Error(s string)   { q.log.Error("wails", "text", s) }
func (q quiet) Fatal(s string)   { q.log.Error("wails", "text", s) }
