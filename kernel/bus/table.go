package bus

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"neutron/kernel/audit"
	"neutron/kernel/endpoint"
	"neutron/kernel/limit"
	"neutron/kernel/policy"
	"neutron/kernel/tool"
)

// state is where a call is. It only ever grows.
type state uint8

const (
	admitted  state = 1 // judged, or parked until its target is ready
	asking    state = 2 // the owner is asked
	delivered state = 3 // with the target, or with a kernel tool
	answered  state = 4 // the target's answer is being judged
	settled   state = 5
)

// call is one exec that holds a slot. Who it is from is set before it is shared.
// The table's lock protects the second group for writing; the step that has
// written it reads it without. The third group is the table's alone.
type call struct {
	caller  endpoint.Endpoint
	id      uint64
	stamp   endpoint.Stamp
	act     policy.Act
	started time.Time

	what   callText
	record *audit.Record     // nil until the payload was read: a malformed one is no call
	target endpoint.Endpoint // zero until found; stays zero for the kernel
	tool   *tool.Descriptor  // nil until found, and for listings

	order    uint64 // of admission
	state    state
	number   uint64 // names the delivery on the target's port
	progress int
	timer    *time.Timer
	cancel   context.CancelCauseFunc // of asking and of kernel tools; else nil
}

// table is every call that is not settled, found from either side.
type table struct {
	mu       sync.Mutex
	byExec   map[execKey]*call
	byNumber map[uint64]*call
	parked   map[endpoint.ID][]*call
	slots    map[endpoint.Ref]int
	order    uint64 // the last call's
	next     uint64 // the last delivery's number
}

type execKey struct {
	ref endpoint.Ref
	id  uint64
}

func (t *table) init() {
	t.byExec = map[execKey]*call{}
	t.byNumber = map[uint64]*call{}
	t.parked = map[endpoint.ID][]*call{}
	t.slots = map[endpoint.Ref]int{}
}

func (t *table) size() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byExec)
}

func (t *table) serving(ref endpoint.Ref, id uint64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byExec[execKey{ref, id}] != nil
}

// admit takes a slot; false: the endpoint has none left.
func (t *table) admit(c *call) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.slots[c.caller.Ref] >= limit.CallsInFlight {
		return false
	}
	t.slots[c.caller.Ref]++
	t.order++
	c.order = t.order
	t.byExec[execKey{c.caller.Ref, c.id}] = c
	c.state = admitted
	return true
}

// fill writes the second group of an admitted call.
func (t *table) fill(write func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	write()
}

// interruptible moves a call forward with a context that settling it ends. A
// positive timeout runs from now. False: the call is there already, or beyond.
func (t *table) interruptible(c *call, to state, timeout time.Duration, deadline func()) (context.Context, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.state >= to {
		return nil, false
	}
	c.state = to
	var ctx context.Context
	ctx, c.cancel = context.WithCancelCause(context.Background())
	if timeout > 0 {
		c.timer = time.AfterFunc(timeout, deadline)
	}
	return ctx, true
}

// park keeps an admitted call until its target pushes its tools.
func (t *table) park(c *call, deadline *time.Timer) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.state != admitted {
		deadline.Stop()
		return false
	}
	c.timer = deadline
	t.parked[c.what.target] = append(t.parked[c.what.target], c)
	return true
}

// unpark gives back the calls that wait for this target.
func (t *table) unpark(id endpoint.ID) []*call {
	t.mu.Lock()
	defer t.mu.Unlock()
	calls := t.parked[id]
	delete(t.parked, id)
	for _, c := range calls {
		c.timer.Stop()
	}
	return calls
}

// dispatch numbers a call and hands it over under the lock, so that nothing
// about the call can reach the target before its delivery does.
func (t *table) dispatch(c *call, deadline func(), hand func(number uint64)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c.state >= delivered {
		return false
	}
	c.state = delivered
	t.next++
	c.number = t.next
	t.byNumber[c.number] = c
	c.timer = time.AfterFunc(c.what.timeout, deadline)
	hand(c.number)
	return true
}

// number gives a number that names no other delivery.
func (t *table) number() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next++
	return t.next
}

// answer claims the one answer to a delivery. Nil: there is no such delivery on
// that connection, or it was answered before.
func (t *table) answer(ref endpoint.Ref, number uint64) *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.byNumber[number]
	if c == nil || c.target.Ref != ref || c.state != delivered {
		return nil
	}
	c.state = answered
	return c
}

// relay passes one progress value on under the lock, so that none can follow
// the reply. It reports whether the value was within the caps and in time.
func (t *table) relay(ref endpoint.Ref, number uint64, hand func(*call)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.byNumber[number]
	if c == nil || c.target.Ref != ref || c.state != delivered || c.progress >= limit.ProgressEvents {
		return false
	}
	c.progress++
	hand(c)
	return true
}

// last is what a call was when it ended, read under the lock.
type last struct {
	state  state
	number uint64
	what   callText
	record *audit.Record
	target endpoint.Endpoint
}

// finish ends a call, and the context of its asking with cause. It reports what
// the call was; state settled: somebody else was first, and nothing is to be
// done.
func (t *table) finish(c *call, cause error) last {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := c.last()
	if was.state == settled {
		return was
	}
	c.state = settled
	delete(t.byExec, execKey{c.caller.Ref, c.id})
	if c.number != 0 {
		delete(t.byNumber, c.number)
	}
	t.forget(c)
	if t.slots[c.caller.Ref]--; t.slots[c.caller.Ref] == 0 {
		delete(t.slots, c.caller.Ref)
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.cancel != nil {
		c.cancel(cause)
	}
	return was
}

func (c *call) last() last {
	return last{c.state, c.number, c.what, c.record, c.target}
}

// forget takes a call out of the parking. The caller holds mu.
func (t *table) forget(c *call) {
	calls := t.parked[c.what.target]
	for i, p := range calls {
		if p == c {
			calls = append(calls[:i:i], calls[i+1:]...)
			if len(calls) == 0 {
				delete(t.parked, c.what.target)
			} else {
				t.parked[c.what.target] = calls
			}
			return
		}
	}
}

// find is the call of one exec, or nil.
func (t *table) find(ref endpoint.Ref, id uint64) *call {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.byExec[execKey{ref, id}]
}

// side is one call of a connection that is over.
type side struct {
	call *call
	last last
}

// of lists the calls in which a connection is a side, in the order in which
// they were admitted.
func (t *table) of(ref endpoint.Ref) []side {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []side
	for _, c := range t.byExec {
		if c.caller.Ref == ref || c.target.Ref == ref {
			out = append(out, side{c, c.last()})
		}
	}
	slices.SortFunc(out, func(a, b side) int { return cmp.Compare(a.call.order, b.call.order) })
	return out
}
