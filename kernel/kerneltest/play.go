package kerneltest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"neutron/kernel/bus"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/valid"
)

var update = flag.Bool("update", false, "rewrite the scenarios with what happens now")

// A scenario is a txtar archive. Its comment names the rules it shows. Its
// files are
//
//	*.json   tool descriptors, named in push lines
//	play     lines in, and, indented below each, the lines out it led to
//	audit    the durable log afterwards, oldest first
//
// Lines in:
//
//	install APP [VERSION] [background] [tile=ID ...]     remove APP
//	attach SHELL [held]     release SHELL     refuse SHELL     detach SHELL
//	open ACTOR SHELL APP TILE [INSTANCE]     waits for nothing: what comes of it is a line out
//	connect ACTOR     reload ACTOR     gone ACTOR [CODE]     close ACTOR     retry APP [TILE]
//	mark ACTOR     settled ACTOR     stall SHELL
//	push ACTOR [TOOL ...]
//	exec ACTOR ID [clicked|typed] ACTION PAYLOAD [context=CONTEXT]     cancel ACTOR ID
//	answer ACTOR CALL JSON     fail ACTOR CALL CODE [SENTENCE]     halfanswer ACTOR CALL
//	progress ACTOR CALL JSON     storm ACTOR CALL N: so many small ones
//	owner open|shows|once|session|deny|wrong [PAUSE]: the open question, else the oldest
//	grants     revoke N     lock     wait DURATION     frames SHELL     inflight
//
// A background's actor is named after its app. Deliveries are numbered through.
type player struct {
	t     *testing.T
	world *World
	files map[string]string
	out   bytes.Buffer
	execs uint64
	seen  map[string]string // questions by id, as last shown
	names map[string]string // questions by id: q1, q2, ...
}

// firstPush is below the ids of the execs that push lines send.
const firstPush = 1_000_000

// Play runs every scenario of a directory as a subtest, in its own bubble of
// time.
func Play(t *testing.T, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenario matches %s (%v)", pattern, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { playFile(t, path) })
	}
}

func playFile(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(archive.Comment)) == 0 {
		t.Error("the scenario names no rule")
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	got := map[string]string{}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		got["play"], got["audit"] = play(t, dir, files)
	})
	if t.Failed() {
		return
	}
	if *update {
		for _, name := range []string{"play", "audit"} {
			i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name })
			if i < 0 {
				archive.Files = append(archive.Files, txtar.File{Name: name})
				i = len(archive.Files) - 1
			}
			archive.Files[i].Data = []byte(got[name])
		}
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range []string{"play", "audit"} {
		if d := firstDifference(files[name], got[name]); d != "" {
			t.Errorf("%s: %s\n--- all of it:\n%s", name, d, got[name])
		}
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "(end)", "(end)"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
	return ""
}

func play(t *testing.T, dir string, files map[string]string) (string, string) {
	p := &player{t: t, files: files, execs: firstPush, seen: map[string]string{}, names: map[string]string{}}
	p.world = NewWorld(t, Options{Store: Store(t, dir)})
	defer p.world.Close(t) // after a failed line too: nothing may outlive the bubble
	for line := range strings.Lines(files["play"]) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "  ") {
			continue
		}
		p.out.WriteString(line + "\n")
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			p.do(words, line)
			synctest.Wait()
			p.report()
		}
	}
	return p.out.String(), p.log()
}

