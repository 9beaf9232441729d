//go:build desktop && linux && e2e

package window

import (
	"encoding/json"
	"testing"

	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

func gestures(s *stage) []*linkv1.Gesture {
	return find(s, (*controlv1.AttachWindowRequest).GetGesture)
}
func keys(s *stage) []*linkv1.NativeKey {
	return find(s, (*controlv1.AttachWindowRequest).GetNativeKey)
}

// mainWindow gives the X window of the shell and moves it to a known place.
func (s *stage) mainWindow() string {
	s.t.Helper()
	var id string
	s.until("the window", func() bool { id = s.tryX("search", "--onlyvisible", "--name", "^Neutron$"); return id != "" })
	return id
}

// press clicks at page coordinates: the only widget of the window is the web view.
func (s *stage) press(id string, x, y string) {
	s.x("mousemove", "--window", id, x, y)
	s.x("click", "1")
}

// A frame with the keyboard: gestures carry page coordinates and no typing, a shortcut never reaches
// the frame, and while keys are held none does.
func TestGesturesShortcutsAndHold(t *testing.T) {
	s := open(t)
	p := s.shellUp()
	p.run(`frame("`+s.web.frame("input")+`", "position:absolute;left:100px;top:50px;width:400px;height:300px;border:0")`, nil)
	id := s.mainWindow()
	s.until("the frame sees the click", func() bool {
		s.press(id, "150", "90")
		var n int
		p.run(`heard.filter(m => m.x === 50 && m.y === 40).length`, &n)
		return n > 0
	})
	if g := gestures(s); len(g) == 0 || g[0].GetKey() || g[0].GetX() != 150 || g[0].GetY() != 90 || g[0].GetAgeMs() > 5000 {
		t.Errorf("the click was told as %v", g)
	}

	frameKeys := func() (got []string) {
		p.run(`heard.filter(m => m.key).map(m => m.key)`, &got)
		return got
	}
	s.x("key", "a")
	s.x("key", "Return")
	s.until("typing reaches the frame", func() bool { return len(frameKeys()) == 2 })
	var pressed []*linkv1.Gesture
	s.until("typing is told", func() bool {
		pressed = nil
		for _, g := range gestures(s) {
			if g.GetKey() {
				pressed = append(pressed, g)
			}
		}
		return len(pressed) >= 2
	})
	if len(pressed) != 2 || pressed[0].GetKeyval() != 0 || pressed[1].GetKeyval() != 0xff0d {
		t.Errorf("typing was told as %v", pressed)
	}

	s.x("key", "ctrl+k")
	s.x("key", "F8")
	s.x("key", "shift+F6")
	s.x("key", "ctrl+period")
	s.x("key", "super+2")
	s.until("shortcuts are told", func() bool { return len(keys(s)) == 5 })
	want := []string{`{"key":"k","ctrl":true,"shortcut":true}`, `{"key":"F8","shortcut":true}`, `{"key":"F6","shift":true,"shortcut":true}`,
		`{"key":".","ctrl":true,"shortcut":true}`, `{"key":"2","meta":true,"shortcut":true}`}
	for i, k := range keys(s) {
		got, _ := json.Marshal(struct {
			Key      string `json:"key"`
			Alt      bool   `json:"alt,omitempty"`
			Ctrl     bool   `json:"ctrl,omitempty"`
			Shift    bool   `json:"shift,omitempty"`
			Meta     bool   `json:"meta,omitempty"`
			Shortcut bool   `json:"shortcut,omitempty"`
		}{k.Key, k.Alt, k.Ctrl, k.Shift, k.Meta, k.Shortcut})
		if string(got) != want[i] {
			t.Errorf("shortcut %d: %s, want %s", i, got, want[i])
		}
	}

	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_KeyHold{KeyHold: &controlv1.KeyHold{On: true}}})
	before := len(frameKeys())
	s.until("keys are held", func() bool { s.x("key", "x"); return len(keys(s)) > 5 })
	held := len(frameKeys()) // a key or two may have passed before the hold came
	for _, k := range []string{"a", "Tab", "Return", "alt+1", "Escape", "shift+b"} {
		s.x("key", k)
	}
	s.until("held keys are told", func() bool { n := keys(s); return n[len(n)-1].GetKey() == "B" })
	n := keys(s)
	var told []string
	for _, k := range n[len(n)-9:] {
		told = append(told, k.GetKey())
	}
	if !equal(told, []string{"a", "Tab", "Enter", "Alt", "1", "Escape", "Shift", "B"}) && !equal(told[1:], []string{"a", "Tab", "Enter", "Alt", "1", "Escape", "Shift", "B"}) {
		t.Errorf("held keys were told as %v", told)
	}
	if got := frameKeys(); len(got) != held {
		t.Errorf("the frame got keys while they were held: %v (before %d)", got[held:], before)
	}
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_KeyHold{KeyHold: &controlv1.KeyHold{}}})
	s.until("keys are free again", func() bool { s.x("key", "z"); return len(frameKeys()) > held })
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// The page goes nowhere but home; the locked page's button asks the kernel, and only after a click.
func TestNavigation(t *testing.T) {
	s := open(t)
	p := s.shellUp()
	id := s.mainWindow()
	for _, to := range []string{s.web.foreign + "/", "file:///etc/hostname", "wails://wails/", s.web.shell + UnlockPath} {
		p.run(`location.assign("`+to+`"), 1`, nil)
	}
	p.run(`location.href`, nil)
	wants := func() (n int) {
		for _, b := range find(s, (*controlv1.AttachWindowRequest).GetBootWanted) {
			if b.GetUnlock() {
				n++
			}
		}
		return n
	}
	if wants() != 0 {
		t.Error("a script alone asks for an unlock")
	}
	p.run(`document.onclick = () => location.assign("`+UnlockPath+`"), 1`, nil)
	s.until("a click asks for an unlock", func() bool { s.press(id, "600", "400"); return wants() > 0 })
}
