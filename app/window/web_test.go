//go:build desktop && linux && e2e

package window

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// web is the loopback side of a test kernel: a shell that does what the test says, a sandbox with
// frames that attack, and a foreign host that nobody may reach.
type web struct {
	shell, sandbox string
	sandboxPort    string
	foreign        string
	foreignConns   atomic.Int64
	loaded, beats  atomic.Int64 // of the attacking frame

	mu      sync.Mutex
	next    int
	shells  chan chan string       // the connected page's commands
	answers map[string]chan string // by id
}

const shellPage = `<!doctype html><title>Test shell</title><body style="margin:0"><script>
history.replaceState(null, '', '/');
globalThis.frames_ = []; globalThis.heard = []; globalThis.keys = [];
addEventListener('message', e => heard.push(e.data));
addEventListener('keydown', e => keys.push(e.key));
function frame(src, style) { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts'; f.src = src;
  f.style.cssText = style || 'border:0;width:400px;height:200px'; document.body.append(f); frames_.push(f); return true; }
new EventSource('/do').onmessage = async m => { const { id, js } = JSON.parse(m.data);
  let out; try { out = { ok: await (0, eval)(js) }; } catch (e) { out = { err: String(e) }; }
  fetch('/say?id=' + id, { method: 'POST', body: JSON.stringify(out) }); };
</script>`

// attackPage tries the native handler in every way a frame has, the custom scheme and foreign hosts.
const attackPage = `<!doctype html><title>attack</title><script>
const foreign = %q, nonce = 'n1';
const child = () => { const f = document.createElement('iframe'); document.documentElement.append(f); return f.contentWindow; };
const says = ['EE' + JSON.stringify({ name: 'neutron.e2e.reached', data: [nonce] }), 'LE reached ' + nonce, 'WT:' + nonce];
const ways = [w => x => w.webkit.messageHandlers.external.postMessage(x), w => x => w.chrome.webview.postMessage(x),
  w => x => w.external.invoke(x), w => x => w.WailsInvoke(x)];
let sent = 0, has = false;
const go = () => { for (const w of [window, child()]) for (const way of ways) for (const x of says) try { way(w)(x); sent++; } catch {}
  has ||= !!(window.webkit?.messageHandlers?.external || window.chrome?.webview || window.WailsInvoke); };
const add = (tag, set) => { const e = Object.assign(document.createElement(tag), set); document.documentElement.append(e); };
const reach = () => { add('link', { rel: 'preload', as: 'fetch', href: 'wails://wails/reached.js' }); add('script', { src: 'wails://wails/reached.js' });
  add('img', { src: foreign + '/img' }); add('link', { rel: 'preconnect', href: foreign }); add('link', { rel: 'preload', as: 'image', href: foreign + '/p' });
  fetch(foreign, { mode: 'no-cors' }).catch(() => {}); try { new WebSocket(foreign.replace('http', 'ws')); } catch {} };
let n = 0; const beat = () => { go(); reach(); parent.postMessage({ sent, has, n: ++n, origin: self.origin }, '*'); fetch('/beat', { mode: 'no-cors' }); if (n < 10) setTimeout(beat, 50); }; beat();
</script>`

const hogPage = `<!doctype html><title>hog</title><script>
addEventListener('message', e => { if (e.data === 'hog') for (;;); if (e.data?.busy) { const end = Date.now() + e.data.busy; while (Date.now() < end); } parent.postMessage('still', '*'); });
parent.postMessage('up', '*');</script>`

const inputPage = `<!doctype html><title>input</title><body style="margin:0;height:100vh;background:#cde"><textarea style="width:90%;height:60%"></textarea><script>
addEventListener('keydown', e => parent.postMessage({ key: e.key }, '*')); addEventListener('pointerdown', e => parent.postMessage({ x: e.clientX, y: e.clientY }, '*'));</script>`

