package schema_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/schema"
)

// mustCompile compiles a schema that has to pass.
func mustCompile(t testing.TB, raw string) *schema.Schema {
	t.Helper()
	s, err := schema.Compile([]byte(raw))
	if err != nil {
		t.Fatalf("%.200s: %v", raw, err)
	}
	return s
}

func TestValidate(t *testing.T) {
	for _, c := range []struct{ schema, good, bad string }{
		{`true`, `{"a":1}`, ``},
		{`false`, ``, `1`},
		{`{}`, `[1,null]`, ``},
		{`{"type":"integer","minimum":0,"maximum":9}`, `9`, `10`},
		{`{"type":["string","null"]}`, `null`, `1`},
		{`{"type":"integer"}`, `1.0`, `1.5`},
		{`{"type":"object","required":["q"],"properties":{"q":{"type":"string","minLength":1}},"additionalProperties":false}`, `{"q":"x"}`, `{"q":"x","z":1}`},
		{`{"pattern":"^[a-z]{2}-[0-9]+$"}`, `"nt-12"`, `"nt-"`},
		{`{"pattern":"^x"}`, `12`, `"y"`},
		{`{"enum":[1,"a",{"b":[2]}]}`, `{"b":[2.0]}`, `{"b":[3]}`},
		{`{"const":null}`, `null`, `0`},
		{`{"uniqueItems":true}`, `[1,"1",[1],{"a":1}]`, `[{"a":1,"b":2},{"b":2.0,"a":1e0}]`},
		{`{"uniqueItems":false}`, `[1,1]`, ``},
		{`{"uniqueItems":true}`, `[["a","b"],["a\u0003b"],["ab"]]`, `[0,-0.0]`},
		{`{"oneOf":[{"type":"string"},{"type":"number","minimum":5}]}`, `"x"`, `1`},
		{`{"not":{"type":"string"}}`, `1`, `"x"`},
		{`{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":1,"b":1}`, `{"a":1}`},
		{`{"$defs":{"n":{"type":"number"}},"items":{"$ref":"#/$defs/n"}}`, `[1]`, `["x"]`},
		{`{"definitions":{"a/b~c%d é":{"type":"number"}},"$ref":"#/definitions/a~1b~0c%25d%20%C3%A9"}`, `1`, `"x"`},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["x"]`, `["x",1]`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}`, `["x"]`, `["x",1]`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","dependentRequired":{"a":["b"]}}`, `{"a":1,"b":2}`, `{"a":1}`},
		{`{"patternProperties":{"^x-":{"type":"number"}},"additionalProperties":false}`, `{"x-a":1}`, `{"x-a":"1"}`},
		{`{"propertyNames":{"pattern":"^[a-z]+$"}}`, `{"a":1}`, `{"A":1}`},
		{`{"contains":{"const":1},"maxContains":1}`, `[1,2]`, `[1,1]`},
		{`{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}`, `{"child":{"child":{}}}`, `{"child":{"x":1}}`},
		{`{"x-note":{"any":"thing"},"title":"t","description":"d","default":1,"examples":[1],"$comment":"c"}`, `1`, ``},
		{`{"format":"email"}`, `"not an address"`, ``}, // format never asserts, in any dialect
		{`{"$schema":"http://json-schema.org/draft-07/schema#","format":"ipv4","contentEncoding":"base64","contentMediaType":"application/json"}`, `"..."`, ``},
		{`{"$id":"https://example.com/s","type":"string"}`, `"x"`, `1`},
		{`{"multipleOf":0.01}`, `0.07`, `0.075`},
		{`{"minimum":-1e308}`, `1e308`, `-1.1e308`},
	} {
		s := mustCompile(t, c.schema)
		if c.good != "" {
			if err := s.Validate([]byte(c.good)); err != nil {
				t.Errorf("%s takes %s: %v", c.schema, c.good, err)
			}
		}
		if c.bad != "" {
			if err := s.Validate([]byte(c.bad)); fault.CodeOf(err) != fault.InvalidRequest {
				t.Errorf("%s refuses %s: %v", c.schema, c.bad, err)
			}
		}
	}
}

func TestValidateNamesThePlaceAndNotTheValue(t *testing.T) {
	s := mustCompile(t, `{"properties":{"user":{"items":{"properties":{"pin":{"maximum":5,"pattern":"^z","not":{"const":"q"}}}}}}}`)
	for _, secret := range []string{`8675309`, `"hunter2-hunter2"`} {
		err := s.Validate([]byte(`{"user":[{},{"pin":` + secret + `}]}`))
		msg := fault.Sentence(err)
		if err == nil || !strings.Contains(msg, "/user/1/pin") {
			t.Errorf("no place: %v", err)
		}
		if strings.Contains(msg, strings.Trim(secret, `"`)) {
			t.Errorf("the sentence quotes the value: %s", msg)
		}
	}
}

