package main

import (
	"bytes"
	"go/ast"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPackageDocs wants one doc for each package, in one file of it.
func TestPackageDocs(t *testing.T) {
	docs, packages := map[string][]string{}, map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || f.generated() {
			continue
		}
		packages[f.pkg] = true
		if f.Doc == nil || strings.TrimSpace(f.Doc.Text()) == "" {
			continue
		}
		docs[f.pkg] = append(docs[f.pkg], f.name)
		want := "Package " + f.Name.Name + " "
		if f.Name.Name == "main" {
			want = "Command "
		}
		if !strings.HasPrefix(f.Doc.Text(), want) {
			t.Errorf("%s: the doc does not begin with %q", f.name, want)
		}
	}
	for pkg := range packages {
		if len(docs[pkg]) != 1 {
			t.Errorf("%s: %d files with a package doc: %v", pkg, len(docs[pkg]), docs[pkg])
		}
	}
}

// Lines of one file. Tests carry tables, so theirs may be longer.
const (
	ceiling     = 600
	testCeiling = 800
)

// TestFileCeiling keeps files short enough to be read in one go.
func TestFileCeiling(t *testing.T) {
	for _, f := range goFiles(t) {
		if most := map[bool]int{false: ceiling, true: testCeiling}[f.test]; f.lines > most && !f.generated() {
			t.Errorf("%s has %d lines of %d", f.name, f.lines, most)
		}
	}
	seen := 0
	walk(t, func(name string) {
		ext := path.Ext(name)
		if !strings.HasPrefix(name, "frontend/") || strings.HasPrefix(name, "frontend/src/wire/") || !slices.Contains([]string{".ts", ".tsx", ".css", ".mjs"}, ext) {
			return
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		most := ceiling
		if strings.Contains(name, ".test.") {
			most = testCeiling
		}
		if n := bytes.Count(src, []byte("\n")); n > most {
			t.Errorf("%s has %d lines of %d", name, n, most)
		}
	})
	if seen < 20 {
		t.Errorf("only %d files of the frontend: this test does not see the tree", seen)
	}
}

// TestNoSleepInTests: a test waits for what it wants, or plays under synctest,
// where a sleep only moves the clock.
func TestNoSleepInTests(t *testing.T) {
	for _, f := range goFiles(t) {
		if !f.test && f.pkg != "kernel/kerneltest" || slices.Contains(f.imports(), "testing/synctest") {
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Sleep" {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
					t.Errorf("%s sleeps", f.name)
				}
			}
			return true
		})
	}
}

// TestNames refuses names that say nothing about what is inside.
func TestNames(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "manager", "service", "services", "types", "misc", "base", "core", "lib"}
	for _, f := range goFiles(t) {
		if slices.Contains(empty, f.Name.Name) {
			t.Errorf("%s: a package named %s", f.name, f.Name.Name)
		}
		if stem := strings.TrimSuffix(path.Base(f.name), ".go"); slices.Contains(empty, stem) {
			t.Errorf("%s: a file named %s", f.name, stem)
		}
	}
	walk(t, func(name string) {
		if !strings.HasPrefix(name, "frontend/src/") && !strings.HasPrefix(name, "frontend/sdk/") {
			return
		}
		for _, part := range strings.Split(path.Dir(name), "/") {
			if slices.Contains(empty, part) {
				t.Errorf("%s: a folder named %s", name, part)
			}
		}
		stem, ext, _ := strings.Cut(path.Base(name), ".")
		if strings.HasPrefix(ext, "ts") && slices.Contains(empty, stem) {
			t.Errorf("%s: a file named %s", name, stem)
		}
	})
}

// TestTopLevel keeps the root of the tree as it was laid out.
func TestTopLevel(t *testing.T) {
	fixed := []string{".ci", ".git", ".gitignore", "LICENSE", "Makefile", "README.md", "app", "build", "docs", "examples", "frontend", "go.mod", "go.sum",
		"kernel", "main.go", "sandbox", "wails.json", "layers_test.go", "tree_test.go", "deps_test.go"}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	versioned := rootOfGit()
	for _, e := range entries {
		if !slices.Contains(fixed, e.Name()) && (versioned == nil || versioned[e.Name()]) {
			t.Errorf("%s does not belong at the root", e.Name())
		}
	}
}

// rootOfGit is what git has at the root, so that an app which somebody made there while reading the README is no fault of the
// tree. Nil: there is no git to ask.
func rootOfGit() map[string]bool {
	out, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return nil
	}
	names := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		first, _, _ := strings.Cut(name, "/")
		names[first] = true
	}
	return names
}
