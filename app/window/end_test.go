//go:build desktop && linux && e2e

package window

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"neutron/kernel/proto/controlv1"
)

// Whatever ends the window, with a page that loops or not: the process ends and none of the web
// view's is left.
func TestNoProcessOutlivesTheWindow(t *testing.T) {
	ways := map[string]func(*stage){
		"closed by the owner": func(s *stage) {
			s.x("windowactivate", "--sync", s.mainWindow())
			s.x("key", "alt+F4")
		},
		"quit by the kernel": func(s *stage) {
			s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Quit{Quit: &controlv1.Quit{}}})
		},
		"the kernel goes": func(s *stage) { s.in.Close() },
		"SIGTERM":         func(s *stage) { s.signal(syscall.SIGTERM) },
		"SIGKILL":         func(s *stage) { s.signal(syscall.SIGKILL) },
	}
	for name, end := range ways {
		for _, looping := range []bool{false, true} {
			title := name
			if looping {
				title += " while the page loops"
			}
			t.Run(title, func(t *testing.T) {
				s := open(t)
				p := s.shellUp()
				s.mainWindow()
				if looping {
					hog(s, p)
				}
				pages := s.pages()
				if len(pages) < 2 {
					t.Fatalf("the web view's processes were not found: %v", pages)
				}
				end(s)
				s.until("the process ends", func() bool {
					select {
					case <-s.exited:
						return true
					default:
						return false
					}
				})
				if name == "SIGKILL" { // the system ends them, a moment later
					s.until("the sandbox ends them", func() bool { return len(alive(pages)) == 0 })
				}
				if l := left(pages); len(l) > 0 {
					t.Errorf("left behind: %v", l)
				}
				if name != "SIGKILL" && s.count("CLOSED") != 1 {
					t.Error("Run did not return in order")
				}
			})
		}
	}
}

// A quit that comes before the window stands is not lost.
func TestEarlyQuit(t *testing.T) {
	s := open(t)
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Quit{Quit: &controlv1.Quit{}}})
	s.until("the process ends", func() bool {
		select {
		case <-s.exited:
			return true
		case <-time.After(0):
			return false
		}
	})
}

func TestRemembersItsSize(t *testing.T) {
	s := open(t)
	s.shellUp()
	id := s.mainWindow()
	s.x("windowsize", "--sync", id, "900", "700")
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Quit{Quit: &controlv1.Quit{}}})
	<-s.exited
	var state string
	for _, e := range s.cmd.Env {
		if file, ok := strings.CutPrefix(e, "STATE="); ok {
			state = file
		}
	}
	raw, err := os.ReadFile(state)
	var g geometry
	if err != nil || json.Unmarshal(raw, &g) != nil || g.Width != 900 || g.Height != 700 {
		t.Errorf("%s holds %s, %v", filepath.Base(state), raw, err)
	}
	again := open(t, "STATE="+state)
	p := again.shellUp()
	p.until(`innerWidth === 900 && innerHeight === 700`)
}

// The window comes up on the page that the kernel named, at the least size it may have.
func TestSmallestSize(t *testing.T) {
	s := open(t)
	p := s.shellUp()
	s.x("windowsize", s.mainWindow(), "300", "200")
	p.until(`innerWidth === 800 && innerHeight === 600`)
}
