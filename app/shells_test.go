package app

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/link"
	"neutron/kernel/proto/linkv1"
)

func TestReloadResumes(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		b.installBoth(p)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			t.Fatal(err)
		}
		<-call
		p.Kill()
		q := b.attach(kerneltest.PageOptions{Secret: p.Welcome.GetResume()})
		if q.Welcome.GetClient() != p.Welcome.GetClient() || q.Welcome.GetFirstStart() {
			t.Fatalf("resumed as %v", q.Welcome)
		}
		q.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		q.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
		again, err := q.OpenTile("daybook", "main", tile.GetInstance())
		if err != nil || again.GetInstance() != tile.GetInstance() || again.GetFrameId() == tile.GetFrameId() {
			t.Fatalf("tile after the reload: %v %v", again, err)
		}
		if r := <-ask(again); r.err != nil {
			t.Errorf("the grant of this session did not survive the reload: %v", r.err)
		}
	})
}

func TestReloadEndsCalls(t *testing.T) {
	play(t, func(b *bench) {
		p := b.attach(kerneltest.PageOptions{Scripts: map[string]kerneltest.Script{"notes": {Descriptors: []string{searchTool}}}}) // never answers
		p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		b.installBoth(p)
		other := b.open()
		tile, err := other.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if err := answer(other, linkv1.Choice_CHOICE_ONCE); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // it is delivered
		p.Kill()        // the shell with the background goes while the call is under way
		if r := <-call; fault.CodeOf(r.err) != fault.EndpointGone {
			t.Errorf("the caller got %s %v", r.raw, r.err)
		}
		// The background is handed over to the shell that stays.
		synctest.Wait()
		f := other.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
		if !f.GetHere() {
			t.Error("the background is not in the shell that stayed")
		}
	})
}

func TestTwoShells(t *testing.T) {
	play(t, func(b *bench) {
		one := b.open()
		b.installBoth(one)
		two := b.open()
		if f := two.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY); f.GetHere() {
			t.Error("the second shell holds the background")
		}
		tile, err := two.OpenTile("daybook", "main", "a")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if q := one.UntilQuestion(); q.GetId() != two.UntilQuestion().GetId() {
			t.Error("the two shells see different questions")
		}
		if err := answer(one, linkv1.Choice_CHOICE_ONCE); err != nil { // either may answer
			t.Fatal(err)
		}
		if r := <-call; r.err != nil {
			t.Error(r.err)
		}
		synctest.Wait()
		if n := len(two.Questions()); n != 0 {
			t.Errorf("the other shell still shows %d questions", n)
		}
		// The same instance of the same tile in the other shell is another endpoint.
		twin, err := one.OpenTile("daybook", "main", "a")
		if err != nil || twin.GetEndpointId() == tile.GetEndpointId() {
			t.Errorf("twin %v %v", twin, err)
		}
		// A frame belongs to the shell that created it.
		if _, err := one.Request("", func(r *linkv1.Request) {
			r.What = &linkv1.Request_CloseFrame{CloseFrame: &linkv1.CloseFrame{FrameId: tile.GetFrameId()}}
		}); fault.CodeOf(err) != fault.EndpointGone {
			t.Errorf("a shell closed the other's frame: %v", err)
		}
		stolen := make(chan reply, 1)
		go func() {
			raw, err := one.Wait(one.Foreign(tile.GetFrameId(), 1, "ping", "{}"))
			stolen <- reply{raw, err}
		}()
		synctest.Wait()
		select {
		case r := <-stolen:
			if r.err == nil {
				t.Errorf("a shell spoke for the other's frame: %s", r.raw)
			}
		default: // no answer at all is as good
		}
	})
}

func TestShellsAreBounded(t *testing.T) {
	play(t, func(b *bench) {
		for range limit.Shells {
			b.open()
		}
		if p := b.attach(kerneltest.PageOptions{}); p.Welcome != nil || p.Done() != link.CloseFull {
			t.Errorf("one more: %d", p.Done())
		}
	})
}

func TestLockEndsTheRun(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		b.installBoth(p)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			t.Fatal(err)
		}
		<-call
		if _, err := p.Request("", func(r *linkv1.Request) { r.What = &linkv1.Request_LockAll{LockAll: &linkv1.LockAll{}} }); err != nil {
			t.Errorf("the request to lock got no answer: %v", err)
		}
		if code := p.Done(); code != link.CloseLocked {
			t.Errorf("closed with %d", code)
		}
		locked := false
		for _, m := range p.Others() {
			locked = locked || m.GetLocked() != nil
		}
		if !locked || len(p.Closes()) == 0 {
			t.Errorf("before the end came %v and %d closed frames", p.Others(), len(p.Closes()))
		}
		if q := b.attach(kerneltest.PageOptions{Secret: p.Welcome.GetResume()}); q.Done() != link.CloseLocked {
			t.Errorf("the old secret while locked: %d", q.Code)
		}
		if status, _ := b.get(tile.GetUrl(), "iframe"); status != 403 {
			t.Errorf("an address of before the lock: %d", status)
		}
		// A command at the owner's terminal unlocks; nothing of the old run is left.
		q := b.open()
		q.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
		tile, err = q.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call = ask(tile)
		if err := answer(q, linkv1.Choice_CHOICE_DENY); err != nil {
			t.Fatal(err)
		}
		if r := <-call; fault.CodeOf(r.err) != fault.Denied {
			t.Errorf("after the lock the grant still held: %s %v", r.raw, r.err)
		}
	})
}

