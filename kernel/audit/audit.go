// Package audit records who called what, with which outcome: a ring of 200 in
// memory per installation, as caller and as target, for the apps themselves,
// and a durable log for the owner.
//
// One call is one entry. An owner's decision is on disk before the call it
// allows is delivered: the entry stands there as PENDING, and settling rewrites
// it, so that a crash leaves a call whose outcome is unknown, never a call that
// nobody allowed. Plain calls reach the disk within 100 ms and at Close.
package audit

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// Statuses that are no codes.
const (
	OK      = "ok"
	Pending = "PENDING" // allowed by the owner, not settled yet
)

// Disk is the durable log: entries by sequence number.
type Disk interface {
	// Last is the greatest number ever written; 0: none.
	Last() (uint64, error)
	// Write stores entries in one transaction, replacing those of equal number.
	Write(entries []*linkv1.AuditEntry) error
	// Scan reads downwards from before (0: the newest) until each returns false.
	Scan(before uint64, each func(*linkv1.AuditEntry) bool) error
}

// Options of a log. Failed may be nil; it hears when plain entries could not be
// written (nil once they could again). They are kept and tried again.
type Options struct {
	Log    *slog.Logger
	Failed func(error)
}

// installation keys a ring: what an app did ends with its installation.
type installation struct {
	app string
	uid uint64
}

// Log is the audit of one kernel.
type Log struct {
	disk   Disk
	log    *slog.Logger
	failed func(error)
	wake   chan struct{}
	stop   chan struct{}
	done   chan struct{}

	write sync.Mutex // one flush at a time; taken before mu

	// mu protects everything below; nothing is called under it.
	mu        sync.Mutex
	seq       uint64
	rings     map[installation]*ring
	unwritten []*Record
	lost      uint64 // entries dropped because the disk refused for too long
	followers map[chan *linkv1.AuditEntry]bool
}

// ring holds the newest records; the oldest is at next once it is full.
type ring struct {
	records []*Record
	next    int
}

func (r *ring) add(rec *Record) {
	if len(r.records) < limit.AuditRing {
		r.records = append(r.records, rec)
		return
	}
	r.records[r.next] = rec
	r.next = (r.next + 1) % limit.AuditRing
}

// newestFirst lists the records of a ring.
func (r *ring) newestFirst() []*Record {
	out := slices.Concat(r.records[r.next:], r.records[:r.next])
	slices.Reverse(out)
	return out
}

// Start opens the log over a disk and starts its writer; Close ends it. The
// numbers go on from the last one written.
func Start(disk Disk, o Options) (*Log, error) {
	last, err := disk.Last()
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l := &Log{
		disk: disk, log: o.Log, failed: o.Failed, seq: last,
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{}),
		rings: map[installation]*ring{}, followers: map[chan *linkv1.AuditEntry]bool{},
	}
	go l.run()
	return l, nil
}

// Call is what is known of a call when it is admitted.
type Call struct {
	Caller       *linkv1.Party
	Target       *linkv1.Party
	Tool         string
	Arguments    []byte
	MetadataOnly bool // keep sizes, no contents
	Chain        []*linkv1.Party
}

// Record is one call's entry while it is written.
type Record struct {
	log     *Log
	started time.Time

	// mu protects the entry and the texts it is made of.
	mu           sync.Mutex
	entry        *linkv1.AuditEntry
	arguments    []byte
	result       []byte
	metadataOnly bool
	settled      bool
}

// Begin opens the entry of a call. It is seen by nobody until it is decided by
// the owner or settled. The arguments must not change afterwards.
func (l *Log) Begin(c Call) *Record {
	now := time.Now()
	return &Record{
		log: l, started: now, arguments: c.Arguments, metadataOnly: c.MetadataOnly,
		entry: &linkv1.AuditEntry{
			AtMs: now.UnixMilli(), Caller: c.Caller, Target: c.Target, Tool: c.Tool,
			ArgumentBytes: uint64(len(c.Arguments)), Chain: c.Chain,
		},
	}
}

// MetadataOnly keeps the contents of a call out of its entry: the tool's own
// descriptor, known only later, says so.
func (r *Record) MetadataOnly() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.metadataOnly = true
}

// Target completes the target's side, known only once it was found.
func (r *Record) Target(p *linkv1.Party) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entry.Target = p
}

// Decision notes why the call may run, where the owner was not asked.
func (r *Record) Decision(by string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entry.Decision = by
}

// Decided writes the owner's decision durably. Its faults are the store's; the
// call must not be delivered then.
func (r *Record) Decided(decision string) error {
	r.mu.Lock()
	r.number()
	r.entry.Decision = decision
	if !r.settled { // by a cancel in the same moment
		r.entry.Status = Pending
	}
	e := r.summary()
	r.mu.Unlock()
	r.log.write.Lock()
	defer r.log.write.Unlock()
	return r.log.disk.Write([]*linkv1.AuditEntry{e})
}

