package valid_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

// The attack cases 26, 27, 29 and 30 at this boundary (28 stands with the schemas,
// where it does its harm). The positive control of each is the decoder that most
// Go programs use: with it in our place the attack gets through.

func refusedJSON(t *testing.T, name string, raw []byte) {
	t.Helper()
	if err := valid.JSON(raw, limit.PayloadBytes); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("%s: got %v, want INVALID_REQUEST", name, err)
	}
}

// TestAttack26PrototypeNames: in Go such a name is data like any other, it changes
// nothing beside itself and comes back as it went in.
func TestAttack26PrototypeNames(t *testing.T) {
	raw := []byte(`{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"toJSON":"x"}`)
	v, err := valid.Decode(raw, 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	m := v.(map[string]any)
	if _, leaked := m["admin"]; leaked || len(m) != 3 {
		t.Errorf("read as %v", m)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	a, errA := valid.Canonical(out)
	b, errB := valid.Canonical(raw)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("%s came back as %s", b, a)
	}
}

func TestAttack27DuplicateNames(t *testing.T) {
	in := []byte(`{"admin":false,"Admin":true,"admin":true}`)
	var v struct{ Admin bool }
	if err := json.Unmarshal(in, &v); err != nil || !v.Admin {
		t.Fatalf("positive control: the ordinary decoder no longer takes the last duplicate (%v, %v)", v, err)
	}
	refusedJSON(t, "twice", in)
	refusedJSON(t, "by escape", []byte(`{"a":1,"\u0061":2}`))
	refusedJSON(t, "deep", []byte(`[{"x":{"b":1,"b":1}}]`))
}

func TestAttack29DeepAndWide(t *testing.T) {
	deep := []byte(strings.Repeat("[", 5000) + strings.Repeat("]", 5000))
	var v any
	if err := json.Unmarshal(deep, &v); err != nil {
		t.Fatalf("positive control: the ordinary decoder no longer takes 5000 levels: %v", err)
	}
	refusedJSON(t, "5000 levels", deep)
	refusedJSON(t, "a million levels", bytes.Repeat([]byte("["), limit.PayloadBytes))
	wide := []byte("[" + strings.Repeat("0,", 500_000) + "0]")
	if err := json.Unmarshal(wide, &v); err != nil || len(v.([]any)) != 500_001 {
		t.Fatalf("positive control: the ordinary decoder no longer takes half a million values: %v", err)
	}
	refusedJSON(t, "half a million values", wide)
}

func TestAttack30Unicode(t *testing.T) {
	for name, raw := range map[string]string{
		"lone surrogate": `"\ud800"`, "lone low": `"\udc00x"`, "swapped": `"\udc00\ud800"`, "bad byte": "\"\xff\"", "overlong": "\"\xc0\x80\"", "surrogate in UTF-8": "\"\xed\xa0\x80\"",
	} {
		var s string
		if err := json.Unmarshal([]byte(raw), &s); err != nil || !strings.Contains(s, "\ufffd") {
			t.Fatalf("positive control %s: the ordinary decoder no longer replaces it silently: %q, %v", name, s, err)
		}
		refusedJSON(t, name, []byte(raw))
		refusedJSON(t, name+" as a name", []byte(`{`+raw+`:1}`))
	}
	for _, id := range []string{"notes\x00", "note\u0073\u0301", "ｎｏｔｅｓ", "n\u200botes", "\xffnotes"} {
		if valid.AppID(id) == nil || valid.ToolName(id) == nil || valid.EndpointID("app:"+id+":background") == nil {
			t.Errorf("an id of other characters than ASCII passes: %q", id)
		}
	}
}
