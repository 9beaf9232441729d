package valid

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const opName fault.Op = "valid.name"

// AppID checks an app's id: 4 to 30 of a-z and 0-9 in groups joined by single
// underscores. "kernel" and "neutron" are reserved.
func AppID(s string) error {
	if len(s) < 4 || len(s) > limit.AppID {
		return bad("app id", s, "has 4 to 30 characters")
	}
	for group := range strings.SplitSeq(s, "_") {
		if group == "" || !all(group, lowerDigit) {
			return bad("app id", s, "is made of a-z, 0-9 and single underscores between them")
		}
	}
	if s == "kernel" || s == "neutron" {
		return bad("app id", s, "is not a reserved word")
	}
	return nil
}

// ToolName checks a tool's name: 1 to 128 of letters, digits, "_", "." and "-".
func ToolName(s string) error {
	if len(s) == 0 || len(s) > limit.ToolName || !all(s, func(b byte) bool { return wordByte(b) || b == '.' || b == '-' }) {
		return bad("tool name", s, "has 1 to 128 letters, digits, underscores, dots or hyphens")
	}
	return nil
}

// TileID checks the id of a tile inside its app: 1 to 30 of a-z, 0-9 and "_".
func TileID(s string) error {
	if len(s) == 0 || len(s) > limit.TileID || !all(s, func(b byte) bool { return lowerDigit(b) || b == '_' }) {
		return bad("tile id", s, "has 1 to 30 of a-z, 0-9 and underscore")
	}
	return nil
}

// Instance checks the instance part of an endpoint id: 1 to 64 letters, digits, "_" and "-".
func Instance(s string) error {
	if len(s) == 0 || len(s) > limit.Instance || !all(s, func(b byte) bool { return wordByte(b) || b == '-' }) {
		return bad("instance", s, "has 1 to 64 letters, digits, underscores or hyphens")
	}
	return nil
}

// EndpointID checks the grammar of an endpoint's id. It says nothing about who is live.
func EndpointID(s string) error {
	const rule = "is kernel, cli, app:<id>:background, app:<id>:tile:<tile>:instance:<n>, " +
		"app:<id>:tray:instance:<n>, mcp:<name>, agent:<session> or remote:<name>"
	if s == "kernel" || s == "cli" {
		return nil
	}
	p := strings.Split(s, ":")
	ok := false
	switch {
	case len(p) == 2 && (p[0] == "mcp" || p[0] == "agent" || p[0] == "remote"):
		ok = Instance(p[1]) == nil
	case len(p) < 3 || p[0] != "app" || AppID(p[1]) != nil:
	case len(p) == 3:
		ok = p[2] == "background"
	case len(p) == 5:
		ok = p[2] == "tray" && p[3] == "instance" && Instance(p[4]) == nil
	case len(p) == 6:
		ok = p[2] == "tile" && TileID(p[3]) == nil && p[4] == "instance" && Instance(p[5]) == nil
	}
	if !ok {
		return bad("endpoint id", s, rule)
	}
	return nil
}

// Version reads "major.minor.patch": three decimals without leading zeros, each at most 999999.
func Version(s string) (major, minor, patch int, err error) {
	const rule = "is three numbers, as in 1.4.0"
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return 0, 0, 0, bad("version", s, rule)
	}
	var n [3]int
	for i, p := range parts {
		if len(p) == 0 || len(p) > 6 || (len(p) > 1 && p[0] == '0') || !all(p, func(b byte) bool { return b >= '0' && b <= '9' }) {
			return 0, 0, 0, bad("version", s, rule)
		}
		n[i], _ = strconv.Atoi(p) // six digits cannot fail
	}
	return n[0], n[1], n[2], nil
}

