package schema_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/schema"
)

// The attack cases 28 and 31 to 33. Each has a positive control: the same input
// against the bare validator does the harm, so that the defence is what stops it.

// bare validates without any of our guards.
func bare(text string, value any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	s, err := jsonschema.CompileString("t.json", text)
	if err != nil {
		return err
	}
	return s.Validate(value)
}

func TestAttack28NumberBomb(t *testing.T) {
	const text = `{"minimum":0}`
	if err := bare(text, json.Number("1e9999999")); err == nil || !strings.HasPrefix(err.Error(), "panic") {
		t.Fatalf("positive control: the bare validator no longer panics: %v", err)
	}
	s := mustCompile(t, text)
	for _, bomb := range []string{"1e9999999", `{"a":[1e-9999999]}`, strings.Repeat("9", 1<<20-1)} {
		if err := s.Validate([]byte(bomb)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%.20s: %v", bomb, err)
		}
	}
	if err := bare(`{"multipleOf":0}`, json.Number("1")); err == nil {
		t.Error("positive control: the bare validator took a division by zero")
	}
}

func TestAttack31Pattern(t *testing.T) {
	// A large counted repetition is legal RE2 and slow on a long text.
	for name, p := range map[string]string{
		"program": `.{0,1000}x`, "program of alternatives": `(a{0,90}|b{0,90}|c{0,90}){9}`, "length": strings.Repeat("a", limit.SchemaPattern+1),
	} {
		if err := bare(`{"pattern":"`+p+`"}`, "short"); err != nil && strings.Contains(err.Error(), "panic") {
			t.Fatalf("positive control %s: the bare validator refuses it: %v", name, err)
		}
		_, err := schema.Compile([]byte(`{"pattern":"` + p + `"}`))
		if fault.CodeOf(err) != fault.SchemaInvalid {
			t.Errorf("%s: %v", name, err)
		}
		_, err = schema.Compile([]byte(`{"patternProperties":{"` + p + `":true}}`))
		if fault.CodeOf(err) != fault.SchemaInvalid {
			t.Errorf("%s as a name: %v", name, err)
		}
	}
	// One long text: refused before it is matched, and only where the pattern applies.
	s := mustCompile(t, `{"properties":{"id":{"pattern":"^a*$"}}}`)
	text := func(n int) []byte { return []byte(`"` + strings.Repeat("a", n) + `"}`) }
	if err := s.Validate(append([]byte(`{"id":`), text(limit.PatternInput)...)); err != nil {
		t.Errorf("PatternInput at the limit: %v", err)
	}
	if err := s.Validate(append([]byte(`{"id":`), text(limit.PatternInput+1)...)); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("PatternInput over the limit: %v", err)
	}
	if err := s.Validate(append([]byte(`{"body":`), text(limit.PatternInput*4)...)); err != nil {
		t.Errorf("a long text elsewhere: %v", err)
	}
	// Many texts: the budget ends it.
	defer schema.SetBudget(limit.ValidateSteps / 10)()
	s = mustCompile(t, `{"items":{"pattern":"(a?){40}b{0,400}x$"}}`)
	many := `["` + strings.Repeat(strings.Repeat("a", limit.PatternInput)+`","`, 120) + `"]`
	if err := s.Validate([]byte(many)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("many long texts: %v", err)
	}
	// Long names under patternProperties: judged before the validator runs them.
	s = mustCompile(t, `{"patternProperties":{"(a?){40}b{0,400}x$":true}}`)
	if err := s.Validate([]byte(`{"` + strings.Repeat("a", 900_000) + `":1}`)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("a long name: %v", err)
	}
}

// doubling is a schema of n levels, each of which applies the next one twice.
func doubling(keyword string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"$ref":"#/$defs/d0","$defs":{"d%d":{"type":"object"}`, n)
	for i := range n {
		fmt.Fprintf(&b, `,"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i+1, i+1)
	}
	return b.String() + "}}"
}

// counter counts the visits of the bare validator and stops it, since nothing else can.
type counter struct{ visits, most int }

var errStop = errors.New("stopped")

func (c *counter) Compile(jsonschema.CompilerContext, map[string]any) (jsonschema.ExtSchema, error) {
	return c, nil
}

func (c *counter) Validate(jsonschema.ValidationContext, any) error {
	if c.visits++; c.visits > c.most {
		panic(errStop)
	}
	return nil
}

