package cli_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/install"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// binary is the real program, built once without a window.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "neutron-cli-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // another account has to run it
		panic(err)
	}
	binary = filepath.Join(dir, "neutron")
	build := exec.Command("go", "build", "-o", binary, "neutron")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n%v\n", out, err)
		return 1
	}
	return m.Run()
}

// result is what one command line ended with.
type result struct {
	out, err string
	exit     int
}

// neutron runs the program on a data directory; in is its standard input.
func neutron(t *testing.T, data, in string, args ...string) result {
	t.Helper()
	return finish(t, exec.Command(binary, args...), data, in)
}

func finish(t *testing.T, c *exec.Cmd, data, in string) result {
	t.Helper()
	c.Env = append(os.Environ(), "NEUTRON_DATA="+data, "DISPLAY=", "WAYLAND_DISPLAY=")
	var out, errs bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(in), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// want fails the test unless the command ended with an exit code and printed these.
func (r result) want(t *testing.T, exit int, parts ...string) result {
	t.Helper()
	if r.exit != exit {
		t.Errorf("exit code %d, want %d\n%s%s", r.exit, exit, r.out, r.err)
	}
	for _, p := range parts {
		if !strings.Contains(r.out+r.err, p) {
			t.Errorf("%q is missing in\n%s%s", p, r.out, r.err)
		}
	}
	return r
}

func dataDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "d")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// packed makes a package of an app from the template.
func packed(t *testing.T) (file string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my_notes")
	neutron(t, dataDir(t), "", "app", "new", dir).want(t, 0, "\n  "+binary+" app pack "+dir+"\n", " app install my_notes-0.1.0.neutron\n")
	file = filepath.Join(t.TempDir(), "n.neutron")
	neutron(t, dataDir(t), "", "app", "pack", dir, "-o", file).want(t, 0, "my_notes 0.1.0")
	return file
}

// running serves on a data directory until the test ends.
func running(t *testing.T, data string) (line struct {
	Workspace, Sandbox string
	PID                int
}) {
	t.Helper()
	c := exec.Command(binary, "serve", "--json")
	c.Env = append(os.Environ(), "NEUTRON_DATA="+data)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		if err := c.Wait(); err != nil {
			t.Errorf("serve ended with %v", err)
		}
		if _, err := os.Lstat(filepath.Join(data, "control.sock")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the socket was left: %v", err)
		}
	})
	raw, err := bufio.NewReader(out).ReadBytes('\n')
	if err := errors.Join(err, json.Unmarshal(raw, &line)); err != nil {
		t.Fatalf("serve --json: %q, %v", raw, err)
	}
	return line
}

// TestTheSameCommandsWithAndWithoutAKernel runs the story of an app twice.
func TestTheSameCommandsWithAndWithoutAKernel(t *testing.T) {
	file := packed(t)
	story := func(t *testing.T, data string) {
		neutron(t, data, "", "app", "list").want(t, 0, "No app is installed.")
		neutron(t, data, "", "app", "show", "my_notes").want(t, 1, "APP_UNKNOWN", `"my_notes"`)
		neutron(t, data, "", "app", "install", file).want(t, 4, "What it may do", "[y/N]", "Nothing was installed.")
		neutron(t, data, "perhaps\n", "app", "install", file).want(t, 4)
		neutron(t, data, "", "app", "install", file, "--json").want(t, 0, `"installed":false`, `"risks"`)
		neutron(t, data, "", "app", "list", "--json").want(t, 0, "[]\n")
		neutron(t, data, "y\n", "app", "install", file).want(t, 0, "Installed my_notes 0.1.0.")
		neutron(t, data, "", "app", "install", file, "--yes").want(t, 5, "VERSION_NOT_NEWER")
		var list []struct{ ID, Version, Hash string }
		r := neutron(t, data, "", "app", "list", "--json").want(t, 0)
		if err := json.Unmarshal([]byte(r.out), &list); err != nil || len(list) != 1 || list[0].ID != "my_notes" || len(list[0].Hash) != 64 {
			t.Errorf("list --json: %v, %v", list, err)
		}
		neutron(t, data, "", "app", "show", "my_notes").want(t, 0, "which nobody verified", list[0].Hash)
		neutron(t, data, "", "doctor").want(t, 0, "1 are there and have their hash")
		neutron(t, data, "n\n", "app", "remove", "my_notes").want(t, 4, "Nothing was removed.")
		neutron(t, data, "y\n", "app", "remove", "my_notes").want(t, 0, "Removed my_notes.")
		neutron(t, data, "", "app", "remove", "my_notes", "--yes").want(t, 1, "APP_UNKNOWN")
		neutron(t, data, "", "app", "install", file, "--yes", "--json").want(t, 0, `"uid":2`)
		neutron(t, data, "", "audit").want(t, 0, "No call is on record.")
	}
	t.Run("without", func(t *testing.T) { story(t, dataDir(t)) })
	t.Run("with", func(t *testing.T) {
		data := dataDir(t)
		running(t, data)
		story(t, data)
		neutron(t, data, "", "doctor").want(t, 0, "1 installed apps are what was approved")
		neutron(t, data, "", "serve").want(t, 12, "STORE_LOCKED", data)
	})
}