// do runs one line in.
func (p *player) do(words []string, line string) {
	w := p.world
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	number := func(i int) uint64 {
		n, err := strconv.ParseUint(arg(i), 10, 64)
		if err != nil {
			p.t.Fatalf("%q: no number at %d", line, i)
		}
		return n
	}
	actor := func() *Actor {
		a := w.Actor(arg(1))
		if a == nil {
			p.t.Fatalf("%q: no such actor; so far\n%s", line, p.out.String())
		}
		return a
	}
	rest := func(n int) string { // what follows the first n words, as it stands
		s := line
		for range n {
			s = strings.TrimLeft(s, " ")
			i := strings.IndexByte(s, ' ')
			if i < 0 {
				return ""
			}
			s = s[i+1:]
		}
		return s
	}
	switch words[0] {
	case "install":
		w.Install(row(words[1:]))
	case "remove":
		w.Remove(arg(1))
	case "attach":
		w.Attach(arg(1), arg(2) == "held")
	case "release":
		w.Registry.Release(arg(1))
	case "refuse":
		w.Registry.Refuse(arg(1), fault.New("test", fault.BridgeOpen, "", ""))
	case "detach":
		w.Detach(arg(1))
	case "open":
		go func() {
			if err := w.Open(context.Background(), arg(1), arg(2), arg(3), arg(4), arg(5)); err != nil {
				w.add(Event{Kind: "open " + arg(1), Err: err})
				return
			}
			w.add(Event{Kind: "open", Ref: endpoint.Ref{Frame: w.Actor(arg(1)).Frame.ID}})
		}()
	case "connect":
		p.refused(w.Connect(actor()))
	case "reload":
		w.End(actor(), false, fault.New("test", fault.Navigated, "", ""))
	case "gone":
		code := fault.Code(arg(2))
		if code == "" {
			code = fault.EndpointGone
		}
		w.End(actor(), true, fault.New("test", code, "", ""))
	case "close":
		p.refused(w.Registry.Close(actor().Shell.name, actor().Frame.ID))
	case "retry":
		p.refused(w.Registry.Retry(arg(1), arg(2)))
	case "mark":
		w.Registry.Mark(actor().Shell.name, actor().Frame.ID, false)
	case "settled":
		w.Registry.Mark(actor().Shell.name, actor().Frame.ID, true)
	case "stall":
		r := w.Registry.Stalled(arg(1))
		p.say("suspects %v, quarantined %q", r.Suspects, r.Quarantined)
	case "push":
		var list []string
		for _, name := range words[2:] {
			text, ok := p.files[name+".json"]
			if !ok {
				p.t.Fatalf("%q: no file %s.json", line, name)
			}
			list = append(list, text)
		}
		p.execs++
		w.Push(actor(), p.execs, list...)
	case "exec":
		e := bus.Exec{ID: number(2)}
		n := 3
		switch arg(3) {
		case "clicked":
			e.Stamp = endpoint.Stamp{Focused: true, Activated: true, Gesture: linkv1.GestureKind_GESTURE_KIND_POINTER}
			n++
		case "typed":
			e.Stamp = endpoint.Stamp{Focused: true, Activated: true, Gesture: linkv1.GestureKind_GESTURE_KIND_TYPING}
			n++
		}
		e.Action = arg(n)
		e.Payload = []byte(p.expand(rest(n + 1)))
		if before, context, ok := strings.Cut(string(e.Payload), " context="); ok {
			e.Payload, e.Context = []byte(before), []byte(context)
		}
		w.Exec(actor(), e)
	case "cancel":
		w.Bus.CancelExec(actor().Shell, actor().Ref(), number(2))
	case "answer":
		w.Bus.Response(actor().Shell, actor().Ref(), number(2), []byte(p.expand(rest(3))), nil)
	case "fail":
		w.Bus.Response(actor().Shell, actor().Ref(), number(2), nil, fault.New("test", fault.Code(arg(3)), "", rest(4)))
	case "halfanswer":
		w.Bus.Response(actor().Shell, actor().Ref(), number(2), nil, nil)
		w.Bus.Response(actor().Shell, actor().Ref(), number(2), []byte("{}"), fault.HandlerFailed)
	case "progress":
		w.Bus.ProgressFrom(actor().Shell, actor().Ref(), number(2), []byte(p.expand(rest(3))))
	case "storm": // storm ACTOR CALL N: so many small progress values; only the count is told
		passed := 0
		for range number(3) {
			w.Bus.ProgressFrom(actor().Shell, actor().Ref(), number(2), []byte("1"))
		}
		synctest.Wait()
		for _, e := range w.Events() {
			if e.Kind == "progress" {
				passed++
			}
		}
		p.say("%d progress values passed", passed)
	case "owner":
		p.owner(arg(1), arg(2))
	case "revoke":
		p.refused(w.Desk.Revoke(arg(1)))
	case "grants":
		for _, g := range w.Desk.Grants() {
			p.say("grant %s: %s to %s %q", g.Id, g.Caller.AppId, g.Target.AppId, g.Tool)
		}
	case "lock":
		locked := fault.New("test", fault.Locked, "", "")
		w.Registry.EndRun(locked)
		w.Desk.EndRun(locked)
	case "wait":
		d, err := time.ParseDuration(arg(1))
		if err != nil {
			p.t.Fatal(err)
		}
		time.Sleep(d)
	case "frames":
		var lines []string // by name: a new instance's id is random
		for _, f := range w.Registry.Snapshot(arg(1)) {
			where := "elsewhere"
			if f.Here {
				where = "here"
			}
			status := strings.TrimPrefix(f.Status.String(), "FRAME_STATUS_")
			name := f.AppId + ":" + f.TileId
			if f.FrameId != "" {
				name = w.nameOf(endpoint.FrameID(f.FrameId))
			}
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", name, status, where, f.Code)))
		}
		slices.Sort(lines)
		for _, l := range lines {
			p.say("%s", l)
		}
	case "inflight":
		p.say("%d in flight, %d dropped", w.Bus.InFlight(), w.Bus.Refused())
	default:
		p.t.Fatalf("%q: no such line", line)
	}
}

