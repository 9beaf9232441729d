// Package consent holds the owner's questions and the grants they led to.
//
// Rules, in the order in which they are checked:
//
//  1. An app that the owner paused is told APP_PAUSED and when to come back.
//  2. An app has one question at a time, the queue is bounded: else UI_BUSY.
//  3. One question is open at a time. One that the owner just caused opens at
//     once if none is open; any other waits as a chip until the owner opens it.
//  4. A question closes with REQUEST_EXPIRED 60 s after it was shown, or 300 s
//     after it was asked if nobody looked; with REQUEST_CANCELLED when either
//     side goes, or when the tool it names changes.
//  5. An answer must name the digest of what was shown. Allowing is refused
//     until the question has been on screen for 700 ms; refusing never is.
//  6. The first answer wins; the loser gets CONFLICT.
//
// A grant's key is policy.KeyOf of what was shown. Grants here last for the
// run: they survive a reload and end at lock, quit, or when the generation of
// either side changes.
package consent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/policy"
	"neutron/kernel/proto/linkv1"

	"github.com/oklog/ulid/v2"
)

// Choice is the owner's answer.
type Choice = linkv1.Choice

// The answers.
const (
	Deny    = linkv1.Choice_CHOICE_DENY
	Once    = linkv1.Choice_CHOICE_ONCE
	Session = linkv1.Choice_CHOICE_SESSION
)

// Question is what an asker wants the owner to decide.
type Question struct {
	Kind        linkv1.QuestionKind
	Caller      policy.Side
	Target      policy.Side
	CallerParty *linkv1.Party // as shown
	TargetParty *linkv1.Party
	CallerRef   endpoint.Ref // the question closes when either connection ends
	TargetRef   endpoint.Ref
	Tool        policy.Tool // a discover question names none
	Title       string      // unverified
	Description string      // unverified
	Arguments   []byte      // exact JSON
	Facts       []string
	Caused      bool // the owner caused it by a click or confirming key just now
}

func (q Question) act() policy.Act {
	if q.Tool.Name == "" {
		return policy.Discover
	}
	return policy.Use
}

func (q Question) choices() []Choice {
	if q.Kind == linkv1.QuestionKind_QUESTION_KIND_REQUEST {
		return []Choice{Deny, Session}
	}
	return []Choice{Deny, Once, Session}
}

// Options of a desk. OnChange may be nil; it is called, outside the desk's
// lock, after any change that Snapshot or Grants shows.
type Options struct {
	OnChange func()
}

// Desk is the one queue of questions and the one list of grants.
type Desk struct {
	onChange func()

	// mu protects everything below; OnChange is never called under it.
	mu     sync.Mutex
	queue  []*question // oldest first
	grants map[policy.Key]*grant
	paused map[asker]time.Time
	before map[acquaintance]int // questions of this run
	nextID uint64
}

// asker is whom a pause and the one-question rule are about.
type asker struct {
	kind policy.Kind
	name string
	uid  uint64
}

func askerOf(k policy.Key) asker { return asker{k.CallerKind, k.Caller, k.CallerUID} }

// acquaintance is one app that asked about another.
type acquaintance struct {
	asker  asker
	target string
	uid    uint64
}

// history is what the owner should know of the two: how often they were here.
func history(n int) string {
	switch n {
	case 0:
		return "First question from this app to that one in this session."
	case 1:
		return "One question from this app to that one before, in this session."
	}
	return fmt.Sprintf("%d questions from this app to that one before, in this session.", n)
}

type question struct {
	key     policy.Key
	ask     Question
	wire    *linkv1.Question // state and expiry are set in Snapshot
	open    bool
	shown   time.Time // last time it was painted; zero: never
	expires time.Time // zero until it was shown
	timer   *time.Timer
	outcome chan outcome // holds one
}

type outcome struct {
	choice Choice
	err    error
}

// New makes a desk without questions and grants.
func New(o Options) *Desk {
	return &Desk{onChange: o.OnChange, grants: map[policy.Key]*grant{}, paused: map[asker]time.Time{}, before: map[acquaintance]int{}}
}

func (d *Desk) changed() {
	if d.onChange != nil {
		d.onChange()
	}
}

