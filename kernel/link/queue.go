package link

import (
	"sync"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// part is the kind of a coalesced message; 0 is a frame that must arrive.
type part int

const (
	partNone part = iota
	partApps
	partQuestions
	partFrames
	partHealth
	partDocs
	partPing
)

// queue holds what waits for one shell: bounded in frames and bytes, with at
// most one waiting message of each part.
type queue struct {
	full func() // called once, at the overflow

	mu       sync.Mutex // guards all below; only full is called under it
	items    []*queued
	parts    map[part]*queued
	bytes    int
	draining bool // no more frames are taken
	overflow bool
	wake     chan struct{} // capacity 1: something to do
}

type queued struct {
	part  part
	frame *linkv1.ToShell // of a part: encoded when it leaves
	bytes []byte          // of a frame: encoded when it came
}

// newQueue makes a queue. full must return at once and must not call back.
func newQueue(full func()) *queue {
	return &queue{full: full, parts: make(map[part]*queued), wake: make(chan struct{}, 1)}
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// push takes a frame that must arrive. Over the bounds the queue overflows for good.
func (q *queue) push(f *linkv1.ToShell) {
	b, err := proto.Marshal(f)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.draining || q.overflow {
		return
	}
	// A frame that cannot be encoded would be lost in silence; losing the link is seen and mended.
	if err != nil || len(q.items) >= limit.LinkSendQueue || q.bytes+len(b) > limit.LinkSendBytes {
		q.overflow = true
		q.full()
		q.signal()
		return
	}
	q.items = append(q.items, &queued{bytes: b})
	q.bytes += len(b)
	q.signal()
}

// first puts a frame before all others; the writer must not run yet.
func (q *queue) first(f *linkv1.ToShell) error {
	b, err := proto.Marshal(f)
	if err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append([]*queued{{bytes: b}}, q.items...)
	q.bytes += len(b)
	q.signal()
	return nil
}

// coalesce puts a part in the place of a waiting one of its kind.
func (q *queue) coalesce(p part, f *linkv1.ToShell) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.draining || q.overflow {
		return
	}
	if w := q.parts[p]; w != nil {
		w.frame = f
		return
	}
	w := &queued{part: p, frame: f}
	q.parts[p] = w
	q.items = append(q.items, w)
	q.signal()
}

// drain lets what waits go out and takes no more.
func (q *queue) drain() {
	q.mu.Lock()
	q.draining = true
	q.mu.Unlock()
	q.signal()
}

// next pops the oldest message. done: nothing will come any more.
func (q *queue) next() (b []byte, ok, done, overflow bool) {
	q.mu.Lock()
	if q.overflow {
		q.mu.Unlock()
		return nil, false, true, true
	}
	if len(q.items) == 0 {
		done = q.draining
		q.mu.Unlock()
		return nil, false, done, false
	}
	w := q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	q.bytes -= len(w.bytes)
	if w.part != partNone {
		delete(q.parts, w.part)
	}
	q.mu.Unlock()
	if w.part == partNone {
		return w.bytes, true, false, false
	}
	b, err := proto.Marshal(w.frame)
	if err != nil {
		return nil, false, true, true
	}
	return b, true, false, false
}

func partOf(s *linkv1.State) part {
	switch s.GetPart().(type) {
	case *linkv1.State_Apps:
		return partApps
	case *linkv1.State_Questions:
		return partQuestions
	case *linkv1.State_Frames:
		return partFrames
	case *linkv1.State_Health:
		return partHealth
	case *linkv1.State_Docs:
		return partDocs
	}
	return partNone
}
