package bus

import (
	"slices"
	"sync"
	"time"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// states carry revisions between the endpoints of one app: no state, only that
// there is a newer one. Each page is told one revision at a time, and only the
// newest of a topic: a page answers on its port, and a fast publisher must not
// make it answer more often than its port may.
type states struct {
	number func() uint64

	// mu protects everything below. Shells are told under it, so that a topic's
	// revisions reach a page in the order in which they were published.
	mu    sync.Mutex
	ears  map[endpoint.Ref]*ear // connections that have pushed their tools
	kept  map[generation]*topics
	stamp uint64 // of the last publication
}

// generation is what shares revisions: one installation as it is now. Another
// generation's pages never hear of them.
type generation struct {
	app string
	uid uint64
	gen uint64
}

func generationOf(e endpoint.Endpoint) generation {
	return generation{e.Identity.App, e.Identity.UID, e.Identity.Generation}
}

// topics are the newest revisions that one generation published.
type topics struct {
	revisions []told // in the order of their first publication
	stamp     uint64 // of the newest one
}

type told struct{ topic, revision string }

// ear is one connection that listens.
type ear struct {
	to      endpoint.Endpoint
	queue   []told // one per topic
	flight  uint64 // the delivery that is not answered; 0: none
	resting bool   // the last one was told less than StateEvery ago
	timer   *time.Timer
}

func (s *states) init(number func() uint64) {
	s.number = number
	s.ears = map[endpoint.Ref]*ear{}
	s.kept = map[generation]*topics{}
}

// hear begins to tell a connection, once: first what is kept.
func (s *states) hear(e endpoint.Endpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ears[e.Ref] != nil {
		return
	}
	one := &ear{to: e}
	s.ears[e.Ref] = one
	if t := s.kept[generationOf(e)]; t != nil {
		one.queue = slices.Clone(t.revisions)
	}
	s.next(one)
}

// drop ends a connection.
func (s *states) drop(ref endpoint.Ref) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if one := s.ears[ref]; one != nil {
		delete(s.ears, ref)
		one.stop()
	}
}

func (e *ear) stop() {
	if e.timer != nil {
		e.timer.Stop()
	}
}

// publish keeps a revision and tells it to the other connections of the same
// generation. It says how many those are.
func (s *states) publish(from endpoint.Endpoint, topic, revision string) (heard int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := generationOf(from)
	t := s.kept[g]
	if t == nil {
		t = s.room(g)
	}
	one := told{topic, revision}
	if !put(&t.revisions, one) {
		return 0, fault.Newf("bus.publish", fault.Limit, topic, "An app has at most %d topics.", limit.StateTopics)
	}
	s.stamp++
	t.stamp = s.stamp
	for ref, other := range s.ears {
		if ref != from.Ref && generationOf(other.to) == g {
			put(&other.queue, one) // never full: its topics are those of t
			s.next(other)
			heard++
		}
	}
	return heard, nil
}

// put sets a topic's revision in a list; false: there is no room for another topic.
func put(list *[]told, one told) bool {
	i := slices.IndexFunc(*list, func(o told) bool { return o.topic == one.topic })
	switch {
	case i >= 0:
		(*list)[i] = one
	case len(*list) >= limit.StateTopics:
		return false
	default:
		*list = append(*list, one)
	}
	return true
}

// room makes room for one more generation: its former ones go first, then the one
// that published longest ago.
func (s *states) room(g generation) *topics {
	for old := range s.kept {
		if old.app == g.app {
			delete(s.kept, old)
		}
	}
	for len(s.kept) >= limit.StateApps {
		var oldest generation
		for other, t := range s.kept {
			if oldest.app == "" || t.stamp < s.kept[oldest].stamp {
				oldest = other
			}
		}
		delete(s.kept, oldest)
	}
	t := &topics{}
	s.kept[g] = t
	return t
}

// next tells a connection what is first in its queue, unless it must rest or has
// not answered yet. The caller holds mu.
func (s *states) next(e *ear) {
	if e.flight != 0 || e.resting || len(e.queue) == 0 {
		return
	}
	one := e.queue[0]
	e.queue = slices.Delete(e.queue, 0, 1)
	e.flight, e.resting = s.number(), true
	// The grammars of both leave nothing to be escaped.
	payload := []byte(`{"topic":"` + one.topic + `","revision":"` + one.revision + `"}`)
	e.to.Shell.Deliver(e.to.Ref, e.flight, "app.state", payload, nil)
	flight := e.flight
	e.stop()
	e.timer = time.AfterFunc(limit.StateEvery, func() { s.rested(e, flight) })
}

// rested lets a connection be told again, and gives up on an answer that does
// not come.
func (s *states) rested(e *ear, flight uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ears[e.to.Ref] != e {
		return
	}
	e.resting = false
	if e.flight == flight {
		e.timer = time.AfterFunc(limit.StateWait, func() { s.unanswered(e, flight) })
		return
	}
	s.next(e)
}

func (s *states) unanswered(e *ear, flight uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ears[e.to.Ref] != e || e.flight != flight {
		return
	}
	e.flight = 0
	e.to.Shell.CancelDelivery(e.to.Ref, flight)
	s.next(e)
}

// answered takes an answer to a revision, whatever it says; false: it is to
// something else.
func (s *states) answered(ref endpoint.Ref, number uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.ears[ref]
	if e == nil || number == 0 || e.flight != number {
		return false
	}
	e.flight = 0
	s.next(e)
	return true
}
