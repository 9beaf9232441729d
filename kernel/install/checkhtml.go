package install

import (
	"bytes"
	"regexp"
	"strings"
)

var (
	tagRE   = regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)|<([a-zA-Z][a-zA-Z0-9-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>`)
	attrRE  = regexp.MustCompile(`(?s)([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?`)
	cssURL  = regexp.MustCompile(`(?i)(?:url\(\s*|@import\s+)["']?((?:https?:)?//[^"')\s]+)`)
	closers = map[string]*regexp.Regexp{"script": regexp.MustCompile(`(?i)</script`), "style": regexp.MustCompile(`(?i)</style`)}
	comment = regexp.MustCompile(`(?s)/\*.*?(?:\*/|\z)`)
)

// html checks a page: its tags, and the scripts and styles inside it. It knows
// tags and attributes, not the full grammar; what it does not know it lets pass.
func (p place) html() {
	src, rest := p.all, 0
	for rest < len(src) {
		m := tagRE.FindSubmatchIndex(src[rest:])
		if m == nil {
			return
		}
		start, end := rest+m[0], rest+m[1]
		rest = end
		if m[2] < 0 {
			continue // a comment
		}
		from := start + m[2] - m[0]
		tag := strings.ToLower(string(src[from : from+m[3]-m[2]]))
		a := attributes(src[start+m[4]-m[0] : start+m[5]-m[0]])
		p.tag(start, tag, a)
		if tag != "script" && tag != "style" {
			continue
		}
		body := src[end:]
		if m := closers[tag].FindIndex(body); m != nil {
			body = body[:m[0]]
		}
		inner := place{p.checker, p.name, p.all, end}
		switch t := strings.ToLower(a["type"]); {
		case tag == "style":
			inner.style(body)
		case t == "" || t == "module" || strings.Contains(t, "javascript"):
			inner.script(body)
		}
		rest = end + len(body)
	}
}

func attributes(b []byte) map[string]string {
	a := make(map[string]string)
	for _, m := range attrRE.FindAllSubmatch(b, -1) {
		name, value := strings.ToLower(string(m[1])), string(m[2])
		if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') {
			value = value[1 : len(value)-1]
		}
		if _, twice := a[name]; !twice {
			a[name] = value
		}
	}
	return a
}

func (p place) tag(at int, tag string, a map[string]string) {
	switch tag {
	case "iframe", "frame", "object", "embed", "portal", "fencedframe":
		p.add(at, "frame", true, "<%s> stays empty: a frame may hold no other page", tag)
		return
	case "form":
		p.form(at, a)
	case "base":
		p.add(at, "base", true, "<base> is ignored: write paths relative to the page")
	case "meta":
		p.meta(at, a)
	case "a", "area":
		p.anchor(at, a)
	}
	for _, name := range []string{"src", "href", "poster", "data"} {
		if (name == "href" && tag != "link") || a[name] == "" || tag == "form" {
			continue
		}
		p.loads(at, tag, a, a[name])
	}
}

// loads judges what a tag loads by itself.
func (p place) loads(at int, tag string, a map[string]string, ref string) {
	rel := strings.ToLower(a["rel"])
	switch {
	case tag == "link" && (strings.Contains(rel, "connect") || strings.Contains(rel, "dns")):
		p.add(at, "network", true, "a link to prepare a connection does nothing good: this app declares no internet address")
	case leaves(ref):
		p.add(at, "remote", true, "<%s> loads from the package only: bring %s into it", tag, quote(ref))
	case tag == "link" && rel == "manifest":
		p.add(at, "manifest link", false, "a web app manifest does nothing here; neutron.json is read instead")
	default:
		if target, ok := p.missing(ref); ok {
			p.add(at, "missing", true, "<%s> names %s, which is not in the package", tag, quote(target))
		}
	}
}

func (p place) form(at int, a map[string]string) {
	const never = "a frame submits no form, and Chromium sends it no submit event"
	if a["action"] != "" || strings.EqualFold(a["method"], "post") {
		p.add(at, "form", true, "%s: send nothing by <form>; handle the click and call a tool", never)
		return
	}
	p.add(at, "form", false, "%s: handle the button's click and Enter in the field", never)
}

func (p place) meta(at int, a map[string]string) {
	switch strings.ToLower(a["http-equiv"]) {
	case "refresh":
		p.add(at, "navigation", true, "a refresh ends the page: its address is good for one load")
	case "content-security-policy":
		if strings.Contains(a["content"], "'self'") {
			p.add(at, "policy", true, "'self' matches nothing in a frame without an origin: the page would load none of its files")
		}
	}
}

func (p place) anchor(at int, a map[string]string) {
	_, download := a["download"]
	switch ref := a["href"]; {
	case download:
		p.add(at, "download", true, "a download ends the page instead of saving a file")
	case strings.HasPrefix(a["target"], "_") && a["target"] != "_self":
		p.add(at, "window", true, "a frame can open no window and move none: target %s does nothing", quote(a["target"]))
	case leaves(ref):
		p.add(at, "navigation", true, "%s does not open: a frame cannot leave the package", quote(ref))
	case ref != "" && !strings.HasPrefix(ref, "#") && !strings.HasPrefix(strings.ToLower(ref), "javascript:"):
		p.add(at, "navigation", true, "a link to another page ends this one: its address is good for one load; draw the next view in this page")
	}
}

// style checks a stylesheet.
func (p place) style(src []byte) {
	blank := comment.ReplaceAllFunc(src, func(b []byte) []byte {
		return bytes.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, bytes.ToValidUTF8(b, []byte("?")))
	})
	if len(blank) != len(src) {
		blank = src // a comment in another alphabet: rather look into it than lose the line
	}
	for _, m := range cssURL.FindAllSubmatchIndex(blank, -1) {
		p.add(m[0], "remote", true, "styles load from the package only: bring %s into it", quote(string(blank[m[2]:m[3]])))
	}
}
