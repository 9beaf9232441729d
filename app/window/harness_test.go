//go:build desktop && linux && e2e

package window

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"

	"neutron/kernel/proto/controlv1"
)

// These tests run the real window: this test binary again, as a child that only calls Run, under an
// Xvfb of its own. The test is the kernel: it serves a shell and a sandbox, and
// talks to the window over two pipes.

const childEnv = "NEUTRON_WINDOW_TEST_CHILD"

var xDisplay string

// home is one for the whole run: WebKit's sandbox binds what an earlier window announced on the display.
var home string

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(childMain())
	}
	var err error
	if home, err = os.MkdirTemp("", "neutron-window-test-"); err != nil {
		panic(err)
	}
	code := withDisplay(m.Run)
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// pipePeer is a kernel at the other end of two pipes.
type pipePeer struct {
	out  *os.File
	hear chan *controlv1.AttachWindowResponse
}

func (p *pipePeer) Tell(m *controlv1.AttachWindowRequest)        { _, _ = protodelim.MarshalTo(p.out, m) }
func (p *pipePeer) Hear() <-chan *controlv1.AttachWindowResponse { return p.hear }

func childMain() int {
	p := &pipePeer{out: os.NewFile(4, "tell"), hear: make(chan *controlv1.AttachWindowResponse)}
	go func() {
		in := bufio.NewReader(os.NewFile(3, "hear"))
		for {
			m := &controlv1.AttachWindowResponse{}
			if protodelim.UnmarshalFrom(in, m) != nil {
				close(p.hear)
				return
			}
			p.hear <- m
		}
	}()
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if err := Run(context.Background(), p, Options{Log: log, StateFile: os.Getenv("STATE")}); err != nil {
		fmt.Fprintln(os.Stderr, "RUN", err)
		return 3
	}
	fmt.Fprintln(os.Stderr, "CLOSED")
	return 0
}

// withDisplay starts an X server on a free display, and a window manager, and ends both.
func withDisplay(run func() int) int {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	if err := x.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "the window's tests need Xvfb:", err)
		return 1
	}
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		fmt.Fprintln(os.Stderr, "Xvfb named no display:", err)
		return 1
	}
	xDisplay = ":" + strings.TrimSpace(line)
	wm := exec.Command("openbox")
	wm.Env = append(os.Environ(), "DISPLAY="+xDisplay)
	if err := wm.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "the window's tests need openbox:", err)
		return 1
	}
	defer func() {
		for _, c := range []*exec.Cmd{wm, x} {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	return run()
}

// stage is one window with the kernel's side of it.
type stage struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     *os.File // to the window
	web    *web
	exited chan error
	wayOut *controlv1.Egress // told before each boot; nil: there is none

	mu    sync.Mutex
	told  []*controlv1.AttachWindowRequest
	lines []string
}

// open starts a window; env leaves locks open and the like. The shell is up when it returns, unless
// the page was told not to leave wails://.
func open(t *testing.T, env ...string) *stage {
	t.Helper()
	return openTo(t, nil, env...)
}

// openTo starts a window that has a way out.
func openTo(t *testing.T, wayOut *controlv1.Egress, env ...string) *stage {
	t.Helper()
	s := &stage{t: t, web: serveWeb(t), exited: make(chan error, 1), wayOut: wayOut}
	hearR, hearW, _ := os.Pipe()
	tellR, tellW, _ := os.Pipe()
	s.in = hearW
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), childEnv+"=1", "DISPLAY="+xDisplay, "HOME="+home, "XDG_DATA_HOME="+home, "XDG_CACHE_HOME="+home,
		"XDG_CONFIG_HOME="+home, pageEnv+"="+s.web.frame("attack"), "STATE="+filepath.Join(t.TempDir(), "window.json"))
	s.cmd.Env = append(s.cmd.Env, env...)
	s.cmd.ExtraFiles = []*os.File{hearR, tellW}
	stderr, _ := s.cmd.StderrPipe()
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hearR.Close()
	tellW.Close()
	go s.readLines(stderr)
	go s.readTold(tellR)
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.exited
		if t.Failed() {
			t.Log("window:\n" + strings.Join(s.linesNow(), "\n"))
		}
	})
	return s
}

func (s *stage) readLines(r io.Reader) {
	scan := bufio.NewScanner(r)
	for scan.Scan() {
		s.mu.Lock()
		s.lines = append(s.lines, scan.Text())
		s.mu.Unlock()
	}
	s.exited <- s.cmd.Wait()
	close(s.exited)
}