// TestCommandsWaitForEachOther starts many at once on one data directory.
func TestCommandsWaitForEachOther(t *testing.T) {
	data := dataDir(t)
	file := packed(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { neutron(t, data, "", "app", "list").want(t, 0) })
	}
	wg.Go(func() { neutron(t, data, "", "app", "install", file, "--yes").want(t, 0) })
	wg.Wait()
	neutron(t, data, "", "app", "list").want(t, 0, "my_notes")
}

func TestOpenAndLock(t *testing.T) {
	data := dataDir(t)
	for _, c := range [][]string{{"open"}, {"lock"}, {"audit", "--follow"}} {
		neutron(t, data, "", c...).want(t, 3, "No Neutron runs on the data directory "+data)
	}
	line := running(t, data)
	link := regexp.MustCompile(`^` + regexp.QuoteMeta(line.Workspace[:strings.Index(line.Workspace, "#")]) + `#boot=[0-9a-f]{64}\n$`)
	first := neutron(t, data, "", "open", "--link").want(t, 0)
	second := neutron(t, data, "", "open", "--link").want(t, 0)
	if !link.MatchString(first.out) || !link.MatchString(second.out) || first.out == second.out {
		t.Errorf("links %q and %q", first.out, second.out)
	}
	neutron(t, data, "", "lock").want(t, 0, "Neutron is locked.")
	neutron(t, data, "", "doctor").want(t, 0, "locked true", fmt.Sprintf("process %d", line.PID))
	neutron(t, data, "", "open").want(t, 0, "#boot=") // there is no window here: it prints the address, and unlocks
	neutron(t, data, "", "doctor").want(t, 0, "locked false")
}

func TestAKilledKernelIsNoObstacle(t *testing.T) {
	data := dataDir(t)
	c := exec.Command(binary, "serve", "--json")
	c.Env = append(os.Environ(), "NEUTRON_DATA="+data)
	out, err := c.StdoutPipe()
	if err := errors.Join(err, c.Start()); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if _, err := os.Lstat(filepath.Join(data, "control.sock")); err != nil {
		t.Errorf("the kill left no socket, so this shows nothing: %v", err)
	}
	neutron(t, data, "", "app", "list").want(t, 0)
	neutron(t, data, "", "lock").want(t, 3)
	running(t, data)
	neutron(t, data, "", "lock").want(t, 0)
}