func TestCommandsAreIdempotent(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		r, err := p.Upload(ulid(1), pack(t, "notes", "1.0.0", false), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the answer was lost, so the shell sends the command again
			if err := approve(p, ulid(2), r); err != nil {
				t.Errorf("approve: %v", err)
			}
		}
		put := func(submission string, revision uint64, text string) (*linkv1.Doc, error) {
			r, err := p.Request(submission, func(r *linkv1.Request) {
				r.What = &linkv1.Request_PutDoc{PutDoc: &linkv1.PutDoc{Key: "layout", IfRevision: revision, Json: []byte(text)}}
			})
			return r.GetDoc(), err
		}
		for range 2 {
			if d, err := put(ulid(3), 0, `{"a":1}`); err != nil || d.GetRevision() != 1 {
				t.Errorf("put: %v %v", d, err)
			}
		}
		if _, err := put(ulid(3), 0, `{"a":2}`); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("another payload under the same submission: %v", err)
		}
		if _, err := put(ulid(4), 0, `{"a":2}`); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("a stale revision: %v", err)
		}
		if d, err := put(ulid(5), 1, `{"a":2}`); err != nil || d.GetRevision() != 2 {
			t.Errorf("put: %v %v", d, err)
		}
		for name, c := range map[string]struct {
			key, text string
			want      fault.Code
		}{
			"no key":          {"", "{}", fault.InvalidRequest},
			"a key with tabs": {"a\tb", "{}", fault.InvalidRequest},
			"no JSON":         {"x", "{", fault.InvalidRequest},
			"too long":        {"x", `"` + string(make([]byte, limit.DocBytes)) + `"`, fault.Limit},
		} {
			if _, err := p.Request("", func(r *linkv1.Request) {
				r.What = &linkv1.Request_PutDoc{PutDoc: &linkv1.PutDoc{Key: c.key, Json: []byte(c.text)}}
			}); fault.CodeOf(err) != c.want {
				t.Errorf("%s: %v", name, err)
			}
		}
		remove := func(submission string, uid uint64) error {
			_, err := p.Request(submission, func(r *linkv1.Request) {
				r.What = &linkv1.Request_RemoveApp{RemoveApp: &linkv1.RemoveApp{AppId: "notes", Uid: uid}}
			})
			return err
		}
		for range 2 {
			if err := remove(ulid(6), 1); err != nil {
				t.Errorf("remove: %v", err)
			}
		}
		if err := remove(ulid(7), 1); fault.CodeOf(err) != fault.AppUnknown {
			t.Errorf("remove again: %v", err)
		}
		b.stop()
		b.start()
		p = b.open()
		if d := p.Welcome.GetDocs(); len(d) != 1 || string(d[0].GetJson()) != `{"a":2}` || d[0].GetRevision() != 2 {
			t.Errorf("docs after the restart: %v", d)
		}
	})
}

// What one shell writes, every other one hears, whole; the writer has its answer.
func TestDocsReachTheOtherShells(t *testing.T) {
	play(t, func(b *bench) {
		writer, other := b.open(), b.open()
		put := func(n int, key string, revision uint64, text string) error {
			_, err := writer.Request(ulid(n), func(r *linkv1.Request) {
				r.What = &linkv1.Request_PutDoc{PutDoc: &linkv1.PutDoc{Key: key, IfRevision: revision, Json: []byte(text)}}
			})
			return err
		}
		stands := func(want string) func([]*linkv1.Doc) bool {
			return func(docs []*linkv1.Doc) bool {
				var all string
				for _, d := range docs {
					all += fmt.Sprintf("%s %d %s;", d.GetKey(), d.GetRevision(), d.GetJson())
				}
				return all == want
			}
		}
		if err := put(1, "theme", 0, `"dark"`); err != nil {
			t.Fatal(err)
		}
		other.UntilDocs(stands(`theme 1 "dark";`))
		if err := put(2, "layout", 0, `{}`); err != nil {
			t.Fatal(err)
		}
		other.UntilDocs(stands(`layout 1 {};theme 1 "dark";`))
		if err := put(3, "theme", 0, `"light"`); fault.CodeOf(err) != fault.Conflict {
			t.Errorf("a stale write: %v", err)
		}
		if err := put(4, "theme", 1, `"light"`); err != nil {
			t.Fatal(err)
		}
		other.UntilDocs(stands(`layout 1 {};theme 2 "light";`))
		if d := writer.Docs(); d != nil {
			t.Errorf("the writer heard its own writes: %v", d)
		}
	})
}