// visits is what the bare validator would do, up to a bound.
func visits(t *testing.T, text string, value any, most int) (count int) {
	t.Helper()
	n := &counter{most: most}
	c := jsonschema.NewCompiler()
	c.RegisterExtension("count", nil, n)
	if err := c.AddResource("t.json", strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("t.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r := recover(); r != nil && r != errStop { //nolint:errorlint // a panic value
			panic(r)
		}
		count = n.visits
	}()
	_ = s.Validate(value)
	return
}

func TestAttack32ComplexityBomb(t *testing.T) {
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		bomb := doubling(keyword, 14)
		if len(bomb) > 1500 {
			t.Fatalf("the bomb has %d bytes", len(bomb))
		}
		if n := visits(t, bomb, map[string]any{}, 1<<13); n < 1<<13 {
			t.Fatalf("positive control %s: the bare validator made only %d visits", keyword, n)
		}
		_, err := schema.Compile([]byte(bomb))
		if fault.CodeOf(err) != fault.SchemaInvalid || !strings.Contains(fault.Sentence(err), "too complex") {
			t.Errorf("%s: %v", keyword, err)
		}
		mustCompile(t, doubling(keyword, 8))
	}
	// A recursive schema unfolds once per level of the value: small for the estimate, endless in a deep value.
	tree := `{"anyOf":[{"properties":{"a":{"$ref":"#"}},"required":["z"]},{"properties":{"a":{"$ref":"#"}},"required":["z"]}]}`
	var deep any = map[string]any{}
	text := "{}"
	for range 40 {
		deep = map[string]any{"a": deep}
		text = `{"a":` + text + `}`
	}
	if n := visits(t, tree, deep, 10_000); n <= 10_000 {
		t.Fatalf("positive control: the bare validator ends after %d visits", n)
	}
	defer schema.SetBudget(limit.ValidateSteps / 10)()
	if err := mustCompile(t, tree).Validate([]byte(text)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("recursion: %v", err)
	}
	// A wide value times a costly schema.
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `,"%04d"`, i)
	}
	enum := `{"items":{"enum":[` + b.String()[1:] + `]}}`
	if err := mustCompile(t, enum).Validate([]byte("[" + strings.Repeat(`"x",`, 10_000) + `"x"]`)); fault.CodeOf(err) != fault.Limit {
		t.Errorf("wide enum: %v", err)
	}
	// Items made to collide in the validator's own hash do not matter to ours.
	b.Reset()
	for i := range 4096 {
		item := `["x`
		for bit := range 12 {
			item += map[bool]string{true: `","x`, false: `\u0003x`}[i>>bit&1 == 1]
		}
		b.WriteString("," + item + `"]`)
	}
	if err := mustCompile(t, `{"uniqueItems":true}`).Validate([]byte("[" + b.String()[1:] + "]")); err != nil {
		t.Errorf("distinct items: %v", err)
	}
}

func TestAttack33References(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.json")
	if err := os.WriteFile(secret, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file := `{"$ref":"file://` + secret + `"}`
	if err := bare(file, "x"); err != nil {
		t.Fatalf("positive control: the bare validator no longer reads files: %v", err)
	}
	loaded := false
	web := jsonschema.NewCompiler()
	web.LoadURL = func(string) (io.ReadCloser, error) { loaded = true; return nil, errStop }
	_ = web.AddResource("t.json", strings.NewReader(`{"$ref":"http://example.com/x.json"}`))
	if _, _ = web.Compile("t.json"); !loaded {
		t.Fatal("positive control: the bare validator asks no loader for a remote reference")
	}
	for name, text := range map[string]string{
		"file": file, "http": `{"$ref":"http://example.com/x.json"}`, "relative": `{"$ref":"other.json"}`, "protocol relative": `{"$ref":"//example.com/x"}`,
		"dialect": `{"$ref":"http://json-schema.org/draft-07/schema#"}`, "anchor": `{"$ref":"#name"}`, "base changed": `{"$id":"file:///etc/","items":{"$ref":"passwd"}}`,
		"nowhere": `{"$ref":"#/$defs/none","$defs":{}}`, "not a schema": `{"$ref":"#/enum/0","enum":[{"type":"string"}]}`, "into a note": `{"$ref":"#/default","default":{}}`,
		"self": `{"$ref":"#"}`, "self over allOf": `{"allOf":[{"$ref":"#"}]}`, "ring": `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}}}`,
		"ring nobody uses": `{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, "escaped": `{"$ref":"%66ile:///etc/passwd"}`, "no text": `{"$ref":1}`, "bad escape": `{"$ref":"#/%zz"}`,
	} {
		if _, err := schema.Compile([]byte(text)); fault.CodeOf(err) != fault.SchemaInvalid {
			t.Errorf("%s: got %v, want SCHEMA_INVALID", name, err)
		}
	}
}
