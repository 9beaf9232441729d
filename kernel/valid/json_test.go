package valid_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

func TestJSONTakesWhatIsJSON(t *testing.T) {
	for _, in := range []string{
		`null`, `true`, ` {"a":[1,-2.5e3,"x",{}],"b":null} `, `"\ud83d\ude00"`, `[]`, `{}`, `0`, `1e308`, `1E-308`,
		`{"__proto__":1,"constructor":{"prototype":2}}`, // plain names in Go; the shell reads them with its own guard
		`{"A":1,"a":2}`, `"\u0000"`,
	} {
		if err := valid.JSON([]byte(in), 1<<10); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Attack cases 27 (duplicate names), 28 (numbers) and 30 (Unicode), beside plain syntax.
func TestJSONRefusals(t *testing.T) {
	for name, in := range map[string]string{
		"empty": "", "space only": "  ", "two values": "1 2", "trailing": "{} x", "trailing comma": "[1,]",
		"comment": "{/**/}", "single quotes": "{'a':1}", "NaN": "NaN", "half literal": "tru", "leading zero": "01",
		"unclosed": `{"a":[1,2`, "wrong close": `[1}`,
		"27 duplicate name": `{"a":1,"a":2}`, "27 duplicate by escape": `{"a":1,"\u0061":2}`, "27 duplicate deep": `[{"x":{"b":1,"b":1}}]`,
		"28 long literal": strings.Repeat("9", limit.NumberLiteral+1), "28 exponent": "1e9999999", "28 negative exponent": "1e-309",
		"28 inside": `{"a":[1e400]}`, "28 exponent that overflows": "1e99999999999999999999",
		"30 lone surrogate": `"\ud800"`, "30 lone low": `"\udc00x"`, "30 swapped": `"\udc00\ud800"`,
		"30 bad utf8": "\"\xff\"", "30 bad utf8 name": "{\"\xc0\x80\":1}", "30 raw control": "\"\n\"", "30 utf8 surrogate": "\"\xed\xa0\x80\"",
		"byte order mark": "\ufeff{}",
	} {
		err := valid.JSON([]byte(in), 1<<10)
		if fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: got %v, want INVALID_REQUEST", name, err)
		}
		if _, err := valid.Decode([]byte(in), 1<<10); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: Decode: got %v, want INVALID_REQUEST", name, err)
		}
	}
}

// Every budget at its edge: n accepted, n+1 refused.
func TestJSONBudgets(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	nestObject := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	members := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	values := func(n int) string { return "[" + strings.Repeat("0,", n-2) + "0]" }
	for _, c := range []struct {
		name     string
		at, over string
	}{
		{"JSONDepth", nest(limit.JSONDepth), nest(limit.JSONDepth + 1)},
		{"JSONDepth of objects", nestObject(limit.JSONDepth), nestObject(limit.JSONDepth + 1)},
		{"JSONMembers", members(limit.JSONMembers), members(limit.JSONMembers + 1)},
		{"JSONNodes", values(limit.JSONNodes), values(limit.JSONNodes + 1)},
		{"NumberLiteral", strings.Repeat("1", limit.NumberLiteral), strings.Repeat("1", limit.NumberLiteral+1)},
		{"NumberExponent", fmt.Sprintf("1e%d", limit.NumberExponent), fmt.Sprintf("1e%d", limit.NumberExponent+1)},
	} {
		if err := valid.JSON([]byte(c.at), limit.PayloadBytes); err != nil {
			t.Errorf("%s: at the limit: %v", c.name, err)
		}
		if err := valid.JSON([]byte(c.over), limit.PayloadBytes); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: over the limit: %v", c.name, err)
		}
	}
	text := []byte(`"` + strings.Repeat("x", 98) + `"`)
	if err := valid.JSON(text, 100); err != nil {
		t.Errorf("bytes at the limit: %v", err)
	}
	if err := valid.JSON(text, 99); fault.CodeOf(err) != fault.Limit {
		t.Errorf("bytes over the limit: %v", err)
	}
}

func TestDecodeBuildsTheSameValue(t *testing.T) {
	in := `{"a":[1,2.50,"x\u00e9",true,null,{"b":{}}],"":[],"n":-0}`
	got, err := valid.Decode([]byte(in), 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(strings.NewReader(in))
	dec.UseNumber()
	var want any
	if err := dec.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %#v\nwant %#v", got, want)
	}
}

func TestCanonical(t *testing.T) {
	for in, want := range map[string]string{
		`{ "b" : 1.0, "a" : [ 1e2, "\u00e9\/" ] }`: `{"a":[100,"é/"],"b":1}`,
		`"\ud83d\ude00"`: `"😀"`,
	} {
		got, err := valid.Canonical([]byte(in))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`{"a":1,"a":1}`, `"\ud800"`, `{`, ``, `1 2`} {
		if _, err := valid.Canonical([]byte(in)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: got %v", in, err)
		}
	}
	in := []byte(`{"b":1,"a":2}`)
	if _, err := valid.Canonical(in); err != nil || string(in) != `{"b":1,"a":2}` {
		t.Errorf("the argument was changed: %s, %v", in, err)
	}
}

// FuzzJSON holds JSON against the standard decoder: nothing passes that it
// refuses, what passes has one canonical form, and Decode agrees.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,2,{"b":null}]}`, `{"a":1,"a":2}`, `"\ud800"`, `1e309`, "[[[[", "\"\xff\"", `{"\u0061":1,"a":2}`, `-0`, ` 1 `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		err := valid.JSON(raw, 1<<16)
		v, decErr := valid.Decode(raw, 1<<16)
		if (err == nil) != (decErr == nil) {
			t.Fatalf("JSON says %v, Decode says %v", err, decErr)
		}
		if err != nil {
			if c := fault.CodeOf(err); c != fault.InvalidRequest && c != fault.Limit {
				t.Fatalf("code %s", c)
			}
			return
		}
		if !json.Valid(raw) {
			t.Fatal("passed, but is not JSON")
		}
		canon, err := valid.Canonical(raw)
		if err != nil {
			t.Fatalf("passed, but has no canonical form: %v", err)
		}
		again, err := valid.Canonical(canon)
		if err != nil || !bytes.Equal(canon, again) {
			t.Fatalf("not a fixed point: %s / %s", canon, again)
		}
		if out, err := json.Marshal(v); err != nil {
			t.Fatal(err)
		} else if c, err := valid.Canonical(out); err != nil || !bytes.Equal(c, canon) {
			t.Fatalf("decoded value differs: %s / %s (%v)", c, canon, err)
		}
	})
}
