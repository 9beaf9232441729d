package cli

import (
	"fmt"
	"io"
	"time"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// entry is one line of `audit --json`.
type entry struct {
	Seq        uint64   `json:"seq"`
	AtMs       int64    `json:"atMs"`
	Caller     string   `json:"caller"`
	Target     string   `json:"target"`
	Tool       string   `json:"tool,omitempty"`
	Status     string   `json:"status"`
	Decision   string   `json:"decision"`
	DurationUs uint64   `json:"durationUs"`
	Arguments  string   `json:"arguments,omitempty"`
	Result     string   `json:"result,omitempty"`
	Chain      []string `json:"chain,omitempty"`
}

func (c *command) audit() *cobra.Command {
	follow, last, about := false, uint32(20), ""
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Print who called what, and what came of it",
		Long:  "audit prints the newest entries of the durable log, oldest first, and with --follow each new one until it is stopped. With --json, one object a line.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if last > limit.AuditEntries {
				return usage{fmt.Errorf("--last is at most %d", limit.AuditEntries)}
			}
			if follow {
				ctl, err := c.running(cmd.Context())
				if err != nil {
					return err
				}
				return c.watch(cmd, ctl, &controlv1.WatchAuditRequest{Follow: true, Last: last, AppId: about})
			}
			return c.with(cmd.Context(), func(ctl *Control) error {
				return c.watch(cmd, ctl, &controlv1.WatchAuditRequest{Last: last, AppId: about})
			})
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with each new entry; needs a running kernel")
	cmd.Flags().Uint32VarP(&last, "last", "n", last, "how many of the newest entries to begin with")
	cmd.Flags().StringVar(&about, "app", "", "only entries with this app as caller or target")
	return cmd
}

func (c *command) watch(cmd *cobra.Command, ctl *Control, q *controlv1.WatchAuditRequest) error {
	st, err := ctl.Client.WatchAudit(cmd.Context(), connect.NewRequest(q))
	if err != nil {
		return err
	}
	defer st.Close() //nolint:errcheck // only read
	none := true
	for st.Receive() {
		none = false
		if err := c.printEntry(st.Msg().GetEntry()); err != nil {
			return err
		}
	}
	if cmd.Context().Err() != nil && q.GetFollow() {
		return nil // stopped by its user, as it is meant to be
	}
	if st.Err() == nil && none && !c.asJSON {
		fmt.Fprintln(c.out, "No call is on record.")
	}
	return st.Err()
}

func (c *command) printEntry(e *linkv1.AuditEntry) error {
	v := entry{
		Seq: e.GetSeq(), AtMs: e.GetAtMs(), Caller: e.GetCaller().GetEndpointId(), Target: e.GetTarget().GetEndpointId(), Tool: e.GetTool(),
		Status: e.GetStatus(), Decision: e.GetDecision(), DurationUs: e.GetDurationUs(), Arguments: e.GetArguments(), Result: e.GetResult(),
	}
	for _, p := range e.GetChain() {
		v.Chain = append(v.Chain, p.GetEndpointId())
	}
	return c.print(v, func(w io.Writer) {
		took := time.Duration(e.GetDurationUs()) * time.Microsecond
		fmt.Fprintf(w, "%s  %-22s %s -> %s %s  [%s, %v]\n", when(e.GetAtMs()), line(e.GetStatus()), line(v.Caller), line(v.Target), line(v.Tool), line(v.Decision), took)
	})
}
