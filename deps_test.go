package main

import (
	"encoding/json"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// dependency is one row of docs/deps.md.
type dependency struct {
	name, version string
	npm           bool
	who           []string // directories that may import it, each with all below
}

// dependencies reads the table of docs/deps.md, the one list of what we depend on.
func dependencies(t *testing.T) map[string]dependency {
	t.Helper()
	raw, err := os.ReadFile("docs/deps.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]dependency{}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "name" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		d := dependency{name: cells[0], npm: strings.Contains(cells[1], "(npm")}
		d.version, _, _ = strings.Cut(cells[1], " ")
		for who := range strings.SplitSeq(cells[5], ",") {
			d.who = append(d.who, strings.TrimSpace(who))
		}
		if slices.Contains(cells, "") {
			t.Errorf("docs/deps.md: %s has an empty cell", d.name)
		}
		if _, twice := rows[d.name]; twice {
			t.Errorf("docs/deps.md: %s stands there twice", d.name)
		}
		rows[d.name] = d
	}
	return rows
}

// may reports whether a directory may import it.
func (d dependency) may(dir string) bool {
	return slices.ContainsFunc(d.who, func(who string) bool { return dir == who || strings.HasPrefix(dir, who+"/") })
}

// TestGoDependencies holds docs/deps.md against what is imported, under every
// build tag, and against the versions of go.mod.
func TestGoDependencies(t *testing.T) {
	rows := dependencies(t)
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	versions, direct := map[string]string{}, map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\s*(?:require )?([a-z0-9.-]+\.[a-z]+/\S+) (v\S+)( // indirect)?$`).FindAllStringSubmatch(string(mod), -1) {
		versions[m[1]], direct[m[1]] = m[2], m[3] == ""
	}
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		for _, p := range f.imports() {
			if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
				continue // the standard library, or ours
			}
			name := module(p, versions)
			d, ok := rows[name]
			if !ok {
				t.Errorf("%s imports %s, which has no line in docs/deps.md", f.name, p)
				continue
			}
			used[name] = true
			if !d.may(f.pkg) {
				t.Errorf("%s imports %s, which docs/deps.md leaves to %s", f.name, p, strings.Join(d.who, ", "))
			}
		}
	}
	for name, is := range direct {
		if _, ok := rows[name]; is && !ok {
			t.Errorf("go.mod requires %s, which has no line in docs/deps.md", name)
		}
	}
	for name, d := range rows {
		if d.npm {
			continue
		}
		if !used[name] {
			t.Errorf("docs/deps.md has %s, and nothing imports it", name)
		}
		if !direct[name] {
			t.Errorf("go.mod does not list %s as a direct dependency", name)
		}
		if versions[name] != d.version {
			t.Errorf("docs/deps.md has %s %s, go.mod %q", name, d.version, versions[name])
		}
	}
}

// module is the longest module path of go.mod that an import path lies in.
func module(importPath string, versions map[string]string) string {
	for p := importPath; p != "."; p = path.Dir(p) {
		if _, ok := versions[p]; ok {
			return p
		}
	}
	return importPath
}

// TestSingleImporters names the dependencies that give power and the one place that may hold each.
func TestSingleImporters(t *testing.T) {
	rows := dependencies(t)
	for name, who := range map[string][]string{
		"go.etcd.io/bbolt":                         {"kernel/store"},
		"github.com/santhosh-tekuri/jsonschema/v5": {"kernel/schema"},
		"github.com/wailsapp/wails/v2":             {"app/window", "examples/bench"}, // the floor of a measurement is an empty window
	} {
		if !slices.Equal(rows[name].who, who) {
			t.Errorf("docs/deps.md leaves %s to %v, want %v", name, rows[name].who, who)
		}
	}
}

// TestNpmDependencies holds docs/deps.md against the package files.
func TestNpmDependencies(t *testing.T) {
	rows := dependencies(t)
	found := map[string]string{}
	for _, file := range []string{"frontend/package.json", "frontend/sdk/package.json"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		maps.Copy(found, p.Dependencies)
		maps.Copy(found, p.DevDependencies)
	}
	for name, version := range found {
		if d := rows[name]; !d.npm || d.version != version {
			t.Errorf("%s %s has no line of this version in docs/deps.md", name, version)
		}
	}
	for name, d := range rows {
		if _, ok := found[name]; d.npm && !ok {
			t.Errorf("docs/deps.md has %s, and no package file has it", name)
		}
	}
}
