package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed is every edge between our own packages that product code may have. A
// package is a line, what it may import follows. It is DESIGN §4 in small: a new
// edge is a decision, made here and argued in the commit that adds it.
var allowed = map[string]string{
	".":                      "app",
	"app":                    "app/cli app/place app/window examples frontend kernel kernel/endpoint kernel/fault kernel/install kernel/limit kernel/proto kernel/proto/controlv1 kernel/proto/controlv1/controlv1connect kernel/proto/linkv1 kernel/remote kernel/store sandbox",
	"app/cli":                "app/place kernel/fault kernel/install kernel/limit kernel/proto/controlv1 kernel/proto/controlv1/controlv1connect kernel/proto/linkv1 kernel/remote kernel/store",
	"app/window":             "kernel/fault kernel/limit kernel/proto/controlv1 kernel/proto/linkv1",
	"app/place":              "kernel/fault",
	"kernel":                 "kernel/appdata kernel/audit kernel/bus kernel/consent kernel/egress kernel/endpoint kernel/fault kernel/install kernel/limit kernel/link kernel/policy kernel/proto kernel/proto/controlv1 kernel/proto/linkv1 kernel/schema kernel/store kernel/tool kernel/valid",
	"kernel/remote":          "kernel/audit kernel/fault kernel/limit kernel/proto kernel/proto/controlv1 kernel/proto/controlv1/controlv1connect kernel/proto/linkv1",
	"kernel/bus":             "kernel/appdata kernel/audit kernel/consent kernel/endpoint kernel/fault kernel/limit kernel/policy kernel/proto/linkv1 kernel/schema kernel/tool kernel/valid",
	"kernel/tool":            "kernel/endpoint kernel/fault kernel/limit kernel/policy kernel/proto/linkv1 kernel/schema kernel/valid",
	"kernel/link":            "kernel/fault kernel/limit kernel/proto kernel/proto/linkv1 kernel/valid",
	"kernel/appdata":         "kernel/fault kernel/limit kernel/store kernel/valid",
	"kernel/audit":           "kernel/fault kernel/limit kernel/proto/linkv1 kernel/store",
	"kernel/consent":         "kernel/endpoint kernel/fault kernel/limit kernel/policy kernel/proto/linkv1",
	"kernel/policy":          "kernel/endpoint kernel/fault kernel/limit",
	"kernel/install":         "kernel/fault kernel/limit kernel/proto/linkv1 kernel/store kernel/valid",
	"kernel/egress":          "kernel/fault kernel/limit kernel/valid",
	"kernel/endpoint":        "kernel/fault kernel/limit kernel/proto/linkv1 kernel/valid",
	"kernel/store":           "kernel/fault kernel/limit",
	"kernel/schema":          "kernel/fault kernel/limit kernel/valid",
	"kernel/valid":           "kernel/fault kernel/limit",
	"kernel/limit":           "kernel/fault",
	"kernel/fault":           "kernel/proto/linkv1",
	"kernel/proto":           "kernel/fault kernel/proto/controlv1 kernel/proto/linkv1",
	"kernel/proto/linkv1":    "",
	"kernel/proto/controlv1": "kernel/proto/linkv1",
	"kernel/proto/controlv1/controlv1connect": "kernel/proto/controlv1",
	"kernel/kerneltest":                       "kernel/appdata kernel/audit kernel/bus kernel/consent kernel/endpoint kernel/fault kernel/limit kernel/policy kernel/proto kernel/proto/linkv1 kernel/store kernel/tool kernel/valid",
	"sandbox":                                 "",
	"frontend":                                "",

	// Programs of the tree that are no part of the product.
	"build/icon":                    "",
	"kernel/store/floor":            "",
	"kernel/limit/gen":              "kernel/fault kernel/limit",
	"kernel/proto/hashgen":          "kernel/proto",
	"examples":                      "",
	"examples/pack":                 "kernel/install",
	"examples/bench/floor":          "",
	"examples/bench/testdata/empty": "",
}

// forTests are imported by tests only.
var forTests = []string{"kernel/kerneltest", "kernel/store/floor"}

