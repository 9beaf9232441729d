package schema

import (
	"encoding/binary"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"neutron/kernel/limit"
)

// One step is about what the validator needs for one schema at one small value.
// A pattern's instruction on one byte, and a byte of a text that is measured,
// cost a fraction of it.
const (
	instructionsPerStep = 32
	textPerStep         = 256
	depthsPerStep       = 16
)

// exhausted is thrown through the validator, which cannot be cancelled, and caught by run.
type exhausted struct{}

// meter counts the steps of one validation. As an extension of the validator it
// sees every visit of every subschema that has an object form, and it judges the
// keywords that need care: patterns and uniqueness.
type meter struct {
	left int
	rate int // steps count this often: the validator's work per visit grows with the square of the depth
}

// budget is what one validation may spend. Only tests change it.
var budget = limit.ValidateSteps

// start readies the meter for one value.
func (m *meter) start(v any) {
	d := depth(v)
	m.left, m.rate = budget, 1+d*d/depthsPerStep
}

func (m *meter) spend(steps int) {
	if m.left -= steps * m.rate; m.left < 0 {
		panic(exhausted{})
	}
}

// gauge is the meter at one subschema.
type gauge struct {
	meter   *meter
	weight  int
	measure bool // minLength or maxLength: the validator counts characters
	pattern *regexp.Regexp
	program int
	names   int // instructions of all patternProperties, run on each member's name
	unique  bool
}

// Compile implements jsonschema.ExtCompiler over a cleaned subschema.
func (m *meter) Compile(_ jsonschema.CompilerContext, doc map[string]any) (jsonschema.ExtSchema, error) {
	g := &gauge{meter: m, weight: 1}
	for key, v := range doc {
		switch v := v.(type) {
		case []any:
			g.weight += len(v)
			if key == "enum" {
				g.weight += size(v)
			}
		case map[string]any:
			if key == "const" {
				g.weight += size(v)
			} else if key != "$defs" && key != "definitions" {
				g.weight += len(v)
			}
		}
	}
	_, least := doc["minLength"]
	_, most := doc["maxLength"]
	g.measure = least || most
	g.unique = doc[ownUnique] == true
	if text, ok := doc[ownPattern].(string); ok {
		var err error
		if g.pattern, err = regexp.Compile(text); err != nil {
			return nil, err
		}
		if g.program, err = instructions(text); err != nil {
			return nil, err
		}
	}
	if named, ok := doc["patternProperties"].(map[string]any); ok {
		for text := range named {
			n, err := instructions(text)
			if err != nil {
				return nil, err
			}
			g.names += n
		}
	}
	return g, nil
}

// Validate implements jsonschema.ExtSchema. The validator calls it after its own
// keywords of the same subschema, and after all below it: each visit is paid for
// when it ends, and a single one is bounded by the sizes of schema and value.
func (g *gauge) Validate(ctx jsonschema.ValidationContext, v any) error {
	g.meter.spend(g.weight)
	switch v := v.(type) {
	case string:
		if g.measure {
			g.meter.spend(len(v) / textPerStep)
		}
		return g.text(ctx, v)
	case []any:
		g.meter.spend(len(v))
		if g.unique && !g.distinct(v) {
			return ctx.Error("uniqueItems", "two items are equal")
		}
	case map[string]any:
		g.meter.spend(2 * len(v)) // the validator copies every name on each visit
		if g.names > 0 {
			for name := range v {
				g.meter.spend(len(name) * g.names / instructionsPerStep)
			}
		}
	}
	return nil
}

// text runs the pattern on a string that is short enough for it.
func (g *gauge) text(ctx jsonschema.ValidationContext, s string) error {
	if g.pattern == nil {
		return nil
	}
	if len(s) > limit.PatternInput {
		return ctx.Error("pattern", "is longer than the %d bytes that a pattern is run on", limit.PatternInput)
	}
	g.meter.spend(1 + len(s)*g.program/instructionsPerStep)
	if !g.pattern.MatchString(s) {
		return ctx.Error("pattern", "does not match its pattern")
	}
	return nil
}

// distinct reports whether no two items are equal, in time linear in the value.
func (g *gauge) distinct(items []any) bool {
	seen := make(map[string]bool, len(items))
	for _, item := range items {
		g.meter.spend(size(item))
		key := string(identity(nil, item))
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// identity appends a prefix-free encoding of v: equal exactly for equal JSON
// values, numbers by their exact value.
func identity(b []byte, v any) []byte {
	field := func(b []byte, tag byte, s string) []byte {
		b = binary.AppendUvarint(append(b, tag), uint64(len(s)))
		return append(b, s...)
	}
	switch v := v.(type) {
	case bool:
		if v {
			return append(b, 't')
		}
		return append(b, 'f')
	case json.Number:
		r, _ := new(big.Rat).SetString(string(v)) // bounded by valid.Number
		return field(b, '0', r.RatString())
	case string:
		return field(b, 's', v)
	case []any:
		b = binary.AppendUvarint(append(b, '['), uint64(len(v)))
		for _, item := range v {
			b = identity(b, item)
		}
		return b
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		b = binary.AppendUvarint(append(b, '{'), uint64(len(v)))
		for _, name := range names {
			b = identity(field(b, 'k', name), v[name])
		}
		return b
	}
	return append(b, 'n')
}

// depth is how deeply v is nested.
func depth(v any) int {
	d := 0
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			d = max(d, depth(item))
		}
		return d + 1
	case map[string]any:
		for _, item := range v {
			d = max(d, depth(item))
		}
		return d + 1
	}
	return 0
}
