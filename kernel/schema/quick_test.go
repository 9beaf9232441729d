package schema_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"neutron/kernel/schema"
)

// The small worlds that schemas and values are drawn from, so that they meet.
var (
	names   = []string{`"a"`, `"b"`, `"a/b"`, `""`}
	scalars = []string{`null`, `true`, `false`, `0`, `-0`, `1`, `1.0`, `2`, `-3`, `0.1`, `0.10000000000000000001`, `1e2`, `100`, `1e308`, `9007199254740993`, `9007199254740992`, `""`, `"a"`, `"ab"`, `"é"`, `"😀😀"`}
	types   = []string{`"null"`, `"boolean"`, `"integer"`, `"number"`, `"string"`, `"array"`, `"object"`}
)

type drawer struct{ *rand.Rand }

func (d drawer) of(list []string) string { return list[d.IntN(len(list))] }

func (d drawer) list(most int, one func() string) string {
	out := make([]string, 1+d.IntN(most))
	for i := range out {
		out[i] = one()
	}
	return "[" + strings.Join(out, ",") + "]"
}

func (d drawer) object(one func() string) string {
	var out []string
	for _, name := range names {
		if d.IntN(2) == 0 {
			out = append(out, name+":"+one())
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

func (d drawer) value(depth int) string {
	one := func() string { return d.value(depth - 1) }
	switch k := d.IntN(4); {
	case depth > 0 && k == 0:
		return d.list(3, one)
	case depth > 0 && k == 1:
		return d.object(one)
	}
	return d.of(scalars)
}

func (d drawer) schema(depth int) string {
	one := func() string { return d.schema(depth - 1) }
	count := func() string { return d.of([]string{"0", "1", "2", "2.0"}) }
	number := func() string { return d.of(scalars[3:16]) }
	words := map[string]func() string{
		"type": func() string { return d.of(types) }, "enum": func() string { return d.list(4, func() string { return d.value(1) }) }, "const": func() string { return d.value(1) },
		"minimum": number, "maximum": number, "exclusiveMinimum": number, "exclusiveMaximum": number,
		"minLength": count, "maxLength": count, "minItems": count, "maxItems": count, "minProperties": count, "maxProperties": count,
		"uniqueItems": func() string { return "true" }, "pattern": func() string { return d.of([]string{`"^a"`, `"b$"`, `"."`}) },
		"required": func() string { return `[` + d.of(names) + `]` }, "properties": func() string { return d.object(one) },
		"additionalProperties": one, "items": one, "anyOf": func() string { return d.list(2, one) }, "allOf": func() string { return d.list(2, one) },
		"not": one, "patternProperties": func() string { return `{"^a":` + one() + `}` }, "prefixItems": func() string { return d.list(2, one) },
		"$ref": func() string { return d.of([]string{`"#/$defs/x"`, `"#/$defs/y~1z"`}) },
	}
	if depth == 0 || d.IntN(5) == 0 {
		return d.of([]string{"true", "false", `{"type":` + d.of(types) + `}`, `{"type":[` + types[d.IntN(3)] + `,` + types[4+d.IntN(3)] + `]}`})
	}
	keys := []string{"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems",
		"minProperties", "maxProperties", "uniqueItems", "pattern", "required", "properties", "additionalProperties", "items", "anyOf", "allOf", "not",
		"patternProperties", "prefixItems", "$ref"}
	var out []string
	for _, i := range d.Perm(len(keys))[:1+d.IntN(3)] {
		out = append(out, fmt.Sprintf("%q:%s", keys[i], words[keys[i]]()))
	}
	return "{" + strings.Join(out, ",") + "}"
}

func TestQuickIsNeverAlone(t *testing.T) {
	d := drawer{rand.New(rand.NewPCG(1, 2))}
	dialects := []string{"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema"}
	quicks, slows := 0, 0
	for range 2_000 {
		root := d.schema(3)
		text := fmt.Sprintf(`{"$schema":%q,"allOf":[%s],"$defs":{"x":%s,"y/z":{"type":%s}}}`, d.of(dialects), root, `{"type":`+d.of(types)+`}`, d.of(types))
		s, err := schema.Compile([]byte(text))
		if err != nil {
			continue // prefixItems in draft-07, say
		}
		for range 8 {
			raw := d.value(2)
			quick, err := s.Verdicts([]byte(raw))
			if quick && err != nil {
				t.Fatalf("%s: only the quick check takes %s: %v", text, raw, err)
			}
			if err == nil {
				slows++
			}
			if quick {
				quicks++
			}
		}
	}
	if quicks < 2_000 || quicks >= slows {
		t.Errorf("the quick check took %d of the %d values that the validator takes", quicks, slows)
	}
}

func TestQuickTakesWhatToolsAreMadeOf(t *testing.T) {
	s := mustCompile(t, recordSchema)
	if quick, err := s.Verdicts(record(1 << 10)); !quick || err != nil {
		t.Errorf("the records of the benchmark: %v, %v", quick, err)
	}
	tree := mustCompile(t, `{"$defs":{"n":{"type":["object","null"],"properties":{"next":{"$ref":"#/$defs/n"},"w":{"type":"number","exclusiveMinimum":0,"maximum":9}},"additionalProperties":{"type":"string"}}},"$ref":"#/$defs/n"}`)
	if quick, err := tree.Verdicts([]byte(`{"next":{"next":null,"w":0.5,"else":"x"}}`)); !quick || err != nil {
		t.Errorf("a tree: %v, %v", quick, err)
	}
}
