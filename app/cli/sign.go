package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"neutron/kernel/fault"
	"neutron/kernel/install"
)

func (c *command) appKeygen() *cobra.Command {
	to := ""
	cmd := &cobra.Command{
		Use:   "keygen -o KEY",
		Short: "Make a key that signs your packages",
		Long: "keygen writes a new Ed25519 key. Keep the file: whoever has it can publish updates of your apps, and without it you cannot. " +
			"An existing file is never overwritten.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if to == "" {
				return usage{errors.New(`"neutron app keygen" needs -o KEY`)}
			}
			file, public, err := install.NewKey()
			if err != nil {
				return err
			}
			if err := writeNew(to, file); err != nil {
				return err
			}
			return c.print(map[string]string{"file": to, "key": public}, func(w io.Writer) {
				fmt.Fprintf(w, "The key is in %s. Keep it secret, and keep a copy.\nPublic key %s\n", plain(to), public)
			})
		},
	}
	cmd.Flags().StringVarP(&to, "output", "o", "", "file to write the key to")
	return cmd
}

// writeNew writes a file that only its owner may read, and that did not exist before.
func writeNew(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fault.Newf(op, fault.Conflict, path, "%s exists already and was left as it is.", path)
	}
	if err == nil {
		_, err = f.Write(b)
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			_ = os.Remove(path)
		}
	}
	if err == nil {
		return nil
	}
	code := fault.Internal
	if errors.Is(err, fs.ErrPermission) {
		code = fault.StoreReadOnly
	}
	return &fault.Error{Op: op, Code: code, Subject: path, Err: err, Message: fmt.Sprintf("%s cannot be written: %v.", path, short(err))}
}

func (c *command) appSign() *cobra.Command {
	key, to := "", ""
	cmd := &cobra.Command{
		Use:   "sign --key KEY FILE",
		Short: "Sign a package",
		Long: "sign puts an Ed25519 signature of all its files into a package, in place of an earlier one. The first key that signs an app is the only one " +
			"that may sign its updates.",
		Args: args("FILE"),
		RunE: func(_ *cobra.Command, a []string) error {
			if key == "" {
				return usage{errors.New(`"neutron app sign" needs --key KEY`)}
			}
			return c.sign(key, a[0], to)
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "file that keygen wrote")
	cmd.Flags().StringVarP(&to, "output", "o", "", "file to write (default: the package itself)")
	return cmd
}

func (c *command) sign(keyFile, file, to string) error {
	raw, err := os.ReadFile(keyFile)
	if err != nil {
		return fault.Newf(op, fault.InvalidRequest, keyFile, "The key %s cannot be read: %v.", keyFile, short(err))
	}
	key, err := install.ReadKey(raw)
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return fault.Newf(op, fault.PackageInvalid, file, "%s cannot be read: %v.", file, short(err))
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fault.Newf(op, fault.PackageInvalid, file, "%s is not a file.", file)
	}
	var b bytes.Buffer
	if err := install.Sign(f, info.Size(), key, &b); err != nil {
		return err
	}
	p, err := install.Decode(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return err
	}
	if to == "" {
		to = file
	}
	if to, err = filepath.Abs(to); err != nil {
		return fault.Wrap(op, fault.Internal, to, err)
	}
	if err := writeWhole(to, b.Bytes()); err != nil {
		return err
	}
	v := struct {
		File string `json:"file"`
		ID   string `json:"id"`
		Hash string `json:"hash"`
		Key  string `json:"key"`
	}{to, p.Manifest.ID, p.Hash, p.Signer}
	return c.print(v, func(w io.Writer) {
		fmt.Fprintf(w, "Signed %s %s.\nPublic key %s\nSHA-256    %s\n", p.Manifest.ID, p.Manifest.Version, p.Signer, p.Hash)
	})
}
