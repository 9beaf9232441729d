package install

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

const opNew fault.Op = "install.new"

// Each directory of template/ is a template. sdk.js in it is the SDK's bundle.
//
//go:generate cp ../../frontend/sdk/dist/neutron-sdk.js template/tile-and-background/sdk.js
//go:embed all:template
var templates embed.FS

// DefaultTemplate is what New uses when no template is named.
const DefaultTemplate = "tile-and-background"

// Templates lists the names that New knows.
func Templates() []string {
	entries, err := fs.ReadDir(templates, "template")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// New writes a new app into a directory, which must be new or empty. The app's
// id and name come from the directory's. Codes: INVALID_REQUEST for a name that
// gives no id or a template that is unknown, CONFLICT for a directory in use.
func New(dir, template string) error {
	if template == "" {
		template = DefaultTemplate
	}
	if !slices.Contains(Templates(), template) {
		return fault.Newf(opNew, fault.InvalidRequest, template, "There is no template %s. There is: %s.", quote(template), strings.Join(Templates(), ", "))
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fault.Wrap(opNew, fault.InvalidRequest, dir, err)
	}
	id, name := identity(filepath.Base(abs))
	if err := valid.AppID(id); err != nil {
		return fault.Newf(opNew, fault.InvalidRequest, dir, "The directory's name %s gives no app id: %s. Name it like my_app.", quote(filepath.Base(abs)), wording(err))
	}
	if valid.DisplayName(name) != nil {
		name = "My App"
	}
	if entries, err := os.ReadDir(abs); err == nil && len(entries) > 0 {
		return fault.Newf(opNew, fault.Conflict, dir, "The directory %s is not empty. Nothing was written.", quote(dir))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotWrite(dir, err)
	}
	fill := strings.NewReplacer("{{id}}", id, "{{name}}", name)
	root := path.Join("template", template)
	return fs.WalkDir(templates, root, func(from string, d fs.DirEntry, err error) error {
		if err != nil {
			return fault.Wrap(opNew, fault.Internal, from, err)
		}
		to := filepath.Join(abs, filepath.FromSlash(strings.TrimPrefix(from, root)))
		if d.IsDir() {
			return cannotWrite(dir, os.MkdirAll(to, 0o755))
		}
		b, err := fs.ReadFile(templates, from)
		if err != nil {
			return fault.Wrap(opNew, fault.Internal, from, err)
		}
		if path.Base(from) != "sdk.js" {
			b = []byte(fill.Replace(string(b)))
		}
		return cannotWrite(dir, os.WriteFile(to, b, 0o644))
	})
}

func cannotWrite(dir string, err error) error {
	if err == nil {
		return nil
	}
	f := fault.Newf(opNew, fault.StoreReadOnly, dir, "The directory %s cannot be written.", quote(dir))
	f.Err = err
	return f
}

// identity makes an app id and a display name of a directory's name.
func identity(base string) (id, name string) {
	words := strings.FieldsFunc(strings.ToLower(base), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	id = strings.Join(words, "_")
	if len(id) > limit.AppID {
		id = strings.TrimRight(id[:limit.AppID], "_")
	}
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return id, strings.Join(words, " ")
}
