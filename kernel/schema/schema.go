// Package schema compiles JSON Schemas that nobody has to trust and validates
// values against them under budgets. It is the only importer of the validator.
//
// A schema comes from an app or a server, and a value from its caller; either
// may be built to hurt. So:
//
//  1. A schema is read by package valid, and only keywords of a fixed list pass
//     (guard.go). Nothing is ever loaded: a reference is "#" or "#/…" and leads
//     to a subschema of the same text.
//  2. Its static cost, the size of the tree that all references unfold to, is
//     capped before the validator sees it (cost.go).
//  3. Patterns are RE2, bounded in text and program, and run only on bounded strings.
//  4. Validation counts its steps and stops at a budget (meter.go): a recursive
//     schema has a small static cost and can still be exponential in a value.
//  5. What most tools are made of is taken without the validator, by a check that
//     only ever says yes (quick.go).
//  6. Whatever panics below is caught and becomes INTERNAL.
//
// "format" and the content keywords are annotations here and never assert.
// The dialect is 2020-12 unless "$schema" names draft-07 or 2019-09.
package schema

import (
	"container/list"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

const (
	opCompile  fault.Op = "schema.compile"
	opValidate fault.Op = "schema.validate"
)

// enginesKept is how many compiled copies of one schema wait for use. A new one
// takes most of a millisecond, so they are not left to the garbage collector.
const enginesKept = 4

// Schema is a compiled schema, safe for use by many goroutines.
type Schema struct {
	cost    int
	draft   *jsonschema.Draft
	cleaned []byte
	names   int          // of guarded
	quick   *quick       // takes most values at once
	idle    chan *engine // the meter of a validation belongs to one engine
}

// engine is one compiled copy with its meter; one validation uses it at a time.
type engine struct {
	compiled *jsonschema.Schema
	meter    *meter
}

// Compile judges and compiles one schema. Every refusal is SCHEMA_INVALID with
// a sentence that names the place.
func Compile(raw []byte) (*Schema, error) {
	doc, err := valid.Decode(raw, limit.SchemaBytes)
	if err != nil {
		return nil, fault.New(opCompile, fault.SchemaInvalid, "", fault.Sentence(err))
	}
	g, err := guard(doc)
	if err != nil {
		return nil, err
	}
	cost, err := g.cost()
	if err != nil {
		return nil, err
	}
	s := &Schema{cost: cost, draft: g.draft, cleaned: g.cleaned, names: g.names, idle: make(chan *engine, enginesKept)}
	e, err := s.build()
	if err != nil {
		return nil, err
	}
	s.keep(e)
	s.quick = quicken(g.doc)
	return s, nil
}

// Cost is the schema's static cost in steps, at most limit.SchemaCost.
func (s *Schema) Cost() int { return s.cost }

// Validate judges one JSON text of at most limit.PayloadBytes. Its fault is
// INVALID_REQUEST when the text is no JSON under the budgets or does not match,
// LIMIT when judging it would take too many steps; the caller gives it the code
// of its side, INPUT_INVALID or OUTPUT_INVALID. The sentence names the place in
// the value and never quotes the value.
func (s *Schema) Validate(raw []byte) error {
	v, err := valid.Decode(raw, limit.PayloadBytes)
	if err != nil {
		return err
	}
	if s.quick.takes(v, &allowance{budget / quickShare}) {
		return nil
	}
	return s.judge(v)
}

// judge asks the validator.
func (s *Schema) judge(v any) error {
	if s.names > 0 && nameBytes(v)*s.names/instructionsPerStep > budget {
		return tooCostly() // the validator runs patternProperties before the meter sees the object
	}
	var (
		e   *engine
		err error
	)
	select {
	case e = <-s.idle:
	default: // all are at work
		if e, err = s.build(); err != nil {
			return err
		}
	}
	err = e.run(v)
	if fault.CodeOf(err) != fault.Internal { // after a panic the copy is not trusted again
		s.keep(e)
	}
	return err
}

// keep gives an engine back, or away when enough are idle.
func (s *Schema) keep(e *engine) {
	select {
	case s.idle <- e:
	default:
	}
}

// refuseAll is the loader of every compiler here: no file, no network.
func refuseAll(url string) (io.ReadCloser, error) {
	return nil, fmt.Errorf("nothing is loaded: %s", shorten(url))
}

// build compiles the cleaned text once more.
func (s *Schema) build() (e *engine, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, err = nil, &fault.Error{Op: opCompile, Code: fault.SchemaInvalid, Err: fmt.Errorf("validator panicked: %v", r)}
		}
	}()
	const url = "neutron:schema"
	m := &meter{}
	c := jsonschema.NewCompiler()
	c.Draft = s.draft
	c.LoadURL = refuseAll
	c.RegisterExtension("neutron", nil, m)
	if err := c.AddResource(url, strings.NewReader(string(s.cleaned))); err != nil {
		return nil, malformed(err)
	}
	compiled, err := c.Compile(url)
	if err != nil {
		return nil, malformed(err)
	}
	return &engine{compiled, m}, nil
}

