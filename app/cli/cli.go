// Package cli is Neutron's command line: commands over the control service of
// the kernel that runs on a data directory, or, when none runs, of one that this
// process opens for as long as the command takes. What the commands print for
// programs, and the exit codes, are written down in docs/cli.md.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"neutron/app/place"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1/controlv1connect"
	"neutron/kernel/remote"
)

const op fault.Op = "cli"

// Run says where and how an instance runs; the zero value is the default.
type Run struct {
	Data                 string // data directory
	Listen               string // loopback address of the workspace
	ShellURL, SandboxURL string // what browsers use instead of the listeners' own addresses
	Dev                  bool   // packages may come from http on this computer
}

// Control is a kernel that commands act on.
type Control struct {
	Client  controlv1connect.ControlServiceClient
	Running bool         // it runs in another process; false: this command opened the store
	Close   func() error // ends what Open started
}

// Program is what the command line needs of the program around it.
type Program struct {
	Version  string
	Protocol string // hash of the protocol, for `version`
	Name     string // how this program was called, for the commands that a person is told to type; empty: neutron
	// Window opens the workspace window and returns when it was closed.
	Window func(ctx context.Context, r Run, out io.Writer) error
	// Serve serves browsers until ctx ends.
	Serve func(ctx context.Context, r Run, asJSON bool, out io.Writer) error
	// Beside raises the window of a running kernel, or opens one on it.
	Beside func(ctx context.Context, r Run, out io.Writer) error
	// Offline opens a kernel in this process, without listeners. STORE_LOCKED: one runs elsewhere.
	Offline func(r Run) (*Control, error)
}

// Exit codes. docs/cli.md explains them.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitNotRunning = 3
	exitRefused    = 4
	exitPackage    = 5
	exitFindings   = 6
	exitSigner     = 7
	exitFull       = 10
	exitReadOnly   = 11
	exitLocked     = 12
	exitNewer      = 13
	exitDamaged    = 14
)

var exits = map[fault.Code]int{
	fault.EndpointGone:    exitNotRunning,
	fault.Denied:          exitRefused,
	fault.PackageInvalid:  exitPackage,
	fault.PackageTooLarge: exitPackage,
	fault.ManifestInvalid: exitPackage,
	fault.VersionNotNewer: exitPackage,
	fault.SignerChanged:   exitSigner,
	fault.StoreFull:       exitFull,
	fault.StoreReadOnly:   exitReadOnly,
	fault.StoreLocked:     exitLocked,
	fault.StoreNewer:      exitNewer,
	fault.StoreDamaged:    exitDamaged,
}

// errFindings ends a check that found something; what it found was printed.
var errFindings = errors.New("there are findings")

// usage is a command line that cannot be understood.
type usage struct{ error }

// Main runs one command line and gives the exit code of the process.
func Main(ctx context.Context, args []string, p Program, in io.Reader, out, errs io.Writer) int {
	if p.Name == "" {
		p.Name = "neutron"
	}
	c := &command{Program: p, in: in, out: out}
	root := c.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	return c.report(remoteOr(err), errs)
}

// remoteOr gives an error of the control service its fault back.
func remoteOr(err error) error {
	var u usage
	if err == nil || errors.Is(err, errFindings) || errors.As(err, &u) {
		return err
	}
	return remote.FromError(err)
}

// report prints an error and gives its exit code.
func (c *command) report(err error, errs io.Writer) int {
	var u usage
	code, sentence, exit := fault.CodeOf(err), fault.Sentence(err), exitFailed
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &u):
		code, sentence, exit = fault.InvalidRequest, u.Error()+" (neutron help tells more)", exitUsage
	default:
		if e, ok := exits[code]; ok {
			exit = e
		}
	}
	if c.asJSON {
		_ = json.NewEncoder(errs).Encode(struct {
			Code    fault.Code `json:"code"`
			Message string     `json:"message"`
		}{code, sentence})
		return exit
	}
	fmt.Fprintf(errs, "neutron: %s (%s)\n", plain(sentence), code)
	return exit
}