// Ask puts a question and waits for its end. It returns Once or Session, or a
// fault: APP_PAUSED, UI_BUSY, DENIED, REQUEST_EXPIRED, REQUEST_CANCELLED,
// LOCKED, or CANCELLED when ctx ends first.
func (d *Desk) Ask(ctx context.Context, q Question) (Choice, error) {
	const op fault.Op = "consent.ask"
	pending, err := d.enqueue(q)
	if err != nil {
		return Deny, err
	}
	d.changed()
	select {
	case o := <-pending.outcome:
		return o.choice, o.err
	case <-ctx.Done():
		d.close(pending, outcome{Deny, fault.Wrap(op, fault.Cancelled, string(q.Caller.Endpoint), context.Cause(ctx))})
		o := <-pending.outcome // of close, or of an answer that was first
		return o.choice, o.err
	}
}

func (d *Desk) enqueue(q Question) (*question, error) {
	const op fault.Op = "consent.ask"
	d.mu.Lock()
	defer d.mu.Unlock()
	key := policy.KeyOf(q.Caller, q.Target, q.act(), q.Tool)
	who := askerOf(key)
	if wait := time.Until(d.paused[who]); wait > 0 {
		return nil, fault.New(op, fault.AppPaused, who.name, "").After(wait)
	}
	delete(d.paused, who)
	mine := 0
	for _, other := range d.queue {
		if askerOf(other.key) == who {
			mine++
		}
	}
	if mine >= limit.QuestionsPerApp || len(d.queue) >= limit.QuestionsWaiting {
		return nil, fault.New(op, fault.UIBusy, who.name, "")
	}
	pair := acquaintance{who, key.Target, key.TargetUID}
	facts := append(slices.Clone(q.Facts), history(d.before[pair]))
	d.before[pair]++
	pending := &question{key: key, ask: q, outcome: make(chan outcome, 1)}
	pending.wire = &linkv1.Question{
		Id: ulid.Make().String(), Kind: q.Kind, Caller: q.CallerParty, Target: q.TargetParty,
		Tool: q.Tool.Name, ToolTitle: q.Title, ToolDescription: q.Description, Arguments: q.Arguments,
		DefinitionHash: q.Tool.Definition, Facts: facts, Choices: q.choices(),
		CallerFrameId: string(q.CallerRef.Frame),
	}
	digest, err := digestOf(pending.wire)
	if err != nil {
		return nil, fault.Wrap(op, fault.Internal, who.name, err)
	}
	pending.wire.Digest = digest
	pending.open = q.Caused && d.opened() == nil
	pending.timer = time.AfterFunc(limit.QuestionUnseen, func() { d.expire(pending) })
	d.queue = append(d.queue, pending)
	return pending, nil
}

