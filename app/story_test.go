package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
	"neutron/kernel/link"
	"neutron/kernel/proto/linkv1"
)

// bench is one data directory and the network its instances come and go on.
type bench struct {
	t    *testing.T
	data string
	net  kerneltest.Net
	*Instance
}

// play runs a story in a bubble: hours pass in no time, and the test fails if a
// goroutine stays when the instance has closed.
func play(t *testing.T, story func(b *bench)) {
	t.Helper()
	data := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{t: t, data: data}
		b.start()
		story(b)
		b.stop()
	})
}

func (b *bench) start() {
	b.t.Helper()
	i, err := Start(Options{Version: "test", Data: b.data, open: b.net.Listen, log: slog.New(slog.NewTextHandler(b.t.Output(), nil))})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Instance = i
}

func (b *bench) stop() {
	b.t.Helper()
	if err := b.Close(); err != nil {
		b.t.Error(err)
	}
}

func (b *bench) secret() string { return strings.SplitN(b.kernel.ShellLink(), "#boot=", 2)[1] }

func (b *bench) attach(o kerneltest.PageOptions) *kerneltest.Page {
	o.Dial, o.Origin = b.net.Dial, b.shellOrigin
	if o.Secret == "" {
		o.Secret = b.secret()
	}
	if o.Scripts == nil {
		o.Scripts = scripts
	}
	return kerneltest.Attach(b.t, o)
}

// open attaches a page and waits for its gate.
func (b *bench) open() *kerneltest.Page {
	p := b.attach(kerneltest.PageOptions{})
	if p.Welcome == nil {
		b.t.Fatalf("refused with %d", p.Code)
	}
	p.UntilHealth(func(h *linkv1.Health) bool { return h.GetGateOpen() })
	return p
}

const searchTool = `{"name":"search","title":"Search notes","description":"Finds notes.",
 "inputSchema":{"type":"object","required":["q"],"properties":{"q":{"type":"string"}},"additionalProperties":false},
 "outputSchema":{"type":"object","required":["hits"],"properties":{"hits":{"type":"array","items":{"type":"string"}}}}}`

// scripts stand for what the two apps' pages do.
var scripts = map[string]kerneltest.Script{
	"notes": {Descriptors: []string{searchTool}, Tools: map[string]kerneltest.Tool{
		"search": func(raw json.RawMessage) (any, error) {
			return map[string]any{"hits": []string{"found by " + string(raw)}}, nil
		},
	}},
}

