// Package tool holds what a tool is: the descriptor that an endpoint exposes,
// and the kernel's own tools, one file each with descriptor and handler.
package tool

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/policy"
	"neutron/kernel/schema"
	"neutron/kernel/valid"
)

// Descriptor is one exposed tool, judged and compiled.
type Descriptor struct {
	Name         string
	Title        string // unverified, like the description
	Description  string
	Input        *schema.Schema
	Output       *schema.Schema // nil: any JSON
	InputSchema  []byte
	Canonical    []byte // the whole descriptor: what is listed and hashed
	Hash         string // hex SHA-256 of Canonical: the definition hash
	SameApp      bool   // neutron:visibility = same_app
	MetadataOnly bool   // neutron:audit = metadata_only
}

// Policy is what the policy needs of it.
func (d *Descriptor) Policy() policy.Tool {
	return policy.Tool{Name: d.Name, Definition: d.Hash, SameApp: d.SameApp}
}

type descriptorText struct {
	Name         string                    `json:"name"`
	Title        *string                   `json:"title"`
	Description  *string                   `json:"description"`
	InputSchema  jsontext.Value            `json:"inputSchema"`
	OutputSchema jsontext.Value            `json:"outputSchema"`
	Annotations  map[string]jsontext.Value `json:"annotations"`
}

// Parse judges one descriptor. It is a closed object: an unknown member refuses
// it. Codes: INVALID_REQUEST, LIMIT, SCHEMA_INVALID.
func Parse(raw []byte, schemas *schema.Cache) (*Descriptor, error) {
	const op fault.Op = "tool.parse"
	if err := valid.JSON(raw, limit.DescriptorBytes); err != nil {
		return nil, err
	}
	var t descriptorText
	if err := json.Unmarshal(raw, &t, json.RejectUnknownMembers(true)); err != nil {
		return nil, fault.New(op, fault.InvalidRequest, "", "A tool descriptor has a member of the wrong name or type.")
	}
	if err := valid.ToolName(t.Name); err != nil {
		return nil, err
	}
	if err := safe(t.Name, raw); err != nil {
		return nil, err
	}
	d := &Descriptor{Name: t.Name, InputSchema: t.InputSchema}
	for _, s := range []struct {
		from *string
		to   *string
		max  int
	}{{t.Title, &d.Title, limit.ToolTitle}, {t.Description, &d.Description, limit.ToolDescription}} {
		if s.from == nil {
			continue
		}
		if err := valid.SafeText(*s.from, s.max); err != nil {
			return nil, err
		}
		*s.to = *s.from
	}
	var err error
	if d.Input, err = compile(t.Name, "inputSchema", t.InputSchema, schemas); err != nil {
		return nil, err
	}
	if len(t.OutputSchema) > 0 {
		if d.Output, err = compile(t.Name, "outputSchema", t.OutputSchema, schemas); err != nil {
			return nil, err
		}
	}
	if err := d.annotate(t.Annotations); err != nil {
		return nil, err
	}
	if d.Canonical, err = valid.Canonical(raw); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(d.Canonical)
	d.Hash = hex.EncodeToString(sum[:])
	return d, nil
}

// safe refuses text that a reader could be deceived by, in any name or string
// of the descriptor, its schemas included. Only a pattern may hold anything.
func safe(tool string, raw []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	pattern := false
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return nil // the end: the text was judged before
		}
		if t.Kind() != '"' {
			pattern = false
			continue
		}
		text := t.String()
		kind, length := dec.StackIndex(dec.StackDepth())
		name := kind == '{' && length%2 == 1
		if !pattern {
			if err := valid.SafeText(text, limit.SchemaString); err != nil {
				return fault.Newf("tool.parse", fault.InvalidRequest, tool, "The descriptor of %s has a text with hidden or confusing characters.", tool)
			}
		}
		pattern = name && text == "pattern"
	}
}

func compile(tool, member string, raw []byte, schemas *schema.Cache) (*schema.Schema, error) {
	const op fault.Op = "tool.parse"
	if !bytes.HasPrefix(raw, []byte("{")) {
		return nil, fault.Newf(op, fault.SchemaInvalid, tool, "The %s of %s must be an object.", member, tool)
	}
	s, err := schemas.Compile(raw)
	if err != nil {
		return nil, fault.Newf(op, fault.SchemaInvalid, tool, "The %s of %s cannot be used. %s", member, tool, fault.Sentence(err))
	}
	return s, nil
}

// annotate reads the annotations that change what the kernel does. An unknown
// value of one refuses the descriptor; unknown names pass.
func (d *Descriptor) annotate(notes map[string]jsontext.Value) error {
	const op fault.Op = "tool.annotate"
	known := map[string]struct {
		value string
		set   *bool
	}{
		"neutron:visibility": {"same_app", &d.SameApp},
		"neutron:audit":      {"metadata_only", &d.MetadataOnly},
		"neutron:control":    {"cancel", new(bool)},
	}
	for name, raw := range notes {
		if err := annotationBudget(name, raw); err != nil {
			return err
		}
		k, ok := known[name]
		if !ok {
			continue
		}
		var v string
		if err := json.Unmarshal(raw, &v); err != nil || v != k.value {
			return fault.Newf(op, fault.InvalidRequest, d.Name, "The annotation %s takes only %q.", name, k.value)
		}
		*k.set = true
	}
	return nil
}

func annotationBudget(name string, raw jsontext.Value) error {
	const op fault.Op = "tool.annotate"
	if utf8.RuneCountInString(name) > limit.AnnotationKey {
		return fault.New(op, fault.Limit, "", "The name of an annotation is too long.")
	}
	dec := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		t, err := dec.ReadToken()
		if err != nil {
			return nil // the end: the text was judged before
		}
		if dec.StackDepth() > limit.AnnotationDepth {
			return fault.Newf(op, fault.Limit, name, "The annotation %s is nested too deeply.", name)
		}
		if t.Kind() == '"' {
			if err := valid.SafeText(t.String(), limit.AnnotationString); err != nil {
				return err
			}
		}
	}
}

// ParseList judges what an endpoint pushes: at most 64 descriptors, no name
// twice. One bad descriptor refuses the list.
func ParseList(raw []jsontext.Value, schemas *schema.Cache) (map[string]*Descriptor, error) {
	const op fault.Op = "tool.parseList"
	if len(raw) > limit.ToolsPerEndpoint {
		return nil, fault.Newf(op, fault.Limit, "", "An endpoint exposes at most %d tools.", limit.ToolsPerEndpoint)
	}
	out := make(map[string]*Descriptor, len(raw))
	for _, r := range raw {
		d, err := Parse(r, schemas)
		if err != nil {
			return nil, err
		}
		if out[d.Name] != nil {
			return nil, fault.New(op, fault.InvalidRequest, d.Name, fmt.Sprintf("The tool %s is exposed twice.", d.Name))
		}
		out[d.Name] = d
	}
	return out, nil
}