// digestOf binds an answer to everything that the question shows.
func digestOf(w *linkv1.Question) (string, error) {
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(w)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

func (d *Desk) opened() *question {
	for _, q := range d.queue {
		if q.open {
			return q
		}
	}
	return nil
}

func (d *Desk) find(id string) *question {
	for _, q := range d.queue {
		if q.wire.Id == id {
			return q
		}
	}
	return nil
}

func closed(op fault.Op, id string) error {
	return fault.New(op, fault.Conflict, id, "The question is closed already.")
}

// Open shows a waiting question: the owner clicked its chip. Codes: CONFLICT
// when it is gone, UI_BUSY while another is open.
func (d *Desk) Open(id string) error {
	const op fault.Op = "consent.open"
	d.mu.Lock()
	q, other := d.find(id), d.opened()
	switch {
	case q == nil:
		d.mu.Unlock()
		return closed(op, id)
	case other != nil && other != q:
		d.mu.Unlock()
		return fault.New(op, fault.UIBusy, id, "")
	}
	q.open = true
	d.mu.Unlock()
	d.changed()
	return nil
}

// Shown says that the open question was painted. The time to answer runs from
// the first paint; a later one (after a reload, or after a theft of the
// keyboard) only arms the buttons again.
func (d *Desk) Shown(id string) error {
	const op fault.Op = "consent.shown"
	d.mu.Lock()
	q := d.find(id)
	if q == nil || !q.open {
		d.mu.Unlock()
		return closed(op, id)
	}
	q.shown = time.Now()
	if q.expires.IsZero() {
		q.expires = q.shown.Add(limit.QuestionShown)
		q.timer.Stop()
		q.timer = time.AfterFunc(limit.QuestionShown, func() { d.expire(q) })
	}
	d.mu.Unlock()
	d.changed()
	return nil
}

// Answer closes a question by the owner's choice. With Deny, pause is how long
// the app may not ask; 0 means the usual 10 s. Codes: CONFLICT (gone, or not
// shown), DIGEST_MISMATCH, INVALID_REQUEST (not offered),
// USER_INTERACTION_REQUIRED (allowed before it could be read).
func (d *Desk) Answer(id string, choice Choice, digest string, pause time.Duration) error {
	const op fault.Op = "consent.answer"
	d.mu.Lock()
	q := d.find(id)
	var err error
	switch {
	case q == nil:
		err = closed(op, id)
	case digest != q.wire.Digest:
		err = fault.New(op, fault.DigestMismatch, id, "The answer is to another question than the one shown.")
	case !slices.Contains(q.wire.Choices, choice):
		err = fault.New(op, fault.InvalidRequest, id, "The question does not offer this answer.")
	case choice != Deny && (!q.open || q.shown.IsZero()):
		err = fault.New(op, fault.Conflict, id, "The question was not shown.")
	case choice != Deny && time.Since(q.shown) < limit.QuestionArm:
		err = fault.New(op, fault.UserInteractionNeeded, id, "The answer came before the question could be read.").
			After(limit.QuestionArm - time.Since(q.shown))
	}
	if err != nil {
		d.mu.Unlock()
		return err
	}
	o := outcome{choice: choice}
	switch choice {
	case Deny:
		if pause <= 0 {
			pause = limit.RefusalPause
		}
		pause = min(pause, limit.PauseMax)
		d.paused[askerOf(q.key)] = time.Now().Add(pause)
		o.err = fault.New(op, fault.Denied, q.wire.Tool, "").After(pause)
	case Session:
		d.grant(q)
	}
	d.take(q, o)
	d.mu.Unlock()
	d.changed()
	return nil
}

// take removes a question and settles it. Its outcome channel holds one, and a
// question is taken once, so the send never waits.
func (d *Desk) take(q *question, o outcome) {
	i := slices.Index(d.queue, q)
	if i < 0 {
		return
	}
	d.queue = slices.Delete(d.queue, i, i+1)
	q.timer.Stop()
	q.outcome <- o
}

func (d *Desk) close(q *question, o outcome) {
	d.mu.Lock()
	d.take(q, o)
	d.mu.Unlock()
	d.changed()
}

func (d *Desk) expire(q *question) {
	d.close(q, outcome{Deny, fault.New("consent.expire", fault.RequestExpired, q.wire.Tool, "")})
}

// closeWhere closes every question for which why gives an error.
func (d *Desk) closeWhere(why func(*question) error) {
	d.mu.Lock()
	n := len(d.queue)
	for _, q := range slices.Clone(d.queue) {
		if err := why(q); err != nil {
			d.take(q, outcome{Deny, err})
		}
	}
	n -= len(d.queue)
	d.mu.Unlock()
	if n > 0 {
		d.changed()
	}
}

func sideGone(q *question) error {
	return fault.New("consent.close", fault.RequestCancelled, q.wire.Tool, "")
}

// Ended closes the questions of a connection that is over, on either side.
func (d *Desk) Ended(ref endpoint.Ref) {
	d.closeWhere(func(q *question) error {
		if q.ask.CallerRef == ref || q.ask.TargetRef == ref {
			return sideGone(q)
		}
		return nil
	})
}

// ToolsChanged closes the questions about tools of a connection that are gone
// or defined otherwise now: what was shown would not be what runs.
func (d *Desk) ToolsChanged(target endpoint.Ref, definition func(tool string) string) {
	d.closeWhere(func(q *question) error {
		if q.ask.TargetRef == target && q.ask.act() == policy.Use && definition(q.ask.Tool.Name) != q.ask.Tool.Definition {
			return sideGone(q)
		}
		return nil
	})
}

// EndRun closes every question with err and forgets grants and pauses: the
// owner locked Neutron, or it quits.
func (d *Desk) EndRun(err error) {
	d.closeWhere(func(*question) error { return err })
	d.mu.Lock()
	clear(d.grants)
	clear(d.paused)
	clear(d.before)
	d.mu.Unlock()
	d.changed()
}

// Snapshot is the queue, oldest first. Only the open question carries its
// arguments, so that a full queue still fits one frame of the link.
func (d *Desk) Snapshot() []*linkv1.Question {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*linkv1.Question, 0, len(d.queue))
	for _, q := range d.queue {
		w := proto.CloneOf(q.wire)
		w.State = linkv1.QuestionState_QUESTION_STATE_WAITING
		if q.open {
			w.State = linkv1.QuestionState_QUESTION_STATE_OPEN
		} else {
			w.Arguments = nil
		}
		if !q.expires.IsZero() {
			w.ExpiresAtMs = q.expires.UnixMilli()
		}
		out = append(out, w)
	}
	return out
}
