package consent_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/policy"
	"neutron/kernel/proto/linkv1"
)

func side(app string, uid uint64) endpoint.Endpoint {
	i := endpoint.Identity{App: app, UID: uid, Version: "1.0.0", Hash: "h", Generation: 1, Role: endpoint.Background}
	return endpoint.Endpoint{ID: i.ID(), Identity: i, Name: strings.ToUpper(app), Ref: endpoint.Ref{Frame: endpoint.FrameID(app), Conn: 1}}
}

// question is one from an app to notes.
func question(app string) consent.Question {
	caller, target := side(app, 7), side("notes", 1)
	return consent.Question{
		Kind:   linkv1.QuestionKind_QUESTION_KIND_USE,
		Caller: policy.Of(caller), Target: policy.Of(target),
		CallerParty: consent.PartyOf(caller), TargetParty: consent.PartyOf(target),
		CallerRef: caller.Ref, TargetRef: target.Ref,
		Tool: policy.Tool{Name: "search", Definition: "d1"}, Title: "Search", Arguments: []byte(`{"q":1}`),
	}
}

func keyOf(q consent.Question) policy.Key {
	return policy.KeyOf(q.Caller, q.Target, policy.Use, q.Tool)
}

// asked is one running Ask.
type asked struct {
	choice consent.Choice
	err    error
	done   chan struct{}
}

func ask(ctx context.Context, d *consent.Desk, q consent.Question) *asked {
	a := &asked{done: make(chan struct{})}
	go func() {
		a.choice, a.err = d.Ask(ctx, q)
		close(a.done)
	}()
	synctest.Wait()
	return a
}

func (a *asked) code(t *testing.T) fault.Code {
	t.Helper()
	synctest.Wait()
	select {
	case <-a.done:
		return fault.CodeOf(a.err)
	default:
		t.Fatal("the question is still waiting")
		return ""
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Errorf("%s: got %q (%v), want %q", what, got, err, code)
	}
}

// The queue holds 16 questions, one of each app; the 17th is refused.
func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		for i := range limit.QuestionsWaiting {
			ask(t.Context(), d, question(fmt.Sprintf("app%d", i)))
		}
		if n := len(d.Snapshot()); n != limit.QuestionsWaiting {
			t.Fatalf("%d wait", n)
		}
		if c := ask(t.Context(), d, question("late")).code(t); c != fault.UIBusy {
			t.Errorf("the 17th: %s", c)
		}
		must(t, d.Answer(d.Snapshot()[3].Id, consent.Deny, d.Snapshot()[3].Digest, 0))
		if c := ask(t.Context(), d, question("app5")).code(t); c != fault.UIBusy {
			t.Errorf("a second of one app: %s", c)
		}
		ask(t.Context(), d, question("late"))
		if n := len(d.Snapshot()); n != limit.QuestionsWaiting {
			t.Errorf("after one went, %d wait", n)
		}
		d.EndRun(fault.Locked)
	})
}

// Only one is open; opening a second is refused, and so is showing one that waits.
func TestOneIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		caused := question("a")
		caused.Caused = true
		ask(t.Context(), d, caused)
		other := question("b")
		other.Caused = true
		ask(t.Context(), d, other)
		s := d.Snapshot()
		if s[0].State != linkv1.QuestionState_QUESTION_STATE_OPEN || s[1].State != linkv1.QuestionState_QUESTION_STATE_WAITING {
			t.Fatalf("states %v, %v", s[0].State, s[1].State)
		}
		if len(s[0].Arguments) == 0 || len(s[1].Arguments) != 0 {
			t.Error("the open question alone carries its arguments")
		}
		want(t, "opening a second", d.Open(s[1].Id), fault.UIBusy)
		want(t, "showing one that waits", d.Shown(s[1].Id), fault.Conflict)
		want(t, "allowing one that waits", d.Answer(s[1].Id, consent.Once, s[1].Digest, 0), fault.Conflict)
		must(t, d.Open(s[0].Id))
		must(t, d.Answer(s[0].Id, consent.Deny, s[0].Digest, 0))
		must(t, d.Open(s[1].Id))
		d.EndRun(fault.Locked)
	})
}

