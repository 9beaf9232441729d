package bus

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// page is a connection that keeps what it is told and answers at once.
type page struct {
	endpoint.Shell
	states *states
	heard  []string
}

func (p *page) Deliver(ref endpoint.Ref, call uint64, _ string, payload, _ []byte) {
	p.heard = append(p.heard, string(payload))
	go p.states.answered(ref, call)
}

func (p *page) CancelDelivery(endpoint.Ref, uint64) {}

// of is an endpoint of the page, of one installation and generation.
func (p *page) of(app string, uid, generation uint64) endpoint.Endpoint {
	return endpoint.Endpoint{
		Ref: endpoint.Ref{Frame: endpoint.FrameID(fmt.Sprintf("%p", p)), Conn: 1}, Shell: p,
		Identity: endpoint.Identity{App: app, UID: uid, Generation: generation},
	}
}

func newStates() *states {
	s := &states{}
	var n uint64
	s.init(func() uint64 { n++; return n })
	return s
}

// TestStatesAcrossGenerations: what an older generation tells late reaches the new
// one only where it is of the store, and a former installation reaches nobody.
func TestStatesAcrossGenerations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStates()
		now, later, writer := &page{states: s}, &page{states: s}, &page{states: s}
		tell := func(from endpoint.Endpoint, topic, revision string) {
			t.Helper()
			if _, err := s.publish(from, topic, revision); err != nil {
				t.Fatal(err)
			}
			time.Sleep(limit.StateEvery)
			synctest.Wait()
		}
		tell(writer.of("notes", 1, 1), "notes", "1")
		tell(writer.of("notes", 1, 1), dataTopic, "1")
		s.hear(now.of("notes", 1, 2))
		time.Sleep(limit.StateEvery)
		tell(writer.of("notes", 1, 2), "notes", "5")
		tell(writer.of("notes", 1, 1), "notes", "6")
		tell(writer.of("notes", 1, 1), dataTopic, "2")
		want := []string{`{"topic":"store","revision":"1"}`, `{"topic":"notes","revision":"5"}`, `{"topic":"store","revision":"2"}`}
		if !slices.Equal(now.heard, want) {
			t.Errorf("the new generation heard %v", now.heard)
		}
		tell(writer.of("notes", 2, 1), "notes", "7")
		tell(writer.of("notes", 1, 2), dataTopic, "3")
		s.hear(later.of("notes", 2, 1))
		if !slices.Equal(later.heard, []string{`{"topic":"notes","revision":"7"}`}) {
			t.Errorf("the new installation heard %v", later.heard)
		}
		s.drop(later.of("notes", 2, 1).Ref)
		s.drop(now.of("notes", 1, 2).Ref)
		synctest.Wait()
	})
}

// TestStatesBounds: 64 topics beside the store's, and 128 apps, the oldest goes.
func TestStatesBounds(t *testing.T) {
	s := newStates()
	p := &page{states: s}
	notes := p.of("notes", 1, 1)
	for n := range limit.StateTopics {
		if _, err := s.publish(notes, fmt.Sprintf("t%d", n), "1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.publish(notes, "more", "1"); fault.CodeOf(err) != fault.Limit {
		t.Errorf("one topic more: %v", err)
	}
	for _, topic := range []string{dataTopic, "t0"} {
		if _, err := s.publish(notes, topic, "2"); err != nil {
			t.Errorf("%s: %v", topic, err)
		}
	}
	for n := range limit.StateApps {
		if _, err := s.publish(p.of(fmt.Sprintf("app%d", n), uint64(n+2), 1), "t", "1"); err != nil {
			t.Fatal(err)
		}
		if n == limit.StateApps-2 {
			if _, err := s.publish(notes, "t1", "9"); err != nil { // used again: another one is older now
				t.Fatal(err)
			}
		}
	}
	if len(s.kept) != limit.StateApps || s.kept[installationOf(notes)] == nil || s.kept[installation{"app0", 2}] != nil {
		t.Errorf("%d apps are kept", len(s.kept))
	}
}
