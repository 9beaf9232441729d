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
	kept  map[installation]*topics
	stamp uint64 // of the last publication
}

// installation is what shares revisions. Its pages of another generation hear of
// dataTopic alone: what an app's own revisions mean may change with its version.
type installation struct {
	app string
	uid uint64
}

func installationOf(e endpoint.Endpoint) installation {
	return installation{e.Identity.App, e.Identity.UID}
}

// topics are the newest revisions that the newest generation published.
type topics struct {
	generation uint64
	revisions  []told // in the order of their first publication
	stamp      uint64 // of the newest one
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
	s.kept = map[installation]*topics{}
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
	if t := s.kept[installationOf(e)]; t != nil {
		for _, kept := range t.revisions {
			if kept.topic == dataTopic || t.generation == e.Identity.Generation {
				one.queue = append(one.queue, kept)
			}
		}
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
// installation and generation. It says how many those are.
func (s *states) publish(from endpoint.Endpoint, topic, revision string) (heard int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine, one := from.Identity.Generation, told{topic, revision}
	t := s.room(installationOf(from))
	if t == nil {
		return 0, nil // of a removed installation, told late
	}
	if mine > t.generation {
		t.generation = mine
		t.revisions = slices.DeleteFunc(t.revisions, func(o told) bool { return o.topic != dataTopic })
	}
	if (mine == t.generation || topic == dataTopic) && !put(&t.revisions, one) {
		return 0, fault.Newf("bus.publish", fault.Limit, topic, "An app has at most %d topics.", limit.StateTopics)
	}
	s.stamp++
	t.stamp = s.stamp
	for ref, other := range s.ears {
		if ref == from.Ref || installationOf(other.to) != installationOf(from) {
			continue
		}
		if other.to.Identity.Generation != mine && topic != dataTopic {
			continue
		}
		put(&other.queue, one) // never full: its topics are those of t
		s.next(other)
		heard++
	}
	return heard, nil
}

// put sets a topic's revision in a list; false: there is no room for another
// topic. dataTopic always has room.
func put(list *[]told, one told) bool {
	own := 0
	for i := range *list {
		if (*list)[i].topic == one.topic {
			(*list)[i] = one
			return true
		}
		if (*list)[i].topic != dataTopic {
			own++
		}
	}
	if own >= limit.StateTopics && one.topic != dataTopic {
		return false
	}
	*list = append(*list, one)
	return true
}

// room gives what is kept of an installation. Where there is nothing yet, what
// the app had as a former installation goes, or else what was published longest
// ago. Nil: the installation is a former one itself.
func (s *states) room(i installation) *topics {
	if t := s.kept[i]; t != nil {
		return t
	}
	for other := range s.kept {
		switch {
		case other.app != i.app:
		case other.uid > i.uid:
			return nil
		default:
			delete(s.kept, other)
		}
	}
	for len(s.kept) >= limit.StateApps {
		var oldest installation
		for other, t := range s.kept {
			if oldest.app == "" || t.stamp < s.kept[oldest].stamp {
				oldest = other
			}
		}
		delete(s.kept, oldest)
	}
	t := &topics{}
	s.kept[i] = t
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