func TestDoctorTellsWhatWasRefused(t *testing.T) {
	data := dataDir(t)
	at := running(t, data)
	neutron(t, data, "", "doctor").want(t, 0, "refused        0 requests")
	r, err := http.NewRequest(http.MethodGet, at.Workspace, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "rebound.example"
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = got.Body.Close()
	neutron(t, data, "", "doctor").want(t, 0, "refused        1 requests")
}

// A process that was stopped still has its socket, and whoever connects to it waits.
func TestAStoppedKernelIsToldOf(t *testing.T) {
	data := dataDir(t)
	kernel := running(t, data)
	if err := syscall.Kill(kernel.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(kernel.PID, syscall.SIGCONT) //nolint:errcheck // the end of the test finds out
	var all sync.WaitGroup
	for _, args := range [][]string{{"app", "list"}, {"open", "--link"}, {"open"}, {"lock"}, {"audit"}, {"audit", "--follow"}} {
		all.Go(func() {
			if r := neutron(t, data, "", args...); r.exit != 3 || !strings.Contains(r.err, "does not answer") {
				t.Errorf("%v: exit %d, %q", args, r.exit, r.err)
			}
		})
	}
	all.Go(func() {
		if r := neutron(t, data, "", "doctor"); r.exit != 6 || !strings.Contains(r.out, "does not answer") {
			t.Errorf("doctor: exit %d, %q", r.exit, r.out)
		}
	})
	all.Wait()
}

func TestAudit(t *testing.T) {
	data := dataDir(t)
	s, err := store.Open(data, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(func(tx *store.Tx) error {
		for i := range 30 {
			raw, err := proto.Marshal(&linkv1.AuditEntry{
				Seq: uint64(i + 1), AtMs: 1, Status: "ok", Decision: "once", Tool: "notes.search\x1b[2J",
				Caller: &linkv1.Party{EndpointId: fmt.Sprintf("app:caller%d:background", i%2), AppId: fmt.Sprint("caller", i%2)}, Target: &linkv1.Party{EndpointId: "kernel"},
			})
			if err := errors.Join(err, tx.Bucket(store.Audit).Put([]byte{0, 0, 0, 0, 0, 0, 0, byte(i + 1)}, raw)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T) {
		seqs := func(args ...string) (list []uint64) {
			r := neutron(t, data, "", append([]string{"audit", "--json"}, args...)...).want(t, 0)
			for line := range strings.Lines(r.out) {
				var e struct{ Seq uint64 }
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Errorf("%q: %v", line, err)
				}
				list = append(list, e.Seq)
			}
			return list
		}
		if got := fmt.Sprint(seqs("-n", "3")); got != "[28 29 30]" {
			t.Errorf("the newest three are %s", got)
		}
		if got := fmt.Sprint(seqs("-n", "2", "--app", "caller0")); got != "[27 29]" {
			t.Errorf("the newest two of one app are %s", got)
		}
		if got := seqs(); len(got) != 20 {
			t.Errorf("%d entries by default", len(got))
		}
		r := neutron(t, data, "", "audit", "-n", "1").want(t, 0, "app:caller1:background -> kernel notes.search", "[once, 0s]")
		if strings.ContainsAny(r.out, "\x1b") {
			t.Error("an app's text reaches the terminal as it is")
		}
		neutron(t, data, "", "audit", "-n", "100001").want(t, 2)
	}
	t.Run("without a kernel", check)
	t.Run("with a kernel", func(t *testing.T) {
		running(t, data)
		check(t)
		c := exec.Command(binary, "audit", "-f", "-n", "1")
		c.Env = append(os.Environ(), "NEUTRON_DATA="+data)
		out, err := c.StdoutPipe()
		if err := errors.Join(err, c.Start()); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "app:caller1") {
			t.Errorf("followed %q, %v", line, err)
		}
		if err := errors.Join(c.Process.Signal(os.Interrupt), c.Wait()); err != nil {
			t.Errorf("stopped by its user it ends with %v", err)
		}
	})
}

func TestMistakes(t *testing.T) {
	data := dataDir(t)
	for _, args := range [][]string{
		{"bogus"}, {"app"}, {"app", "install"}, {"app", "list", "extra"}, {"--bogus"}, {"serve", "--listen"}, {"app", "show"}, {"open", "x"},
	} {
		r := neutron(t, data, "", args...).want(t, 2, "INVALID_REQUEST")
		if r.out != "" || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v prints more than one line: %q %q", args, r.out, r.err)
		}
	}
	neutron(t, data, "", "serve", "--listen", "0.0.0.0:0").want(t, 1, "127.0.0.1")
	neutron(t, data, "", "app", "install", filepath.Join(data, "none.neutron")).want(t, 5, "cannot be read")
	neutron(t, data, "", "app", "install", data).want(t, 5, "neutron.json is missing")
	neutron(t, data, "", "app", "check", filepath.Join(data, "none")).want(t, 5)
	neutron(t, data, "", "app", "new", data).want(t, 1)
	spaced := filepath.Join(data, "It's Mine")
	neutron(t, data, "", "app", "new", spaced).want(t, 0, `'`+data+`/It'\''s Mine'`)
	neutron(t, data, "", "app", "pack", spaced, "-o", filepath.Join(data, "none", "x.neutron")).want(t, 11, "cannot be written")
	if r := neutron(t, data, "y\n", "app", "remove", "nothing_here").want(t, 1, "APP_UNKNOWN"); r.out != "" {
		t.Errorf("remove asks about an app that is not there: %q", r.out)
	}
	r := neutron(t, data, "", "app", "show", "nothing_here", "--json").want(t, 1)
	var e struct{ Code, Message string }
	if err := json.Unmarshal([]byte(r.err), &e); err != nil || e.Code != "APP_UNKNOWN" || e.Message == "" || r.out != "" {
		t.Errorf("an error with --json: %q, %v", r.err, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	neutron(t, file, "", "app", "list").want(t, 1, "is not a directory")
}

func TestCheckFindsWhatCannotWork(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my_notes")
	if err := install.New(dir, ""); err != nil {
		t.Fatal(err)
	}
	neutron(t, dataDir(t), "", "app", "check", dir).want(t, 0, "Nothing was found.")
	if err := os.WriteFile(filepath.Join(dir, "bad.html"), []byte(`<script>localStorage.setItem("a", "b")</script>`), 0o600); err != nil {
		t.Fatal(err)
	}
	neutron(t, dataDir(t), "", "app", "check", dir).want(t, 6, "bad.html")
	neutron(t, dataDir(t), "", "app", "check", dir, "--json").want(t, 6, `"fatal":true`)
}

// TestTheDocNamesEverything holds docs/cli.md against the program: every command and every exit code.
func TestTheDocNamesEverything(t *testing.T) {
	raw, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(raw)
	var visit func(path ...string)
	visit = func(path ...string) {
		help := neutron(t, dataDir(t), "", append(path[1:len(path):len(path)], "--help")...).want(t, 0).out
		_, list, some := strings.Cut(help, "Available Commands:\n")
		if !some {
			if !strings.Contains(doc, "`"+strings.Join(path, " ")) {
				t.Errorf("docs/cli.md does not name %s", strings.Join(path, " "))
			}
			return
		}
		for line := range strings.Lines(list) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if name == "" || strings.HasPrefix(line, "Flags:") {
				break
			}
			if name != "help" {
				visit(append(path[:len(path):len(path)], name)...)
			}
		}
	}
	visit("neutron")
	src, err := os.ReadFile("cli.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?m)^\texit[A-Z]\w+\s+= (\d+)$`).FindAllSubmatch(src, -1)
	if len(codes) < 10 {
		t.Fatalf("only %d exit codes were found", len(codes))
	}
	for _, c := range codes {
		if !regexp.MustCompile(`(?m)^\| ` + string(c[1]) + ` \|`).MatchString(doc) {
			t.Errorf("docs/cli.md does not explain exit code %s", c[1])
		}
	}
}

// tree is every file of a directory with its bytes.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close() //nolint:errcheck // only read
		h := sha256.New()
		_, err = io.Copy(h, f)
		fmt.Fprintf(&b, "%s %x\n", path, h.Sum(nil))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
