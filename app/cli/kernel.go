package cli

import (
	"fmt"
	"io"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"neutron/kernel/proto/controlv1"
)

func (c *command) serve() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the workspace to a browser on this machine",
		Long:  "serve runs a kernel and prints an address that works once, within a minute. With --json it prints one line: workspace, sandbox, pid.",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return c.Serve(cmd.Context(), c.run, c.asJSON, c.out) },
	}
	c.addresses(cmd)
	return cmd
}

// opened is what `open --json` prints.
type opened struct {
	Raised bool   `json:"raised"`
	Link   string `json:"link,omitempty"`
}

func (c *command) open() *cobra.Command {
	link := false
	cmd := &cobra.Command{
		Use:   "open",
		Short: "Raise the window of the running kernel, or open one on it",
		Long:  "open raises the window of the kernel that runs on this data directory, or opens one on it. Without a display, and with --link, it prints a fresh address for a browser.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := c.running(cmd.Context())
			if err != nil {
				return err
			}
			if !link && !c.asJSON {
				return c.Beside(cmd.Context(), c.run, c.out)
			}
			r, err := ctl.Client.Open(cmd.Context(), connect.NewRequest(&controlv1.OpenRequest{Raise: !link}))
			if err != nil {
				return err
			}
			return c.print(opened{r.Msg.GetRaised(), r.Msg.GetLink()}, func(w io.Writer) { fmt.Fprintln(w, r.Msg.GetLink()) })
		},
	}
	cmd.Flags().BoolVar(&link, "link", false, "print a fresh address for a browser; it works once, within a minute")
	return cmd
}

func (c *command) lock() *cobra.Command {
	return &cobra.Command{
		Use:   "lock",
		Short: "Lock the running kernel",
		Long:  "lock ends every shell, every frame and every permission of this run. Stored data stays. neutron open unlocks.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := c.running(cmd.Context())
			if err != nil {
				return err
			}
			if _, err := ctl.Client.Lock(cmd.Context(), connect.NewRequest(&controlv1.LockRequest{})); err != nil {
				return err
			}
			return c.print(map[string]bool{"locked": true}, func(w io.Writer) {
				fmt.Fprintln(w, "Neutron is locked. To unlock it: neutron open, or for a browser neutron open --link.")
			})
		},
	}
}

func (c *command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print this program's version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := struct {
				Version  string `json:"version"`
				Protocol string `json:"protocol"`
			}{c.Version, c.Protocol}
			return c.print(v, func(w io.Writer) { fmt.Fprintf(w, "neutron %s\nprotocol %s\n", v.Version, v.Protocol) })
		},
	}
}
