package install

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

// nameRule is one thing that a file's name must not be. The rules stand in a
// table, so that a test can show what each one alone keeps out.
type nameRule struct {
	why string
	bad func(name string, parts []string) bool
}

// nameRules keep a package meaning the same on every system and in every
// parser. Nothing is ever unpacked, so none of these could do harm here; they
// keep a package from being a weapon elsewhere, and its names readable.
var nameRules = []nameRule{
	{"has an empty name", func(n string, _ []string) bool { return n == "" }},
	{"has a name longer than the 512 bytes that are allowed", func(n string, _ []string) bool { return len(n) > limit.PackagePath }},
	{"has a NUL or another control character in its name", func(n string, _ []string) bool {
		return strings.ContainsFunc(n, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
	}},
	{"has a name with a backslash", func(n string, _ []string) bool { return strings.Contains(n, `\`) }},
	{"has a drive, a stream or a scheme in its name", func(n string, _ []string) bool { return strings.Contains(n, ":") }},
	{"has an absolute name", func(n string, _ []string) bool { return strings.HasPrefix(n, "/") }},
	{"is a directory; a package holds files only", func(n string, _ []string) bool { return strings.HasSuffix(n, "/") }},
	{"has an empty part in its name", anyPart(func(p string) bool { return p == "" })},
	{"has a name that leaves its directory", anyPart(func(p string) bool { return p == "." || p == ".." })},
	{"has a name with a character that some systems reserve", func(n string, _ []string) bool { return strings.ContainsAny(n, `<>"|?*%`) }},
	{"has a name part that begins or ends with a space or ends with a dot", anyPart(func(p string) bool {
		return strings.Trim(p, " ") != p || strings.HasSuffix(p, ".")
	})},
	{"has a device name in its name", anyPart(isDevice)},
	{"has a name part longer than 255 bytes", anyPart(func(p string) bool { return len(p) > 255 })},
	{"has a name that is not UTF-8 in normal form C, or hides characters", func(n string, _ []string) bool { return valid.SafeText(n, limit.PackagePath) != nil }},
}

func anyPart(bad func(string) bool) func(string, []string) bool {
	return func(_ string, parts []string) bool {
		for _, p := range parts {
			if bad(p) {
				return true
			}
		}
		return false
	}
}

// isDevice reports a name that Windows takes for a device, whatever its extension.
func isDevice(part string) bool {
	base, _, _ := strings.Cut(part, ".")
	base = strings.ToUpper(strings.TrimRight(base, " "))
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		if n, ok := strings.CutPrefix(base, port); ok && len([]rune(n)) == 1 && strings.Contains("0123456789¹²³", n) {
			return true
		}
	}
	return false
}

// checkName refuses a name that is not a plain relative path.
func checkName(name string) error {
	parts := strings.Split(name, "/")
	for _, r := range nameRules {
		if r.bad(name, parts) {
			return refuse(name, "%s", r.why)
		}
	}
	return nil
}

// tree knows the names taken so far, as a file system that ignores case would.
type tree struct {
	files map[string]string // folded name > exact name
	dirs  map[string]string
}

func newTree() *tree { return &tree{files: make(map[string]string), dirs: make(map[string]string)} }

// add takes a name, or refuses one that an earlier name shadows.
func (t *tree) add(name string) error {
	key := fold(name)
	if other, ok := t.files[key]; ok {
		if other == name {
			return refuse(name, "is there twice")
		}
		return refuse(name, "differs from %s only in the case or form of its letters", quote(other))
	}
	if _, ok := t.dirs[key]; ok {
		return refuse(name, "is a file and a directory")
	}
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		dir := name[:i]
		key := fold(dir)
		if other, ok := t.files[key]; ok {
			return refuse(name, "lies under %s, which is a file", quote(other))
		}
		if other, ok := t.dirs[key]; ok && other != dir {
			return refuse(name, "lies in a directory that differs from %s only in the case or form of its letters", quote(other))
		}
		t.dirs[key] = dir
	}
	t.files[key] = name
	return nil
}

var folder = cases.Fold()

// fold maps names that any common file system could take for the same to one key.
func fold(name string) string { return norm.NFKC.String(folder.String(norm.NFKC.String(name))) }