func (e *engine) run(v any) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exhausted:
			err = tooCostly()
		default:
			err = &fault.Error{Op: opValidate, Code: fault.Internal, Err: fmt.Errorf("validator panicked: %v", r)}
		}
	}()
	e.meter.start(v)
	return mismatch(e.compiled.Validate(v))
}

func tooCostly() error {
	return fault.New(opValidate, fault.Limit, "", "The value takes too many steps to judge against this schema.")
}

// malformed turns the validator's own refusal of a schema into one sentence.
func malformed(err error) error {
	msg := "It is not a JSON Schema of its dialect."
	var ve *jsonschema.ValidationError
	if errors.As(err, &ve) {
		leaf := first(ve)
		msg = fmt.Sprintf("The schema is wrong at %s: %s.", place(leaf.InstanceLocation), shorten(leaf.Message))
	}
	return &fault.Error{Op: opCompile, Code: fault.SchemaInvalid, Message: msg, Err: err}
}

// mismatch names the first place where a value does not fit, and why.
func mismatch(err error) error {
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return &fault.Error{Op: opValidate, Code: fault.Internal, Err: err}
	}
	leaf := first(ve)
	rule := leaf.KeywordLocation[strings.LastIndexByte(leaf.KeywordLocation, '/')+1:]
	return fault.Newf(opValidate, fault.InvalidRequest, "", "%s: %s", place(leaf.InstanceLocation), reason(rule, leaf.Message))
}

func first(ve *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(ve.Causes) > 0 {
		ve = ve.Causes[0]
	}
	return ve
}

// place is a JSON pointer for a person: "the value" for the root.
func place(pointer string) string {
	if pointer == "" {
		return "the value"
	}
	return shorten(pointer)
}

// reason is the validator's sentence where it speaks of the schema or of counts,
// and a fixed one where it would quote the value.
func reason(rule, message string) string {
	switch rule {
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf":
		message = "the number breaks " + rule
	case "not":
		message = "matches what it must not match"
	case "oneOf", "anyOf":
		message = "matches none, or too many, of the alternatives"
	}
	return shorten(message) + "."
}

// shorten keeps a message within what one line of an error can carry.
func shorten(s string) string {
	const most = 240
	if len(s) <= most {
		return strings.ToValidUTF8(s, "")
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.ToValidUTF8(s[:cut], "") + "…"
}

// Cache keeps compiled schemas by content. The zero Cache is not ready: use NewCache.
type Cache struct {
	mu    sync.Mutex // guards order and byKey; no compile runs under it
	order *list.List // *cached, the one used last in front
	byKey map[[sha256.Size]byte]*list.Element
}

type cached struct {
	key    [sha256.Size]byte
	schema *Schema
	err    error
}

// NewCache makes an empty cache of at most limit.SchemasCached schemas.
func NewCache() *Cache {
	return &Cache{order: list.New(), byKey: make(map[[sha256.Size]byte]*list.Element)}
}

// Compile is Compile behind the cache; a refusal is remembered like a schema.
func (c *Cache) Compile(raw []byte) (*Schema, error) {
	if len(raw) > limit.SchemaBytes {
		return Compile(raw) // refused by its size alone; not worth a hash
	}
	key := sha256.Sum256(raw)
	if hit := c.find(key); hit != nil {
		return hit.schema, hit.err
	}
	s, err := Compile(raw)
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, raced := c.byKey[key]; !raced {
		c.byKey[key] = c.order.PushFront(&cached{key, s, err})
	}
	for c.order.Len() > limit.SchemasCached {
		last := c.order.Back()
		delete(c.byKey, c.order.Remove(last).(*cached).key)
	}
	return s, err
}

func (c *Cache) find(key [sha256.Size]byte) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byKey[key]
	if el == nil {
		return nil
	}
	c.order.MoveToFront(el)
	return el.Value.(*cached)
}