func row(words []string) endpoint.App {
	a := endpoint.App{ID: words[0], Name: strings.ToUpper(words[0][:1]) + words[0][1:], Version: "1.0.0", Hash: "hash-" + words[0]}
	for _, o := range words[1:] {
		switch tile, isTile := strings.CutPrefix(o, "tile="); {
		case isTile:
			a.Tiles = append(a.Tiles, endpoint.TilePage{ID: tile, Title: tile, Path: tile + ".html"})
		case o == "background":
			a.Background = "background.html"
		default:
			a.Version = o
		}
	}
	return a
}

// expand writes out {{letters N}} and {{spaces N}}.
func (p *player) expand(s string) string {
	for name, unit := range map[string]string{"letters": "x", "spaces": " "} {
		for {
			before, after, ok := strings.Cut(s, "{{"+name+" ")
			if !ok {
				break
			}
			count, after, _ := strings.Cut(after, "}}")
			n, err := strconv.Atoi(count)
			if err != nil {
				p.t.Fatal(err)
			}
			s = before + strings.Repeat(unit, n) + after
		}
	}
	return s
}

func (p *player) owner(verb, extra string) {
	d := p.world.Desk
	var q *linkv1.Question
	for _, other := range d.Snapshot() {
		if q == nil || other.State == linkv1.QuestionState_QUESTION_STATE_OPEN {
			q = other
		}
	}
	if q == nil {
		p.say("no question")
		return
	}
	answer := func(c consent.Choice) {
		var pause time.Duration
		if extra != "" {
			pause, _ = time.ParseDuration(extra)
		}
		p.refused(d.Answer(q.Id, c, q.Digest, pause))
	}
	switch verb {
	case "open":
		p.refused(d.Open(q.Id))
	case "shows":
		p.refused(d.Shown(q.Id))
	case "once":
		answer(consent.Once)
	case "session":
		answer(consent.Session)
	case "deny":
		answer(consent.Deny)
	case "wrong":
		p.refused(d.Answer(q.Id, consent.Once, "0000", 0))
	default:
		p.t.Fatalf("owner cannot %s", verb)
	}
}

func (p *player) say(format string, args ...any) { fmt.Fprintf(&p.out, "  "+format+"\n", args...) }

func (p *player) refused(err error) {
	if err != nil {
		p.say("refused %s", code(err))
	}
}

func code(err error) string {
	s := string(fault.CodeOf(err))
	if f, ok := err.(*fault.Error); ok && f.RetryAfter > 0 {
		s += " retry after " + f.RetryAfter.Round(time.Millisecond).String()
	}
	return s
}