// CompareVersions orders two valid versions: negative when a is older than b.
// An invalid version is older than every valid one.
func CompareVersions(a, b string) int {
	a1, a2, a3, aErr := Version(a)
	b1, b2, b3, bErr := Version(b)
	switch {
	case aErr != nil && bErr != nil:
		return 0
	case aErr != nil:
		return -1
	case bErr != nil:
		return 1
	}
	for _, d := range []int{a1 - b1, a2 - b2, a3 - b3} {
		if d != 0 {
			return d
		}
	}
	return 0
}

// SafeText checks a text that a person will read on a trusted surface: 1 to max
// code points of NFC, without controls, line breaks, bidi marks, zero-width or
// other characters that have no glyph of their own.
func SafeText(s string, max int) error {
	switch n := utf8.RuneCountInString(s); {
	case !utf8.ValidString(s):
		return bad("text", s, "is valid UTF-8")
	case n == 0 || n > max:
		return fault.Newf(opName, fault.InvalidRequest, "", "A text has 1 to %d characters; this one has %d.", max, n)
	case !norm.NFC.IsNormalString(s):
		return bad("text", s, "is in Unicode normal form C")
	}
	for _, r := range s {
		if hidden(r) {
			return bad("text", s, "has no control, bidi or zero-width characters")
		}
	}
	return nil
}

// DisplayName checks the name that an app gives itself: a safe text of 1 to 40
// characters, without spaces at its ends or two in a row, that does not read
// as one of Neutron's own names.
func DisplayName(s string) error {
	if err := SafeText(s, limit.DisplayName); err != nil {
		return err
	}
	if strings.TrimSpace(s) != s || strings.Contains(s, "  ") {
		return bad("name", s, "has no spaces at its ends and no two in a row")
	}
	for _, r := range s {
		if r != ' ' && unicode.IsSpace(r) {
			return bad("name", s, "has no spaces but the plain one")
		}
	}
	for word := range strings.FieldsSeq(skeleton(s)) {
		switch word {
		case "neutron", "kernel", "owner":
			return bad("name", s, "does not read as one of Neutron's own names")
		}
	}
	return nil
}

// hidden reports characters that could hide, reorder or break a line of trusted text.
func hidden(r rune) bool {
	switch {
	case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r),
		unicode.Is(unicode.Co, r), unicode.Is(unicode.Cs, r), unicode.Is(unicode.Variation_Selector, r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
		return true
	}
	return r == '\u2800' // a blank braille pattern looks like a space
}

// lookalike maps the letters of other scripts that are drawn like Latin ones in the common fonts.
var lookalike = strings.NewReplacer(
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x", "к", "k", "м", "m", "т", "t", "в", "b", "н", "h",
	"і", "i", "ѕ", "s", "ј", "j", "ԛ", "q", "ԝ", "w", "п", "n", "г", "r",
	"α", "a", "ε", "e", "ο", "o", "ρ", "p", "κ", "k", "ν", "v", "τ", "t", "υ", "u", "ι", "i", "η", "n", "χ", "x",
	"ո", "n", "ս", "u", "օ", "o", "0", "o", "1", "l", "3", "e", "5", "s", "|", "l", "ı", "i", "ł", "l", "ø", "o",
)

// skeleton folds a name to what it looks like, coarsely: compatibility forms,
// case, accents and the look-alikes above. It only ever adds refusals.
func skeleton(s string) string {
	var b strings.Builder
	for _, r := range lookalike.Replace(strings.ToLower(norm.NFKD.String(s))) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func lowerDigit(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

func wordByte(b byte) bool { return lowerDigit(b) || b >= 'A' && b <= 'Z' || b == '_' }

func all(s string, ok func(byte) bool) bool {
	for i := range len(s) {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

// bad names the rule, and quotes the offender shortly and in ASCII.
func bad(what, s, rule string) error {
	if len(s) > 64 {
		s = s[:64] + "…"
	}
	article := "A"
	if strings.ContainsRune("aeiou", rune(what[0])) {
		article = "An"
	}
	return fault.Newf(opName, fault.InvalidRequest, "", "%s %s %s, unlike %s.", article, what, rule, strconv.QuoteToASCII(s))
}
