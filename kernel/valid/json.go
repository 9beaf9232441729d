// Package valid holds the pure checks that stand at every boundary: the shape
// and the budgets of JSON, the grammars of ids, and the texts a person reads.
//
// Every function is a function of its arguments alone, returns nil or a fault,
// and never repeats the offending bytes in a message beyond a short quote.
package valid

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const opJSON fault.Op = "valid.json"

// JSON checks that raw is exactly one JSON value under the budgets of kernel/limit:
// UTF-8 without lone surrogates, no member twice, nesting, values, members and
// number literals bounded. maxBytes bounds the text itself (breach: LIMIT);
// every other breach is INVALID_REQUEST.
func JSON(raw []byte, maxBytes int) error {
	_, err := read(raw, maxBytes, false)
	return err
}

// Decode checks like JSON and returns the value: map[string]any, []any, string,
// json.Number, bool or nil.
func Decode(raw []byte, maxBytes int) (any, error) { return read(raw, maxBytes, true) }

// reader walks one JSON text; without keep it builds nothing.
type reader struct {
	dec   *jsontext.Decoder
	keep  bool
	nodes int
}

func read(raw []byte, maxBytes int, keep bool) (any, error) {
	if len(raw) > maxBytes {
		return nil, fault.Newf(opJSON, fault.Limit, "", "The JSON text has %d bytes; %d are allowed.", len(raw), maxBytes)
	}
	r := &reader{dec: jsontext.NewDecoder(bytes.NewReader(raw)), keep: keep}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.ReadToken(); err == nil {
		return nil, invalid("There is more than one JSON value.")
	} else if !errors.Is(err, io.EOF) {
		return nil, syntax(err)
	}
	return v, nil
}

// value reads one value that lies inside depth containers.
func (r *reader) value(depth int) (any, error) {
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, syntax(err)
	}
	r.nodes++
	if r.nodes > limit.JSONNodes {
		return nil, invalidf("JSON has more than %d values.", limit.JSONNodes)
	}
	switch tok.Kind() {
	case '{':
		return r.object(depth + 1)
	case '[':
		return r.array(depth + 1)
	case '0':
		literal := tok.String()
		return json.Number(literal), Number(literal)
	case '"':
		if !r.keep {
			return nil, nil
		}
		return tok.String(), nil
	case 't', 'f':
		return tok.Bool(), nil
	}
	return nil, nil
}

func (r *reader) object(depth int) (any, error) {
	if depth > limit.JSONDepth {
		return nil, tooDeep()
	}
	var m map[string]any
	if r.keep {
		m = make(map[string]any)
	}
	for n := 0; r.dec.PeekKind() != '}'; n++ {
		if n == limit.JSONMembers {
			return nil, invalidf("A JSON object has more than %d members.", limit.JSONMembers)
		}
		tok, err := r.dec.ReadToken()
		if err != nil {
			return nil, syntax(err)
		}
		name := ""
		if r.keep {
			name = tok.String()
		}
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		if r.keep {
			m[name] = v
		}
	}
	return m, r.end()
}

func (r *reader) array(depth int) (any, error) {
	if depth > limit.JSONDepth {
		return nil, tooDeep()
	}
	list := []any{}
	for r.dec.PeekKind() != ']' {
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		if r.keep {
			list = append(list, v)
		}
	}
	return list, r.end()
}

// end reads the token that closes a container; PeekKind has seen that it is one.
func (r *reader) end() error {
	if _, err := r.dec.ReadToken(); err != nil {
		return syntax(err)
	}
	return nil
}

func tooDeep() error { return invalidf("JSON is nested deeper than %d levels.", limit.JSONDepth) }

// Number judges one JSON number literal: at most 32 characters and an exponent
// whose absolute value is at most 308. Beyond that a validator's exact
// arithmetic would need minutes or panic.
func Number(literal string) error {
	if len(literal) > limit.NumberLiteral {
		return invalidf("A number has more than %d characters.", limit.NumberLiteral)
	}
	for i := range len(literal) {
		if literal[i] != 'e' && literal[i] != 'E' {
			continue
		}
		exp, err := strconv.Atoi(literal[i+1:])
		if err != nil || exp > limit.NumberExponent || exp < -limit.NumberExponent {
			return invalidf("A number's exponent is beyond %d.", limit.NumberExponent)
		}
	}
	return nil
}

// Canonical is the RFC 8785 form of raw: sorted members, no spaces, shortest
// numbers. It checks syntax, duplicate members and UTF-8, but no budget.
func Canonical(raw []byte) ([]byte, error) {
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Canonicalize(); err != nil {
		return nil, syntax(err)
	}
	return v, nil
}

func syntax(err error) error {
	msg := "This is not valid JSON."
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		msg = "A JSON object names a member twice."
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		msg = "The JSON text ends too early."
	}
	return &fault.Error{Op: opJSON, Code: fault.InvalidRequest, Message: msg, Err: err}
}

func invalid(msg string) error { return fault.New(opJSON, fault.InvalidRequest, "", msg) }

func invalidf(format string, args ...any) error {
	return fault.Newf(opJSON, fault.InvalidRequest, "", format, args...)
}
