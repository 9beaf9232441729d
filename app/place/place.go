// Package place knows where data lives: the directories and their modes, the
// lock that lets one kernel run on a data directory, the log and the crash file.
package place

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"neutron/kernel/fault"
)

const op fault.Op = "place"

// Environment variables that are read here.
const (
	dataVariable = "NEUTRON_DATA"
	xdgVariable  = "XDG_DATA_HOME"
	runVariable  = "XDG_RUNTIME_DIR"
)

// socketPath is the longest path that a unix socket can have on every system here.
const socketPath = 100

// Place is the directory of one owner's data and the paths within. All are absolute.
type Place struct {
	Data     string // 0700: the store, blobs, logs
	Socket   string // of the control service, 0600
	Logs     string // directory of the log and of crash files
	LockFile string // held by the running kernel
}

// Resolve finds the data directory: the flag, else NEUTRON_DATA, else
// $XDG_DATA_HOME/neutron, else ~/.local/share/neutron. It makes nothing. A path
// that cannot be one is INVALID_REQUEST.
func Resolve(dataFlag string) (Place, error) {
	dir, err := choose(dataFlag)
	if err != nil {
		return Place{}, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return Place{}, fault.Wrap(op, fault.InvalidRequest, dir, err)
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return Place{}, fault.Newf(op, fault.InvalidRequest, dir, "The data directory %s is not a directory.", dir)
	}
	return Place{
		Data:     dir,
		Socket:   socket(dir),
		Logs:     filepath.Join(dir, "logs"),
		LockFile: filepath.Join(dir, "neutron.lock"),
	}, nil
}

func choose(dataFlag string) (string, error) {
	if dataFlag != "" {
		return dataFlag, nil
	}
	if dir := os.Getenv(dataVariable); dir != "" {
		return dir, nil
	}
	if dir := os.Getenv(xdgVariable); filepath.IsAbs(dir) { // a relative one is to be ignored, says its specification
		return filepath.Join(dir, "neutron"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", fault.New(op, fault.InvalidRequest, "", "There is no home directory; name a data directory with --data.")
	}
	return filepath.Join(home, ".local", "share", "neutron"), nil
}

// socket lies in the data directory, or, when that path is too long for a
// socket, in a private directory under a name made from it.
func socket(dir string) string {
	const name = "control.sock"
	if p := filepath.Join(dir, name); len(p) <= socketPath {
		return p
	}
	sum := sha256.Sum256([]byte(dir))
	short := "neutron-" + hex.EncodeToString(sum[:8])
	if run := os.Getenv(runVariable); filepath.IsAbs(run) {
		if p := filepath.Join(run, short+".sock"); len(p) <= socketPath {
			return p
		}
	}
	return filepath.Join("/tmp", fmt.Sprintf("%s-%d", short, os.Getuid()), name)
}

// Make creates the directories with mode 0700, and takes the data directory back
// from other accounts if it was open to them. Only a directory that is empty or
// Neutron's own is changed.
func (p Place) Make() error {
	for _, dir := range []string{p.Data, filepath.Dir(p.Socket)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return coded(p.Data, err)
		}
	}
	if dir := filepath.Dir(p.Socket); dir != p.Data {
		if err := own(dir); err != nil {
			return err
		}
	}
	if info, err := os.Stat(p.Data); err == nil && info.Mode().Perm()&0o077 != 0 && p.ours() {
		_ = os.Chmod(p.Data, 0o700) // where it fails nothing can be written either, which the store tells better
	}
	return nil
}

// own refuses a socket directory that another account prepared.
func own(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return coded(dir, err)
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(st.Uid) != os.Getuid() || info.Mode().Perm()&0o022 != 0 {
		return fault.Newf(op, fault.StoreReadOnly, dir, "The directory %s is not this account's own.", dir)
	}
	return nil
}

func (p Place) ours() bool {
	entries, err := os.ReadDir(p.Data)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if e.Name() == filepath.Base(p.LockFile) || strings.HasPrefix(e.Name(), "neutron.db") {
			return true
		}
	}
	return len(entries) == 0
}

// Lock is the single-instance lock of a data directory. It goes with the process.
type Lock struct{ f *os.File }

// Lock makes the directories and takes the lock. STORE_LOCKED: a kernel runs here.
func (p Place) Lock() (*Lock, error) {
	if err := p.Make(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(p.LockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, coded(p.Data, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fault.Newf(op, fault.StoreLocked, p.Data, "Another Neutron uses the data directory %s.", p.Data)
		}
		return nil, coded(p.Data, err)
	}
	return &Lock{f}, nil
}

// Close gives the lock back. The file stays: removing it could take another process's lock away.
func (l *Lock) Close() error { return l.f.Close() }

// coded gives a failure to make or open something its code and sentence.
func coded(dir string, err error) error {
	var f *fault.Error
	switch {
	case err == nil, errors.As(err, &f):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return &fault.Error{Op: op, Code: fault.StoreFull, Subject: dir, Err: err,
			Message: fmt.Sprintf("There is no room left for the data directory %s. Nothing was changed.", dir)}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &fault.Error{Op: op, Code: fault.StoreReadOnly, Subject: dir, Err: err,
			Message: fmt.Sprintf("The data directory %s cannot be written. Nothing was changed.", dir)}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EEXIST), errors.Is(err, syscall.ELOOP):
		return &fault.Error{Op: op, Code: fault.InvalidRequest, Subject: dir, Err: err,
			Message: fmt.Sprintf("The data directory %s cannot be made: something else is in its way.", dir)}
	}
	var reason syscall.Errno
	if !errors.As(err, &reason) {
		return &fault.Error{Op: op, Code: fault.Internal, Subject: dir, Err: err}
	}
	return &fault.Error{Op: op, Code: fault.InvalidRequest, Subject: dir, Err: err,
		Message: fmt.Sprintf("The data directory %s cannot be used: %v.", dir, reason)}
}