// pack makes a real package of an app with a tile and, if asked, a background.
func pack(t *testing.T, id, version string, background bool) []byte {
	t.Helper()
	dir := t.TempDir()
	m := map[string]any{"format": 1, "id": id, "name": strings.ToUpper(id[:1]) + id[1:], "version": version,
		"tiles": []any{map[string]any{"id": "main", "title": "Main", "path": "index.html"}}}
	if background {
		m["background"] = map[string]any{"path": "background.html"}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"neutron.json": string(raw), "index.html": "<!doctype html><title>" + id + "</title>" + version, "background.html": "<!doctype html>", "main.js": "1",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := install.Pack(dir, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func ulid(n int) string { return fmt.Sprintf("01J%023d", n) }

func approve(p *kerneltest.Page, submission string, r *linkv1.Review) error {
	_, err := p.Request(submission, func(q *linkv1.Request) {
		q.What = &linkv1.Request_ApproveInstall{ApproveInstall: &linkv1.ApproveInstall{ReviewId: r.GetReviewId(), Digest: r.GetApp().GetHash()}}
	})
	return err
}

func (b *bench) install(p *kerneltest.Page, n int, id, version string, background bool) {
	b.t.Helper()
	r, err := p.Upload(ulid(n), pack(b.t, id, version, background), 300)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := approve(p, ulid(n), r); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) installBoth(p *kerneltest.Page) {
	b.t.Helper()
	b.install(p, 1, "notes", "1.0.0", true)
	b.install(p, 2, "daybook", "1.0.0", false)
	p.UntilFrame("app:notes:background", linkv1.FrameStatus_FRAME_STATUS_READY)
	synctest.Wait()
}

// answer does what the owner does: open the question, read it, decide.
func answer(p *kerneltest.Page, choice linkv1.Choice) error {
	q := p.UntilQuestion()
	if q.GetState() == linkv1.QuestionState_QUESTION_STATE_WAITING {
		if _, err := p.Request("", func(r *linkv1.Request) {
			r.What = &linkv1.Request_QuestionOpen{QuestionOpen: &linkv1.QuestionOpen{Id: q.GetId()}}
		}); err != nil {
			return err
		}
	}
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_QuestionShown{QuestionShown: &linkv1.QuestionShown{Id: q.GetId()}}})
	time.Sleep(limit.QuestionArm)
	_, err := p.Request("", func(r *linkv1.Request) {
		r.What = &linkv1.Request_QuestionAnswer{QuestionAnswer: &linkv1.QuestionAnswer{Id: q.GetId(), Choice: choice, Digest: q.GetDigest()}}
	})
	return err
}

const notesBackground = "app:notes:background"

type reply struct {
	raw json.RawMessage
	err error
}

// ask starts a call of daybook's tile to notes' search.
func ask(f *kerneltest.Frame) <-chan reply {
	c := make(chan reply, 1)
	go func() {
		raw, err := f.Call(notesBackground, "search", map[string]any{"q": "milk"})
		c <- reply{raw, err}
	}()
	return c
}

func (b *bench) audit(p *kerneltest.Page) []*linkv1.AuditEntry {
	b.t.Helper()
	r, err := p.Request("", func(r *linkv1.Request) { r.What = &linkv1.Request_QueryAudit{QueryAudit: &linkv1.QueryAudit{}} })
	if err != nil {
		b.t.Fatal(err)
	}
	return r.GetAuditPage().GetEntries()
}

// get loads a frame's page as an engine would.
func (b *bench) get(url, dest string) (int, string) {
	b.t.Helper()
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	_, port, _ := strings.Cut(host, ":")
	c, err := b.net.Dial(context.Background(), "", "127.0.0.1:"+port)
	if err != nil {
		b.t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "GET /%s HTTP/1.1\r\nHost: %s\r\nSec-Fetch-Dest: %s\r\nConnection: close\r\n\r\n", path, host, dest); err != nil {
		b.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if _, err := body.ReadFrom(res.Body); err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, body.String()
}

// The whole story of the issue, without an engine: install two apps, let one use
// the other after one consent, see it in the audit, and have it survive a restart.
func TestStory(t *testing.T) {
	play(t, func(b *bench) {
		p := b.open()
		if !p.Welcome.GetFirstStart() || p.Welcome.GetWindow() || len(p.Welcome.GetOwnerMark().GetSeed()) != 16 {
			t.Errorf("welcome %v", p.Welcome)
		}
		mark := p.Welcome.GetOwnerMark().GetWords()
		b.installBoth(p)
		if n := len(p.Apps().GetInstalled()); n != 2 {
			t.Fatalf("%d apps", n)
		}

		tile, err := p.OpenTile("daybook", "main", "")
		if err != nil {
			t.Fatal(err)
		}
		if status, body := b.get(tile.GetUrl(), "iframe"); status != 200 || !strings.Contains(body, "daybook") {
			t.Errorf("the tile's page: %d %q", status, body)
		}
		if status, _ := b.get(tile.GetUrl(), "iframe"); status != 403 {
			t.Errorf("its token worked twice: %d", status)
		}

		call := ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_ONCE); err != nil {
			t.Fatal(err)
		}
		if r := <-call; r.err != nil || !strings.Contains(string(r.raw), "milk") {
			t.Fatalf("allowed once: %s %v", r.raw, r.err)
		}
		call = ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_SESSION); err != nil {
			t.Fatal(err)
		}
		if r := <-call; r.err != nil {
			t.Fatal(r.err)
		}
		if r := <-ask(tile); r.err != nil {
			t.Fatalf("allowed for the session: %v", r.err)
		}
		var decisions []string
		for _, e := range b.audit(p) {
			if e.GetTool() == "search" {
				decisions = append(decisions, e.GetCaller().GetAppId()+" "+e.GetDecision()+" "+e.GetStatus())
			}
		}
		want := []string{"daybook session ok", "daybook session ok", "daybook once ok"}
		if fmt.Sprint(decisions) != fmt.Sprint(want) {
			t.Errorf("audit %q, want %q", decisions, want)
		}
		resume := p.Welcome.GetResume()

		b.stop()
		if code := p.Done(); code != 1001 {
			t.Errorf("at the end the link closed with %d", code)
		}
		b.start()

		if old := b.attach(kerneltest.PageOptions{Secret: resume}); old.Done() != link.CloseSecret {
			t.Errorf("a secret of the last run: %d", old.Code)
		}
		p = b.open()
		if p.Welcome.GetFirstStart() || p.Welcome.GetOwnerMark().GetWords() != mark {
			t.Errorf("after the restart: %v", p.Welcome)
		}
		p.UntilFrame(notesBackground, linkv1.FrameStatus_FRAME_STATUS_READY)
		if n := len(b.audit(p)); n < 3 {
			t.Errorf("%d audit entries survived", n)
		}
		if tile, err = p.OpenTile("daybook", "main", tile.GetInstance()); err != nil {
			t.Fatal(err)
		}
		call = ask(tile)
		if err := answer(p, linkv1.Choice_CHOICE_DENY); err != nil {
			t.Fatal(err)
		}
		if r := <-call; fault.CodeOf(r.err) != fault.Denied {
			t.Errorf("denied: %s %v", r.raw, r.err)
		}
	})
}