func TestUploadsAreJudged(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		good := pack(t, "notes", "1.0.0", false)
		chunk := func(id string, offset int, data []byte, last bool) {
			p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_UploadChunk{UploadChunk: &linkv1.UploadChunk{UploadId: id, Offset: uint64(offset), Data: data, Last: last}}})
		}
		review := func(id string) fault.Code {
			_, err := p.Request("", func(r *linkv1.Request) {
				r.What = &linkv1.Request_ReviewInstall{ReviewInstall: &linkv1.ReviewInstall{Source: &linkv1.ReviewInstall_UploadId{UploadId: id}, Name: "x"}}
			})
			return fault.CodeOf(err)
		}
		chunk(ulid(1), 1, good, true)
		chunk(ulid(2), 0, good[:9], false)
		chunk(ulid(3), 0, good[:9], true)
		chunk(ulid(4), 0, good, true)
		for n, want := range map[int]fault.Code{1: fault.InvalidRequest, 2: fault.InvalidRequest, 3: fault.PackageInvalid, 4: "", 5: fault.InvalidRequest} {
			if got := review(ulid(n)); got != want {
				t.Errorf("upload %d: %q, want %q", n, got, want)
			}
		}
		// Uploads that were given up half-way must not keep the owner from the next one.
		chunk(ulid(10), 0, good, true)
		for n := range limit.UploadsAtOnce {
			chunk(ulid(11+n), 0, good[:9], n == 0)
		}
		chunk(ulid(11+limit.UploadsAtOnce), 0, good[:9], false)
		chunk(ulid(11+limit.UploadsAtOnce), 9, good[9:], true)
		if got := review(ulid(11 + limit.UploadsAtOnce)); got != "" {
			t.Errorf("the newest upload: %q", got)
		}
		if got := review(ulid(10)); got != fault.InvalidRequest {
			t.Errorf("the oldest one: %q", got)
		}
		if _, err := p.Request("", func(r *linkv1.Request) {}); fault.CodeOf(err) != fault.NotSupported {
			t.Errorf("an unknown request: %v", err)
		}
	})
}

func TestUpgradeEndsTheOldGeneration(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		b.installBoth(p)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		call := ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			t.Fatal(err)
		}
		<-call
		old := p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY).GetFrameId()
		b.install(p, 9, "notes", "1.1.0", true)
		synctest.Wait()
		f := p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
		if f.GetFrameId() == old {
			t.Error("the background of the old version still runs")
		}
		closed := ""
		for _, c := range p.Closes() {
			if c.GetFrameId() == old {
				closed = c.GetCode()
			}
		}
		if closed != string(fault.Superseded) {
			t.Errorf("the old frame was closed with %q", closed)
		}
		if r, err := p.Request("", func(r *linkv1.Request) { r.What = &linkv1.Request_ListGrants{ListGrants: &linkv1.ListGrants{}} }); err != nil || len(r.GetGrants().GetGrants()) != 0 {
			t.Errorf("the list still shows a grant of the old version: %v %v", r, err)
		}
		// The grant was for the old bytes: the owner is asked again.
		call = ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_DENY); err != nil {
			t.Fatal(err)
		}
		if r := <-call; fault.CodeOf(r.err) != fault.Denied {
			t.Errorf("%s %v", r.raw, r.err)
		}
	})
}

func TestAuditFollows(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		b.installBoth(p)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		entries := b.kernel.FollowAudit(ctx)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tile.Call("kernel", "apps.list", map[string]any{}); err != nil {
			t.Fatal(err)
		}
		if e := <-entries; e.GetTool() != "apps.list" || e.GetStatus() != "ok" {
			t.Errorf("followed %v", e)
		}
	})
}

// What a page that is not ready gets: blocked after its time, and a reason.
func TestSilentTileIsBlocked(t *testing.T) {
	play(t, func(b *bench) {
		p := b.attach(kerneltest.PageOptions{Scripts: map[string]kerneltest.Script{"notes": {Silent: true}, "daybook": {Silent: true}}})
		p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
		b.install(p, 1, "notes", "1.0.0", true)
		b.install(p, 2, "daybook", "1.0.0", false)
		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2*limit.Ready + time.Second)
		for _, id := range []string{tile.GetEndpointId(), notesBackground} {
			if f := p.UntilFrame(id, linkv1.FrameStatus_FRAME_STATUS_BLOCKED); f.GetCode() != string(fault.NotReady) || f.GetReason() == "" {
				t.Errorf("%s: %v", id, f)
			}
		}
		if n := fmt.Sprint(p.Mounts("app:notes:background")); n != "2" {
			t.Errorf("the background was mounted %s times", n)
		}
	})
}
