package install

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

// ManifestName is the manifest's name at the root of a package.
const ManifestName = "neutron.json"

// Format is the only manifest format there is.
const Format = 1

const opManifest fault.Op = "install.manifest"

// Manifest is neutron.json: a closed object, in which a member that this
// version does not know is refused. Paths name files of the package.
type Manifest struct {
	Format      int         `json:"format"`
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Version     string      `json:"version"`
	Description string      `json:"description,omitzero"`
	Icon        string      `json:"icon,omitzero"`
	Tiles       []Tile      `json:"tiles,omitzero"`
	Background  *Background `json:"background,omitzero"`
	Tray        *Tray       `json:"tray,omitzero"`
	Connect     []string    `json:"connect,omitzero"` // exact https origins that its pages may reach
}

// Tile is a page that the owner may place in a workspace, any number of times.
type Tile struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Path        string `json:"path"`
	Description string `json:"description,omitzero"`
}

// Background is a hidden page that runs while a shell is attached.
type Background struct {
	Path string `json:"path"`
}

// Tray is a page in a popover; it needs a background. Reserved: it is checked and kept, and not yet shown.
type Tray struct {
	Title string `json:"title"`
	Path  string `json:"path"`
	Icon  string `json:"icon"`
}

// DecodeManifest reads a manifest strictly, without looking at the files it
// names. Every breach is MANIFEST_INVALID whose Subject is neutron.json# and a
// JSON pointer.
func DecodeManifest(raw []byte) (*Manifest, error) {
	value, err := valid.Decode(raw, limit.ManifestBytes)
	if err != nil {
		return nil, flaw("", "is not valid JSON: %s", wording(err))
	}
	if at, ok := findNull(value, ""); ok {
		return nil, flaw(at, "is null; leave a member out instead")
	}
	m := new(Manifest)
	if err := json.Unmarshal(raw, m, json.RejectUnknownMembers(true)); err != nil {
		return nil, misfit(err)
	}
	return m, m.check()
}

// misfit words an error of the decoder.
func misfit(err error) error {
	if e, ok := errors.AsType[*json.SemanticError](err); ok {
		if errors.Is(e.Err, json.ErrUnknownName) {
			return flaw(string(e.JSONPointer), "is not a member that this format knows")
		}
		want := "another type"
		if e.GoType != nil {
			want = map[string]string{"int": "an integer", "string": "a string", "slice": "a list", "struct": "an object", "ptr": "an object"}[e.GoType.Kind().String()]
		}
		return flaw(string(e.JSONPointer), "must be %s", want)
	}
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return flaw(string(e.JSONPointer), "is not valid JSON")
	}
	return flaw("", "cannot be read")
}

func (m *Manifest) check() error {
	if m.Format != Format {
		return flaw("/format", "is %d; this Neutron knows format %d", m.Format, Format)
	}
	checks := []struct {
		at  string
		err error
	}{
		{"/id", valid.AppID(m.ID)},
		{"/name", valid.DisplayName(m.Name)},
		{"/version", version(m.Version)},
		{"/description", optional(m.Description, limit.AppDescription)},
		{"/icon", svgPath(m.Icon, true)},
	}
	for _, c := range checks {
		if c.err != nil {
			return flaw(c.at, "is not valid: %s", wording(c.err))
		}
	}
	if len(m.Tiles) == 0 && m.Background == nil {
		return flaw("", "has neither a tile nor a background, so nothing would ever run")
	}
	if len(m.Tiles) > limit.TilesPerApp {
		return flaw("/tiles", "has %d tiles; %d are allowed", len(m.Tiles), limit.TilesPerApp)
	}
	seen := make(map[string]bool)
	for i, t := range m.Tiles {
		if err := t.check(fmt.Sprintf("/tiles/%d", i), seen); err != nil {
			return err
		}
	}
	if b := m.Background; b != nil {
		if err := pagePath(b.Path); err != nil {
			return flaw("/background/path", "%s", err)
		}
	}
	if err := m.checkConnect(); err != nil {
		return err
	}
	return m.checkTray()
}

// checkConnect wants few origins, each once: the owner reads every one.
func (m *Manifest) checkConnect() error {
	if len(m.Connect) > limit.Origins {
		return flaw("/connect", "has %d origins; %d are allowed", len(m.Connect), limit.Origins)
	}
	for i, o := range m.Connect {
		at := fmt.Sprintf("/connect/%d", i)
		if _, err := valid.Origin(o); err != nil {
			return flaw(at, "is not valid: %s", wording(err))
		}
		if slices.Contains(m.Connect[:i], o) {
			return flaw(at, "is there twice: %s", quote(o))
		}
	}
	return nil
}

