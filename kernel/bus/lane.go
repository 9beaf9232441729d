package bus

import (
	"sync"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// lanes keep the messages of each connection in order and away from the link's
// own reader: a list of costly schemas must hold up nobody but its sender, least
// of all the pings by which a shell is judged alive.
type lanes struct {
	mu    sync.Mutex
	byRef map[endpoint.Ref]*lane // those with something to do
}

// lane is what one connection still waits for.
type lane struct {
	queue   []message
	waiting int // messages, those being handled included
	bytes   int // theirs
	flooded bool
}

type message struct {
	bytes  int
	handle func()
}

func (l *lanes) init() { l.byRef = map[endpoint.Ref]*lane{} }

// inOrder handles a message after those that the connection sent before it.
func (b *Bus) inOrder(ref endpoint.Ref, bytes int, handle func()) {
	l := &b.lanes
	l.mu.Lock()
	ln, busy := l.byRef[ref]
	if !busy {
		ln = &lane{}
		l.byRef[ref] = ln
	}
	over := ln.waiting >= limit.LaneMessages || ln.bytes+bytes > limit.LaneBytes
	first := over && !ln.flooded
	if over {
		ln.flooded = true
	}
	if ln.flooded {
		l.mu.Unlock()
		b.refused.Add(1)
		if first {
			b.registry.End(ref, fault.New("bus.lane", fault.Flood, string(ref.Frame), ""))
		}
		return
	}
	ln.queue = append(ln.queue, message{bytes, handle})
	ln.waiting++
	ln.bytes += bytes
	l.mu.Unlock()
	if !busy {
		b.spawn(func() { b.drain(ref, ln) })
	}
}

// drain handles a lane's messages until none is left. Those of a connection that
// flooded are dropped.
func (b *Bus) drain(ref endpoint.Ref, ln *lane) {
	l := &b.lanes
	for {
		l.mu.Lock()
		todo := ln.queue
		ln.queue = nil
		if len(todo) == 0 {
			delete(l.byRef, ref)
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		for _, m := range todo {
			l.mu.Lock()
			drop := ln.flooded
			l.mu.Unlock()
			if !drop {
				m.handle()
			}
			l.mu.Lock()
			ln.waiting--
			ln.bytes -= m.bytes
			l.mu.Unlock()
		}
	}
}

// workers are goroutines that outlive what they did: judging is recursive, and a
// new goroutine would grow its stack anew for each message.
type workers struct {
	// mu protects everything below.
	mu    sync.Mutex
	busy  int
	quiet *sync.Cond    // busy came to 0
	idle  []chan func() // the last one to rest is the first to be used
}

func (w *workers) init() { w.quiet = sync.NewCond(&w.mu) }

// spawn runs f aside. A panic in it is the kernel's own fault and ends the
// process, but for a tool's handler, which runTool guards.
func (b *Bus) spawn(f func()) {
	w := &b.workers
	w.mu.Lock()
	w.busy++
	n := len(w.idle)
	if n == 0 {
		w.mu.Unlock()
		go w.work(f)
		return
	}
	next := w.idle[n-1]
	w.idle = w.idle[:n-1]
	w.mu.Unlock()
	next <- f
}

func (w *workers) work(f func()) {
	next := make(chan func(), 1)
	for f != nil {
		f()
		w.mu.Lock()
		rest := len(w.idle) < limit.IdleWorkers
		if rest {
			w.idle = append(w.idle, next)
		}
		if w.busy--; w.busy == 0 {
			w.quiet.Broadcast()
		}
		w.mu.Unlock()
		if !rest {
			return
		}
		f = <-next
	}
}

// wait returns once nothing is worked on, and lets the resting ones go. What
// comes late is still handled.
func (w *workers) wait() {
	w.mu.Lock()
	for w.busy > 0 {
		w.quiet.Wait()
	}
	idle := w.idle
	w.idle = nil
	w.mu.Unlock()
	for _, next := range idle {
		next <- nil
	}
}
