package install

import (
	"path"
	"slices"
	"strings"
)

// globalRule is a name of the page's own that does nothing good in an opaque frame.
type globalRule struct {
	rule  string
	fatal bool
	text  string
	call  bool // only when it is called or constructed
}

var globalRules = map[string]globalRule{
	"localStorage":        {"storage", true, "localStorage throws: " + opaqueStorage, false},
	"sessionStorage":      {"storage", true, "sessionStorage throws: " + opaqueStorage, false},
	"indexedDB":           {"storage", true, "IndexedDB throws: " + opaqueStorage, false},
	"cookieStore":         {"cookies", true, "there are no cookies: " + opaqueStorage, false},
	"eval":                {"eval", true, "eval is refused: the page's policy admits no code made from text", true},
	"Function":            {"eval", true, "Function is refused: the page's policy admits no code made from text", true},
	"SharedWorker":        {"worker", true, "a shared worker cannot start: a frame has no origin to share; use a Worker", true},
	"BroadcastChannel":    {"channel", true, "a BroadcastChannel is alone: no other page has this frame's origin; expose a tool instead", true},
	"alert":               {"dialog", true, "alert shows nothing here; draw the message in the page", true},
	"confirm":             {"dialog", true, "confirm answers false without asking; draw the question in the page", true},
	"prompt":              {"dialog", true, "prompt answers null without asking; draw the question in the page", true},
	"WebSocket":           {"network", true, "a WebSocket cannot open: only https is let through, to declared addresses", true},
	"WebTransport":        {"network", true, "WebTransport cannot open: only https is let through, to declared addresses", true},
	"EventSource":         {"network", true, "an EventSource cannot open: this app declares no internet address in connect", true},
	"RTCPeerConnection":   {"network", true, "WebRTC has no one to reach: the window keeps it shut", true},
	"Notification":        {"permission", true, "notifications are denied to frames", false},
	"showOpenFilePicker":  {"permission", true, "file pickers are denied to frames; use an input of type file", true},
	"showSaveFilePicker":  {"permission", true, "file pickers are denied to frames", true},
	"showDirectoryPicker": {"permission", true, "file pickers are denied to frames", true},
}

// memberRules are keyed object.member; a dot alone before the member means any object.
var memberRules = map[string]globalRule{
	"document.cookie":          {"cookies", true, "there are no cookies: " + opaqueStorage, false},
	"document.domain":          {"origin", true, "a frame has no domain to set", false},
	"navigator.serviceWorker":  {"service worker", true, "a frame can register no service worker; Neutron serves every file from the package", false},
	"navigator.geolocation":    {"permission", true, "the location is denied to frames", false},
	"navigator.mediaDevices":   {"permission", true, "camera and microphone are denied to frames", false},
	"navigator.clipboard":      {"permission", true, "the clipboard is denied to frames", false},
	"navigator.usb":            {"permission", true, "USB is denied to frames", false},
	"navigator.bluetooth":      {"permission", true, "Bluetooth is denied to frames", false},
	"navigator.share":          {"permission", true, "sharing is denied to frames", false},
	"navigator.sendBeacon":     {"network", true, "a beacon goes nowhere: this app declares no internet address in connect", true},
	"navigator.locks":          {"storage", true, "locks throw: " + opaqueStorage, false},
	"navigator.storage":        {"storage", true, "storage throws: " + opaqueStorage, false},
	"caches.open":              {"storage", true, "caches throw: " + opaqueStorage, true},
	"caches.match":             {"storage", true, "caches throw: " + opaqueStorage, true},
	"caches.delete":            {"storage", true, "caches throw: " + opaqueStorage, true},
	"window.open":              {"window", true, "a frame can open no window", true},
	"window.print":             {"dialog", true, "print shows nothing here", true},
	"location.reload":          {"navigation", true, "a reload ends the page: its address is good for one load", true},
	"location.assign":          {"navigation", true, "leaving ends the page: its address is good for one load", true},
	"location.replace":         {"navigation", true, "leaving ends the page: its address is good for one load", true},
	"top.location":             {"navigation", true, "a frame cannot move the window", false},
	"parent.location":          {"navigation", true, "a frame cannot move the window", false},
	"parent.document":          {"origin", true, "a frame cannot see the window's page", false},
	"top.document":             {"origin", true, "a frame cannot see the window's page", false},
	".requestFullscreen":       {"permission", true, "full screen is denied to frames", true},
	".requestPointerLock":      {"permission", true, "the pointer lock is denied to frames", true},
	".requestPictureInPicture": {"permission", true, "picture in picture is denied to frames", true},
	".requestSubmit":           {"form", true, "a frame submits no form, and Chromium sends it no submit event; handle the click", true},
	".onsubmit":                {"form", true, "a frame submits no form, and Chromium sends it no submit event; handle click and Enter", false},
}

var globals = map[string]bool{"window": true, "self": true, "globalThis": true, "frames": true, "defaultView": true}

