package window

import (
	"sync"

	"neutron/kernel/proto/controlv1"
)

// outboxKeys is how many messages may wait for the kernel before keys and gestures are dropped. The
// other messages are few by nature and never dropped.
const outboxKeys = 256

// outbox keeps the GTK thread from waiting for the kernel. One goroutine tells in order.
type outbox struct {
	mu      sync.Mutex // guards the rest; Tell is never called under it
	waiting []*controlv1.AttachWindowRequest
	wake    chan struct{}
}

func newOutbox() *outbox { return &outbox{wake: make(chan struct{}, 1)} }

// put queues a message; a lossy one is dropped while too many wait.
func (o *outbox) put(m *controlv1.AttachWindowRequest, lossy bool) {
	o.mu.Lock()
	if !lossy || len(o.waiting) < outboxKeys {
		o.waiting = append(o.waiting, m)
	}
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// run tells until done is closed and nothing waits any more.
func (o *outbox) run(tell func(*controlv1.AttachWindowRequest), done <-chan struct{}) {
	for {
		o.mu.Lock()
		batch := o.waiting
		o.waiting = nil
		o.mu.Unlock()
		for _, m := range batch {
			tell(m)
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-o.wake:
		case <-done:
			return
		}
	}
}
