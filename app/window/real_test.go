//go:build desktop && linux && e2e

package window

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// These tests run the whole program, with its own kernel and shell, and touch it only as a person
// can: keys, the mouse, signals. What came of it stands in the kernel's log.

var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(home, "bin", "neutron")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41,e2e", "-o", file, "neutron")
	out, err := build.CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return file, nil
})

// entry is a line of the kernel's log.
type entry map[string]any

// run is one window of the whole program.
type run struct {
	*stage
	data string
}

func start(t *testing.T, data string, env ...string) *run {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatalf("%v %s", err, file)
	}
	s := &stage{t: t, exited: make(chan error, 1)}
	s.cmd = exec.Command(file, "--data", data)
	s.cmd.Env = append(os.Environ(), "DISPLAY="+xDisplay, "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	s.cmd.Env = append(s.cmd.Env, env...)
	stderr, _ := s.cmd.StderrPipe()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.readLines(stderr)
	r := &run{s, data}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.exited
		if t.Failed() {
			raw, _ := os.ReadFile(r.logFile())
			t.Logf("window:\n%s\nkernel:\n%s", strings.Join(s.linesNow(), "\n"), raw)
		}
	})
	return r
}

func (r *run) logFile() string { return filepath.Join(r.data, "logs", "neutron.log") }

// logged gives the entries with this message.
func (r *run) logged(msg string) (found []entry) {
	raw, _ := os.ReadFile(r.logFile())
	scan := bufio.NewScanner(bytes.NewReader(raw))
	for scan.Scan() {
		var e entry
		if json.Unmarshal(scan.Bytes(), &e) == nil && e["msg"] == msg {
			found = append(found, e)
		}
	}
	return found
}

func (r *run) waitLogged(msg string, n int) entry {
	r.t.Helper()
	r.until(msg, func() bool { return len(r.logged(msg)) >= n })
	return r.logged(msg)[n-1]
}

// install packs a directory of files and installs it with the command line, while nothing runs.
func install(t *testing.T, data string, files map[string]string) {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatalf("%v %s", err, file)
	}
	dir := filepath.Join(t.TempDir(), "app")
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pack := dir + ".neutron"
	for _, args := range [][]string{{"app", "pack", dir, "-o", pack}, {"app", "install", "--yes", pack, "--data", data}} {
		if out, err := exec.Command(file, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
}

// The real kernel's gate opens in a sealed window and stays shut when any lock is open.
func TestRealGateFollowsTheLocks(t *testing.T) {
	for open, why := range map[string]string{
		"":           "",
		"unregister": "native handler",
		"filter":     "content filter",
		"proxy":      "network door",
	} {
		t.Run("open "+open, func(t *testing.T) {
			r := start(t, t.TempDir(), openEnv+"="+open)
			if why == "" {
				r.waitLogged("bridge gate open", 1)
				return
			}
			e := r.waitLogged("bridge gate stays shut", 1)
			if text, _ := e["err"].(string); !strings.Contains(text, why) {
				t.Errorf("shut because %q, want one of the %s", text, why)
			}
			if len(r.logged("bridge gate open")) > 0 {
				t.Error("the gate opened")
			}
		})
	}
}

func TestRealWindowComesBackAndLeavesNothing(t *testing.T) {
	r := start(t, t.TempDir())
	r.waitLogged("bridge gate open", 1)
	kill(t, r.page())
	r.waitLogged("bridge gate open", 2)
	r.picture("real-back")
	pages := r.pages()
	r.x("windowactivate", "--sync", r.mainWindow())
	r.x("key", "alt+F4")
	<-r.exited
	if l := left(append(pages, r.cmd.Process.Pid)); len(l) > 0 {
		t.Errorf("left behind: %v", l)
	}
	if code := r.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("closing the window ends the program with %d", code)
	}
}

// command runs the program beside the window.
func (r *run) command(args ...string) string {
	r.t.Helper()
	file, _ := program()
	c := exec.Command(file, append(args, "--data", r.data)...)
	c.Env = r.cmd.Env
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v: %v %s", args, err, out)
	}
	return string(out)
}