// report writes the lines out: frames by name, in the order of the events of
// each, and what changed on the desk.
func (p *player) report() {
	w := p.world
	var lines []string
	for _, e := range w.Events() {
		name := w.nameOf(e.Ref.Frame)
		switch e.Kind {
		case "mount":
			lines = append(lines, fmt.Sprintf("%s < mount %s", e.Shell, name))
		case "close":
			lines = append(lines, fmt.Sprintf("%s < close %s %s", e.Shell, name, code(e.Err)))
		case "open":
			lines = append(lines, fmt.Sprintf("%s is open", name))
		case "deliver":
			lines = append(lines, fmt.Sprintf("%s < deliver %d %s %s", name, e.ID, e.Action, brief(e.Payload)))
		case "cancel":
			lines = append(lines, fmt.Sprintf("%s < cancel %d", name, e.ID))
		case "ok":
			if e.ID <= firstPush || e.ID > p.execs { // a push that was taken is no news
				lines = append(lines, fmt.Sprintf("%s < ok %d %s", name, e.ID, brief(e.Payload)))
			}
		case "error":
			lines = append(lines, fmt.Sprintf("%s < error %d %s", name, e.ID, code(e.Err)))
		case "progress":
			lines = append(lines, fmt.Sprintf("%s < progress %d %s", name, e.ID, brief(e.Payload)))
		default:
			lines = append(lines, fmt.Sprintf("%s refused %s", e.Kind, code(e.Err)))
		}
	}
	// Different frames hear things independently of each other.
	slices.SortStableFunc(lines, func(a, b string) int {
		return strings.Compare(strings.SplitN(a, " ", 2)[0], strings.SplitN(b, " ", 2)[0])
	})
	for _, l := range lines {
		p.say("%s", l)
	}
	p.reportDesk()
}

func (p *player) reportDesk() {
	now := map[string]string{}
	for _, q := range p.world.Desk.Snapshot() {
		if p.names[q.Id] == "" {
			p.names[q.Id] = "q" + strconv.Itoa(len(p.names)+1)
		}
		kind := strings.ToLower(strings.TrimPrefix(q.Kind.String(), "QUESTION_KIND_"))
		state := strings.ToLower(strings.TrimPrefix(q.State.String(), "QUESTION_STATE_"))
		text := fmt.Sprintf("%s: %s %s (%s) asks to %s of %s (%s)", state, q.Caller.AppId, q.Caller.Version, q.Caller.Place, strings.TrimSpace(kind+" "+q.Tool), q.Target.AppId, q.Target.Place)
		if len(q.Arguments) > 0 {
			text += " with " + brief(q.Arguments)
		}
		if q.ExpiresAtMs != 0 {
			text += fmt.Sprintf(", %s left", time.Until(time.UnixMilli(q.ExpiresAtMs)).Round(100*time.Millisecond))
		}
		now[q.Id] = text
		if was, known := p.seen[q.Id]; !known || strings.SplitN(was, ",", 2)[0] != strings.SplitN(text, ",", 2)[0] {
			p.say("owner sees %s %s", p.names[q.Id], text)
		}
	}
	ids := make([]string, 0, len(p.seen))
	for id := range p.seen {
		if now[id] == "" {
			ids = append(ids, p.names[id])
		}
	}
	slices.Sort(ids)
	for _, name := range ids {
		p.say("%s is closed", name)
	}
	p.seen = now
}

// brief is JSON for reading: canonical, and cut when it is long.
func brief(raw []byte) string {
	s := string(raw)
	if c, err := valid.Canonical(raw); err == nil {
		s = string(c)
	}
	if len(s) > 400 {
		return fmt.Sprintf("(%d bytes)", len(raw))
	}
	return s
}

// log is the durable audit, oldest first.
func (p *player) log() string {
	page, err := p.world.Audit.Query(&linkv1.QueryAudit{})
	if err != nil {
		p.t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range slices.Backward(page.Entries) {
		line := fmt.Sprintf("%s > %s %s: %s", who(e.Caller), who(e.Target), e.Tool, e.Status)
		if e.Decision != "" {
			line += " by " + e.Decision
		}
		for _, f := range []struct {
			name, text string
			size       uint64
		}{{"with", e.Arguments, e.ArgumentBytes}, {"gave", e.Result, e.ResultBytes}} {
			switch {
			case len(f.text) > 400:
				line += fmt.Sprintf(" %s (%d characters of %d bytes)", f.name, len([]rune(f.text)), f.size)
			case f.text != "":
				line += " " + f.name + " " + f.text
			case f.size > 0:
				line += fmt.Sprintf(" %s %d bytes", f.name, f.size)
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func who(p *linkv1.Party) string {
	if p.GetAppId() == "" {
		return p.GetEndpointId()
	}
	return p.GetAppId() + "/" + strings.ToLower(p.GetPlace())
}
