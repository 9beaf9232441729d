//go:build desktop && linux && e2e

package window

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"neutron/kernel/proto/controlv1"
)

// gate is the kernel's rule: frames may exist only if every lock says so.
func gate(l *controlv1.LockState, hasHandler bool) bool {
	return l.GetHeard() == 0 && l.GetFilterOn() && l.GetProxyOn() && l.GetRedirected() && !hasHandler
}

// seen is what the attack of one frame came to.
type seen struct {
	Sent int
	Has  bool
	N    int
}

func attack(s *stage, p page) (got seen) {
	p.run(`frame("`+s.web.frame("attack")+`")`, nil)
	p.until(`heard.some(m => m.n === 10)`)
	p.run(`heard.at(-1)`, &got)
	return got
}

// Every lock broken alone is seen, and what the others still hold is held.
func TestEachLockAloneShutsTheGate(t *testing.T) {
	for _, c := range []struct {
		open    string
		gate    bool
		heard   bool // native messages arrive
		wails   bool // requests reach the custom scheme
		foreign bool // connections reach a foreign host
	}{
		{open: "", gate: true},
		{open: "unregister", heard: true},
		{open: "filter", wails: true},
		{open: "proxy"},
		{open: "filter,proxy", wails: true, foreign: true}, // the positive control of both egress doors
	} {
		t.Run("open "+c.open, func(t *testing.T) {
			s := open(t, openEnv+"="+c.open)
			p := s.shellUp()
			var got seen
			l := s.locks(func() { got = attack(s, p) })
			t.Logf("heard %d, frame %+v, state %v, wails %d, foreign %d", l.GetHeard(), got, l, s.count(`"window.wails"`), s.web.foreignConns.Load())
			if gate(l, got.Has) != c.gate {
				t.Errorf("gate %v, want %v", !c.gate, c.gate)
			}
			if (l.GetHeard() > 0) != c.heard || got.Has != c.heard || (got.Sent > 0) != c.heard {
				t.Errorf("heard %d, frame %+v; want messages: %v", l.GetHeard(), got, c.heard)
			}
			if n := s.count(`"window.wails"`); (n > 0) != c.wails {
				t.Errorf("%d requests to wails:, want some: %v", n, c.wails)
			}
			if n := s.web.foreignConns.Load(); (n > 0) != c.foreign {
				t.Errorf("%d foreign connections, want some: %v", n, c.foreign)
			}
			if s.count("REACHED") > 0 {
				t.Error("a frame reached Wails")
			}
		})
	}
}

// A page that never leaves wails:// is what Wails trusts: with every lock open a frame in it reaches
// the runtime, which proves that the attack is one. The unregistering alone stops it.
func TestNoRedirect(t *testing.T) {
	for _, c := range []struct {
		open    string
		reached bool
	}{
		{"redirect,unregister,filter,proxy", true},
		{"redirect", false},
	} {
		t.Run("open "+c.open, func(t *testing.T) {
			s := open(t, openEnv+"="+c.open)
			var l *controlv1.LockState
			if c.reached {
				l = s.locks(func() { s.until("the frame reaches Wails", func() bool { return s.count("REACHED") > 0 }) })
			} else {
				l = s.locks(func() { s.until("the frame was loaded", func() bool { return s.web.loaded.Load() > 0 }) })
				s.web.settle(t)
				l = s.locks(func() {})
			}
			t.Logf("state %v, reached %d", l, s.count("REACHED"))
			if gate(l, false) || l.GetRedirected() {
				t.Errorf("the gate opens on wails://: %v", l)
			}
			if (l.GetHeard() > 0) != c.reached || (s.count("REACHED") > 0) != c.reached {
				t.Errorf("heard %d, reached %d; want some: %v", l.GetHeard(), s.count("REACHED"), c.reached)
			}
		})
	}
}

// A second visit to wails:// finds nothing, and after a dead web process the locks still hold.
func TestLocksOutliveTheWebProcess(t *testing.T) {
	s := open(t)
	p := s.shellUp()
	if l := s.locks(func() { attack(s, p) }); !gate(l, false) {
		t.Fatalf("first life: %v", l)
	}
	kill(t, s.page())
	p = s.shellUp()
	s.mu.Lock()
	s.told = nil
	s.mu.Unlock()
	var got seen
	l := s.locks(func() { got = attack(s, p) })
	if !gate(l, got.Has) {
		t.Errorf("second life: %v %+v", l, got)
	}
}

// The switches that leave a lock open exist in test builds only.
func TestReleaseHasNoSwitches(t *testing.T) {
	words := [][]byte{[]byte("NEUTRON_E2E"), []byte("is-controlled-by-automation")}
	has := func(file string) (n int) {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if bytes.Contains(raw, w) {
				n++
			}
		}
		return n
	}
	if has(os.Args[0]) != len(words) {
		t.Fatal("the words are not in this test binary, so their absence elsewhere says nothing")
	}
	binary := filepath.Join(t.TempDir(), "release.a")
	build := exec.Command("go", "build", "-tags", "desktop,production,webkit2_41", "-o", binary, "neutron/app/window")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if has(binary) != 0 {
		t.Error("a release carries the switches of the tests")
	}
}