func TestCompileRefusals(t *testing.T) {
	long := strings.Repeat("x", limit.SchemaString+1)
	deep := func(n int) string { return strings.Repeat(`{"items":`, n-1) + `{}` + strings.Repeat(`}`, n-1) }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"p%d":true`, i)
		}
		return `{"properties":{` + b.String()[1:] + `}}`
	}
	for name, in := range map[string]string{
		"no JSON": `{`, "number": `1`, "list": `[]`, "null": `null`, "duplicate": `{"type":"string","type":"number"}`,
		"unknown keyword": `{"typ":"string"}`, "unknown deep": `{"items":{"properties":{"a":{"oops":1}}}}`,
		"prototype as keyword": `{"__proto__":{}}`, "anchor": `{"$anchor":"a"}`, "dynamic": `{"$dynamicRef":"#a"}`, "recursive": `{"$recursiveRef":"#"}`,
		"vocabulary": `{"$vocabulary":{}}`, "nested id": `{"items":{"$id":"https://example.com/"}}`, "dialect": `{"$schema":"http://json-schema.org/draft-04/schema#"}`,
		"own name": `{"neutron:pattern":"x"}`, "type": `{"type":"text"}`, "required": `{"required":"a"}`, "subschema": `{"items":3}`, "negative": `{"minLength":-1}`,
		"list of items": `{"items":[{}]}`, "ignored by draft-07": `{"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{}]}`,
		"pattern": `{"pattern":"("}`, "pattern type": `{"pattern":1}`, "look-ahead": `{"pattern":"(?=x)"}`, "back reference": `{"pattern":"(a)\\1"}`,
		"pattern property": `{"patternProperties":{"[":{}}}`, "division by zero": `{"multipleOf":0.0e5}`, "number bomb": `{"minimum":1e9999999}`,
		"text": `{"description":"` + long + `"}`, "name": `{"properties":{"` + long + `":{}}}`, "depth": deep(limit.SchemaDepth + 1), "keys": keys(limit.SchemaKeys + 1),
		"size": `{"$comment":"` + strings.Repeat("x", limit.SchemaBytes) + `"}`, "unique": `{"uniqueItems":"yes"}`,
	} {
		_, err := schema.Compile([]byte(in))
		if fault.CodeOf(err) != fault.SchemaInvalid {
			t.Errorf("%s: got %v, want SCHEMA_INVALID", name, err)
		} else if msg := fault.Sentence(err); msg == "" || len(msg) > 700 {
			t.Errorf("%s: sentence of %d bytes", name, len(msg))
		}
	}
	for name, in := range map[string]string{
		"depth": deep(limit.SchemaDepth), "keys": keys(limit.SchemaKeys), "text": `{"description":"` + long[1:] + `"}`,
	} {
		if _, err := schema.Compile([]byte(in)); err != nil {
			t.Errorf("%s at the limit: %v", name, err)
		}
	}
}

func TestCacheIsBoundedAndRemembers(t *testing.T) {
	c := schema.NewCache()
	numbered := func(i int) []byte { return fmt.Appendf(nil, `{"minimum":%d}`, i) }
	first, err := c.Compile(numbered(0))
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := c.Compile(numbered(0)); again != first {
		t.Error("compiled twice")
	}
	for i := range limit.SchemasCached {
		if _, err := c.Compile(numbered(i + 1)); err != nil {
			t.Fatal(err)
		}
	}
	if again, _ := c.Compile(numbered(0)); again == first {
		t.Error("the schema used longest ago was kept beyond the bound")
	}
	_, err1 := c.Compile([]byte(`{"typ":1}`))
	_, err2 := c.Compile([]byte(`{"typ":1}`))
	if err1 == nil || err1 != err2 {
		t.Error("a refusal was judged twice")
	}
}

func TestConcurrentUse(t *testing.T) {
	c := schema.NewCache()
	const text = `{"type":"array","items":{"pattern":"^a+$"},"uniqueItems":true}`
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 50 {
				s, err := c.Compile([]byte(text))
				if err != nil {
					t.Error(err)
					return
				}
				good := fmt.Appendf(nil, `["%s","a"]`, strings.Repeat("a", i+2))
				if err := s.Validate(good); err != nil {
					t.Error(err)
				}
				if err := s.Validate([]byte(`["a","a"]`)); err == nil {
					t.Error("a duplicate passed")
				}
			}
		})
	}
	wg.Wait()
}

func FuzzSchemaCompile(f *testing.F) {
	for _, s := range []string{
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"enum":[1]}}}`, `{"$ref":"#"}`, `{"pattern":"^(a+)+$"}`,
		`{"patternProperties":{"a{1000}":{}}}`, `{"multipleOf":0}`, `{"allOf":[{"$ref":"#/allOf/0"}]}`, `{"properties":{"%2f/~":{"$ref":"#/properties/%252f~1~0"}}}`,
		`{"items":[{}],"$schema":"http://json-schema.org/draft-07/schema#"}`, `{"dependencies":{"a":["b"],"c":{}}}`, `{"if":true,"then":false}`,
	} {
		f.Add([]byte(s), []byte(`{"a":[1,"x",null],"c":1e3}`))
	}
	f.Fuzz(func(t *testing.T, raw, value []byte) {
		s, err := schema.Compile(raw)
		if err != nil {
			if c := fault.CodeOf(err); c != fault.SchemaInvalid {
				t.Fatalf("code %s: %v", c, err)
			}
			return
		}
		if s.Cost() < 1 || s.Cost() > limit.SchemaCost {
			t.Fatalf("cost %d", s.Cost())
		}
		if err := s.Validate(value); fault.CodeOf(err) == fault.Internal {
			t.Fatalf("the validator broke: %v", err)
		}
	})
}
