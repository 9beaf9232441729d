package window

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"

	"neutron/kernel/proto/controlv1"
)

// trace is a native side that writes down what it is told. What the real one does with it is the
// matter of the tests under tag e2e.
type trace struct{ done []string }

func (r *trace) note(format string, args ...any) {
	r.done = append(r.done, fmt.Sprintf(format, args...))
}
func (r *trace) arm(open int)                      { r.note("arm %d", open) }
func (r *trace) proxy(address string)              { r.note("proxy %s", address) }
func (r *trace) filter(rules []byte, dir string)   { r.note("filter") }
func (r *trace) load(address string)               { r.note("load %s", address) }
func (r *trace) endPage()                          { r.note("end") }
func (r *trace) hold(on bool)                      { r.note("hold %v", on) }
func (r *trace) raise()                            { r.note("raise") }
func (r *trace) prompt(w words, arm time.Duration) { r.note("prompt %s", w.heading) }
func (r *trace) closePrompt()                      { r.note("close") }
func (r *trace) quit()                             { r.note("quit") }

type scene struct {
	*desk
	native *trace
}

func newScene() scene {
	n := &trace{}
	return scene{newDesk(nil, n, "", slog.New(slog.DiscardHandler)), n}
}

// told gives what waits for the kernel and empties the box.
func (s scene) told() (lines []string) {
	for _, m := range s.out.waiting {
		raw, _ := protojson.Marshal(m)
		lines = append(lines, strings.ReplaceAll(string(raw), " ", ""))
	}
	s.out.waiting = nil
	return lines
}

func (s scene) want(t *testing.T, what string, native, told []string) {
	t.Helper()
	got, said := s.native.done, s.told()
	s.native.done = nil
	if fmt.Sprint(got) != fmt.Sprint(native) || fmt.Sprint(said) != fmt.Sprint(told) {
		t.Errorf("%s:\n native %q, want %q\n told %q, want %q", what, got, native, said, told)
	}
}

func boot(url string) *controlv1.AttachWindowResponse {
	return &controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Boot{Boot: &controlv1.Boot{Url: url, SandboxUrl: "http://*.localhost:2"}}}
}

func armProbe(nonce string) *controlv1.AttachWindowResponse {
	return &controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ArmProbe{ArmProbe: &controlv1.ArmProbe{Nonce: nonce}}}
}

const (
	askBoot = `{"bootWanted":{}}`
	shellAt = "http://127.0.0.1:1/"
)

func TestStartOfTheTalk(t *testing.T) {
	s := newScene()
	s.armed()
	s.want(t, "armed", nil, []string{`{"attach":{}}`, askBoot})
	s.hear(boot(shellAt + "#boot=a"))
	s.want(t, "first boot", []string{"filter"}, nil)
	get(s.first, "GET", "/")
	s.moved(shellAt)
	s.hear(armProbe("n"))
	s.want(t, "the probe waits for the filter", nil, nil)
	s.proxied.Store(true)
	s.filtered(true, "")
	s.want(t, "the filter is on", nil, []string{`{"lockState":{"nonce":"n","filterOn":true,"proxyOn":true,"redirected":true}}`})
	s.heard.Add(3)
	s.hear(&controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_ReadLocks{ReadLocks: &controlv1.ReadLocks{Nonce: "n"}}})
	s.want(t, "read", nil, []string{`{"lockState":{"nonce":"n","heard":"3","filterOn":true,"proxyOn":true,"redirected":true}}`})
	s.hear(armProbe("m"))
	s.want(t, "a new probe counts from zero", nil, []string{`{"lockState":{"nonce":"m","filterOn":true,"proxyOn":true,"redirected":true}}`})
	s.hear(boot(shellAt + "#boot=b"))
	s.want(t, "a later boot, same addresses", []string{"load " + shellAt + "#boot=b"}, nil)
	s.hear(boot("http://127.0.0.1:9/#boot=c"))
	s.hear(armProbe("o"))
	s.want(t, "other addresses need another filter", []string{"filter", "load http://127.0.0.1:9/#boot=c"}, nil)
	s.filtered(false, "no")
	s.want(t, "a filter that failed says so", nil, []string{`{"lockState":{"nonce":"o","proxyOn":true}}`})
	s.hear(boot("file:///etc/passwd"))
	s.want(t, "no strange address is loaded", nil, nil)
}

func TestStallAnswers(t *testing.T) {
	s := newScene()
	stall := &controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Stalled{Stalled: &controlv1.Stalled{Suspects: []string{"Pictures"}}}}
	s.hear(stall)
	s.hear(stall)
	s.want(t, "one prompt", []string{"prompt Pictures keeps Neutron from answering"}, nil)
	s.answered(false)
	s.want(t, "wait", nil, []string{`{"answered":{}}`})
	s.hear(stall)
	s.answered(true)
	s.died(2)
	s.want(t, "reload: the kernel boots unasked, and the end is no crash",
		[]string{"prompt Pictures keeps Neutron from answering", "hold false", "end"}, []string{`{"answered":{"reload":true}}`})
	s.died(1)
	s.want(t, "the next end is one", []string{"hold false", "close"}, []string{`{"processDied":{"reason":1}}`, askBoot})
	s.answered(true)
	s.want(t, "an answer to nothing", nil, nil)
}

func TestEndlessEnds(t *testing.T) {
	s := newScene()
	for range deathsMax {
		s.died(1)
	}
	s.told()
	s.native.done = nil
	s.died(1)
	s.want(t, "one too many", []string{"hold false", "close", "prompt Neutron’s page keeps ending"}, []string{`{"processDied":{"reason":1}}`})
	s.answered(false)
	s.want(t, "quit", []string{"quit"}, nil)
	s.stop()
	s.died(2)
	s.want(t, "the end at the end", nil, nil)
}