// readTold keeps what the window tells, and gives it a fresh start whenever it asks, as a kernel does.
func (s *stage) readTold(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		m := &controlv1.AttachWindowRequest{}
		if protodelim.UnmarshalFrom(in, m) != nil {
			return
		}
		s.mu.Lock()
		s.told = append(s.told, m)
		s.mu.Unlock()
		if m.GetBootWanted() != nil || m.GetAnswered().GetReload() {
			if s.wayOut != nil {
				s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Egress{Egress: s.wayOut}})
			}
			s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Boot{Boot: &controlv1.Boot{
				Url: s.web.shell + "/#boot=" + strings.Repeat("0", 64), SandboxUrl: s.web.sandbox,
			}}})
		}
	}
}

func (s *stage) say(m *controlv1.AttachWindowResponse) { _, _ = protodelim.MarshalTo(s.in, m) }

func (s *stage) linesNow() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.lines...)
}

func (s *stage) count(part string) (n int) {
	for _, l := range s.linesNow() {
		if strings.Contains(l, part) {
			n++
		}
	}
	return n
}

// find gives every told message that pick accepts.
func find[T any](s *stage, pick func(*controlv1.AttachWindowRequest) *T) (found []*T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.told {
		if v := pick(m); v != nil {
			found = append(found, v)
		}
	}
	return found
}

// patience is for a broken build on a busy machine; nothing is measured by it.
const patience = 2 * time.Minute

// until waits for a condition.
func (s *stage) until(what string, ok func() bool) {
	s.t.Helper()
	if !within(patience, ok) {
		s.t.Fatalf("never happened: %s", what)
	}
}

func within(d time.Duration, ok func() bool) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(d); !ok(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// locks does what a kernel does around its probe: arm, let the frame try everything, read.
func (s *stage) locks(try func()) *controlv1.LockState {
	s.t.Helper()
	state := func(nonce string) *controlv1.LockState {
		var got *controlv1.LockState
		s.until("lock state "+nonce, func() bool {
			for _, l := range find(s, (*controlv1.AttachWindowRequest).GetLockState) {
				if l.GetNonce() == nonce {
					got = l
				}
			}
			return got != nil
		})
		return got
	}
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ArmProbe{ArmProbe: &controlv1.ArmProbe{Nonce: "armed"}}})
	state("armed")
	try()
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ReadLocks{ReadLocks: &controlv1.ReadLocks{Nonce: "read"}}})
	return state("read")
}

// pages gives the pids of the web view's processes.
func (s *stage) pages() []int { return pageProcesses(s.cmd.Process.Pid) }

// page gives the process that runs the frames.
func (s *stage) page() int {
	for _, pid := range s.pages() {
		if name, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm"); strings.TrimSpace(string(name)) == "WebKitWebProces" {
			return pid
		}
	}
	return 0
}

// alive counts the pids that still run; a zombie does not.
func alive(pids []int) (left []int) {
	for _, pid := range pids {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err == nil && !strings.Contains(string(raw), ") Z ") {
			left = append(left, pid)
		}
	}
	return left
}

// left is who is still alive of those that were killed: the system may take a moment over a process
// on a busy machine. WebKit itself would end a looping page after ten seconds only, a calm network
// process never.
func left(pids []int) []int {
	within(2*time.Second, func() bool { return len(alive(pids)) == 0 })
	return alive(pids)
}

// x sends real input: XTEST, not an event made by a script.
func (s *stage) x(args ...string) string {
	s.t.Helper()
	c := exec.Command("xdotool", args...)
	c.Env = append(os.Environ(), "DISPLAY="+xDisplay)
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("xdotool %v: %v %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// picture keeps what the screen shows once it stands still, when the tests are asked to. A caret may
// blink for ever, so the looks are counted.
func (s *stage) picture(name string) {
	s.t.Helper()
	dir := os.Getenv("NEUTRON_PICTURES")
	if dir == "" {
		return
	}
	var last []byte
	for look, same := 0, 0; look < 16 && same < 6; look++ {
		c := exec.Command("import", "-window", "root", "-display", xDisplay, "-quality", "9", "png:-")
		now, err := c.Output()
		if err != nil {
			s.t.Fatalf("picture: %v", err)
		}
		if same++; pixels(now) != pixels(last) {
			same = 0
		}
		last = now
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), last, 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// pixels gives the image data of a PNG without its dates.
func pixels(png []byte) string {
	_, data, _ := strings.Cut(string(png), "IDAT")
	data, _, _ = strings.Cut(data, "tEXt")
	return data
}

func (s *stage) signal(sig syscall.Signal) { _ = s.cmd.Process.Signal(sig) }

func kill(t *testing.T, pid int) {
	t.Helper()
	if pid == 0 {
		t.Fatal("no web process")
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// tryX is x for what may fail; it gives an empty string then.
func (s *stage) tryX(args ...string) string {
	c := exec.Command("xdotool", args...)
	c.Env = append(os.Environ(), "DISPLAY="+xDisplay)
	out, err := c.Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return first
}
