//go:build desktop && linux && e2e

package window

import (
	"testing"

	"neutron/kernel/proto/controlv1"
)

func stalled(s *stage, suspects ...string) {
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Stalled{Stalled: &controlv1.Stalled{Suspects: suspects}}})
}

func answers(s *stage) []*controlv1.Answered {
	return find(s, (*controlv1.AttachWindowRequest).GetAnswered)
}

// hog makes a frame that stops the whole page.
func hog(s *stage, p page) {
	p.run(`frame("`+s.web.frame("hog")+`")`, nil)
	p.until(`heard.includes("up")`)
	p.post(`setTimeout(() => frames_[0].contentWindow.postMessage("hog", "*")); 1`)
}

// prompt waits for the native prompt to be on screen, or to be gone.
func (s *stage) prompt(there bool) {
	s.t.Helper()
	s.until("the prompt", func() bool {
		return (s.tryX("search", "--onlyvisible", "--classname", "neutron-prompt") != "") == there
	})
}

func TestDeadWebProcessStartsAgain(t *testing.T) {
	s := open(t)
	s.shellUp()
	first := s.page()
	kill(t, first)
	p := s.shellUp()
	var address string
	p.run(`location.href`, &address)
	if address != s.web.shell+"/" || s.page() == first {
		t.Errorf("after the end the page is at %q, process %d", address, s.page())
	}
	if n := len(find(s, (*controlv1.AttachWindowRequest).GetProcessDied)); n != 1 {
		t.Errorf("told of %d ends", n)
	}
}

// A page in an endless loop: the prompt works, and its default ends the page.
func TestStalledPageIsReloaded(t *testing.T) {
	s := open(t)
	p := s.shellUp()
	first := s.page()
	hog(s, p)
	stalled(s, "Pictures")
	s.prompt(true)
	s.picture("prompt-stall")
	s.until("the armed prompt takes Enter", func() bool {
		s.x("key", "Return")
		return len(answers(s)) > 0
	})
	if !answers(s)[0].GetReload() {
		t.Fatal("the default is not Reload")
	}
	s.shellUp()
	if s.page() == first || len(alive([]int{first})) > 0 {
		t.Error("the looping process lives on")
	}
	if n := len(find(s, (*controlv1.AttachWindowRequest).GetProcessDied)); n != 0 {
		t.Errorf("an end that the owner chose is told as %d crashes", n)
	}
	if n := len(find(s, (*controlv1.AttachWindowRequest).GetBootWanted)); n != 1 {
		t.Errorf("asked for %d starts; the kernel sends the second unasked", n)
	}
}

// Escape waits; a second stall asks again; a page that recovers takes the prompt away.
func TestStallPromptWaitsAndGoes(t *testing.T) {
	s := open(t)
	s.shellUp()
	first := s.page()
	stalled(s)
	s.prompt(true)
	s.until("the armed prompt takes Escape", func() bool {
		s.x("key", "Escape")
		return len(answers(s)) > 0
	})
	if answers(s)[0].GetReload() || s.page() != first {
		t.Error("Escape ended the page")
	}
	stalled(s, "Pictures", "Notes", "Daybook")
	s.prompt(true)
	s.picture("prompt-stall-three")
	s.say(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Recovered{Recovered: &controlv1.Recovered{}}})
	s.prompt(false)
	if len(answers(s)) != 1 {
		t.Error("a prompt that went by itself counts as an answer")
	}
}

// A page that ends again and again is not started for ever.
func TestEndingPageAsksTheOwner(t *testing.T) {
	s := open(t)
	for range deathsMax {
		s.shellUp()
		kill(t, s.page())
	}
	s.shellUp()
	kill(t, s.page())
	s.prompt(true)
	s.picture("prompt-loop")
	if n := len(find(s, (*controlv1.AttachWindowRequest).GetBootWanted)); n != deathsMax+1 {
		t.Errorf("asked for %d starts", n)
	}
	s.until("Reload starts it once more", func() bool {
		s.x("key", "Return")
		return len(find(s, (*controlv1.AttachWindowRequest).GetBootWanted)) == deathsMax+2
	})
	s.shellUp()
}