// script checks a piece of JavaScript.
func (p place) script(src []byte) {
	t := scanJS(src)
	for i := range t {
		if t[i].kind != word {
			continue
		}
		if p.named(t, i) {
			continue
		}
		switch t[i].text {
		case "Worker":
			p.worker(t, i)
		case "setTimeout", "setInterval":
			if is(t, i+1, punct, "(") && kindAt(t, i+2) == text && isGlobal(t, i) {
				p.add(t[i].at, "eval", true, "%s with a text is refused: pass a function", t[i].text)
			}
		case "fetch":
			p.fetched(t, i)
		case "import", "from":
			if s, ok := stringAfter(t, i); ok && leaves(s.text) {
				p.add(s.at, "remote", true, "code is loaded from the package only: bring %s into it", quote(s.text))
			}
		case "importScripts":
			if is(t, i+1, punct, "(") && kindAt(t, i+2) == text && leaves(t[i+2].text) {
				p.add(t[i].at, "remote", true, "code is loaded from the package only: bring %s into it", quote(t[i+2].text))
			}
		case "addEventListener":
			if is(t, i+1, punct, "(") && is(t, i+2, text, "submit") {
				p.add(t[i].at, "form", true, "a frame submits no form, and Chromium sends it no submit event; handle click and Enter")
			}
		case "location":
			p.leaving(t, i)
		}
	}
}

// named applies the two tables.
func (p place) named(t []token, i int) bool {
	if mayStream[t[i].text] && len(p.allow) > 0 {
		return false
	}
	if r, ok := globalRules[t[i].text]; ok && isGlobal(t, i) && !is(t, i+1, punct, ":") && (!r.call || is(t, i+1, punct, "(")) && !declared(t, i) {
		p.add(t[i].at, r.rule, r.fatal, "%s", r.text)
		return true
	}
	if !is(t, i-1, punct, ".") {
		return false
	}
	r, ok := memberRules["."+t[i].text]
	if kindAt(t, i-2) == word && !ok {
		r, ok = memberRules[t[i-2].text+"."+t[i].text]
	}
	if ok && (!r.call || is(t, i+1, punct, "(")) {
		p.add(t[i].at, r.rule, r.fatal, "%s", r.text)
	}
	return ok
}

// worker judges new Worker(…): a file needs the SDK's shim, a module in a blob works in no frame of Chromium.
func (p place) worker(t []token, i int) {
	if !is(t, i-1, word, "new") || !is(t, i+1, punct, "(") {
		return
	}
	blob, module := false, false
	for depth, j := 0, i+1; j < len(t); j++ {
		switch {
		case is(t, j, punct, "("):
			depth++
		case is(t, j, punct, ")"):
			depth--
		case is(t, j, word, "createObjectURL") || kindAt(t, j) == text && strings.HasPrefix(t[j].text, "blob:"):
			blob = true
		case is(t, j, text, "module") && is(t, j-2, word, "type"):
			module = true
		}
		if depth == 0 {
			break
		}
	}
	switch {
	case blob && module:
		p.add(t[i].at, "worker", true, "a module worker from a blob does not start in Chromium; start it from a file, with the SDK's shim")
	case !blob && !p.sdk:
		p.add(t[i].at, "worker", true, "a worker's file is refused to a frame without an origin; import the SDK, which brings a shim for it")
	}
}

// fetched judges fetch with a literal address.
func (p place) fetched(t []token, i int) {
	if !is(t, i+1, punct, "(") || kindAt(t, i+2) != text || !isGlobal(t, i) {
		return
	}
	ref := t[i+2].text
	name, _, _ := strings.Cut(ref, "?")
	switch {
	case leaves(ref) && !p.allowed(ref):
		p.add(t[i].at, "network", true, "%s cannot be reached: connect in neutron.json does not declare it", quote(ref))
	case path.Ext(name) == ".html":
		p.add(t[i].at, "page", true, "%s cannot be fetched: %s", quote(ref), htmlServed)
	}
}

// allowed reports an address of a declared origin, as it is spelled.
func (p place) allowed(ref string) bool {
	return slices.ContainsFunc(p.allow, func(o string) bool {
		rest, ok := strings.CutPrefix(ref, o)
		return ok && (rest == "" || strings.ContainsRune("/?#", rune(rest[0])))
	})
}

// mayStream are the rules that a declared origin lifts: where to is known only when it runs.
var mayStream = map[string]bool{"EventSource": true, "sendBeacon": true}

// leaving judges an assignment to location or location.href.
func (p place) leaving(t []token, i int) {
	if !isGlobal(t, i) && !is(t, i-2, word, "document") {
		return
	}
	j := i + 1
	if is(t, j, punct, ".") && is(t, j+1, word, "href") {
		j += 2
	}
	if is(t, j, punct, "=") && !is(t, j+1, punct, "=") && !is(t, j+1, punct, ">") && !declared(t, i) {
		p.add(t[i].at, "navigation", true, "leaving ends the page: its address is good for one load; draw the next view in this page")
	}
}

// isGlobal reports a name that is the page's own: bare, or a member of window.
func isGlobal(t []token, i int) bool {
	if !is(t, i-1, punct, ".") {
		return true
	}
	return i >= 2 && t[i-2].kind == word && globals[t[i-2].text]
}

// declared reports a name that the script itself brings in.
func declared(t []token, i int) bool {
	if i == 0 || t[i-1].kind != word {
		return false
	}
	switch t[i-1].text {
	case "var", "let", "const", "function", "class", "import", "async", "get", "set", "static":
		return true
	}
	return false
}

func is(t []token, i int, k tokenKind, s string) bool {
	return i >= 0 && i < len(t) && t[i].kind == k && t[i].text == s
}

func kindAt(t []token, i int) tokenKind {
	if i < 0 || i >= len(t) {
		return 0
	}
	return t[i].kind
}

// stringAfter gives the module that an import names: import "x", import("x"), from "x".
func stringAfter(t []token, i int) (token, bool) {
	if is(t, i+1, punct, "(") {
		i++
	}
	if kindAt(t, i+1) == text {
		return t[i+1], true
	}
	return token{}, false
}