// Settle closes the entry: it enters the rings and, soon, the disk. Status is
// OK or a code; decision is kept when it is empty here.
func (r *Record) Settle(status, decision string, result []byte) {
	r.mu.Lock()
	r.number()
	r.settled = true
	r.entry.Status = status
	if decision != "" {
		r.entry.Decision = decision
	}
	r.entry.DurationUs = uint64(time.Since(r.started).Microseconds())
	r.entry.ResultBytes = uint64(len(result))
	r.result = result
	caller, target := r.entry.Caller, r.entry.Target
	r.mu.Unlock()
	r.log.add(r, caller, target)
}

// number gives the entry its place. The caller holds r.mu.
func (r *Record) number() {
	if r.entry.Seq == 0 {
		r.log.mu.Lock()
		r.log.seq++
		r.entry.Seq = r.log.seq
		r.log.mu.Unlock()
	}
}

// summary makes the bounded texts, once, lets go of the originals, and returns
// a copy of the entry. The caller holds r.mu.
func (r *Record) summary() *linkv1.AuditEntry {
	for _, f := range []struct {
		raw  *[]byte
		text *string
	}{{&r.arguments, &r.entry.Arguments}, {&r.result, &r.entry.Result}} {
		if *f.raw != nil && !r.metadataOnly {
			*f.text = Summary(*f.raw)
		}
		*f.raw = nil
	}
	return proto.CloneOf(r.entry)
}

// Entry is a copy of the entry as it stands.
func (r *Record) Entry() *linkv1.AuditEntry {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.summary()
}

func (l *Log) add(r *Record, caller, target *linkv1.Party) {
	l.mu.Lock()
	sides := []installation{{caller.GetAppId(), caller.GetUid()}, {target.GetAppId(), target.GetUid()}}
	if sides[0] == sides[1] {
		sides = sides[:1]
	}
	for _, i := range sides {
		if i.app == "" {
			continue
		}
		if l.rings[i] == nil {
			l.rings[i] = &ring{}
		}
		l.rings[i].add(r)
	}
	l.unwritten = append(l.unwritten, r)
	if n := len(l.unwritten) - limit.AuditUnwritten; n > 0 {
		l.unwritten = slices.Delete(l.unwritten, 0, n)
		l.lost += uint64(n)
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Own lists the newest entries of one installation, newest first.
func (l *Log) Own(app string, uid uint64) []*linkv1.AuditEntry {
	l.mu.Lock()
	var records []*Record
	if r := l.rings[installation{app, uid}]; r != nil {
		records = r.newestFirst()
	}
	l.mu.Unlock()
	out := make([]*linkv1.AuditEntry, len(records))
	for i, r := range records {
		out[i] = r.Entry()
	}
	return out
}

// Forget drops the ring of a removed installation. The durable log stays the
// owner's.
func (l *Log) Forget(app string, uid uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.rings, installation{app, uid})
}

// Follow sends each entry that is settled from now on, in order, until ctx
// ends; then the channel closes. A follower that does not keep up loses the
// oldest ones, never the newest.
func (l *Log) Follow(ctx context.Context) <-chan *linkv1.AuditEntry {
	ch := make(chan *linkv1.AuditEntry, limit.AuditFollow)
	l.mu.Lock()
	l.followers[ch] = true
	l.mu.Unlock()
	context.AfterFunc(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.followers, ch)
		close(ch)
	})
	return ch
}

// show hands settled entries to the followers.
func (l *Log) show(entries []*linkv1.AuditEntry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for ch := range l.followers {
		for _, e := range entries {
			select {
			case ch <- e:
				continue
			default:
			}
			select {
			case <-ch:
			default:
			}
			ch <- e // only this goroutine sends, so there is room now
		}
	}
}

// Query reads the durable log, newest first, at most 200 entries. On a disk that
// refuses writes it still reads what is there.
func (l *Log) Query(q *linkv1.QueryAudit) (*linkv1.AuditPage, error) {
	if err := l.Flush(); err != nil {
		l.log.Error("audit", "err", err)
	}
	n := int(q.GetLimit())
	if n == 0 || n > limit.AuditPage {
		n = limit.AuditPage
	}
	page := &linkv1.AuditPage{}
	err := l.disk.Scan(q.GetBefore(), func(e *linkv1.AuditEntry) bool {
		if app := q.GetAppId(); app != "" && e.GetCaller().GetAppId() != app && e.GetTarget().GetAppId() != app {
			return true
		}
		if s := q.GetStatus(); s != "" && e.GetStatus() != s {
			return true
		}
		if len(page.Entries) == n {
			page.More = true
			return false
		}
		page.Entries = append(page.Entries, e)
		return true
	})
	if err != nil {
		return nil, fault.Wrap("audit.query", fault.Internal, "", err)
	}
	return page, nil
}