func serveWeb(t *testing.T) *web {
	w := &web{shells: make(chan chan string, 8), answers: map[string]chan string{}}
	foreign, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	w.foreign = "http://" + foreign.Addr().String()
	go func() {
		for {
			c, err := foreign.Accept()
			if err != nil {
				return
			}
			w.foreignConns.Add(1)
			c.Close()
		}
	}()
	sandbox := httptest.NewServer(http.HandlerFunc(w.serveFrame))
	shell := httptest.NewServer(http.HandlerFunc(w.serveShell))
	w.shell = shell.URL
	w.sandboxPort = sandbox.URL[strings.LastIndexByte(sandbox.URL, ':')+1:]
	w.sandbox = "http://*.localhost:" + w.sandboxPort
	t.Cleanup(func() {
		foreign.Close()
		sandbox.CloseClientConnections()
		shell.CloseClientConnections()
		go sandbox.Close()
		go shell.Close()
	})
	return w
}

// frame is the address of a page on a label of its own.
func (w *web) frame(page string) string {
	return "http://label0" + page + ".localhost:" + w.sandboxPort + "/" + page
}

func (w *web) serveFrame(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Security-Policy", "sandbox allow-scripts")
	switch r.URL.Path {
	case "/attack":
		w.loaded.Add(1)
		fmt.Fprintf(rw, attackPage, w.foreign)
	case "/beat":
		w.beats.Add(1)
	case "/hog":
		io.WriteString(rw, hogPage)
	case "/input":
		io.WriteString(rw, inputPage)
	default:
		http.NotFound(rw, r)
	}
}

func (w *web) serveShell(rw http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/":
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(rw, shellPage)
	case "/do":
		rw.Header().Set("Content-Type", "text/event-stream")
		rw.(http.Flusher).Flush()
		mine := make(chan string)
		w.shells <- mine
		for {
			select {
			case command := <-mine:
				fmt.Fprintf(rw, "data: %s\n\n", command)
				rw.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	case "/say":
		body, _ := io.ReadAll(r.Body)
		w.mu.Lock()
		answer := w.answers[r.URL.Query().Get("id")]
		w.mu.Unlock()
		if answer != nil {
			answer <- string(body)
		}
	default:
		http.NotFound(rw, r)
	}
}

// settle waits until a frame without a shell has tried everything.
func (w *web) settle(t *testing.T) {
	t.Helper()
	if !within(patience, func() bool { return w.beats.Load() >= 10 }) {
		t.Fatal("the frame never tried")
	}
}

// page is the shell of one load.
type page struct {
	s    *stage
	send chan string
}

// shellUp waits for the next load of the shell.
func (s *stage) shellUp() page {
	s.t.Helper()
	select {
	case send := <-s.web.shells:
		return page{s, send}
	case <-time.After(patience):
		s.t.Fatalf("the shell never came up")
		return page{}
	}
}

// post runs JavaScript in the shell and does not wait for its result.
func (p page) post(js string) chan string {
	p.s.t.Helper()
	w := p.s.web
	w.mu.Lock()
	w.next++
	id := fmt.Sprint(w.next)
	answer := make(chan string, 1)
	w.answers[id] = answer
	w.mu.Unlock()
	command, _ := json.Marshal(map[string]string{"id": id, "js": js})
	select {
	case p.send <- string(command):
	case <-time.After(patience):
		p.s.t.Fatalf("the shell takes no command")
	}
	return answer
}

// run runs JavaScript in the shell and decodes its result into v.
func (p page) run(js string, v any) {
	p.s.t.Helper()
	select {
	case raw := <-p.post(js):
		var out struct {
			OK  json.RawMessage `json:"ok"`
			Err string          `json:"err"`
		}
		if err := json.Unmarshal([]byte(raw), &out); err != nil || out.Err != "" {
			p.s.t.Fatalf("%s: %v %s", js, err, out.Err)
		}
		if v != nil && len(out.OK) > 0 {
			if err := json.Unmarshal(out.OK, v); err != nil {
				p.s.t.Fatalf("%s: %v", js, err)
			}
		}
	case <-time.After(patience):
		p.s.t.Fatalf("the shell does not answer: %s", js)
	}
}

// until waits until a JavaScript expression holds in the shell.
func (p page) until(js string) {
	p.s.t.Helper()
	p.s.until(js, func() bool {
		var ok bool
		p.run("!!("+js+")", &ok)
		return ok
	})
}
