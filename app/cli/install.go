package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"connectrpc.com/connect"
	"github.com/spf13/cobra"

	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

// choices are the flags of one install.
type choices struct {
	yes           bool
	replaceSigner bool
}

func (c *command) appInstall() *cobra.Command {
	var o choices
	cmd := &cobra.Command{
		Use:   "install FILE|DIR|URL",
		Short: "Review a package and install it",
		Long: "install verifies a package, shows what it may do, asks, and installs it. The package is a file, a directory (packed in memory), or an https address, " +
			"which is fetched once. With --json it prints the review and, only with --yes, installs.",
		Args: args("FILE|DIR|URL"),
		RunE: func(cmd *cobra.Command, a []string) error {
			return c.with(cmd.Context(), func(ctl *Control) error { return c.install(cmd, ctl, a[0], o) })
		},
	}
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "install without asking")
	cmd.Flags().BoolVar(&o.replaceSigner, "replace-signer", false, "take a package that is signed by another key than before, or by none; the app's id must be typed")
	return cmd
}

func (c *command) install(cmd *cobra.Command, ctl *Control, from string, o choices) error {
	review, err := reviewOf(cmd, ctl, from)
	if err != nil {
		return err
	}
	if c.asJSON && !o.yes {
		return c.print(reviewed(review), nil)
	}
	if !c.asJSON {
		printReview(c.out, review)
	}
	in := bufio.NewReader(io.LimitReader(c.in, 256)) // both answers come from it
	replace, err := c.replaces(in, review, o)
	if err != nil {
		return err
	}
	if !o.yes && !replace && !c.askOf(in, "Install it? [y/N] ") {
		return fault.New(op, fault.Denied, review.GetApp().GetId(), "Nothing was installed.")
	}
	r, err := ctl.Client.ApproveInstall(cmd.Context(), connect.NewRequest(&controlv1.ApproveInstallRequest{
		ReviewId: review.GetReviewId(), Digest: review.GetApp().GetHash(), ReplaceSigner: replace,
	}))
	if err != nil {
		return err
	}
	return c.print(described(r.Msg.GetApp()), func(w io.Writer) {
		fmt.Fprintf(w, "Installed %s %s.\n", r.Msg.GetApp().GetId(), r.Msg.GetApp().GetVersion())
	})
}

// replaces has the owner type the app's id before another signer is taken. --yes
// does not stand for it: whoever writes a script must not answer this in advance.
func (c *command) replaces(in *bufio.Reader, r *linkv1.Review, o choices) (bool, error) {
	if !o.replaceSigner || !install.Replaces(r.GetSigner()) {
		return false, nil
	}
	id := r.GetApp().GetId()
	if !c.asJSON {
		fmt.Fprintf(c.out, "The earlier versions were signed by the key\n  %s\nand this package %s. It may come from somebody else, who would get what you trusted\n"+
			"this app with. If its maker told you so, type the app's id, %s, to install it all the same: ", line(r.GetSigner().GetPinned()), signedBy(r.GetSigner()), line(id))
	}
	typed, _ := in.ReadString('\n')
	if strings.TrimSpace(typed) != id {
		return false, fault.New(op, fault.Denied, id, "Nothing was installed.")
	}
	return true, nil
}

func signedBy(s *linkv1.Signer) string {
	if s.GetKey() == "" {
		return "is not signed"
	}
	return "by\n  " + line(s.GetKey()) + "\n"
}

// reviewOf has a package reviewed, wherever it comes from.
func reviewOf(cmd *cobra.Command, ctl *Control, from string) (*linkv1.Review, error) {
	if scheme, _, ok := strings.Cut(from, "://"); ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")) {
		return send(ctl.Client.ReviewInstall(cmd.Context()), from, nil)
	}
	info, err := os.Stat(from)
	switch {
	case err != nil:
		return nil, fault.Newf(op, fault.PackageInvalid, from, "%s cannot be read: %v.", from, short(err))
	case info.IsDir():
		var b bytes.Buffer
		if err := install.Pack(from, &b); err != nil {
			return nil, err
		}
		dir, err := filepath.Abs(from) // "." has no name of its own
		if err != nil {
			return nil, fault.Newf(op, fault.PackageInvalid, from, "%s cannot be found: %v.", from, short(err))
		}
		return send(ctl.Client.ReviewInstall(cmd.Context()), filepath.Base(dir), &b)
	case !info.Mode().IsRegular():
		return nil, fault.Newf(op, fault.PackageInvalid, from, "%s is neither a file nor a directory.", from)
	}
	f, err := os.Open(from)
	if err != nil {
		return nil, fault.Newf(op, fault.PackageInvalid, from, "%s cannot be read: %v.", from, short(err))
	}
	defer f.Close() //nolint:errcheck // only read
	return send(ctl.Client.ReviewInstall(cmd.Context()), filepath.Base(from), f)
}

// send sends a package in pieces, or without one the address of it, and gets its review.
func send(st *connect.ClientStreamForClient[controlv1.ReviewInstallRequest, controlv1.ReviewInstallResponse], name string, pack io.Reader) (*linkv1.Review, error) {
	if pack == nil {
		_ = st.Send(&controlv1.ReviewInstallRequest{Url: name}) // the kernel's answer says why it failed
		pack = strings.NewReader("")
	}
	b := make([]byte, limit.UploadChunk)
	for {
		n, err := pack.Read(b)
		if n > 0 {
			if st.Send(&controlv1.ReviewInstallRequest{Chunk: b[:n], Name: name}) != nil {
				break // the kernel's answer says why
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fault.Newf(op, fault.PackageInvalid, name, "%s cannot be read: %v.", name, short(err))
		}
	}
	r, err := st.CloseAndReceive()
	if err != nil {
		return nil, err
	}
	return r.Msg.GetReview(), nil
}

// ask puts a question on the terminal; anything but a clear yes is a no.
func (c *command) ask(question string) bool {
	return c.askOf(bufio.NewReader(io.LimitReader(c.in, 64)), question)
}

func (c *command) askOf(in *bufio.Reader, question string) bool {
	fmt.Fprint(c.out, question)
	answer, _ := in.ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
