package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

func (c *command) app() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "app",
		Short: "Make, check, pack, sign, install, list, show and remove apps",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage{errors.New(`"neutron app" needs one of new, check, pack, install, list, show, remove`)}
		},
	}
	cmd.AddCommand(c.appNew(), c.appCheck(), c.appPack(), c.appKeygen(), c.appSign(), c.appInstall(), c.appList(), c.appShow(), c.appRemove())
	return cmd
}

func (c *command) appNew() *cobra.Command {
	template := ""
	cmd := &cobra.Command{
		Use:   "new DIR",
		Short: "Write a new app into a new or empty directory",
		Args:  args("DIR"),
		RunE: func(_ *cobra.Command, a []string) error {
			if err := install.New(a[0], template); err != nil {
				return err
			}
			return c.print(map[string]string{"directory": a[0]}, func(w io.Writer) {
				me, dir, file := plain(shellWord(c.Name)), plain(shellWord(a[0])), "FILE.neutron"
				var m struct{ ID, Version string }
				if b, err := os.ReadFile(filepath.Join(a[0], "neutron.json")); err == nil && json.Unmarshal(b, &m) == nil {
					file = packageName(m.ID, m.Version)
				}
				fmt.Fprintf(w, "The app is in %s. Next:\n\n  %s app check %[1]s\n  %[2]s app pack %[1]s\n  %[2]s app install %[3]s\n", dir, me, file)
			})
		},
	}
	cmd.Flags().StringVar(&template, "template", "", "one of: "+strings.Join(install.Templates(), ", "))
	return cmd
}

// finding is one line of `app check --json`.
type finding struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
	Rule   string `json:"rule"`
	Fatal  bool   `json:"fatal"`
	Text   string `json:"text"`
}

func (c *command) appCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Say what in an app's directory cannot work, and why",
		Long:  "check reads an app's directory as pack would, runs nothing, and explains what cannot work in a frame. Exit code 6 when something cannot.",
		Args:  args("DIR"),
		RunE: func(_ *cobra.Command, a []string) error {
			found, err := install.Check(a[0])
			if err != nil {
				return err
			}
			list, fatal := make([]finding, len(found)), false
			for i, f := range found {
				list[i] = finding(f)
				fatal = fatal || f.Fatal
			}
			err = c.print(list, func(w io.Writer) {
				for _, f := range found {
					fmt.Fprintln(w, plain(f.String()))
				}
				if len(found) == 0 {
					fmt.Fprintln(w, "Nothing was found.")
				}
			})
			if err == nil && fatal {
				return errFindings
			}
			return err
		},
	}
}

func packageName(id, version string) string { return id + "-" + version + ".neutron" }

// shellWord quotes a word of a command line that a person is told to type.
func shellWord(s string) string {
	for _, r := range s {
		if !strings.ContainsRune("/._-+,:@%=~", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return s
}

func (c *command) appPack() *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "pack DIR",
		Short: "Pack an app's directory into a .neutron file",
		Args:  args("DIR"),
		RunE: func(_ *cobra.Command, a []string) error {
			var b bytes.Buffer
			if err := install.Pack(a[0], &b); err != nil {
				return err
			}
			p, err := install.Decode(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				return err
			}
			if to == "" {
				to = packageName(p.Manifest.ID, p.Manifest.Version)
			}
			if err := writeWhole(to, b.Bytes()); err != nil {
				return err
			}
			v := struct {
				File    string `json:"file"`
				ID      string `json:"id"`
				Version string `json:"version"`
				Hash    string `json:"hash"`
				Bytes   int    `json:"bytes"`
			}{to, p.Manifest.ID, p.Manifest.Version, p.Hash, b.Len()}
			return c.print(v, func(w io.Writer) {
				fmt.Fprintf(w, "%s  %s %s, %s\nSHA-256 %s\n", plain(to), v.ID, v.Version, size(uint64(v.Bytes)), v.Hash)
			})
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "file to write (default ID-VERSION.neutron here)")
	return cmd
}

// writeWhole writes a file under another name first, so that a full disk leaves no half of it.
func writeWhole(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".neutron-*")
	if err == nil {
		_, err = f.Write(b)
		err = errors.Join(err, f.Chmod(0o644), f.Close())
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}
	if err == nil {
		return nil
	}
	code := fault.Internal
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		code = fault.StoreFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist),
		errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		code = fault.StoreReadOnly
	}
	return &fault.Error{Op: op, Code: code, Subject: path, Err: err, Message: fmt.Sprintf("%s cannot be written: %v.", path, short(err))}
}

// short is an error of the file system without the path that the sentence names already.
func short(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (c *command) appList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the installed apps",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(ctl *Control) error {
				apps, err := listed(cmd, ctl)
				if err != nil {
					return err
				}
				list := make([]app, len(apps))
				for i, a := range apps {
					list[i] = described(a)
				}
				return c.print(list, func(w io.Writer) {
					for _, a := range apps {
						fmt.Fprintf(w, "%-30s %-10s %s\n", a.GetId(), a.GetVersion(), plain(a.GetName()))
					}
					if len(apps) == 0 {
						fmt.Fprintln(w, "No app is installed.")
					}
				})
			})
		},
	}
}

func listed(cmd *cobra.Command, ctl *Control) ([]*linkv1.App, error) {
	r, err := ctl.Client.ListApps(cmd.Context(), connect.NewRequest(&controlv1.ListAppsRequest{}))
	if err != nil {
		return nil, err
	}
	return r.Msg.GetApps(), nil
}

// installed is one app of the list. APP_UNKNOWN: it is not there.
func installed(cmd *cobra.Command, ctl *Control, id string) (*linkv1.App, error) {
	apps, err := listed(cmd, ctl)
	if err != nil {
		return nil, err
	}
	for _, app := range apps {
		if app.GetId() == id {
			return app, nil
		}
	}
	return nil, fault.Newf(op, fault.AppUnknown, id, "No app %q is installed.", id)
}

func (c *command) appShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show ID",
		Short: "Show one installed app",
		Args:  args("ID"),
		RunE: func(cmd *cobra.Command, a []string) error {
			return c.with(cmd.Context(), func(ctl *Control) error {
				app, err := installed(cmd, ctl, a[0])
				if err != nil {
					return err
				}
				return c.print(described(app), func(w io.Writer) { printApp(w, app) })
			})
		},
	}
}

func (c *command) appRemove() *cobra.Command {
	yes := false
	cmd := &cobra.Command{
		Use:   "remove ID",
		Short: "Remove an app",
		Long:  "remove takes an app out, with its permissions. A later install of the same app starts anew.",
		Args:  args("ID"),
		RunE: func(cmd *cobra.Command, a []string) error {
			return c.with(cmd.Context(), func(ctl *Control) error {
				app, err := installed(cmd, ctl, a[0])
				if err != nil {
					return err
				}
				if !yes && !c.asJSON && !c.ask(fmt.Sprintf("Remove the app %s %s and its permissions? [y/N] ", app.GetId(), app.GetVersion())) {
					return fault.New(op, fault.Denied, a[0], "Nothing was removed.")
				}
				if _, err := ctl.Client.RemoveApp(cmd.Context(), connect.NewRequest(&controlv1.RemoveAppRequest{AppId: a[0]})); err != nil {
					return err
				}
				return c.print(map[string]string{"removed": a[0]}, func(w io.Writer) { fmt.Fprintf(w, "Removed %s.\n", plain(a[0])) })
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "remove without asking")
	return cmd
}

func when(ms int64) string { return time.UnixMilli(ms).Format("2006-01-02 15:04:05") }
