package schema

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// kind says how a keyword's value is read.
type kind int

const (
	kindNote    kind = iota // an annotation: checked for size, then dropped
	kindPlain               // handed to the validator as it is
	kindOne                 // one subschema for another part of the value
	kindSame                // one subschema for the same value
	kindSames               // a list of subschemas for the same value
	kindList                // a list of subschemas for parts
	kindMap                 // named subschemas for parts
	kindDefs                // named subschemas that apply only where referred to
	kindDepends             // named subschemas for the same value, or name lists
	kindItems               // one subschema, or in the older dialects a list
)

// keywords is the allow-list. What is not on it, and does not begin with "x-", is refused by name.
var keywords = map[string]kind{
	"$schema": kindNote, "$id": kindNote, "$comment": kindNote, "title": kindNote, "description": kindNote, "default": kindNote,
	"examples": kindNote, "readOnly": kindNote, "writeOnly": kindNote, "deprecated": kindNote, "format": kindNote,
	"contentEncoding": kindNote, "contentMediaType": kindNote,

	"$ref": kindPlain, "type": kindPlain, "enum": kindPlain, "const": kindPlain, "required": kindPlain, "dependentRequired": kindPlain,
	"multipleOf": kindPlain, "minimum": kindPlain, "exclusiveMinimum": kindPlain, "maximum": kindPlain, "exclusiveMaximum": kindPlain,
	"minLength": kindPlain, "maxLength": kindPlain, "pattern": kindPlain, "minItems": kindPlain, "maxItems": kindPlain, "uniqueItems": kindPlain,
	"minContains": kindPlain, "maxContains": kindPlain, "minProperties": kindPlain, "maxProperties": kindPlain,

	"additionalProperties": kindOne, "additionalItems": kindOne, "unevaluatedProperties": kindOne, "unevaluatedItems": kindOne,
	"contains": kindOne, "propertyNames": kindOne, "items": kindItems, "prefixItems": kindList,
	"properties": kindMap, "patternProperties": kindMap, "$defs": kindDefs, "definitions": kindDefs,
	"not": kindSame, "if": kindSame, "then": kindSame, "else": kindSame,
	"allOf": kindSames, "anyOf": kindSames, "oneOf": kindSames, "dependentSchemas": kindDepends, "dependencies": kindDepends,
}

