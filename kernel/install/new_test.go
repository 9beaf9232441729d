package install

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"neutron/kernel/fault"
)

// Every template gives an app that packs, installs and has nothing to complain about.
func TestNew(t *testing.T) {
	for _, template := range Templates() {
		t.Run(template, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "My first-App")
			if err := New(dir, template); err != nil {
				t.Fatal(err)
			}
			if list, err := Check(dir); err != nil || len(list) != 0 {
				t.Errorf("findings %v, %v", list, err)
			}
			var b bytes.Buffer
			if err := Pack(dir, &b); err != nil {
				t.Fatal(err)
			}
			p := mustDecode(t, b.Bytes())
			if p.Manifest.ID != "my_first_app" || p.Manifest.Name != "My First App" {
				t.Errorf("made %q, %q", p.Manifest.ID, p.Manifest.Name)
			}
			for _, name := range p.Names() {
				if body, err := p.Read(name); err != nil || bytes.Contains(body, []byte("{{id}}")) || bytes.Contains(body, []byte("{{name}}")) {
					t.Errorf("%s was not filled in: %v", name, err)
				}
			}
			wants(t, New(dir, template), fault.Conflict)
		})
	}
}

func TestNewRefuses(t *testing.T) {
	dir := t.TempDir()
	wants(t, New(filepath.Join(dir, "notes"), "nothing"), fault.InvalidRequest)
	for _, name := range []string{"abc", "日本", "neutron", "---"} {
		wants(t, New(filepath.Join(dir, name), ""), fault.InvalidRequest)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("a refusal wrote %v", entries)
	}
	write(t, dir, map[string]string{"busy_app/mine.txt": "x"})
	wants(t, New(filepath.Join(dir, "busy_app"), ""), fault.Conflict)
	if entries, err := os.ReadDir(filepath.Join(dir, "busy_app")); err != nil || len(entries) != 1 {
		t.Errorf("written beside an owner's file: %v", entries)
	}
}

// The SDK in the templates is the one that was built last, where one was built.
func TestTemplateSDKIsCurrent(t *testing.T) {
	built, err := os.ReadFile("../../frontend/sdk/dist/neutron-sdk.js")
	if err != nil {
		t.Skip("the SDK was not built here")
	}
	for _, template := range Templates() {
		if kept, err := os.ReadFile(filepath.Join("template", template, "sdk.js")); err != nil || !bytes.Equal(kept, built) {
			t.Errorf("%s: sdk.js is not the built SDK; run make gen (%v)", template, err)
		}
	}
}
