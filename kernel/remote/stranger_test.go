package remote

import (
	"context"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"connectrpc.com/connect"

	"neutron/kernel/proto/controlv1"
)

var quiet = slog.New(slog.DiscardHandler)

// strangerVariable makes the test binary ask the socket it names, and end with 0 if it is answered.
const strangerVariable = "NEUTRON_STRANGER_SOCKET"

func TestMain(m *testing.M) {
	if path := os.Getenv(strangerVariable); path != "" {
		if _, err := net.Dial("unix", path); err != nil {
			os.Exit(3) // the modes kept it out, which is not what is tested
		}
		if _, err := Dial(path).Status(context.Background(), connect.NewRequest(&controlv1.StatusRequest{})); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// stranger runs a process of another account against a socket whose modes were
// opened to everybody, so that the question to the operating system is all that
// is left. Only root can start one.
func stranger(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return // try did the same with a foreign owner
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	s, err := Listen(path, newFar(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // a test
	for _, leaf := range []string{dir, filepath.Dir(os.Args[0])} {
		for p := leaf; len(p) > 1; p = filepath.Dir(p) {
			if info, err := os.Stat(p); err == nil && info.Mode().Perm()&0o011 != 0o011 {
				_ = os.Chmod(p, info.Mode()|0o011)
			}
		}
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[uint32]int{0: 0, 65534: 1} {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), strangerVariable+"="+path)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		_ = c.Run()
		if got := c.ProcessState.ExitCode(); got != want {
			t.Errorf("account %d ended with %d, want %d", uid, got, want)
		}
	}
}
