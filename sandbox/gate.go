package sandbox

import (
	"net/http"
	"path"
	"strings"
)

// Refusal is why a request got nothing. The numbers are stable within one launch only.
type Refusal int

// The refusals, in the order in which they are judged.
const (
	RefusedHost Refusal = iota
	RefusedLabel
	RefusedMethod
	RefusedUpgrade
	RefusedServiceWorker
	RefusedOrigin
	RefusedBody
	RefusedPath
	RefusedDestination
	RefusedToken
)

var refusals = [...]string{"host", "label", "method", "upgrade", "service worker", "origin", "body", "path", "destination", "entry token"}

// String is the refusal's name.
func (r Refusal) String() string { return refusals[r] }

// visit is a request on its way through the gates; each gate may rely on what the ones before it found.
type visit struct {
	r     *http.Request
	base  *address
	label string
	shelf *shelf
	path  string // as in the package, without the leading slash
}

// A gate is one defence. They stand in a table so that a test can take a single one away and see the attack succeed.
type gate struct {
	name Refusal
	pass func(*Server, *visit) bool
}

func gates() []gate {
	return []gate{
		{RefusedHost, passHost},
		{RefusedLabel, passLabel},
		{RefusedMethod, func(_ *Server, v *visit) bool { return v.r.Method == http.MethodGet }},
		{RefusedUpgrade, func(_ *Server, v *visit) bool { return !has(v.r, "Upgrade") }},
		{RefusedServiceWorker, func(_ *Server, v *visit) bool { return !has(v.r, "Service-Worker") }},
		{RefusedOrigin, passOrigin},
		{RefusedBody, func(_ *Server, v *visit) bool { return v.r.ContentLength == 0 && len(v.r.TransferEncoding) == 0 }},
		{RefusedPath, passPath},
		{RefusedDestination, passDestination},
		{RefusedToken, passToken},
	}
}

func has(r *http.Request, name string) bool { return len(r.Header.Values(name)) > 0 }

// passHost wants one label directly under our own name and port: no literal
// address, no bare name, no deeper name, no other port. A rebound foreign name fails here.
func passHost(_ *Server, v *visit) bool {
	if v.base == nil || v.r.URL.IsAbs() || v.r.URL.Host != "" {
		return false
	}
	label, ok := strings.CutSuffix(v.r.Host, v.base.tail)
	v.label = label
	return ok && label != "" && !strings.Contains(label, ".")
}

func passLabel(s *Server, v *visit) (ok bool) {
	v.shelf, ok = s.shelfOf(v.label)
	return ok
}

// passOrigin admits what an opaque frame sends: no Origin, or one that says null.
func passOrigin(_ *Server, v *visit) bool {
	o := v.r.Header.Values("Origin")
	return len(o) == 0 || (len(o) == 1 && o[0] == "null")
}

// passPath takes the path as it stands. Nothing is cleaned and nothing is
// joined: a name is looked up in the package's own index or refused. An encoded
// separator, dot or NUL has no honest use.
func passPath(_ *Server, v *visit) bool {
	raw := strings.ToLower(v.r.URL.EscapedPath())
	for _, trick := range []string{"%2f", "%5c", "%2e", "%00", "\\", "//"} {
		if strings.Contains(raw, trick) {
			return false
		}
	}
	name, ok := strings.CutPrefix(v.r.URL.Path, "/")
	if !ok {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "." || part == ".." {
			return false
		}
	}
	v.path = name
	return true
}

// assets are the destinations that no engine turns into a document or into a
// script with powers of its own. A missing header is no browser of ours.
var assets = map[string]bool{"script": true, "style": true, "image": true, "font": true, "audio": true, "video": true, "track": true,
	"empty": true, "json": true, "worker": true, "audioworklet": true, "paintworklet": true}

// passDestination lets a page into an iframe and everything else out of it.
func passDestination(_ *Server, v *visit) bool {
	d := v.r.Header.Values("Sec-Fetch-Dest")
	if len(d) != 1 {
		return false
	}
	if isPage(v.path) {
		return d[0] == "iframe"
	}
	return d[0] == "iframe" || assets[d[0]]
}

// passToken wants a fresh token of this label and page for every document.
// The engines give no other way to tell the shell's load of an app from another app steering its own frame there.
func passToken(s *Server, v *visit) bool {
	if v.r.Header.Get("Sec-Fetch-Dest") != "iframe" {
		return true
	}
	t, ok := strings.CutPrefix(v.r.URL.RawQuery, tokenParam)
	return ok && s.redeem(t, v.label, v.path)
}

// tokenParam begins the whole query of a page's address; nothing else may stand in it.
const tokenParam = "e="

func isPage(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm":
		return true
	}
	return false
}