func TestKeys(t *testing.T) {
	press := func(key string, mask uint32, held bool) keyPress {
		c := chordOf(0, []rune(key)[0], mask)
		return keyPress{typed: c, plain: c, held: held, keyval: uint32([]rune(key)[0])}
	}
	s := newScene()
	if s.key(press("a", 0, false)) {
		t.Error("typing is swallowed")
	}
	s.want(t, "typing", nil, []string{`{"gesture":{"key":true}}`})
	again := press("a", 0, false)
	again.again = true
	s.key(again)
	s.want(t, "GTK's second delivery", nil, nil)
	if !s.key(press("k", maskCtrl, false)) || !s.key(press("b", maskShift, true)) {
		t.Error("a shortcut or a held key reaches the page")
	}
	s.want(t, "caught", nil, []string{`{"nativeKey":{"key":"k","ctrl":true,"shortcut":true}}`, `{"nativeKey":{"key":"b","shift":true}}`})
	cyrillic := press("л", maskCtrl, false)
	cyrillic.plain = chordOf(0, 'k', maskCtrl)
	s.key(cyrillic)
	s.want(t, "a second alphabet", nil, []string{`{"nativeKey":{"key":"k","ctrl":true,"shortcut":true}}`})
	for range 2 * outboxKeys {
		s.pressed(1, 2, 0)
	}
	s.died(1)
	if n := len(s.out.waiting); n != outboxKeys+2 {
		t.Errorf("a kernel that does not listen costs %d messages", n)
	}
}

func TestMayGo(t *testing.T) {
	s := newScene()
	if !s.mayGo("wails://wails/", false) || s.mayGo(shellAt, false) {
		t.Error("before the first boot only the bootstrap page may be loaded")
	}
	s.hear(boot(shellAt))
	get(s.first, "GET", "/nothing")
	s.first.spend()
	for address, want := range map[string]bool{
		shellAt: true, shellAt + "x?y": true, "http://ab.localhost:2/i": true, "about:srcdoc": true, "blob:null/x": true,
		"wails://wails/": false, "file:///x": false, "http://127.0.0.1:12/": false, "https://example.com/": false, "javascript:1": false,
		shellAt + "unlock": false,
	} {
		if s.mayGo(address, false) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
	s.native.done = nil
	s.want(t, "a script's way to unlock", nil, nil)
	s.mayGo(shellAt+"unlock?x", true)
	s.want(t, "a person's", nil, []string{`{"bootWanted":{"unlock":true}}`})
}

func TestStallWordsBoundNames(t *testing.T) {
	w := stallWords([]string{strings.Repeat("é", 400), "b", "c", "d", "e", "f", "g"})
	if len(w.names) != promptNames+1 || len([]rune(w.names[0])) != promptName || w.names[promptNames] != "and 2 more" {
		t.Errorf("%d names: %q", len(w.names), w.names)
	}
}

func TestGeometryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "window.json")
	usual := geometry{Width: defaultWidth, Height: defaultHeight}
	log := slog.New(slog.DiscardHandler)
	for _, bad := range []string{"", "{", `{"width":1,"height":1}`, `{"width":900000,"height":900}`, `[]`} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := readGeometry(file); got != usual {
			t.Errorf("%q opens %+v", bad, got)
		}
	}
	writeGeometry(file, geometry{Width: 900, Height: 700}, log)
	writeGeometry(file, geometry{Width: 1920, Height: 1080, Maximised: true}, log)
	if got := readGeometry(file); got != (geometry{Width: 900, Height: 700, Maximised: true}) {
		t.Errorf("a maximised window forgets its own size: %+v", got)
	}
	writeGeometry(filepath.Join(file, "under a file"), usual, log) // only logged
	if readGeometry("") != usual {
		t.Error("no file, no memory")
	}
}

func wayOut(proxy string, origins ...string) *controlv1.AttachWindowResponse {
	return &controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Egress{Egress: &controlv1.Egress{Proxy: proxy, Origins: origins}}}
}

func TestWayOut(t *testing.T) {
	const proxy, a, b = "http://window:x@127.0.0.1:3", "https://a.example.com", "https://b.example.com"
	s := newScene()
	s.hear(wayOut(""))
	s.want(t, "a kernel without one", nil, nil)
	s.hear(wayOut(proxy))
	s.want(t, "the proxy stands before the first page", []string{"proxy " + proxy}, nil)
	s.hear(boot(shellAt))
	s.want(t, "the boot seals", []string{"filter"}, nil)
	s.filtered(true, "")
	s.hear(wayOut(proxy))
	s.want(t, "the same again", nil, nil)
	s.hear(wayOut(proxy, a))
	s.hear(armProbe("n"))
	s.want(t, "an origin: no load is broken off, the old filter holds meanwhile", []string{"filter"}, []string{`{"lockState":{"nonce":"n","filterOn":true}}`})
	s.hear(wayOut(proxy, a, b))
	s.hear(wayOut(proxy, b))
	s.hear(wayOut(proxy))
	s.want(t, "each change", []string{"filter", "filter", "filter"}, nil)
	s.hear(wayOut(proxy, "https://*.example.com"))
	s.hear(armProbe("m"))
	s.want(t, "an origin that is none shuts the gate", nil, []string{`{"lockState":{"nonce":"m"}}`})
}
