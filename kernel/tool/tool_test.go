package tool_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/schema"
	"neutron/kernel/tool"
	"neutron/kernel/valid"
)

func parse(raw string) (*tool.Descriptor, error) { return tool.Parse([]byte(raw), schema.NewCache()) }

func TestParse(t *testing.T) {
	d, err := parse(`{"outputSchema":{"type":"array"},"title":"Titel","name":"a.b-c_1","description":"What it does.",
		"inputSchema":{"type":"object"},"annotations":{"neutron:visibility":"same_app","neutron:audit":"metadata_only","neutron:control":"cancel","x":{"y":[1]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "a.b-c_1" || d.Title != "Titel" || d.Description != "What it does." || !d.SameApp || !d.MetadataOnly || d.Output == nil {
		t.Errorf("got %+v", d)
	}
	if d.Input.Validate([]byte(`[]`)) == nil || d.Output.Validate([]byte(`{}`)) == nil {
		t.Error("a schema does not judge")
	}
}

// The definition hash is that of the meaning: order and space do not change it,
// anything else does.
func TestHash(t *testing.T) {
	base, err := parse(`{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	same, err := parse(`{ "inputSchema": {"properties":{"x":{"type":"string"}}, "type":"object"}, "name":"a" }`)
	if err != nil || same.Hash != base.Hash {
		t.Errorf("order and space change the hash (%v)", err)
	}
	for _, other := range []string{
		`{"name":"b","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`,
		`{"name":"a","title":"A","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}`,
		`{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"number"}}}}`,
		`{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}},"outputSchema":{}}`,
		`{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}},"annotations":{"neutron:effects":["write"]}}`,
	} {
		d, err := parse(other)
		if err != nil {
			t.Fatal(err)
		}
		if d.Hash == base.Hash {
			t.Errorf("%s has the hash of the base", other)
		}
	}
}

func TestParseRefusals(t *testing.T) {
	of := func(members string) string { return `{"name":"a","inputSchema":{"type":"object"},` + members + `}` }
	letters := func(n int) string { return strings.Repeat("x", n) }
	cases := []struct {
		name, raw string
		code      fault.Code
	}{
		{"no JSON", `{"name":`, fault.InvalidRequest},
		{"no object", `["a"]`, fault.InvalidRequest},
		{"an unknown member", of(`"trusted":true`), fault.InvalidRequest},
		{"a member twice", `{"name":"a","name":"a","inputSchema":{}}`, fault.InvalidRequest},
		{"no name", `{"inputSchema":{}}`, fault.InvalidRequest},
		{"a name with a space", `{"name":"a b","inputSchema":{}}`, fault.InvalidRequest},
		{"a long name", `{"name":"` + letters(limit.ToolName+1) + `","inputSchema":{}}`, fault.InvalidRequest},
		{"a name in the wrong case", `{"Name":"a","inputSchema":{}}`, fault.InvalidRequest},
		{"no schema", `{"name":"a"}`, fault.SchemaInvalid},
		{"a boolean schema", `{"name":"a","inputSchema":true}`, fault.SchemaInvalid},
		{"a bad output schema", of(`"outputSchema":{"type":"thing"}`), fault.SchemaInvalid},
		{"a long title", of(`"title":"` + letters(limit.ToolTitle+1) + `"`), fault.InvalidRequest},
		{"a long description", of(`"description":"` + letters(limit.ToolDescription+1) + `"`), fault.InvalidRequest},
		{"bidi in the title", of(`"title":"a\u202eb"`), fault.InvalidRequest},
		{"zero width in a schema's text", `{"name":"a","inputSchema":{"title":"a\u200bb"}}`, fault.InvalidRequest},
		{"zero width in a schema's name", `{"name":"a","inputSchema":{"properties":{"a\u200bb":{}}}}`, fault.InvalidRequest},
		{"annotations that are no object", of(`"annotations":[]`), fault.InvalidRequest},
		{"an unknown visibility", of(`"annotations":{"neutron:visibility":"everybody"}`), fault.InvalidRequest},
		{"an unknown audit", of(`"annotations":{"neutron:audit":false}`), fault.InvalidRequest},
		{"an unknown control", of(`"annotations":{"neutron:control":"stop"}`), fault.InvalidRequest},
		{"a deep annotation", of(`"annotations":{"x":` + strings.Repeat("[", limit.AnnotationDepth+1) + strings.Repeat("]", limit.AnnotationDepth+1) + `}`), fault.Limit},
		{"a long annotation name", of(`"annotations":{"` + letters(limit.AnnotationKey+1) + `":1}`), fault.Limit},
		{"over 64 KiB", of(`"annotations":{"x":[` + strings.Repeat(`"`+letters(200)+`",`, 400) + `1]}`), fault.Limit},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, err := parse(c.raw)
			if err == nil {
				t.Fatalf("taken: %+v", d)
			}
			if code := fault.CodeOf(err); code != c.code {
				t.Errorf("got %s (%v), want %s", code, err, c.code)
			}
			if s := fault.Sentence(err); len(s) > limit.ErrorMessage {
				t.Errorf("the sentence has %d bytes", len(s))
			}
		})
	}
}

