package schema_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The schema and the value of a realistic tool: records with ids, texts and tags.
const recordSchema = `{"type":"object","required":["op","items"],"additionalProperties":false,"properties":{
"op":{"enum":["create","update","delete"]},"key":{"type":"string","pattern":"^[A-Za-z0-9_-]{8,64}$"},
"items":{"type":"array","maxItems":2000,"items":{"$ref":"#/$defs/item"}}},
"$defs":{"item":{"type":"object","required":["id","title"],"additionalProperties":false,"properties":{
"id":{"type":"string","pattern":"^[a-z]{2}-[0-9]{1,8}$"},"title":{"type":"string","minLength":1,"maxLength":200},"done":{"type":"boolean"},
"priority":{"type":"integer","minimum":0,"maximum":9},"tags":{"type":"array","maxItems":16,"uniqueItems":true,"items":{"type":"string","maxLength":32}}}}}}`

func record(bytes int) []byte {
	const item = `{"id":"nt-12","title":"Roadmap item with some words","done":true,"priority":3,"tags":["a","work","later"]}`
	n := max(1, bytes/len(item))
	return []byte(`{"op":"update","key":"abcDEF_123-456","items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`)
}

// BenchmarkValidate is ours; BenchmarkBare is the validator and a decoder alone.
func BenchmarkValidate(b *testing.B) {
	for name, size := range map[string]int{"1KiB": 1 << 10, "64KiB": 64 << 10} {
		b.Run(name, func(b *testing.B) {
			s, raw := mustCompile(b, recordSchema), record(size)
			for b.Loop() {
				if err := s.Validate(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBare(b *testing.B) {
	for name, size := range map[string]int{"1KiB": 1 << 10, "64KiB": 64 << 10} {
		b.Run(name, func(b *testing.B) {
			s, raw := jsonschema.MustCompileString("t.json", recordSchema), record(size)
			for b.Loop() {
				if !jsontext.Value(raw).IsValid() {
					b.Fatal("not JSON")
				}
				d := json.NewDecoder(bytes.NewReader(raw))
				d.UseNumber()
				var v any
				if err := d.Decode(&v); err != nil {
					b.Fatal(err)
				}
				if err := s.Validate(v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
