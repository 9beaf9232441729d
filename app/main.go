package app

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"neutron/kernel/fault"
)

// Main runs the command line and gives the process's exit code.
func Main(args []string, version string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends a shutdown that takes too long
	if err := dispatch(ctx, args, version, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "neutron: %s (%s)\n", fault.Sentence(err), fault.CodeOf(err))
		return 1
	}
	return 0
}

func dispatch(ctx context.Context, args []string, version string, out, errs io.Writer) error {
	command := ""
	if len(args) > 0 && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	f := flag.NewFlagSet("neutron "+command, flag.ContinueOnError)
	f.SetOutput(errs)
	o := Options{Version: version}
	f.StringVar(&o.Data, "data", "", "data directory")
	f.StringVar(&o.Listen, "listen", "", "loopback address of the workspace, e.g. 127.0.0.1:0")
	f.StringVar(&o.ShellURL, "shell-url", "", "origin that browsers use for the workspace")
	f.StringVar(&o.SandboxURL, "sandbox-url", "", "pattern that browsers use for frames")
	asJSON := f.Bool("json", false, "print one JSON line")
	if err := f.Parse(args); err != nil {
		return fault.New("app.main", fault.InvalidRequest, command, err.Error())
	}
	switch command {
	case "":
		return Window(ctx, o, out)
	case "serve":
		return Serve(ctx, o, *asJSON, out)
	case "version":
		fmt.Fprintln(out, version)
		return nil
	}
	return fault.Newf("app.main", fault.InvalidRequest, command, "there is no command %q", command)
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