// command is one run of the command line.
type command struct {
	Program
	run    Run
	asJSON bool
	in     io.Reader
	out    io.Writer
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "neutron",
		Short:         "A workspace in which apps that nobody has to trust share one regulated bus",
		Long:          "neutron opens the workspace window. Beside a running kernel it raises that kernel's window, or opens one on it.",
		Args:          noArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return c.Window(cmd.Context(), c.run, c.out) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage{err} })
	f := root.PersistentFlags()
	f.StringVar(&c.run.Data, "data", "", "data directory (default: $NEUTRON_DATA, then $XDG_DATA_HOME/neutron)")
	f.BoolVar(&c.asJSON, "json", false, "print JSON for programs")
	f.BoolVar(&c.run.Dev, "dev", false, "for authors: packages may also come from http on this computer")
	c.addresses(root)
	root.AddCommand(c.serve(), c.open(), c.lock(), c.app(), c.audit(), c.doctor(), c.version())
	return root
}

// addresses adds the flags of the commands that start a kernel.
func (c *command) addresses(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.run.Listen, "listen", "", "loopback address of the workspace (default 127.0.0.1:0)")
	f.StringVar(&c.run.ShellURL, "shell-url", "", "origin that browsers use for the workspace, if a proxy shows another one")
	f.StringVar(&c.run.SandboxURL, "sandbox-url", "", "pattern that browsers use for frames, e.g. http://*.localhost:8080")
}

// noArgs and args are cobra's checks with an error of ours.
func noArgs(cmd *cobra.Command, a []string) error {
	if len(a) > 0 {
		return usage{fmt.Errorf("unknown command or argument %q for %q", a[0], cmd.CommandPath())}
	}
	return nil
}

func args(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, a []string) error {
		switch {
		case len(a) < len(names):
			return usage{fmt.Errorf("%q needs %s", cmd.CommandPath(), names[len(a)])}
		case len(a) > len(names):
			return usage{fmt.Errorf("%q takes no argument %q", cmd.CommandPath(), a[len(names)])}
		}
		return nil
	}
}

// control connects to the running kernel, or opens one here. A data directory
// that is just in use, by another command or by a kernel that is starting, is
// waited for a little.
func (c *command) control(ctx context.Context) (*Control, error) {
	p, err := place.Resolve(c.run.Data)
	if err != nil {
		return nil, err
	}
	late := time.After(limit.LockWait)
	for {
		client, err := remote.Reach(ctx, p.Socket)
		if err != nil {
			return nil, err
		}
		if client != nil {
			return &Control{Client: client, Running: true, Close: func() error { return nil }}, nil
		}
		ctl, err := c.Offline(c.run)
		if fault.CodeOf(err) != fault.StoreLocked {
			return ctl, err
		}
		select {
		case <-time.After(limit.LockRetry):
		case <-late:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
}

// with runs f on a kernel, of another process or here.
func (c *command) with(ctx context.Context, f func(*Control) error) error {
	ctl, err := c.control(ctx)
	if err != nil {
		return err
	}
	err = f(ctl)
	return errors.Join(err, ctl.Close())
}

// running connects to the kernel of another process. EndpointGone, exit code 3: none runs.
func (c *command) running(ctx context.Context) (*Control, error) {
	p, err := place.Resolve(c.run.Data)
	if err != nil {
		return nil, err
	}
	client, err := remote.Reach(ctx, p.Socket)
	if err != nil {
		return nil, err
	}
	if client == nil {
		return nil, fault.Newf(op, fault.EndpointGone, p.Data, "No Neutron runs on the data directory %s. Start it with neutron, or with neutron serve.", p.Data)
	}
	return &Control{Client: client, Running: true}, nil
}

// print writes v as JSON with --json, and else what text writes.
func (c *command) print(v any, text func(w io.Writer)) error {
	if !c.asJSON {
		text(c.out)
		return nil
	}
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	return fault.Wrap(op, fault.Internal, "", e.Encode(v))
}
