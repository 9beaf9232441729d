package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"neutron/app/cli"
	"neutron/kernel/fault"
	"neutron/kernel/proto"
)

// Main runs the command line and gives the process's exit code.
func Main(args []string, version string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends a shutdown that takes too long
	options := func(r cli.Run) Options {
		return Options{Version: version, Data: r.Data, Listen: r.Listen, ShellURL: r.ShellURL, SandboxURL: r.SandboxURL, Dev: r.Dev}
	}
	return cli.Main(ctx, args, cli.Program{
		Version:  version,
		Protocol: proto.Hash,
		Name:     called(os.Args[0]),
		Window:   func(ctx context.Context, r cli.Run, out io.Writer) error { return Window(ctx, options(r), out) },
		Serve: func(ctx context.Context, r cli.Run, asJSON bool, out io.Writer) error {
			return Serve(ctx, options(r), asJSON, out)
		},
		Beside:  func(ctx context.Context, r cli.Run, out io.Writer) error { return Beside(ctx, options(r), out) },
		Offline: func(r cli.Run) (*cli.Control, error) { return offlineControl(options(r)) },
	}, os.Stdin, os.Stdout, os.Stderr)
}

// called is how the program was called: by a path that works here, or by the name that the shell found.
func called(arg0 string) string {
	if filepath.Base(arg0) != arg0 {
		return arg0
	}
	return "neutron"
}

// started is the line of `serve --json`.
type started struct {
	Workspace string `json:"workspace"` // with a boot secret: once, 60 s
	Sandbox   string `json:"sandbox"`
	PID       int    `json:"pid"`
}

// Serve runs an instance for browsers until ctx ends.
func Serve(ctx context.Context, o Options, asJSON bool, out io.Writer) error {
	i, err := Start(o)
	if err != nil {
		return err
	}
	if err := announce(i, asJSON, out); err != nil {
		return fault.Wrap("app.serve", fault.Internal, "", err)
	}
	return i.Run(ctx)
}

func announce(i *Instance, asJSON bool, out io.Writer) error {
	link := i.kernel.ShellLink()
	if asJSON {
		return json.NewEncoder(out).Encode(started{link, i.sandboxURL, os.Getpid()})
	}
	_, err := fmt.Fprintf(out, "Neutron serves its workspace at\n\n  %s\n\nThe address works once, within a minute. Ctrl+C ends Neutron.\n", link)
	return err
}