// modern are the keywords that draft-07 would silently ignore.
var modern = []string{"prefixItems", "dependentRequired", "dependentSchemas", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems"}

// The keywords that this package judges itself, under names that no schema can use.
const (
	ownPattern = "neutron:pattern"
	ownUnique  = "neutron:uniqueItems"
)

// node is one subschema as the cost estimate and the meter see it.
type node struct {
	weight int     // its own work: itself, its lists, its direct children
	same   []*node // subschemas for the same value
	parts  []*node // subschemas for parts of it
	ref    string  // pointer of $ref, "" for none
	target *node
	total  int // static cost, once known
	busy   bool
}

// guarded is a schema that passed the guard.
type guarded struct {
	draft   *jsonschema.Draft
	legacy  bool // draft-07: siblings of $ref do nothing, as the validator has it
	doc     any  // what the validator may see
	cleaned []byte
	root    *node
	byPlace map[string]*node
	nodes   int
	names   int // instructions of all patternProperties: what one byte of a member's name may cost
}

// guard checks a decoded schema against the lists and budgets and re-encodes
// what the validator may see.
func guard(doc any) (*guarded, error) {
	g := &guarded{draft: jsonschema.Draft2020, byPlace: make(map[string]*node)}
	if m, ok := doc.(map[string]any); ok {
		if err := g.dialect(m["$schema"]); err != nil {
			return nil, err
		}
	}
	cleaned, root, err := g.schema(doc, "", 1)
	if err != nil {
		return nil, err
	}
	g.root, g.doc = root, cleaned
	for at, n := range g.byPlace {
		if n.ref == "" {
			continue
		}
		if n.target = g.byPlace[strings.TrimPrefix(n.ref, "#")]; n.target == nil {
			return nil, refuse(at+"/$ref", "leads to no subschema of this schema")
		}
	}
	g.cleaned, err = json.Marshal(cleaned)
	return g, fault.Wrap(opCompile, fault.SchemaInvalid, "", err)
}

func (g *guarded) dialect(named any) error {
	if named == nil {
		return nil
	}
	uri, _ := named.(string)
	switch strings.TrimSuffix(strings.Replace(uri, "https://", "http://", 1), "#") {
	case "http://json-schema.org/draft/2020-12/schema":
	case "http://json-schema.org/draft/2019-09/schema":
		g.draft = jsonschema.Draft2019
	case "http://json-schema.org/draft-07/schema":
		g.draft, g.legacy = jsonschema.Draft7, true
	default:
		return refuse("/$schema", "names a dialect other than draft-07, 2019-09 and 2020-12")
	}
	return nil
}

// schema judges one subschema at a place and returns its cleaned form.
func (g *guarded) schema(v any, at string, depth int) (any, *node, error) {
	n := &node{weight: 1}
	if depth > limit.SchemaDepth {
		return nil, nil, refuse(at, "is nested too deeply")
	}
	if err := g.count(at, 1); err != nil {
		return nil, nil, err
	}
	g.byPlace[at] = n
	if always, ok := v.(bool); ok {
		return always, n, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, nil, refuse(at, "is neither an object nor true or false")
	}
	if len(m) > limit.SchemaKeys {
		return nil, nil, refuse(at, "has too many keywords")
	}
	out := make(map[string]any, len(m))
	for key, value := range m {
		if err := g.keyword(n, out, key, value, at, depth); err != nil {
			return nil, nil, err
		}
	}
	return out, n, nil
}

// keyword judges one keyword of a subschema and adds what passes to out and n.
func (g *guarded) keyword(n *node, out map[string]any, key string, value any, at string, depth int) error {
	here := at + "/" + token(key)
	k, known := keywords[key]
	if !known && !strings.HasPrefix(key, "x-") {
		return refuse(at, "uses a keyword that is not supported: "+strconv.QuoteToASCII(shorten(key)))
	}
	if g.legacy && slices.Contains(modern, key) {
		return refuse(here, "is unknown in draft-07")
	}
	if err := g.text(key, here); err != nil {
		return err
	}
	if k == kindNote {
		if key == "$id" && at != "" {
			return refuse(here, "gives a subschema an address of its own")
		}
		return g.plain(value, here, depth)
	}
	if key == "items" && k == kindItems {
		k = kindOne
		if _, isList := value.([]any); isList {
			if k = kindList; g.draft == jsonschema.Draft2020 {
				return refuse(here, "is a list, which is prefixItems in the dialect 2020-12")
			}
		}
	}
	switch k {
	case kindPlain:
		if err := g.plain(value, here, depth); err != nil {
			return err
		}
		return g.own(n, out, key, value, here)
	case kindOne, kindSame:
		cleaned, child, err := g.schema(value, here, depth+1)
		if err != nil {
			return err
		}
		n.adopt(k == kindSame, child)
		out[key] = cleaned
	case kindSames, kindList:
		list, ok := value.([]any)
		if !ok || len(list) > limit.SchemaKeys {
			return refuse(here, "is not a list of at most 256 schemas")
		}
		kept := make([]any, len(list))
		for i, v := range list {
			cleaned, child, err := g.schema(v, here+"/"+strconv.Itoa(i), depth+1)
			if err != nil {
				return err
			}
			n.adopt(k == kindSames, child)
			kept[i] = cleaned
		}
		out[key] = kept
	case kindMap, kindDefs, kindDepends:
		return g.named(n, out, key, k, value, here, depth)
	}
	return nil
}

// named judges a map of subschemas.
func (g *guarded) named(n *node, out map[string]any, key string, k kind, value any, here string, depth int) error {
	m, ok := value.(map[string]any)
	if !ok || len(m) > limit.SchemaKeys {
		return refuse(here, "is not an object of at most 256 schemas")
	}
	kept := make(map[string]any, len(m))
	for name, v := range m {
		there := here + "/" + token(name)
		if err := g.text(name, there); err != nil {
			return err
		}
		if key == "patternProperties" {
			program, err := pattern(name, there)
			if err != nil {
				return err
			}
			n.weight += program / instructionsPerStep
			g.names += program
		}
		if list, isList := v.([]any); isList && key == "dependencies" {
			if err := g.plain(list, there, depth); err != nil {
				return err
			}
			kept[name] = list
			n.weight += len(list)
			continue
		}
		cleaned, child, err := g.schema(v, there, depth+1)
		if err != nil {
			return err
		}
		if k != kindDefs {
			n.adopt(k == kindDepends, child)
		}
		kept[name] = cleaned
	}
	out[key] = kept
	return nil
}

// own takes the plain keywords that need more than a copy.
func (g *guarded) own(n *node, out map[string]any, key string, value any, here string) error {
	switch key {
	case "$ref":
		ref, ok := value.(string)
		ref, err := url.PathUnescape(ref)
		if !ok || err != nil || (ref != "#" && !strings.HasPrefix(ref, "#/")) {
			return refuse(here, "leads out of the schema; only # and #/… are followed")
		}
		n.ref = ref
		steps := strings.Split(strings.TrimPrefix(ref, "#"), "/")
		for i, step := range steps {
			steps[i] = url.PathEscape(step)
		}
		out[key] = "#" + strings.Join(steps, "/") // one spelling, so that the validator follows what was judged here
		return nil
	case "pattern":
		text, ok := value.(string)
		if !ok {
			return refuse(here, "is not a text")
		}
		program, err := pattern(text, here)
		if err != nil {
			return err
		}
		n.weight += program / instructionsPerStep
		out[ownPattern] = text
		return nil
	case "uniqueItems":
		on, ok := value.(bool)
		if !ok {
			return refuse(here, "is neither true nor false")
		}
		if on {
			out[ownUnique] = true
		}
		return nil
	case "enum", "const", "required", "dependentRequired":
		n.weight += size(value)
	case "multipleOf":
		if literal, ok := value.(json.Number); ok && strings.Trim(strings.SplitN(strings.ToLower(string(literal)), "e", 2)[0], "0.-") == "" {
			return refuse(here, "is zero") // the validator would divide by it
		}
	}
	out[key] = value
	return nil
}

// plain bounds a value that is no schema: depth, values and texts.
func (g *guarded) plain(v any, at string, depth int) error {
	if depth > limit.SchemaDepth {
		return refuse(at, "is nested too deeply")
	}
	if err := g.count(at, 1); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		return g.text(v, at)
	case []any:
		for _, item := range v {
			if err := g.plain(item, at, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if len(v) > limit.SchemaKeys {
			return refuse(at, "has too many members")
		}
		for name, item := range v {
			if err := g.text(name, at); err != nil {
				return err
			}
			if err := g.plain(item, at, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (g *guarded) count(at string, n int) error {
	if g.nodes += n; g.nodes > limit.SchemaNodes {
		return refuse(at, "is beyond the 2000 values that a schema may have")
	}
	return nil
}

func (g *guarded) text(s, at string) error {
	if utf8.RuneCountInString(s) > limit.SchemaString {
		return refuse(at, "has a text of more than 4096 characters")
	}
	return nil
}

// adopt records a child in the cost graph.
func (n *node) adopt(same bool, child *node) {
	n.weight++
	if same {
		n.same = append(n.same, child)
	} else {
		n.parts = append(n.parts, child)
	}
}

// size counts the values inside v; a number, compared exactly, counts for four.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case json.Number:
		n = 4
	case []any:
		for _, item := range v {
			n += size(item)
		}
	case map[string]any:
		for _, item := range v {
			n += 1 + size(item)
		}
	}
	return n
}

// token escapes one step of a JSON pointer.
func token(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func refuse(at, why string) error {
	return fault.Newf(opCompile, fault.SchemaInvalid, "", "The schema at %s %s.", place(at), why)
}