func (t Tile) check(at string, seen map[string]bool) error {
	if err := valid.TileID(t.ID); err != nil {
		return flaw(at+"/id", "is not valid: %s", wording(err))
	}
	if seen[t.ID] {
		return flaw(at+"/id", "is there twice: %s", quote(t.ID))
	}
	seen[t.ID] = true
	if err := valid.DisplayName(t.Title); err != nil {
		return flaw(at+"/title", "is not valid: %s", wording(err))
	}
	if err := pagePath(t.Path); err != nil {
		return flaw(at+"/path", "%s", err)
	}
	if err := optional(t.Description, limit.AppDescription); err != nil {
		return flaw(at+"/description", "is not valid: %s", wording(err))
	}
	return nil
}

func (m *Manifest) checkTray() error {
	t := m.Tray
	if t == nil {
		return nil
	}
	if m.Background == nil {
		return flaw("/tray", "needs a background")
	}
	if err := valid.DisplayName(t.Title); err != nil {
		return flaw("/tray/title", "is not valid: %s", wording(err))
	}
	if err := pagePath(t.Path); err != nil {
		return flaw("/tray/path", "%s", err)
	}
	if err := svgPath(t.Icon, false); err != nil {
		return flaw("/tray/icon", "%s", err)
	}
	return nil
}

// checkFiles holds the manifest against the package's files; sizeOf is -1 for one that is not there.
func (m *Manifest) checkFiles(sizeOf func(string) int64) error {
	type ref struct {
		at, name string
		max      int64
	}
	var refs []ref
	for i, t := range m.Tiles {
		refs = append(refs, ref{fmt.Sprintf("/tiles/%d/path", i), t.Path, limit.PackageEntryBytes})
	}
	if m.Background != nil {
		refs = append(refs, ref{"/background/path", m.Background.Path, limit.PackageEntryBytes})
	}
	if m.Tray != nil {
		refs = append(refs, ref{"/tray/path", m.Tray.Path, limit.PackageEntryBytes}, ref{"/tray/icon", m.Tray.Icon, limit.IconBytes})
	}
	if m.Icon != "" {
		refs = append(refs, ref{"/icon", m.Icon, limit.IconBytes})
	}
	for _, r := range refs {
		switch n := sizeOf(r.name); {
		case n < 0:
			return flaw(r.at, "names %s, which is not in the package", quote(r.name))
		case n > r.max:
			return flaw(r.at, "names %s, which is %d bytes; %d are allowed", quote(r.name), n, r.max)
		}
	}
	return nil
}

// pagePath wants the exact name of an HTML file.
func pagePath(name string) error {
	if err := checkName(name); err != nil {
		return errors.New("is not a file's name: " + wording(err))
	}
	if path.Ext(name) != ".html" {
		return errors.New("must name an .html file")
	}
	return nil
}

func svgPath(name string, mayBeEmpty bool) error {
	if name == "" && mayBeEmpty {
		return nil
	}
	if err := checkName(name); err != nil {
		return err
	}
	if path.Ext(name) != ".svg" {
		return errors.New("must name an .svg file")
	}
	return nil
}

// checkIcon wants a plain SVG. It is only ever shown as an image, where nothing
// in it runs; entities are refused since they could grow in the shell.
func checkIcon(name string, b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	root := false
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return flaw("/icon", "names %s, which is not well-formed", quote(name))
		}
		switch t := t.(type) {
		case xml.Directive:
			return flaw("/icon", "names %s, which declares a document type", quote(name))
		case xml.StartElement:
			if !root && t.Name.Local != "svg" {
				return flaw("/icon", "names %s, which is no SVG", quote(name))
			}
			root = true
		}
	}
	if !root {
		return flaw("/icon", "names %s, which is no SVG", quote(name))
	}
	return nil
}

func version(s string) error { _, _, _, err := valid.Version(s); return err }

func optional(s string, max int) error {
	if s == "" {
		return nil
	}
	return valid.SafeText(s, max)
}

func findNull(v any, at string) (string, bool) {
	switch v := v.(type) {
	case nil:
		return at, true
	case []any:
		for i, e := range v {
			if p, ok := findNull(e, fmt.Sprintf("%s/%d", at, i)); ok {
				return p, true
			}
		}
	case map[string]any:
		for k, e := range v {
			if p, ok := findNull(e, at+"/"+k); ok {
				return p, true
			}
		}
	}
	return "", false
}

// flaw is a refusal of the manifest at a JSON pointer.
func flaw(at, format string, args ...any) error {
	subject := ManifestName
	if at != "" {
		subject += "#" + quote(at)
	}
	return fault.Newf(opManifest, fault.ManifestInvalid, subject, "%s "+format+".", append([]any{subject}, args...)...)
}

// wording makes the sentence of an error fit behind a colon.
func wording(err error) string {
	s := err.Error()
	if fault.CodeOf(err) != fault.Internal {
		s = strings.TrimSuffix(fault.Sentence(err), ".")
	}
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