// The question says how often the two were here before in this run.
func TestHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		fact := func(app string) string {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ask(ctx, d, question(app))
			s := d.Snapshot()
			return s[len(s)-1].Facts[0]
		}
		for _, c := range []struct{ app, starts string }{{"a", "First"}, {"a", "One"}, {"a", "2"}, {"b", "First"}} {
			if got := fact(c.app); !strings.HasPrefix(got, c.starts) {
				t.Errorf("%s: %q, want %s…", c.app, got, c.starts)
			}
			synctest.Wait()
		}
		d.EndRun(fault.Locked)
		if got := fact("a"); !strings.HasPrefix(got, "First") {
			t.Errorf("after the run: %q", got)
		}
	})
}

// A later paint arms the buttons again and does not give more time.
func TestShownAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		q := question("a")
		q.Caused = true
		a := ask(t.Context(), d, q)
		id, digest := d.Snapshot()[0].Id, d.Snapshot()[0].Digest
		must(t, d.Shown(id))
		expires := d.Snapshot()[0].ExpiresAtMs
		time.Sleep(limit.QuestionShown - time.Second)
		must(t, d.Shown(id))
		if now := d.Snapshot()[0].ExpiresAtMs; now != expires {
			t.Errorf("the time to answer moved by %d ms", now-expires)
		}
		want(t, "allowing at once after a theft", d.Answer(id, consent.Once, digest, 0), fault.UserInteractionNeeded)
		time.Sleep(limit.QuestionArm)
		must(t, d.Answer(id, consent.Once, digest, 0))
		if c := a.code(t); c != "" || a.choice != consent.Once {
			t.Errorf("got %v, %s", a.choice, c)
		}
		want(t, "the loser", d.Answer(id, consent.Deny, digest, 0), fault.Conflict)
		want(t, "showing what is gone", d.Shown(id), fault.Conflict)
		want(t, "opening what is gone", d.Open(id), fault.Conflict)
	})
}

// The digest binds every part that is shown.
func TestDigest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]string{}
		for name, change := range map[string]func(*consent.Question){
			"nothing":     func(*consent.Question) {},
			"arguments":   func(q *consent.Question) { q.Arguments = []byte(`{"q":2}`) },
			"tool":        func(q *consent.Question) { q.Tool.Name = "create" },
			"definition":  func(q *consent.Question) { q.Tool.Definition = "d2" },
			"title":       func(q *consent.Question) { q.Title = "Delete" },
			"description": func(q *consent.Question) { q.Description = "Deletes." },
			"version":     func(q *consent.Question) { q.CallerParty.Version = "2.0.0" },
			"target":      func(q *consent.Question) { q.TargetParty.EndpointId = "app:other:background" },
			"facts":       func(q *consent.Question) { q.Facts = []string{"first call"} },
			"kind":        func(q *consent.Question) { q.Kind = linkv1.QuestionKind_QUESTION_KIND_REQUEST },
		} {
			d := consent.New(consent.Options{})
			q := question("a")
			change(&q)
			ask(t.Context(), d, q)
			digest := d.Snapshot()[0].Digest
			if other, ok := seen[digest]; ok {
				t.Errorf("%s and %s have one digest", name, other)
			}
			seen[digest] = name
			want(t, "another digest", d.Answer(d.Snapshot()[0].Id, consent.Deny, "x"+digest, 0), fault.DigestMismatch)
			d.EndRun(fault.Locked)
		}
	})
}

// A pause is the app's, is bounded, and ends; another app is not paused.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		a := ask(t.Context(), d, question("a"))
		must(t, d.Answer(d.Snapshot()[0].Id, consent.Deny, d.Snapshot()[0].Digest, time.Hour))
		if c := a.code(t); c != fault.Denied {
			t.Errorf("refused: %s", c)
		}
		ask(t.Context(), d, question("b"))
		if len(d.Snapshot()) != 1 {
			t.Error("another app is paused too")
		}
		time.Sleep(limit.PauseMax - time.Millisecond)
		if c := ask(t.Context(), d, question("a")).code(t); c != fault.AppPaused {
			t.Errorf("in the pause: %s", c)
		}
		time.Sleep(time.Millisecond)
		ask(t.Context(), d, question("a"))
		if n := len(d.Snapshot()); n != 1 { // b's has expired unseen
			t.Errorf("after the pause %d wait", n)
		}
		d.EndRun(fault.Locked)
	})
}

