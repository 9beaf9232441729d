package link

import (
	"slices"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// suspects remembers which frames the shell was about to post to and has not
// heard from since. In WebKitGTK all frames share the shell's thread, so when
// that thread is gone, one of these took it. Its owner serialises the calls.
type suspects struct {
	open  map[string]int // frame id to deliveries on their way
	order []string       // by the newest mark, oldest first
}

func (s *suspects) mark(m *linkv1.Mark) {
	id := m.GetFrameId()
	if m.GetSettled() {
		if n := s.open[id]; n > 1 {
			s.open[id] = n - 1
			return
		}
		s.forget(id)
		return
	}
	if s.open == nil {
		s.open = make(map[string]int)
	}
	n := s.open[id]
	s.forget(id)
	if len(s.order) >= limit.Marks {
		s.forget(s.order[0])
	}
	s.open[id] = n + 1
	s.order = append(s.order, id)
}

func (s *suspects) forget(id string) {
	if _, ok := s.open[id]; !ok {
		return
	}
	delete(s.open, id)
	s.order = slices.DeleteFunc(s.order, func(o string) bool { return o == id })
}

// list gives the unsettled frames, newest first.
func (s *suspects) list() []string {
	l := slices.Clone(s.order)
	slices.Reverse(l)
	return l
}