// goFile is one parsed file of the tree.
type goFile struct {
	name string // slash path from the root
	pkg  string // its directory, "." for the root
	test bool
	*ast.File
	lines int
}

// generated reports the marker that generators leave.
func (f goFile) generated() bool { return ast.IsGenerated(f.File) }

// imports lists import paths.
func (f goFile) imports() (list []string) {
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		list = append(list, p)
	}
	return list
}

// walk calls f for every file of the tree that belongs to us.
func walk(t *testing.T, f func(name string)) {
	t.Helper()
	skip := []string{".git", "node_modules", "dist", "out", "bin", "target"}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skip, d.Name()):
			return filepath.SkipDir
		case !d.IsDir():
			f(filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// goFiles parses every Go file, whatever its build tags.
func goFiles(t *testing.T) (files []goFile) {
	t.Helper()
	set := token.NewFileSet()
	walk(t, func(name string) {
		if !strings.HasSuffix(name, ".go") {
			return
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(set, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, goFile{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), parsed, strings.Count(string(src), "\n")})
	})
	if len(files) < 50 {
		t.Fatalf("only %d files: this test does not see the tree", len(files))
	}
	return files
}

// TestLayers holds every import between our packages against the table. Tests
// may use any package that lies below what they test, but nothing above it.
func TestLayers(t *testing.T) {
	below := closure(t)
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		seen[f.pkg] = true
		edges, known := allowed[f.pkg]
		if !known {
			t.Errorf("%s: the package %s is not in the table of layers_test.go", f.name, f.pkg)
			continue
		}
		for _, p := range f.imports() {
			to, ours := strings.CutPrefix(p, "neutron/")
			switch {
			case !ours, f.test && to == f.pkg:
			case f.test && (slices.Contains(forTests, to) || below[f.pkg][to] || !below[to][f.pkg]):
			case !f.test && slices.Contains(forTests, to):
				t.Errorf("%s imports %s, which is for tests", f.name, to)
			case !slices.Contains(strings.Fields(edges), to):
				t.Errorf("%s imports %s, which %s may not", f.name, to, f.pkg)
			}
		}
	}
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("the table has %s, the tree has not", pkg)
		}
	}
}

// closure is, for each package of the table, all that lies below it. A ring fails the test.
func closure(t *testing.T) map[string]map[string]bool {
	t.Helper()
	below := map[string]map[string]bool{}
	var visit func(pkg string, path []string) map[string]bool
	visit = func(pkg string, path []string) map[string]bool {
		if slices.Contains(path, pkg) {
			t.Fatalf("the table has a ring: %v", append(path, pkg))
		}
		if done, ok := below[pkg]; ok {
			return done
		}
		all := map[string]bool{}
		for _, to := range strings.Fields(allowed[pkg]) {
			if _, known := allowed[to]; !known {
				t.Fatalf("the table lets %s import %s, which has no line", pkg, to)
			}
			all[to] = true
			maps.Copy(all, visit(to, append(path, pkg)))
		}
		below[pkg] = all
		return all
	}
	for pkg := range allowed {
		visit(pkg, nil)
	}
	return below
}

// TestAuthorityStaysApart states what the table must never come to allow.
func TestAuthorityStaysApart(t *testing.T) {
	below := closure(t)
	for _, c := range []struct{ from, never string }{
		{"sandbox", "kernel"}, {"sandbox", "kernel/fault"}, {"kernel", "app"}, {"kernel", "sandbox"}, {"kernel/policy", "kernel/store"},
		{"app/window", "kernel"}, {"app/cli", "kernel"}, {"app/cli", "app"}, {"kernel/remote", "kernel"}, {"kernel/valid", "kernel/store"},
		{"kernel/link", "kernel/store"}, {"kernel/bus", "kernel/link"}, {"kernel/bus", "kernel/install"}, {"kernel/consent", "kernel/store"},
	} {
		if below[c.from][c.never] {
			t.Errorf("%s reaches %s", c.from, c.never)
		}
	}
}