// The locked page's own button unlocks, because the window saw a person press it.
func TestRealLockAndUnlock(t *testing.T) {
	r := start(t, t.TempDir())
	r.waitLogged("bridge gate open", 1)
	r.command("lock")
	r.waitLogged("locked", 1)
	r.x("windowactivate", "--sync", r.mainWindow())
	r.picture("real-locked")
	r.until("Unlock is pressed", func() bool {
		r.x("key", "Tab")
		r.x("key", "Return")
		return len(r.logged("unlocked")) > 0
	})
	r.waitLogged("bridge gate open", 2)
	r.picture("real-unlocked")
}

// Starting Neutron again raises the window that is there.
func TestRealSecondStartRaises(t *testing.T) {
	r := start(t, t.TempDir())
	r.waitLogged("bridge gate open", 1)
	id := r.mainWindow()
	r.x("windowminimize", "--sync", id)
	r.until("the window is away", func() bool { return r.tryX("search", "--onlyvisible", "--name", "^Neutron$") == "" })
	r.command()
	if again := r.mainWindow(); again != id {
		t.Errorf("another window came up: %s after %s", again, id)
	}
}

// tile is a page that connects, answers pings and then does what the script says.
func tile(title, colour, then string) string {
	return `<!doctype html><title>` + title + `</title><body style="background:` + colour + `">` + title + `<script>
addEventListener('message', e => { if (e.source !== parent || e.data?.type !== 'neutron:msgbus:connect') return;
  const port = e.ports[0]; port.onmessage = ({ data }) => { if (data.type === 'exec') port.postMessage({ type: 'response', id: data.id, ok: null }); };
  ` + then + ` });
parent.postMessage({ type: 'neutron:msgbus:ready', version: 1 }, '*');
</script>`
}

func manifest(id, name string) string {
	return `{"format":1,"id":"` + id + `","name":"` + name + `","version":"1.0.0","tiles":[{"id":"main","title":"` + name + `","path":"index.html"}]}`
}

// openTile opens an app by the launcher: the shortcut is caught by the window and sent to the shell. What is typed
// before the shell hears is lost, as it is for a person, so it is done again until the app's page is there.
func (r *run) openTile(name, app string) {
	r.t.Helper()
	r.until(name+" is open", func() bool {
		r.x("windowactivate", "--sync", r.mainWindow())
		r.x("key", "Escape") // closes what an earlier try left open
		r.x("key", "ctrl+k")
		r.picture("real-launcher-" + name)
		r.x("type", "--delay", "40", name)
		r.x("key", "Return")
		return within(10*time.Second, func() bool {
			return slices.ContainsFunc(r.logged("a page connected"), func(e entry) bool { return e["app"] == app })
		})
	})
}

// A tile in an endless loop: the owner is asked, the page comes back, the tile that stops it again is
// quarantined, no other is, and the window lives on.
func TestRealHogIsQuarantined(t *testing.T) {
	data := t.TempDir()
	install(t, data, map[string]string{"neutron.json": manifest("hogapp", "Hog"), "index.html": tile("Hog", "#fdd", "setTimeout(() => { for (;;); }, 500);")})
	install(t, data, map[string]string{"neutron.json": manifest("calmapp", "Calm"), "index.html": tile("Calm", "#dfd", "")})
	r := start(t, data)
	r.waitLogged("bridge gate open", 1)
	r.picture("real-start")
	r.openTile("Calm", "calmapp")
	r.picture("real-calm")
	r.openTile("Hog", "hogapp")
	quarantined := func() (apps []string) {
		for _, e := range r.logged("recovering the window") {
			if q, _ := e["quarantined"].(string); q != "" {
				apps = append(apps, q)
			}
		}
		return apps
	}
	r.until("a page is quarantined", func() bool {
		// The prompt goes by itself when the page answers again, so the key is for a prompt that is there now.
		if r.tryX("search", "--onlyvisible", "--classname", "neutron-prompt") != "" {
			r.picture("real-prompt")
			r.tryX("key", "Return")
		}
		return len(quarantined()) > 0
	})
	stalls := len(r.logged("recovering the window"))
	if apps := quarantined(); stalls < 2 || !slices.Equal(apps, []string{"hogapp"}) {
		t.Errorf("after %d stalls quarantined %v", stalls, apps)
	}
	r.until("the workspace is back", func() bool { return len(r.logged("bridge gate open")) > stalls })
	r.picture("real-quarantine")
	r.signal(syscall.SIGTERM)
	<-r.exited
}
