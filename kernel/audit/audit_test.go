package audit_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"neutron/kernel/audit"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

func party(app string, uid uint64) *linkv1.Party {
	return &linkv1.Party{EndpointId: "app:" + app + ":background", AppId: app, Uid: uid}
}

func call(tool string) audit.Call {
	return audit.Call{Caller: party("daybook", 2), Target: party("notes", 1), Tool: tool, Arguments: []byte(`{"q":1}`)}
}

// spy counts writes over the real store, and can refuse them.
type spy struct {
	audit.Disk
	mu     sync.Mutex
	writes int
	err    error
}

func (s *spy) Write(e []*linkv1.AuditEntry) error {
	s.mu.Lock()
	s.writes++
	err := s.err
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.Disk.Write(e)
}

func (s *spy) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *spy) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes
}

func open(t *testing.T, dir string) *spy {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &spy{Disk: audit.OnStore(s)}
}

func start(t *testing.T, d audit.Disk, o audit.Options) *audit.Log {
	t.Helper()
	l, err := audit.Start(d, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func query(t *testing.T, l *audit.Log, q *linkv1.QueryAudit) *linkv1.AuditPage {
	t.Helper()
	p, err := l.Query(q)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Rule 68: 201 calls, and an app lists the 200 newest, of its own only.
func TestRing(t *testing.T) {
	l := start(t, open(t, t.TempDir()), audit.Options{})
	for i := range limit.AuditRing + 1 {
		l.Begin(call(fmt.Sprint("t", i))).Settle(audit.OK, "once", nil)
	}
	other := call("other")
	other.Caller = party("images", 3)
	other.Target = &linkv1.Party{EndpointId: "kernel"}
	l.Begin(other).Settle(audit.OK, "kernel", nil)
	for _, who := range []*linkv1.Party{party("daybook", 2), party("notes", 1)} {
		own := l.Own(who.AppId, who.Uid)
		if len(own) != limit.AuditRing || own[0].Tool != "t200" || own[len(own)-1].Tool != "t1" {
			t.Errorf("%s: %d entries, from %s to %s", who.AppId, len(own), own[0].Tool, own[len(own)-1].Tool)
		}
	}
	if own := l.Own("images", 3); len(own) != 1 || own[0].Tool != "other" {
		t.Errorf("images sees %v", own)
	}
	if own := l.Own("daybook", 9); len(own) != 0 {
		t.Errorf("a later installation inherits %d entries", len(own))
	}
	l.Forget("daybook", 2)
	if own := l.Own("daybook", 2); len(own) != 0 {
		t.Errorf("a removed installation keeps %d entries", len(own))
	}
	same := call("self")
	same.Target = party("daybook", 2)
	l.Begin(same).Settle(audit.OK, "same-app", nil)
	if own := l.Own("daybook", 2); len(own) != 1 {
		t.Errorf("a call to itself is listed %d times", len(own))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// A decision is on disk at once and as PENDING; a plain call within 100 ms, and
// many of them in one write.
func TestDurability(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d := open(t, dir)
		l := start(t, d, audit.Options{})
		decided := l.Begin(call("decided"))
		if err := decided.Decided("once"); err != nil {
			t.Fatal(err)
		}
		var seen []*linkv1.AuditEntry
		scan := func() {
			seen = nil
			if err := d.Scan(0, func(e *linkv1.AuditEntry) bool { seen = append(seen, e); return true }); err != nil {
				t.Fatal(err)
			}
		}
		scan()
		if len(seen) != 1 || seen[0].Status != audit.Pending || seen[0].Decision != "once" || seen[0].Arguments != `{"q":1}` {
			t.Fatalf("after the decision the disk has %v", seen)
		}
		before := d.count()
		for range 50 {
			l.Begin(call("plain")).Settle(audit.OK, "same-app", nil)
		}
		decided.Settle("TIMEOUT", "", nil)
		synctest.Wait()
		if d.count() != before {
			t.Error("plain calls are written one by one")
		}
		time.Sleep(limit.AuditFlush)
		synctest.Wait()
		scan()
		if n := d.count() - before; len(seen) != 51 || n != 1 {
			t.Errorf("after 100 ms: %d entries in %d writes", len(seen), n)
		}
		if first := seen[50]; first.Tool != "decided" || first.Status != "TIMEOUT" || first.Decision != "once" {
			t.Errorf("the decided call ended as %v", first)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		// The numbers go on after a restart.
		again := start(t, d, audit.Options{})
		again.Begin(call("later")).Settle(audit.OK, "same-app", nil)
		if p := query(t, again, &linkv1.QueryAudit{Limit: 1}); p.Entries[0].Seq != 52 || !p.More {
			t.Errorf("the first entry after a restart is %v", p.Entries[0])
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// A cancel in the same moment as the owner's yes must not be hidden by it.
func TestDecidedAfterSettled(t *testing.T) {
	l := start(t, open(t, t.TempDir()), audit.Options{})
	r := l.Begin(call("t"))
	r.Settle("CANCELLED", "", nil)
	if err := r.Decided("once"); err != nil {
		t.Fatal(err)
	}
	if e := query(t, l, &linkv1.QueryAudit{}).Entries[0]; e.Status != "CANCELLED" || e.Decision != "once" {
		t.Errorf("got %v", e)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// While the disk refuses, entries wait and the owner is told; then they are written.
func TestRefusingDisk(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		d := open(t, dir)
		var told []fault.Code
		l := start(t, d, audit.Options{Failed: func(err error) { told = append(told, fault.CodeOf(err)) }})
		d.refuse(fault.New("test", fault.StoreFull, "", ""))
		if err := l.Begin(call("asked")).Decided("once"); fault.CodeOf(err) != fault.StoreFull {
			t.Errorf("the decision: %v", err)
		}
		l.Begin(call("a")).Settle(audit.OK, "same-app", nil)
		time.Sleep(time.Second)
		if p := query(t, l, &linkv1.QueryAudit{}); len(p.Entries) != 0 {
			t.Errorf("read %v from a disk that took nothing", p.Entries)
		}
		told = told[:1]
		d.refuse(nil)
		l.Begin(call("b")).Settle(audit.OK, "same-app", nil)
		time.Sleep(time.Second)
		synctest.Wait()
		if len(told) != 2 || told[0] != fault.StoreFull || told[1] != "" {
			t.Errorf("told %q", told)
		}
		p := query(t, l, &linkv1.QueryAudit{})
		if len(p.Entries) != 2 || p.Entries[0].Tool != "b" || p.Entries[1].Tool != "a" {
			t.Errorf("on disk: %v", p.Entries)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestQuery(t *testing.T) {
	l := start(t, open(t, t.TempDir()), audit.Options{})
	for i := range 2*limit.AuditPage + 10 {
		c := call(fmt.Sprint("t", i))
		status := audit.OK
		if i%10 == 0 {
			c.Caller, c.Target = party("images", 3), &linkv1.Party{EndpointId: "kernel"}
			status = "DENIED"
		}
		l.Begin(c).Settle(status, "", nil)
	}
	var seqs []uint64
	q := &linkv1.QueryAudit{Limit: 10_000}
	for pages := 1; ; pages++ {
		p := query(t, l, q)
		for _, e := range p.Entries {
			seqs = append(seqs, e.Seq)
		}
		if !p.More {
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			break
		}
		if len(p.Entries) != limit.AuditPage {
			t.Fatalf("a page of %d", len(p.Entries))
		}
		q.Before = seqs[len(seqs)-1]
	}
	for i, s := range seqs {
		if want := uint64(len(seqs) - i); s != want {
			t.Fatalf("entry %d is number %d, want %d", i, s, want)
		}
	}
	if p := query(t, l, &linkv1.QueryAudit{AppId: "images"}); len(p.Entries) != 41 || p.More {
		t.Errorf("images: %d entries, more %v", len(p.Entries), p.More)
	}
	if p := query(t, l, &linkv1.QueryAudit{AppId: "notes", Limit: 5}); len(p.Entries) != 5 || !p.More {
		t.Errorf("notes as a target: %d entries, more %v", len(p.Entries), p.More)
	}
	if p := query(t, l, &linkv1.QueryAudit{Status: "DENIED"}); len(p.Entries) != 41 {
		t.Errorf("denied: %d entries", len(p.Entries))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOldestGo(t *testing.T) {
	d := open(t, t.TempDir())
	last := uint64(limit.AuditEntries + 3)
	for _, seq := range []uint64{1, 2, 3, 4, last - 1, last} {
		if err := d.Write([]*linkv1.AuditEntry{{Seq: seq}}); err != nil {
			t.Fatal(err)
		}
	}
	var left []uint64
	if err := d.Scan(0, func(e *linkv1.AuditEntry) bool { left = append(left, e.Seq); return true }); err != nil {
		t.Fatal(err)
	}
	if want := []uint64{last, last - 1, 4}; fmt.Sprint(left) != fmt.Sprint(want) {
		t.Errorf("left %v, want %v", left, want)
	}
}

func TestFollow(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		l := start(t, open(t, dir), audit.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		l.Begin(call("before")).Settle(audit.OK, "", nil)
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		ch := l.Follow(ctx)
		l.Begin(call("after")).Settle(audit.OK, "", []byte(`{"r":2}`))
		if e := <-ch; e.Tool != "after" || e.Result != `{"r":2}` || e.Seq != 2 {
			t.Errorf("followed %v", e)
		}
		// One that does not read loses the oldest.
		for i := range limit.AuditFollow + 5 {
			l.Begin(call(fmt.Sprint("t", i))).Settle(audit.OK, "", nil)
		}
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		if e := <-ch; e.Tool != "t5" {
			t.Errorf("the oldest kept is %s", e.Tool)
		}
		cancel()
		synctest.Wait()
		for range ch { // closes
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSummary(t *testing.T) {
	long := `"` + strings.Repeat("é", 3_000) + `"`
	cases := []struct{ name, in, want string }{
		{"plain", `{ "a" : [1, 2.50, true, null, {"b": "c"}], "d": {} }`, `{"a":[1,2.50,true,null,{"b":"c"}],"d":{}}`},
		{"a number", `12`, `12`},
		{"text", `"a\"b\u0041"`, `"a\"b\u0041"`},
		{"an escaped secret", `{"p\u0061ssword":[1,{"a":2}],"b":3}`, `{"p\u0061ssword":"[withheld]","b":3}`},
		{"broken", `{"a":1,,`, `{"a":1`},
		{"nothing", ``, ``},
		{"secrets", `{"user":"ann","Password":"x","api_key":{"a":[1]},"nested":[{"access-token":1,"b":2}],"secretary":true}`,
			`{"user":"ann","Password":"[withheld]","api_key":"[withheld]","nested":[{"access-token":"[withheld]","b":2}],"secretary":"[withheld]"}`},
	}
	for _, c := range cases {
		if got := audit.Summary([]byte(c.in)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	for name, in := range map[string]string{"long text": long, "long list": "[" + strings.Repeat("1,", 5_000) + "1]"} {
		got := audit.Summary([]byte(in))
		if n := utf8.RuneCountInString(got); n != limit.AuditField || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
			t.Errorf("%s: %d characters, ends with %q", name, n, got[len(got)-4:])
		}
	}
	exact := `"` + strings.Repeat("é", limit.AuditField-2) + `"`
	if got := audit.Summary([]byte(exact)); got != exact {
		t.Errorf("text of exactly the limit was cut to %d", utf8.RuneCountInString(got))
	}
}

// Contents stay out of an entry whose tool says so; the sizes stay.
func TestMetadataOnly(t *testing.T) {
	l := start(t, open(t, t.TempDir()), audit.Options{})
	r := l.Begin(call("unlock"))
	r.MetadataOnly()
	r.Settle(audit.OK, "", []byte(`{"opened":true}`))
	e := query(t, l, &linkv1.QueryAudit{}).Entries[0]
	if e.Arguments != "" || e.Result != "" || e.ArgumentBytes != 7 || e.ResultBytes != 15 {
		t.Errorf("got %v", e)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func FuzzSummary(f *testing.F) {
	f.Add([]byte(`{"password":"x","a":[1,{"token":{}}]}`))
	f.Add([]byte(`{"a":`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s := audit.Summary(raw)
		if utf8.RuneCountInString(s) > limit.AuditField {
			t.Errorf("%d characters", utf8.RuneCountInString(s))
		}
	})
}
