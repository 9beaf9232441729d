package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"neutron/app/place"
	"neutron/kernel/fault"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/remote"
	"neutron/kernel/store"
)

// checked is one line of `doctor --json`.
type checked struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

func (c *command) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the data directory, the store and the running kernel",
		Long:  "doctor reads everything, changes nothing, and prints what it found. Exit code 6 when something is wrong.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := place.Resolve(c.run.Data)
			if err != nil {
				return err
			}
			list := c.surroundings(p)
			found, err := examine(cmd.Context(), p)
			if err != nil {
				return err
			}
			list = append(list, found...)
			wrong := false
			for _, f := range list {
				wrong = wrong || !f.OK
			}
			err = c.print(list, func(w io.Writer) {
				for _, f := range list {
					mark := "ok   "
					if !f.OK {
						mark = "WRONG"
					}
					fmt.Fprintf(w, "%s  %-14s %s\n", mark, line(f.Check), line(f.Detail))
				}
			})
			if err == nil && wrong {
				return errFindings
			}
			return err
		},
	}
}

// surroundings is what can be seen without the store.
func (c *command) surroundings(p place.Place) []checked {
	list := []checked{
		{"program", true, fmt.Sprintf("neutron %s on %s/%s", c.Version, runtime.GOOS, runtime.GOARCH)},
		{"data", true, p.Data},
	}
	switch info, err := os.Stat(p.Socket); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		list = append(list, checked{"socket", false, err.Error()})
	case info.Mode().Perm()&0o077 != 0:
		list = append(list, checked{"socket", false, fmt.Sprintf("%s has mode %v", p.Socket, info.Mode().Perm())})
	}
	if crashes, err := p.Crashes(); err == nil && len(crashes) > 0 {
		list = append(list, checked{"crashes", true, fmt.Sprintf("%d crash files, the newest %s", len(crashes), crashes[len(crashes)-1])})
	}
	return list
}

// examine asks the running kernel, or reads the files when none runs.
func examine(ctx context.Context, p place.Place) (list []checked, err error) {
	k, err := remote.Reach(ctx, p.Socket)
	if err != nil {
		// What it has open cannot be read beside it.
		return []checked{{"kernel", false, fault.Sentence(err)}}, nil
	}
	if k == nil {
		list = append(list, checked{"kernel", true, "none runs here"})
		for _, f := range store.CheckFile(p.Data) {
			list = append(list, checked{f.Check, f.OK, f.Detail})
		}
		return list, nil
	}
	s, err := k.Status(ctx, connect.NewRequest(&controlv1.StatusRequest{}))
	if err != nil {
		return nil, err
	}
	m := s.Msg
	list = append(list, checked{"kernel", true, fmt.Sprintf("neutron %s runs as process %d at %s: %d shells, %d frames, window %v, locked %v",
		m.GetVersion(), m.GetPid(), m.GetWorkspace(), m.GetShells(), m.GetFrames(), m.GetWindow(), m.GetLocked())})
	r, err := k.Doctor(ctx, connect.NewRequest(&controlv1.DoctorRequest{}))
	if err != nil {
		return nil, err
	}
	for _, f := range r.Msg.GetFindings() {
		list = append(list, checked{f.GetCheck(), f.GetOk(), f.GetDetail()})
	}
	return list, nil
}
