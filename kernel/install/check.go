package install

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
)

const (
	opCheck fault.Op = "install.check"

	findingsMax   = 200
	checkedBytes  = 8 << 20 // of the largest file that is read line by line
	minifiedLine  = 1_500   // bytes of a line that no person wrote
	sdkMark       = "neutron:msgbus:ready"
	minifiedNote  = " In a bundled file: make sure that this path is never taken."
	htmlServed    = "an HTML file is served as a page of its own only"
	opaqueStorage = "a frame has no origin of its own, so it has no storage: keep data in the background"
)

// Finding is one thing in an app's directory that cannot work, or may not.
type Finding struct {
	File         string
	Line, Column int    // from 1; 0 when the finding is about the whole file
	Rule         string // a short, stable word
	Fatal        bool   // it cannot work; otherwise it may
	Text         string
}

// String is the finding as a compiler would print it.
func (f Finding) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	kind := "warning"
	if f.Fatal {
		kind = "error"
	}
	return fmt.Sprintf("%s: %s: %s [%s]", place, kind, f.Text, f.Rule)
}

// Check reads an app's directory as Pack would and explains what cannot work
// inside an opaque frame, in the order of files and lines. It runs nothing and
// guarantees nothing: a page may hide from it what it likes. The error is for a
// directory that cannot be read.
func Check(dir string) ([]Finding, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fault.Newf(opCheck, fault.PackageInvalid, dir, "%s is no directory that can be read.", quote(dir))
	}
	names, err := sources(dir)
	if err != nil {
		return []Finding{packageFinding(dir, err)}, nil
	}
	c := &checker{has: make(map[string]bool, len(names))}
	for _, n := range names {
		c.has[n] = true
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.Wrap(opCheck, fault.PackageInvalid, dir, err)
	}
	defer root.Close()
	texts := make(map[string][]byte)
	for _, n := range names {
		b, err := readText(root, n)
		if err != nil {
			return nil, fault.Wrap(opCheck, fault.PackageInvalid, quote(n), err)
		}
		texts[n] = b
		c.sdk = c.sdk || bytes.Contains(b, []byte(sdkMark))
	}
	if raw, err := root.ReadFile(ManifestName); err == nil {
		if m, err := DecodeManifest(raw); err == nil {
			c.allow = m.Connect
		}
	}
	if err := Pack(dir, io.Discard); err != nil {
		c.found = append(c.found, packageFinding(dir, err))
	}
	for _, n := range names {
		c.file(n, texts[n])
	}
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return c.found[:min(len(c.found), findingsMax)], nil
}

// readText gives a file that Check looks into; nil for every other.
func readText(root *os.Root, name string) ([]byte, error) {
	switch path.Ext(name) {
	case ".html", ".htm", ".js", ".mjs", ".css", ".ts", ".tsx", ".jsx":
	default:
		return nil, nil
	}
	info, err := root.Stat(name)
	if err != nil || info.Size() > checkedBytes {
		return nil, err
	}
	return root.ReadFile(name)
}

// packageFinding turns a refusal of Pack into a finding, with the line of a manifest's flaw.
func packageFinding(dir string, err error) Finding {
	f := Finding{File: dir, Rule: "package", Fatal: true, Text: fault.Sentence(err)}
	var e *fault.Error
	if !errors.As(err, &e) {
		return f
	}
	name, pointer, _ := strings.Cut(e.Subject, "#")
	f.File = name
	if e.Code == fault.ManifestInvalid {
		f.Rule = "manifest"
		if raw, err := os.ReadFile(path.Join(dir, ManifestName)); err == nil {
			f.Line, f.Column = lineOf(raw, pointerOffset(raw, pointer))
		}
	}
	return f
}

// pointerOffset is where the value of a JSON pointer ends, or of the deepest parent that is there.
func pointerOffset(raw []byte, pointer string) int {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	best, at := 0, 0
	for {
		if _, err := d.ReadToken(); err != nil {
			return at
		}
		p := string(d.StackPointer())
		if (p == pointer || strings.HasPrefix(pointer, p+"/")) && len(p) >= best {
			best, at = len(p), int(d.InputOffset())
		}
		if p == pointer {
			return int(d.InputOffset())
		}
	}
}

// lineOf counts lines and bytes from 1.
func lineOf(src []byte, at int) (line, column int) {
	at = min(at, len(src))
	return 1 + bytes.Count(src[:at], []byte("\n")), at - bytes.LastIndexByte(src[:at], '\n')
}

// checker gathers the findings of one directory.
type checker struct {
	has   map[string]bool // the files that will be packed
	sdk   bool            // some file brings the SDK, and with it the worker shim
	allow []string        // origins that the manifest declares
	found []Finding
}

func (c *checker) file(name string, src []byte) {
	if len(c.found) >= findingsMax {
		return
	}
	p := place{c, name, src, 0}
	switch path.Ext(name) {
	case ".html", ".htm":
		p.html()
	case ".js", ".mjs":
		p.script(src)
	case ".css":
		p.style(src)
	case ".ts", ".tsx", ".jsx":
		p.add(-1, "source", false, "is source that no engine runs: build it, then check and pack what the build writes")
	}
}

// place is a part of a file: a script inside a page begins at base.
type place struct {
	*checker
	name string
	all  []byte // the whole file
	base int
}

// add notes a finding at an offset of this part; -1 is the whole file.
func (p place) add(at int, rule string, fatal bool, format string, args ...any) {
	f := Finding{File: p.name, Rule: rule, Fatal: fatal, Text: fmt.Sprintf(format, args...)}
	if at >= 0 {
		at += p.base
		f.Line, f.Column = lineOf(p.all, at)
		if fatal && lineLength(p.all, at) > minifiedLine {
			f.Fatal, f.Text = false, f.Text+"."+minifiedNote
		}
	}
	p.found = append(p.found, f)
}

func lineLength(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if end := bytes.IndexByte(src[at:], '\n'); end >= 0 {
		return at + end - start
	}
	return len(src) - start
}

// leaves reports an address outside the app.
func leaves(ref string) bool {
	ref = strings.ToLower(strings.TrimSpace(ref))
	for _, scheme := range []string{"http:", "https:", "ws:", "wss:", "ftp:", "//"} {
		if strings.HasPrefix(ref, scheme) {
			return true
		}
	}
	return false
}

// missing reports a file that a page names and that will not be in the package.
func (p place) missing(ref string) (string, bool) {
	ref, _, _ = strings.Cut(ref, "#")
	ref, _, _ = strings.Cut(ref, "?")
	if ref == "" || strings.Contains(ref, ":") || strings.ContainsAny(ref, "{}$%") {
		return "", false
	}
	target := path.Join(path.Dir(p.name), ref)
	if strings.HasPrefix(ref, "/") {
		target = path.Clean(ref[1:])
	}
	return target, !p.has[target]
}