// A pattern may hold what a reader never sees as a name.
func TestPatternText(t *testing.T) {
	if _, err := parse(`{"name":"a","inputSchema":{"properties":{"pattern":{"type":"string","pattern":"^[^\u200b]*$"}}}}`); err != nil {
		t.Error(err)
	}
	if _, err := parse(`{"name":"a","inputSchema":{"properties":{"pattern":{"title":"a\u200bb"}}}}`); err == nil {
		t.Error("a text below a property named pattern is not judged")
	}
}

// Rule 30: 64 tools, not 65.
func TestParseList(t *testing.T) {
	list := func(n int) []jsontext.Value {
		var out []jsontext.Value
		for i := range n {
			out = append(out, fmt.Appendf(nil, `{"name":"t%d","inputSchema":{"type":"object"}}`, i))
		}
		return out
	}
	if got, err := tool.ParseList(list(limit.ToolsPerEndpoint), schema.NewCache()); err != nil || len(got) != limit.ToolsPerEndpoint {
		t.Errorf("64 tools: %d, %v", len(got), err)
	}
	if _, err := tool.ParseList(list(limit.ToolsPerEndpoint+1), schema.NewCache()); fault.CodeOf(err) != fault.Limit {
		t.Errorf("65 tools: %v", err)
	}
	if _, err := tool.ParseList(append(list(2), list(1)...), schema.NewCache()); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("one name twice: %v", err)
	}
}

type many int

func (n many) Own(string, uint64) []*linkv1.AuditEntry {
	out := make([]*linkv1.AuditEntry, n)
	for i := range out {
		out[i] = &linkv1.AuditEntry{Seq: uint64(int(n) - i), Arguments: strings.Repeat(`"`, limit.AuditField), Result: strings.Repeat(`\`, limit.AuditField)}
	}
	return out
}

// Two hundred full entries are more than one result; the newest that fit are given.
func TestAuditListFits(t *testing.T) {
	k := tool.AuditList(many(limit.AuditRing))
	out, err := k.Run(context.Background(), tool.Call{Caller: endpoint.Endpoint{}, Arguments: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := valid.JSON(out, limit.PayloadBytes); err != nil {
		t.Error(err)
	}
	if err := k.Output.Validate(out); err != nil {
		t.Error(err)
	}
	if len(out) < limit.PayloadBytes/2 || !strings.Contains(string(out[:40]), `"seq":200`) {
		t.Errorf("%d bytes, beginning %s", len(out), out[:40])
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"name":"a","inputSchema":{"type":"object","pattern":"x"},"annotations":{"neutron:audit":"metadata_only","x":[[["y"]]]}}`))
	f.Add([]byte(`{"name":"a","title":"\u202e","inputSchema":{}}`))
	schemas := schema.NewCache()
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := tool.Parse(raw, schemas)
		if err != nil {
			if c := fault.CodeOf(err); !c.Known() || c == fault.Internal {
				t.Errorf("code %s: %v", c, err)
			}
			return
		}
		again, err := tool.Parse(d.Canonical, schemas)
		if err != nil || again.Hash != d.Hash {
			t.Errorf("the canonical text is another tool: %v", err)
		}
	})
}
