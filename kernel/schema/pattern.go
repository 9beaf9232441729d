package schema

import (
	"regexp"
	"regexp/syntax"
	"strconv"
	"unicode/utf8"

	"neutron/kernel/limit"
)

// pattern checks one regular expression and gives the size of its program.
func pattern(text, at string) (int, error) {
	if utf8.RuneCountInString(text) > limit.SchemaPattern {
		return 0, refuse(at, "has a pattern of more than 256 characters")
	}
	if _, err := regexp.Compile(text); err != nil {
		return 0, refuse(at, "has a pattern that is not RE2: "+strconv.QuoteToASCII(shorten(text)))
	}
	program, err := instructions(text)
	if err != nil || program > limit.PatternProgram {
		return 0, refuse(at, "has a pattern that compiles to a too large program")
	}
	return program, nil
}

// instructions is the size of a pattern's program: what each character of an input may cost.
func instructions(text string) (int, error) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return 0, err
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0, err
	}
	return len(prog.Inst), nil
}

// nameBytes sums the bytes of all members' names inside v.
func nameBytes(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += nameBytes(item)
		}
	case map[string]any:
		for name, item := range v {
			n += len(name) + nameBytes(item)
		}
	}
	return n
}
