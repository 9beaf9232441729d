package place_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"neutron/app/place"
	"neutron/kernel/fault"
)

// childVariable makes the test binary run as a child with one job on a data directory: "crash DIR".
const childVariable = "NEUTRON_PLACE_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		child(strings.TrimPrefix(job, "crash "))
	}
	os.Exit(m.Run())
}

// child panics in a goroutine of its own, where nothing can recover it.
func child(dir string) {
	p, err := place.Resolve(dir)
	if err != nil {
		panic(err)
	}
	if _, err := p.CrashFile(); err != nil {
		panic(err)
	}
	go func() { panic("the child's own panic") }()
	select {}
}

func resolve(t *testing.T, flag string) place.Place {
	t.Helper()
	p, err := place.Resolve(flag)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestResolve(t *testing.T) {
	dir := t.TempDir()
	set := func(data, xdg, home string) {
		t.Setenv("NEUTRON_DATA", data)
		t.Setenv("XDG_DATA_HOME", xdg)
		t.Setenv("HOME", home)
	}
	for _, c := range []struct{ flag, data, xdg, home, want string }{
		{dir + "/f", dir + "/e", dir + "/x", dir, dir + "/f"},
		{"", dir + "/e", dir + "/x", dir, dir + "/e"},
		{"", "", dir + "/x", dir, dir + "/x/neutron"},
		{"", "", "relative", dir, dir + "/.local/share/neutron"},
		{"", "", "", dir, dir + "/.local/share/neutron"},
	} {
		set(c.data, c.xdg, c.home)
		p := resolve(t, c.flag)
		if p.Data != c.want || p.Logs != c.want+"/logs" || !filepath.IsAbs(p.Socket) || filepath.Dir(p.LockFile) != p.Data {
			t.Errorf("%v: %+v", c, p)
		}
	}
	set("", "", "")
	if _, err := place.Resolve(""); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("without a home: %v", err)
	}
	t.Chdir(dir)
	if p := resolve(t, "here"); p.Data != filepath.Join(dir, "here") {
		t.Errorf("a relative flag: %s", p.Data)
	}
	if err := os.WriteFile("file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := place.Resolve("file"); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("a file: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("resolving made something: %v", entries)
	}
}

