package install

import (
	"fmt"
	"strings"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// badPackage is a package that must be refused, naming this entry.
type badPackage struct {
	name, entry string
	code        fault.Code
	make        func() []byte
}

const (
	invalid  = fault.PackageInvalid
	large    = fault.PackageTooLarge
	manifest = fault.ManifestInvalid
)

// badPackages is the whole table: names, kinds, directory tricks, sizes, manifests.
func badPackages() []badPackage {
	var all []badPackage
	for _, list := range [][]badPackage{badNames(), badPairs(), badKinds(), badLayouts(), badSizes(), badManifests()} {
		all = append(all, list...)
	}
	return all
}

func badNames() []badPackage {
	var list []badPackage
	for name, n := range map[string]string{
		"parent":               "../x",
		"parent inside":        "a/../../x",
		"parent at the end":    "a/..",
		"dot":                  "./x",
		"dot inside":           "a/./x",
		"absolute":             "/etc/passwd",
		"double slash":         "a//x",
		"unc":                  "//host/share/x",
		"backslash":            `a\x`,
		"backslash parent":     `..\x`,
		"backslash unc":        `\\host\share\x`,
		"device path":          `\\?\C:\x`,
		"drive":                "C:/x",
		"drive relative":       "c:x",
		"alternate stream":     "x.js:evil",
		"scheme":               "file:///etc/passwd",
		"nul":                  "x.js\x00.png",
		"newline":              "a\nb",
		"tab":                  "a\tb",
		"escape":               "a\x1b[2Jb",
		"delete":               "a\x7fb",
		"c1 control":           "a\u0085b",
		"trailing dot":         "x.js.",
		"trailing space":       "x.js ",
		"directory dot":        "a./x",
		"directory space":      "a /x",
		"leading space":        " x",
		"device":               "con",
		"device in capitals":   "NUL.txt",
		"device with dots":     "aux.a.b",
		"device directory":     "a/prn/x",
		"device with a space":  "com1 .txt",
		"device port":          "LPT9",
		"device superscript":   "COM¹.txt",
		"device console":       "CONIN$",
		"clock":                "clock$",
		"question mark":        "a?b",
		"star":                 "a*b",
		"less than":            "a<b",
		"quote":                `a"b`,
		"pipe":                 "a|b",
		"percent":              "%2e%2e/x",
		"form d":               "e\u0301.js",
		"right to left":        "a\u202ecod.js",
		"isolate":              "a\u2066b",
		"zero width":           "a\u200bb",
		"soft hyphen":          "a\u00adb",
		"byte order mark":      "\ufeffa",
		"line separator":       "a\u2028b",
		"private use":          "a\ue000b",
		"noncharacter":         "a\ufffeb",
		"tag characters":       "a\U000e0041b",
		"variation selector":   "a\ufe0fb",
		"directory":            "dir/",
		"long part":            strings.Repeat("a", 256),
		"invalid utf-8":        "a\xff\xfeb",
		"surrogate":            "a\xed\xa0\x80b",
		"overlong slash":       "a\xc0\xafb",
		"tilde parent encoded": "a/%5c../b",
	} {
		list = append(list, badPackage{"name " + name, quote(n), invalid, func() []byte { return good(entry(n, "x")).bytes() }})
	}
	long := strings.Repeat("d/", 256) + "x"
	return append(list,
		badPackage{"name too long", quote(long), invalid, func() []byte { return good(entry(long, "x")).bytes() }},
		badPackage{"name of 60,000 bytes", quote(strings.Repeat("n", 513)), invalid, func() []byte { return good(entry(strings.Repeat("n", 60_000), "x")).bytes() }},
		badPackage{"name empty", `""`, invalid, func() []byte { return good(entry("", "x")).bytes() }},
		badPackage{"name in an unnamed character set", `"caf\u00e9.js"`, invalid, func() []byte {
			return good(entry("café.js", "x").both(func(h *header) { h.flags = 0 })).bytes()
		}},
	)
}

func badPairs() []badPackage {
	pair := func(name, a, b, entryName string) badPackage {
		return badPackage{"pair " + name, quote(entryName), invalid, func() []byte { return good(entry(a, "1"), entry(b, "2")).bytes() }}
	}
	return []badPackage{
		pair("twice", "a.js", "a.js", "a.js"),
		{"pair two manifests", ManifestName, invalid, func() []byte { return good(entry(ManifestName, goodManifest)).bytes() }},
		{"pair manifest in capitals", "Neutron.json", invalid, func() []byte { return good(entry("Neutron.json", goodManifest)).bytes() }},
		pair("case", "a.js", "A.js", "A.js"),
		pair("case beyond ASCII", "ä.js", "Ä.js", "Ä.js"),
		pair("sharp s", "straße.js", "strasse.js", "strasse.js"),
		pair("long s", "ſ.js", "s.js", "s.js"),
		pair("kelvin", "k.js", "\u212a.js", "\u212a.js"),
		pair("ligature", "fi.js", "ﬁ.js", "ﬁ.js"),
		pair("full width", "a.js", "ａ.js", "ａ.js"),
		pair("final sigma", "σ.js", "ς.js", "ς.js"),
		pair("file then directory", "a", "a/b", "a/b"),
		pair("directory then file", "a/b", "a", "a"),
		pair("file then directory, other case", "A", "a/b/c", "a/b/c"),
		pair("directories that differ in case", "lib/a", "LIB/b", "LIB/b"),
	}
}

func badKinds() []badPackage {
	kind := func(name string, code fault.Code, f func(*part)) badPackage {
		return badPackage{"kind " + name, "x.js", code, func() []byte { return good(entry("x.js", "../../target").with(f)).bytes() }}
	}
	mode := func(m uint32) func(*part) { return func(p *part) { p.attr = m << 16 } }
	head := func(f func(*header)) func(*part) { return func(p *part) { p.both(f) } }
	extra := func(b ...byte) func(*part) { return head(func(h *header) { h.extra = b }) }
	return []badPackage{
		kind("symbolic link", invalid, mode(0o120777)),
		kind("symbolic link of another system", invalid, func(p *part) { p.attr, p.made = 0o120777<<16, 20 }),
		kind("directory mode", invalid, mode(0o040755)),
		kind("directory attribute", invalid, func(p *part) { p.attr = 0x10 }),
		kind("volume label", invalid, func(p *part) { p.attr = 0x08 }),
		kind("device", invalid, mode(0o020666)),
		kind("block device", invalid, mode(0o060666)),
		kind("pipe", invalid, mode(0o010666)),
		kind("socket", invalid, mode(0o140666)),
		kind("set user", invalid, mode(0o104755)),
		kind("sticky", invalid, mode(0o101644)),
		kind("encrypted", invalid, head(func(h *header) { h.flags |= flagEncrypted })),
		kind("strongly encrypted", invalid, head(func(h *header) { h.flags |= 1 << 6 })),
		kind("masked headers", invalid, head(func(h *header) { h.flags |= 1 << 13 })),
		kind("patch data", invalid, head(func(h *header) { h.flags |= 1 << 5 })),
		kind("unknown flag", invalid, head(func(h *header) { h.flags |= 1 << 15 })),
		kind("deflate64", invalid, head(func(h *header) { h.method = 9 })),
		kind("bzip2", invalid, head(func(h *header) { h.method = 12 })),
		kind("lzma", invalid, head(func(h *header) { h.method = 14 })),
		kind("zstandard", invalid, head(func(h *header) { h.method = 93 })),
		kind("winzip aes", invalid, head(func(h *header) { h.method = 99 })),
		kind("newer zip", invalid, head(func(h *header) { h.need = 45 })),
		kind("newer zip in front of the data", invalid, func(p *part) { p.local.need = 63 }),
		kind("comment", invalid, func(p *part) { p.comment = "hello" }),
		kind("other disk", invalid, func(p *part) { p.disk = 1 }),
		kind("zip64 field", invalid, extra(1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
		kind("zip64 field in front of the data", invalid, func(p *part) { p.local.extra = []byte{1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0} }),
		kind("unicode path field", invalid, extra(0x75, 0x70, 5, 0, 1, 0, 0, 0, 0)),
		kind("unix link field", invalid, extra(0x0d, 0x00, 0, 0)),
		kind("aes field", invalid, extra(0x01, 0x99, 0, 0)),
		kind("unknown field", invalid, extra(0xfe, 0xca, 0, 0)),
		kind("broken field", invalid, extra(0x55, 0x54, 9, 0, 1)),
		kind("half a field", invalid, extra(0x55, 0x54)),
		kind("many fields", invalid, extra([]byte(strings.Repeat("\x55\x54\x00\x00", 65))...)),
		kind("zip64 size", invalid, func(p *part) { p.central.size = 0xffffffff }),
		kind("zip64 offset", invalid, func(p *part) { p.offset = func(uint32) uint32 { return 0xffffffff } }),
	}
}

func badLayouts() []badPackage {
	on := func(name, entryName string, f func(*crafted)) badPackage {
		return badPackage{"layout " + name, entryName, invalid, func() []byte { return good(entry("x.js", "x"), entry("y.js", "y")).with(f).bytes() }}
	}
	x := func(f func(*part)) func(*crafted) { return func(c *crafted) { f(c.parts[5]) } }
	raw := func(name, entryName string, f func([]byte) []byte) badPackage {
		return badPackage{"layout " + name, entryName, invalid, func() []byte { return f(good().bytes()) }}
	}
	const end, dir = "end of archive", "central directory"
	return []badPackage{
		raw("empty file", "package", func([]byte) []byte { return nil }),
		raw("not a zip", "package", func([]byte) []byte { return []byte(strings.Repeat("no zip ", 100)) }),
		raw("cut short", "package", func(b []byte) []byte { return b[:len(b)-1] }),
		raw("cut in half", "package", func(b []byte) []byte { return b[:len(b)/2] }),
		raw("leading bytes", end, func(b []byte) []byte { return append([]byte("#!/bin/sh\n"), b...) }),
		raw("trailing byte", "package", func(b []byte) []byte { return append(b, 0) }),
		raw("trailing page", "package", func(b []byte) []byte { return append(b, strings.Repeat("x", 70_000)...) }),
		raw("two archives", end, func(b []byte) []byte { return append(b, b...) }),
		raw("a byte removed", end, func(b []byte) []byte { return append(b[:40:40], b[41:]...) }),
		{"layout no entries", "package", invalid, func() []byte { return (&crafted{}).bytes() }},
		on("leading bytes, offsets moved", ManifestName, func(c *crafted) { c.lead = []byte("#!/bin/sh\n") }),
		on("comment", end, func(c *crafted) { c.end = func(e *endRecord) { e.commentLen, e.comment = 5, []byte("hello") } }),
		on("comment of an end record", end, func(c *crafted) {
			b := good().bytes()
			c.end = func(e *endRecord) { e.commentLen, e.comment = endSize, b[len(b)-endSize:] }
		}),
		on("announced comment", end, func(c *crafted) { c.end = func(e *endRecord) { e.commentLen = 5 } }),
		on("two disks", end, func(c *crafted) { c.end = func(e *endRecord) { e.disk = 1 } }),
		on("directory on a disk", end, func(c *crafted) { c.end = func(e *endRecord) { e.start = 1 } }),
		on("two counts", end, func(c *crafted) { c.end = func(e *endRecord) { e.here-- } }),
		on("count too small", dir, func(c *crafted) { c.end = func(e *endRecord) { e.here--; e.total-- } }),
		on("count too large", dir, func(c *crafted) { c.end = func(e *endRecord) { e.here++; e.total++ } }),
		on("count far too large", end, func(c *crafted) { c.end = func(e *endRecord) { e.here, e.total = 9_999, 9_999 } }),
		on("zip64 count", end, func(c *crafted) { c.end = func(e *endRecord) { e.here, e.total = 0xffff, 0xffff } }),
		on("zip64 offset", end, func(c *crafted) { c.end = func(e *endRecord) { e.offset = 0xffffffff } }),
		on("directory moved", end, func(c *crafted) { c.end = func(e *endRecord) { e.offset-- } }),
		on("directory shortened", end, func(c *crafted) { c.end = func(e *endRecord) { e.length-- } }),
		on("bytes in the directory", dir, func(c *crafted) { c.tail = []byte("hidden") }),
		on("bytes before the directory", dir, func(c *crafted) { c.gap = []byte("hidden") }),
		on("bytes between entries", "x.js", x(func(p *part) { p.before = []byte("hidden") })),
		on("entry without a header", "y.js", x(func(p *part) { p.hidden = true })),
		on("last entry without a header", dir, func(c *crafted) { c.parts[6].hidden = true }),
		on("two headers of one entry", "x.js", func(c *crafted) {
			at := uint32(0)
			c.parts[5].offset = func(n uint32) uint32 { at = n; return n }
			c.parts[6].offset = func(uint32) uint32 { return at }
		}),
		on("offset into an entry", "bg/background.html", x(func(p *part) { p.offset = func(n uint32) uint32 { return n - 10 } })),
		on("offset behind the data", "x.js", x(func(p *part) { p.offset = func(uint32) uint32 { return 0x7fffffff } })),
		on("offset off by one", "x.js", x(func(p *part) { p.offset = func(n uint32) uint32 { return n + 1 } })),
		on("no header at the offset", "x.js", x(func(p *part) {
			p.before = []byte("PK\x03\x05xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
			p.offset = func(n uint32) uint32 { return n - 51 }
		})),
		on("another name in front", "x.js", x(func(p *part) { p.local.name = "z.js" })),
		on("parent name in front", "x.js", x(func(p *part) { p.local.name = "../x" })),
		on("longer name in front", "x.js", x(func(p *part) { p.local.name = "x.js/../../etc" })),
		on("another method in front", "x.js", x(func(p *part) { p.local.method = methodStore })),
		on("other flags in front", "x.js", x(func(p *part) { p.local.flags = 0 })),
		on("another size in front", "x.js", x(func(p *part) { p.local.size++ })),
		on("another packed size in front", "x.js", x(func(p *part) { p.local.packed-- })),
		on("another checksum in front", "x.js", x(func(p *part) { p.local.crc++ })),
		on("no descriptor", "x.js", x(func(p *part) { p.streamed(true); p.descriptor = nil })),
		on("descriptor of another size", "x.js", x(func(p *part) { p.streamed(true); p.descriptor[12]++ })),
		on("descriptor of another checksum", "x.js", x(func(p *part) { p.streamed(false); p.descriptor[0]++ })),
		on("descriptor without its sign", "x.js", x(func(p *part) { p.streamed(true); p.descriptor[0] = 'Q' })),
		on("descriptor of zip64", "x.js", x(func(p *part) { p.streamed(true); p.descriptor = append(p.descriptor, 0, 0, 0, 0, 0, 0, 0, 0) })),
		on("descriptor nobody announced", "y.js", x(func(p *part) { p.descriptor = make([]byte, 16) })),
	}
}

func badSizes() []badPackage {
	one := func(name string, code fault.Code, p func() *part) badPackage {
		return badPackage{"size " + name, "x.bin", code, func() []byte { return good(p()).bytes() }}
	}
	claim := func(f func(*header)) func() *part {
		return func() *part { return entry("x.bin", strings.Repeat("abc", 1000)).both(f) }
	}
	return []badPackage{
		one("larger than it says", invalid, claim(func(h *header) { h.size-- })),
		one("far larger than it says", invalid, claim(func(h *header) { h.size = 1 })),
		one("says nothing", invalid, claim(func(h *header) { h.size = 0 })),
		one("smaller than it says", invalid, claim(func(h *header) { h.size++ })),
		one("wrong checksum", invalid, claim(func(h *header) { h.crc++ })),
		one("no checksum", invalid, claim(func(h *header) { h.crc = 0 })),
		one("stored in two sizes", invalid, func() *part { return stored("x.bin", "abc").both(func(h *header) { h.size++ }) }),
		one("wrong checksum, stored", invalid, func() *part { return stored("x.bin", "abc").both(func(h *header) { h.crc++ }) }),
		one("broken data", invalid, func() *part {
			return entry("x.bin", strings.Repeat("abc", 1000)).with(func(p *part) { p.data[0] = 0xff })
		}),
		one("data that ends early", invalid, func() *part {
			return entry("x.bin", strings.Repeat("abc", 1000)).with(func(p *part) {
				p.data = p.data[:len(p.data)-3]
				p.both(func(h *header) { h.packed -= 3 })
			})
		}),
		one("bytes behind the data", invalid, func() *part {
			return entry("x.bin", "abc").with(func(p *part) {
				p.data = append(p.data, "hidden"...)
				p.both(func(h *header) { h.packed += 6 })
			})
		}),
		one("stored as deflated", invalid, func() *part { return stored("x.bin", "abcdef").both(func(h *header) { h.method = methodDeflate }) }),
		one("bomb", large, func() *part { return entry("x.bin", strings.Repeat("\x00", 2<<20)) }),
		one("claimed bomb", large, claim(func(h *header) { h.size = limit.PackageEntryBytes })),
		one("too large a file", large, claim(func(h *header) { h.size = limit.PackageEntryBytes + 1 })),
		{"size too much in all", "e.bin", large, func() []byte {
			c := good()
			for _, n := range []string{"a.bin", "b.bin", "c.bin", "d.bin", "e.bin"} {
				// Packed honestly enough for the ratio: half a MiB of data that is never read.
				p := stored(n, strings.Repeat("x", 512<<10))
				p.both(func(h *header) { h.method, h.size = methodDeflate, 60<<20 })
				c.parts = append(c.parts, p)
			}
			return c.bytes()
		}},
		{"size too many files", "package", large, func() []byte {
			c := good()
			for i := range limit.PackageEntries {
				c.parts = append(c.parts, stored(fmt.Sprintf("f%d", i), ""))
			}
			return c.bytes()
		}},
	}
}

func badManifests() []badPackage {
	base := `{"format":1,"id":"notes","name":"Notes","version":"1.0.0","tiles":[{"id":"main","title":"Main","path":"index.html"}]`
	at := func(name, pointer, text string) badPackage {
		entryName := ManifestName
		if pointer != "" {
			entryName += "#" + pointer
		}
		return badPackage{"manifest " + name, entryName, manifest, func() []byte { return withManifest(text).bytes() }}
	}
	with := func(name, pointer, member string) badPackage { return at(name, pointer, base+","+member+"}") }
	swap := func(name, pointer, old, new string) badPackage {
		return at(name, pointer, strings.Replace(base, old, new, 1)+"}")
	}
	tiles := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":"t%d","title":"T","path":"index.html"}`, i))
		}
		return strings.Join(list, ",")
	}
	connect := func(name, pointer, list string) badPackage {
		return with("connect "+name, "/connect"+pointer, `"connect":`+list)
	}
	many := strings.TrimSuffix(strings.Repeat(`"https://a.example.com",`, limit.Origins+1), ",")
	return []badPackage{
		connect("of one text", "", `"https://a.example.com"`),
		connect("null", "", `null`),
		connect("of numbers", "/0", `[1]`),
		connect("too many", "", "["+many+"]"),
		connect("twice", "/1", `["https://a.example.com","https://a.example.com"]`),
		connect("plain http", "/0", `["http://a.example.com"]`),
		connect("a path", "/1", `["https://b.example.com","https://a.example.com/x"]`),
		connect("a slash", "/0", `["https://a.example.com/"]`),
		connect("a wildcard", "/0", `["https://*.example.com"]`),
		connect("a user", "/0", `["https://me@a.example.com"]`),
		connect("a port", "/0", `["https://a.example.com:8443"]`),
		connect("capitals", "/0", `["https://A.example.com"]`),
		connect("loopback", "/0", `["https://127.0.0.1"]`),
		connect("loopback of six", "/0", `["https://[::1]"]`),
		connect("private", "/0", `["https://192.168.1.1"]`),
		connect("localhost", "/0", `["https://localhost"]`),
		connect("a short number", "/0", `["https://127.1"]`),
		connect("a directive", "/0", `["https://a.example.com; script-src *"]`),
		connect("everything", "/0", `["*"]`),
		connect("empty", "/0", `[""]`),
		{"manifest missing", ManifestName, invalid, func() []byte { c := good(); c.parts = c.parts[1:]; return c.bytes() }},
		{"manifest in a directory", ManifestName, invalid, func() []byte {
			c := good(entry("app/neutron.json", goodManifest))
			c.parts = c.parts[1:]
			return c.bytes()
		}},
		{"manifest too large", ManifestName, large, func() []byte {
			return withManifest(base + strings.Repeat(" \n", limit.ManifestBytes) + "}").bytes()
		}},
		at("empty", "", ""),
		at("not JSON", "", "hello"),
		at("a list", "", "[]"),
		at("null", "", "null"),
		at("cut short", "", base),
		at("two values", "", base+"}{}"),
		at("comment", "", base+"} // yes"),
		at("trailing comma", "", base+",}"),
		at("byte order mark", "", "\ufeff"+base+"}"),
		at("invalid UTF-8", "", strings.Replace(base, "Main", "M\xff", 1)+"}"),
		at("lone surrogate", "", strings.Replace(base, "Main", `M\ud800`, 1)+"}"),
		at("nested too deep", "", base+`,"x":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)+"}"),
		at("huge number", "", base+`,"x":1e999999}`),
		with("member twice", "", `"id":"notes"`),
		with("unknown member", "/permissions", `"permissions":[]`),
		with("unknown member in a tile", "/background/worker", `"background":{"path":"index.html","worker":true}`),
		with("member in another case", "/Icon", `"Icon":"icon.svg"`),
		with("prototype member", "/__proto__", `"__proto__":{}`),
		with("null member", "/icon", `"icon":null`),
		with("background of another type", "/background", `"background":"index.html"`),
		swap("no format", "/format", `"format":1,`, ""),
		swap("format 2", "/format", `"format":1`, `"format":2`),
		swap("format as text", "/format", `"format":1`, `"format":"1"`),
		swap("format with a fraction", "/format", `"format":1`, `"format":1.0`),
		swap("no id", "/id", `"id":"notes",`, ""),
		swap("short id", "/id", `"id":"notes"`, `"id":"abc"`),
		swap("long id", "/id", `"id":"notes"`, `"id":"`+strings.Repeat("a", 31)+`"`),
		swap("id in capitals", "/id", `"id":"notes"`, `"id":"Notes"`),
		swap("id with a colon", "/id", `"id":"notes"`, `"id":"app:notes"`),
		swap("id with a path", "/id", `"id":"notes"`, `"id":"../notes"`),
		swap("id in another script", "/id", `"id":"notes"`, `"id":"nоtes"`),
		swap("reserved id", "/id", `"id":"notes"`, `"id":"kernel"`),
		swap("reserved id, own name", "/id", `"id":"notes"`, `"id":"neutron"`),
		swap("id as a number", "/id", `"id":"notes"`, `"id":1234`),
		swap("no name", "/name", `"name":"Notes",`, ""),
		swap("empty name", "/name", `"name":"Notes"`, `"name":""`),
		swap("long name", "/name", `"name":"Notes"`, `"name":"`+strings.Repeat("n", 41)+`"`),
		swap("bidi name", "/name", `"name":"Notes"`, `"name":"No\u202etes"`),
		swap("zero-width name", "/name", `"name":"Notes"`, `"name":"No\u200btes"`),
		swap("newline in the name", "/name", `"name":"Notes"`, `"name":"Notes\nby Neutron"`),
		swap("name in form D", "/name", `"name":"Notes"`, `"name":"Note\u0301s"`),
		swap("name of ours", "/name", `"name":"Notes"`, `"name":"Neutron Kernel"`),
		swap("name that looks like ours", "/name", `"name":"Notes"`, `"name":"Nеutrоn"`),
		swap("no version", "/version", `"version":"1.0.0",`, ""),
		swap("version of two parts", "/version", `"version":"1.0.0"`, `"version":"1.0"`),
		swap("version with a zero", "/version", `"version":"1.0.0"`, `"version":"1.01.0"`),
		swap("version with a suffix", "/version", `"version":"1.0.0"`, `"version":"1.0.0-beta"`),
		swap("negative version", "/version", `"version":"1.0.0"`, `"version":"-1.0.0"`),
		swap("huge version", "/version", `"version":"1.0.0"`, `"version":"9999999.0.0"`),
		with("long description", "/description", `"description":"`+strings.Repeat("d", limit.AppDescription+1)+`"`),
		with("bidi description", "/description", `"description":"a\u2067b"`),
		with("icon that is missing", "/icon", `"icon":"none.svg"`),
		with("icon of another kind", "/icon", `"icon":"app.js"`),
		with("icon outside", "/icon", `"icon":"../icon.svg"`),
		with("icon by address", "/icon", `"icon":"https://evil.example/icon.svg"`),
		swap("no page at all", "", `,"tiles":[{"id":"main","title":"Main","path":"index.html"}]`, ""),
		swap("no tiles in the list", "", `[{"id":"main","title":"Main","path":"index.html"}]`, `[]`),
		swap("tiles as an object", "/tiles", `[{"id":"main","title":"Main","path":"index.html"}]`, `{}`),
		swap("tile without an id", "/tiles/0/id", `"id":"main",`, ""),
		swap("tile id with a colon", "/tiles/0/id", `"id":"main"`, `"id":"a:b"`),
		swap("tile without a title", "/tiles/0/title", `"title":"Main",`, ""),
		swap("tile with a bidi title", "/tiles/0/title", `"title":"Main"`, `"title":"M\u202ein"`),
		swap("tile with a title of ours", "/tiles/0/title", `"title":"Main"`, `"title":"Neutron"`),
		swap("tile without a path", "/tiles/0/path", `,"path":"index.html"`, ""),
		swap("tile that is missing", "/tiles/0/path", `index.html`, `none.html`),
		swap("tile in another case", "/tiles/0/path", `index.html`, `Index.html`),
		swap("tile that is a script", "/tiles/0/path", `index.html`, `app.js`),
		swap("tile outside", "/tiles/0/path", `index.html`, `../index.html`),
		swap("tile with a query", "/tiles/0/path", `index.html`, `index.html?x`),
		swap("tile with a fragment", "/tiles/0/path", `index.html`, `index.html#x`),
		swap("tile by address", "/tiles/0/path", `index.html`, `http://evil.example/index.html`),
		swap("tile with a null", "/tiles/0/description", `"path":"index.html"`, `"path":"index.html","description":null`),
		swap("two tiles of one id", "/tiles/1/id", `"path":"index.html"}`, `"path":"index.html"},{"id":"main","title":"Main","path":"index.html"}`),
		swap("33 tiles", "/tiles", `{"id":"main","title":"Main","path":"index.html"}`, tiles(limit.TilesPerApp+1)),
		with("background that is missing", "/background/path", `"background":{"path":"none.html"}`),
		with("background without a path", "/background/path", `"background":{}`),
		with("tray without a background", "/tray", `"tray":{"title":"T","path":"index.html","icon":"icon.svg"}`),
		with("tray without a title", "/tray/title", `"background":{"path":"index.html"},"tray":{"path":"index.html","icon":"icon.svg"}`),
		with("tray without an icon", "/tray/icon", `"background":{"path":"index.html"},"tray":{"title":"T","path":"index.html"}`),
		with("tray page that is missing", "/tray/path", `"background":{"path":"index.html"},"tray":{"title":"T","path":"none.html","icon":"icon.svg"}`),
		{"manifest icon too large", ManifestName + "#/icon", manifest, func() []byte {
			big := "<svg>" + strings.Repeat("<g/>", limit.IconBytes/4) + "</svg>"
			return withManifest(strings.Replace(goodManifest, "icon.svg", "big.svg", 1), entry("big.svg", big)).bytes()
		}},
		icon("not XML", "hello"),
		icon("not well-formed", "<svg><g></svg>"),
		icon("of another root", "<html><svg/></html>"),
		icon("with entities", `<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>`),
		icon("empty", ""),
	}
}

func icon(name, body string) badPackage {
	return badPackage{"manifest icon " + name, ManifestName + "#/icon", manifest, func() []byte {
		return withManifest(strings.Replace(goodManifest, "icon.svg", "i.svg", 1), entry("i.svg", body)).bytes()
	}}
}