// permissions.request offers no once.
func TestRequestIsForTheSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		q := question("a")
		q.Kind, q.Caused = linkv1.QuestionKind_QUESTION_KIND_REQUEST, true
		ask(t.Context(), d, q)
		w := d.Snapshot()[0]
		must(t, d.Shown(w.Id))
		time.Sleep(limit.QuestionArm)
		want(t, "once", d.Answer(w.Id, consent.Once, w.Digest, 0), fault.InvalidRequest)
		want(t, "no choice", d.Answer(w.Id, linkv1.Choice_CHOICE_UNSPECIFIED, w.Digest, 0), fault.InvalidRequest)
		must(t, d.Answer(w.Id, consent.Session, w.Digest, 0))
		if !d.Holds(keyOf(q)) {
			t.Error("nothing was granted")
		}
	})
}

// Grants end when revoked, at the end of the run, and when either side's
// generation changes; nothing else ends them.
func TestGrants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		granted := func() (*consent.Desk, policy.Key) {
			d := consent.New(consent.Options{})
			q := question("a")
			q.Caused = true
			ask(t.Context(), d, q)
			w := d.Snapshot()[0]
			must(t, d.Shown(w.Id))
			time.Sleep(limit.QuestionArm)
			must(t, d.Answer(w.Id, consent.Session, w.Digest, 0))
			d.Ended(q.CallerRef)
			d.Ended(q.TargetRef)
			return d, keyOf(q)
		}
		rows := func(a, notes uint64) []endpoint.App {
			return []endpoint.App{{ID: "a", UID: 7, Generation: a}, {ID: "notes", UID: 1, Generation: notes}}
		}
		cases := map[string]struct {
			do    func(*consent.Desk)
			holds bool
		}{
			"nothing changed":     {func(d *consent.Desk) { d.SetApps(rows(1, 1)) }, true},
			"the caller changed":  {func(d *consent.Desk) { d.SetApps(rows(2, 1)) }, false},
			"the target changed":  {func(d *consent.Desk) { d.SetApps(rows(1, 2)) }, false},
			"the caller was gone": {func(d *consent.Desk) { d.SetApps(rows(1, 1)[1:]) }, false},
			"the run ended":       {func(d *consent.Desk) { d.EndRun(fault.Locked) }, false},
			"it was revoked":      {func(d *consent.Desk) { must(t, d.Revoke(d.Grants()[0].Id)) }, false},
		}
		for name, c := range cases {
			d, key := granted()
			c.do(d)
			if d.Holds(key) != c.holds || (len(d.Grants()) == 1) != c.holds {
				t.Errorf("%s: holds %v, listed %d", name, d.Holds(key), len(d.Grants()))
			}
		}
		d, key := granted()
		time.Sleep(time.Minute)
		d.Used(key)
		g := d.Grants()[0]
		if g.Caller.AppId != "a" || g.Target.AppId != "notes" || g.Tool != "search" || g.LastUsedMs-g.SinceMs != 60_000 {
			t.Errorf("listed as %v", g)
		}
		want(t, "revoking twice", d.Revoke("99"), fault.Conflict)
	})
}

// Of many answers at once exactly one wins.
func TestFirstAnswerWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := consent.New(consent.Options{})
		q := question("a")
		q.Caused = true
		a := ask(t.Context(), d, q)
		w := d.Snapshot()[0]
		must(t, d.Shown(w.Id))
		time.Sleep(limit.QuestionArm)
		var won sync.Map
		var wg sync.WaitGroup
		for i := range 20 {
			wg.Go(func() {
				choice := []consent.Choice{consent.Deny, consent.Once, consent.Session}[i%3]
				if d.Answer(w.Id, choice, w.Digest, 0) == nil {
					won.Store(i, choice)
				}
			})
		}
		wg.Wait()
		n := 0
		won.Range(func(_, choice any) bool {
			n++
			if c := a.code(t); (c == fault.Denied) != (choice == consent.Deny) || a.choice != choice {
				t.Errorf("the winner chose %v, the asker got %v, %s", choice, a.choice, c)
			}
			return true
		})
		if n != 1 {
			t.Errorf("%d answers won", n)
		}
	})
}

// Whoever asks may give up, and OnChange tells of everything that is seen.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		changes := 0
		var d *consent.Desk
		d = consent.New(consent.Options{OnChange: func() { changes++; d.Snapshot() }}) // it may look: no lock is held
		ctx, cancel := context.WithCancelCause(t.Context())
		a := ask(ctx, d, question("a"))
		cancel(fault.New("test", fault.Timeout, "", ""))
		if c := a.code(t); c != fault.Timeout {
			t.Errorf("got %s", c)
		}
		if len(d.Snapshot()) != 0 || changes != 2 {
			t.Errorf("%d wait, %d changes", len(d.Snapshot()), changes)
		}
	})
}
