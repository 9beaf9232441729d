package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lint checks the good app with one file more, and gives the findings of that file.
func lint(t *testing.T, name, body string) []Finding {
	t.Helper()
	dir := write(t, t.TempDir(), sourceFiles())
	write(t, dir, map[string]string{name: body})
	list, err := Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(f Finding) bool { return f.File != name })
}

func TestCheckFindsNothingGood(t *testing.T) {
	dir := write(t, t.TempDir(), sourceFiles())
	list, err := Check(dir)
	if err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestCheckScript(t *testing.T) {
	for _, c := range []struct{ rule, code string }{
		{"storage", `localStorage.setItem("a", 1)`},
		{"storage", `window.localStorage["a"]`},
		{"storage", `const s = globalThis.sessionStorage`},
		{"storage", `indexedDB.open("x")`},
		{"storage", `await caches.open("v1")`},
		{"storage", `navigator.storage.getDirectory()`},
		{"cookies", `document.cookie = "a=b"`},
		{"service worker", `navigator.serviceWorker.register("sw.js")`},
		{"eval", `eval("1+1")`},
		{"eval", `const f = new Function("a", "return a")`},
		{"eval", `setTimeout("tick()", 100)`},
		{"worker", `new Worker("w.js")`},
		{"worker", `new Worker(new URL("w.js", import.meta.url), { type: "module" })`},
		{"worker", `new Worker(URL.createObjectURL(new Blob([s])), { type: "module" })`},
		{"worker", `new SharedWorker("w.js")`},
		{"channel", `const c = new BroadcastChannel("x")`},
		{"dialog", `if (confirm("sure?")) go()`},
		{"dialog", `window.alert("hi")`},
		{"network", `new WebSocket("wss://x.example")`},
		{"network", `fetch("https://api.example/v1")`},
		{"network", `navigator.sendBeacon("/x", "y")`},
		{"page", `fetch("part.html").then(r => r.text())`},
		{"remote", `import x from "https://esm.example/x.js"`},
		{"remote", `await import("//cdn.example/x.js")`},
		{"remote", `export * from 'https://esm.example/x.js'`},
		{"remote", `importScripts("https://x.example/a.js")`},
		{"navigation", `location.href = "other.html"`},
		{"navigation", `window.location = "other.html"`},
		{"navigation", `location.reload()`},
		{"navigation", `top.location = "x"`},
		{"window", `window.open("https://x.example")`},
		{"permission", `navigator.clipboard.writeText("x")`},
		{"permission", `navigator.mediaDevices.getUserMedia({})`},
		{"permission", `el.requestFullscreen()`},
		{"form", `form.addEventListener("submit", go)`},
		{"form", `form.requestSubmit()`},
		{"origin", `parent.document.body`},
		{"storage", "const t = `a ${ localStorage.x } b`"},
		{"storage", "a = b / c; d = /[/'\"]/.test(e); localStorage.x"},
	} {
		list := lint(t, "x.js", "// first line\n  "+c.code+"\n")
		if len(list) != 1 || list[0].Rule != c.rule || !list[0].Fatal || list[0].Line != 2 || list[0].Column < 3 {
			t.Errorf("%s: %v", c.code, list)
		}
	}
}

func TestCheckScriptStaysQuiet(t *testing.T) {
	for _, code := range []string{
		`// localStorage.setItem("a")`,
		`/* eval("x") */`,
		`const s = "localStorage eval( document.cookie";`,
		"const s = `localStorage ${a} eval(`;",
		`const r = /localStorage"eval(/;`,
		`const o = { localStorage: 1, eval: 2 }`,
		`my.localStorage.x; this.eval(x); editor.alert("x")`,
		`function confirm() {} const alert = x`,
		`const location = 1; if (location == 2) {}`,
		`if (location.hash === "#a") history.pushState({}, "", "#b")`,
		`setTimeout(() => tick(), 100)`,
		`fetch("./data.json"); fetch(url); my.fetch("https://x.example")`,
		`import x from "./x.js"; await import("./y.js")`,
		`new Worker(URL.createObjectURL(new Blob([s])))`,
		`class Worker {}; open("x"); cache.open("y")`,
		`el.addEventListener("click", go)`,
		"a = 1 / 2; b = \"it's\"; c = x / y / z",
		`"unterminated`, "`unterminated ${", `/unterminated`, "/* unterminated", `}}}}`, "\x00\xff",
	} {
		if list := lint(t, "x.js", code); len(list) != 0 {
			t.Errorf("%s: %v", code, list)
		}
	}
}

// A worker from a file works once the SDK, which brings the shim, is in the package.
func TestCheckKnowsTheShim(t *testing.T) {
	dir := write(t, t.TempDir(), sourceFiles())
	write(t, dir, map[string]string{"x.js": `new Worker("w.js")`, "sdk.js": `postMessage({ type: "neutron:msgbus:ready" })`})
	if list, err := Check(dir); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestCheckPage(t *testing.T) {
	for _, c := range []struct {
		rule, tag string
		fatal     bool
	}{
		{"remote", `<script src="https://cdn.example/x.js"></script>`, true},
		{"remote", `<script src=//cdn.example/x.js></script>`, true},
		{"remote", `<link rel="stylesheet" href="https://fonts.example/css">`, true},
		{"remote", `<IMG SRC='http://x.example/a.png'>`, true},
		{"missing", `<script type="module" src="./none.js"></script>`, true},
		{"missing", `<img src="/img/none.png?v=1">`, true},
		{"frame", `<iframe src="https://x.example"></iframe>`, true},
		{"frame", `<object data="x.pdf"></object>`, true},
		{"form", `<form action="/send" method="post"><input></form>`, true},
		{"form", `<form><input></form>`, false},
		{"base", `<base href="/">`, true},
		{"navigation", `<meta http-equiv="refresh" content="5">`, true},
		{"policy", `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`, true},
		{"network", `<link rel="preconnect" href="https://x.example">`, true},
		{"manifest link", `<link rel="manifest" href="app.webmanifest">`, false},
		{"download", `<a href="app.js" download>save</a>`, true},
		{"window", `<a href="#x" target="_blank">open</a>`, true},
		{"navigation", `<a href="https://x.example">out</a>`, true},
		{"navigation", `<a href="other.html">next</a>`, true},
		{"storage", `<script>localStorage.x = 1</script>`, true},
		{"storage", `<script type="module">const a = 1; localStorage.x = 1</script>`, true},
		{"remote", `<style>body { background: url(https://x.example/a.png) }</style>`, true},
	} {
		list := lint(t, "x.html", "<!doctype html>\n<title>x</title>\n"+c.tag+"\n")
		if len(list) != 1 || list[0].Rule != c.rule || list[0].Fatal != c.fatal || list[0].Line != 3 {
			t.Errorf("%s: %v", c.tag, list)
		}
	}
}

func TestCheckPageStaysQuiet(t *testing.T) {
	for _, tag := range []string{
		`<!-- <script src="https://x.example"></script> -->`,
		`<script type="module" src="./app.js"></script>`,
		`<script src=/app.js?v=2></script>`,
		`<img src="data:image/png;base64,AA">`,
		`<a href="#top">up</a>`,
		`<script type="application/json">{"localStorage": "https://x.example"}</script>`,
		`<script>const s = "<iframe src='https://x.example'>"</script>`,
		`<link rel="icon" href="icon.svg">`,
		`<img src="{{later}}">`,
		`<input type=file> <button type=button>go</button>`,
	} {
		if list := lint(t, "x.html", tag); len(list) != 0 {
			t.Errorf("%s: %v", tag, list)
		}
	}
}

func TestCheckStyleAndSource(t *testing.T) {
	for _, c := range []struct {
		name, body string
		line       int
	}{
		{"x.css", "a{}\n@import \"https://x.example/a.css\";", 2},
		{"x.css", "/* https://x.example\n */\n a { background: url( '//x.example/a.png' ) }", 3},
		{"x.ts", "const a: number = 1", 0},
	} {
		if list := lint(t, c.name, c.body); len(list) != 1 || list[0].Line != c.line {
			t.Errorf("%s: %v", c.body, list)
		}
	}
	if list := lint(t, "x.css", "/* url(https://x.example) */ a { background: url(a.png) }"); len(list) != 0 {
		t.Error(list)
	}
}

func TestCheckPackage(t *testing.T) {
	for _, c := range []struct {
		name, file, rule string
		line             int
		spoil            func(dir string)
	}{
		{"tile that is missing", ManifestName, "manifest", 2, func(dir string) { _ = os.Remove(filepath.Join(dir, "index.html")) }},
		{"unknown member", ManifestName, "manifest", 3, func(dir string) {
			_ = os.WriteFile(filepath.Join(dir, ManifestName), []byte("{\"format\":1,\n\"id\":\"notes\",\n\"rights\":[]}"), 0o600)
		}},
		{"link", "link", "package", 0, func(dir string) { _ = os.Symlink("/etc/passwd", filepath.Join(dir, "link")) }},
	} {
		dir := write(t, t.TempDir(), sourceFiles())
		c.spoil(dir)
		list, err := Check(dir)
		if err != nil || len(list) != 1 || list[0].File != c.file || list[0].Rule != c.rule || list[0].Line != c.line || !list[0].Fatal {
			t.Errorf("%s: %v, %v", c.name, list, err)
		}
	}
	if _, err := Check(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a directory that is not there")
	}
}

// What a bundler wrote may hold paths that are never taken: it is a warning there.
func TestCheckMinified(t *testing.T) {
	list := lint(t, "x.js", "var a=1;"+strings.Repeat("a++;", 500)+"localStorage.x=1")
	if len(list) != 1 || list[0].Fatal || !strings.HasSuffix(list[0].Text, strings.TrimSpace(minifiedNote)) {
		t.Error(list)
	}
	if got := (Finding{File: "a.js", Line: 3, Column: 7, Rule: "eval", Fatal: true, Text: "no"}).String(); got != "a.js:3:7: error: no [eval]" {
		t.Error(got)
	}
}