func TestSocketPathFitsASocket(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long/", 30))
	t.Setenv("XDG_RUNTIME_DIR", "")
	a, b := resolve(t, long+"a"), resolve(t, long+"b")
	if len(a.Socket) > 100 || a.Socket == b.Socket {
		t.Errorf("sockets %s and %s", a.Socket, b.Socket)
	}
	run := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", run)
	if p := resolve(t, long); len(p.Socket) <= 100 && filepath.Dir(p.Socket) != run {
		t.Errorf("socket %s", p.Socket)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestLockAndModes(t *testing.T) {
	p := resolve(t, filepath.Join(t.TempDir(), "a", "b"))
	l, err := p.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if mode(t, p.Data) != 0o700 || mode(t, p.LockFile) != 0o600 {
		t.Errorf("modes %v and %v", mode(t, p.Data), mode(t, p.LockFile))
	}
	if _, err := p.Lock(); fault.CodeOf(err) != fault.StoreLocked || !strings.Contains(fault.Sentence(err), p.Data) {
		t.Errorf("a second lock: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	// Opened to others meanwhile: taken back, since it is ours.
	if err := os.Chmod(p.Data, 0o755); err != nil {
		t.Fatal(err)
	}
	l, err = p.Lock()
	if err != nil || mode(t, p.Data) != 0o700 {
		t.Errorf("again: %v, mode %v", err, mode(t, p.Data))
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	// A directory with other things in it keeps its mode.
	other := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(other, "letter"), nil, 0o600), os.Chmod(other, 0o755)); err != nil {
		t.Fatal(err)
	}
	l, err = resolve(t, other).Lock()
	if err != nil || mode(t, other) != 0o755 {
		t.Errorf("somebody's directory: %v, mode %v", err, mode(t, other))
	}
	_ = l.Close()
}

func TestLogIsBoundedAndHoldsNoPayload(t *testing.T) {
	p := resolve(t, filepath.Join(t.TempDir(), "d"))
	l, err := p.Logger()
	if err != nil {
		t.Fatal(err)
	}
	secret := strings.Repeat("s3cret ", 200)
	l.Info("a call", "payload", []byte(secret), "text", secret, "err", errors.New(secret), "n", 7)
	raw, err := os.ReadFile(filepath.Join(p.Logs, "neutron.log"))
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Msg, Payload, Text, Err string
		N                       int
	}
	if err := json.Unmarshal(raw, &line); err != nil || line.Payload != "1400 bytes" || len(line.Text) > 300 || len(line.Err) > 300 || line.N != 7 {
		t.Errorf("%+v, %v", line, err)
	}
	if mode(t, p.Logs) != 0o700 || mode(t, filepath.Join(p.Logs, "neutron.log")) != 0o600 {
		t.Error("the log can be read by others")
	}
	for range 7 * 5 << 20 / 1000 { // seven files' worth
		l.Info("x", "a", strings.Repeat("a", 250), "b", strings.Repeat("b", 250), "c", strings.Repeat("c", 250), "d", strings.Repeat("d", 200))
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	// lumberjack removes in a goroutine of its own; opening again waits for it.
	entries, err := os.ReadDir(p.Logs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Size() > 5<<20 {
			t.Errorf("%s has %d bytes", e.Name(), info.Size())
		}
	}
	if len(entries) < 5 || len(entries) > 8 {
		t.Errorf("%d log files", len(entries))
	}
}

func TestACrashIsKept(t *testing.T) {
	p := resolve(t, filepath.Join(t.TempDir(), "d"))
	crash := func() {
		t.Helper()
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), childVariable+"=crash "+p.Data)
		if err := c.Run(); err == nil {
			t.Fatal("the child did not crash")
		}
	}
	crash()
	raw, err := os.ReadFile(filepath.Join(p.Logs, "crash.txt"))
	if err != nil || !bytes.Contains(raw, []byte("the child's own panic")) {
		t.Fatalf("crash.txt: %q, %v", raw, err)
	}
	end, err := p.CrashFile()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := p.Crashes()
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if again, err := os.ReadFile(kept[0]); err != nil || !bytes.Equal(again, raw) {
		t.Errorf("the kept file differs: %v", err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(p.Logs, "crash.txt")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an ordinary end leaves a crash file: %v", err)
	}
	for i := range 9 { // older ones go
		name := filepath.Join(p.Logs, fmt.Sprintf("crash-2020010%d-000000.txt", i))
		if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	crash()
	if end, err = p.CrashFile(); err != nil {
		t.Fatal(err)
	}
	if kept, err = p.Crashes(); err != nil || len(kept) != 5 || strings.Contains(kept[4], "2020") {
		t.Errorf("kept %v, %v", kept, err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestTheLockGoesWithItsProcess holds it in a child and kills that.
func TestTheLockGoesWithItsProcess(t *testing.T) {
	p := resolve(t, filepath.Join(t.TempDir(), "d"))
	if err := p.Make(); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("flock", p.LockFile, "sh", "-c", "echo held; exec cat")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close() //nolint:errcheck // keeps the child alive until here
	out, err := c.StdoutPipe()
	if err := errors.Join(err, c.Start()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "held\n" {
		t.Fatalf("the child said %q, %v", line, err)
	}
	if _, err := p.Lock(); fault.CodeOf(err) != fault.StoreLocked {
		t.Errorf("while another process holds it: %v", err)
	}
	_ = in.Close()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	l, err := p.Lock()
	if err != nil {
		t.Fatalf("after its end: %v", err)
	}
	_ = l.Close()
}
