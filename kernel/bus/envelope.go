package bus

import (
	"bytes"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

const opEnvelope fault.Op = "bus.envelope"

func malformed(sentence string) error {
	return fault.New(opEnvelope, fault.InvalidRequest, "", sentence)
}

// members walks one closed JSON object without building it: read gets each
// name once, with a slice of raw. The values are syntactically whole, free of doubled names and
// valid UTF-8; the budgets of kernel/valid are up to whoever reads them.
func members(raw []byte, max int, read func(name string, value jsontext.Value) bool) error {
	if len(raw) > max {
		return fault.Newf(opEnvelope, fault.Limit, "", "The payload is over %d bytes.", max)
	}
	bad := malformed("The payload is not a JSON object of the form this action takes.")
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw))
	if t, err := dec.ReadToken(); err != nil || t.Kind() != '{' {
		return bad
	}
	for dec.PeekKind() != '}' {
		t, err := dec.ReadToken()
		if err != nil {
			return bad
		}
		name := t.String()
		value, err := dec.ReadValue()
		if err != nil {
			return bad
		}
		end := dec.InputOffset()
		if !read(name, raw[end-int64(len(value)):end]) { // a slice of raw, not of the decoder's buffer
			return bad
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return bad
	}
	if dec.PeekKind() != 0 || len(bytes.TrimSpace(raw[dec.InputOffset():])) > 0 {
		return bad
	}
	return nil
}

// callText is the payload of tools.call and, without name and arguments, of
// tools.list.
type callText struct {
	target    endpoint.ID
	name      string
	arguments jsontext.Value
	timeout   time.Duration
}

func readCall(raw []byte) (callText, error) {
	t := callText{arguments: jsontext.Value("{}"), timeout: limit.CallTimeout}
	var target, name string
	err := members(raw, limit.PayloadBytes, func(member string, v jsontext.Value) bool {
		switch member {
		case "target":
			return text(v, &target)
		case "name":
			return text(v, &name)
		case "arguments":
			t.arguments = v
			return v.Kind() == '{'
		case "timeoutMs":
			var ms int64
			ok := json.Unmarshal(v, &ms) == nil && ms >= 1 && ms <= limit.CallTimeoutMax.Milliseconds()
			t.timeout = time.Duration(ms) * time.Millisecond
			return ok
		}
		return false
	})
	if err != nil {
		return callText{}, err
	}
	if t.target, err = targetOf(target); err != nil {
		return callText{}, err
	}
	if err := valid.ToolName(name); err != nil {
		return callText{}, err
	}
	t.name = name
	return t, nil
}

func readList(raw []byte) (endpoint.ID, error) {
	var target string
	err := members(raw, limit.PayloadBytes, func(member string, v jsontext.Value) bool {
		return member == "target" && text(v, &target)
	})
	if err != nil {
		return "", err
	}
	return targetOf(target)
}

func readPush(raw []byte) ([]jsontext.Value, error) {
	var list []jsontext.Value
	found := false
	err := members(raw, limit.PayloadBytes, func(member string, v jsontext.Value) bool {
		found = true
		return member == "tools" && v.Kind() == '[' && json.Unmarshal(v, &list) == nil
	})
	if err == nil && !found {
		err = malformed("A push has its list of tools.")
	}
	return list, err
}

func emptyPayload(raw []byte) error {
	return members(raw, limit.PayloadBytes, func(string, jsontext.Value) bool { return false })
}

func targetOf(s string) (endpoint.ID, error) {
	if s == string(endpoint.Kernel) {
		return endpoint.Kernel, nil
	}
	if err := valid.EndpointID(s); err != nil {
		return "", err
	}
	return endpoint.ID(s), nil
}

func text(v jsontext.Value, into *string) bool {
	if v.Kind() != '"' || len(v) > 1_024 {
		return false
	}
	// Nearly every id and name has no escape; the rest take the slow way.
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		*into = string(inner)
		return true
	}
	return json.Unmarshal(v, into) == nil
}

// contextOf judges an exec's context. It may hold only an invocation, whole and
// of the right form; no invocation is live here, so any is refused.
func contextOf(raw []byte) error {
	if len(raw) == 0 {
		return nil
	}
	var id, root, capability string
	invoked := false
	err := members(raw, limit.ContextBytes, func(member string, v jsontext.Value) bool {
		invoked = true
		return member == "invocation" && members(v, limit.ContextBytes, func(member string, v jsontext.Value) bool {
			switch member {
			case "id":
				return text(v, &id)
			case "rootId":
				return text(v, &root)
			case "capability":
				return text(v, &capability)
			}
			return false
		}) == nil
	})
	switch {
	case err != nil:
		return err
	case !invoked:
		return nil
	case len(id) < 16 || len(root) < 16 || len(capability) < 32:
		return malformed("The context's invocation is not whole.")
	}
	return fault.New(opEnvelope, fault.InvocationInvalid, "", "")
}

// delivery is the payload of tool.run. The caller is the kernel's own word.
func delivery(name string, arguments []byte, caller endpoint.Endpoint) ([]byte, error) {
	out := make([]byte, 0, len(arguments)+len(name)+len(caller.ID)+96)
	out = append(out, `{"name":`...)
	out, err := jsontext.AppendQuote(out, name)
	if err != nil {
		return nil, err
	}
	out = append(append(out, `,"arguments":`...), arguments...)
	out = append(out, `,"caller":{"endpoint":`...)
	if out, err = jsontext.AppendQuote(out, string(caller.ID)); err != nil {
		return nil, err
	}
	out = append(out, `,"appId":`...)
	if out, err = jsontext.AppendQuote(out, caller.Identity.App); err != nil {
		return nil, err
	}
	out = append(append(append(out, `,"role":"`...), caller.Identity.Role.String()...), `"}}`...)
	return out, nil
}

// apart are the codes that a tool may answer with. Any other would let an app
// speak for the kernel or the owner.
var apart = map[fault.Code]bool{
	fault.HandlerFailed: true, fault.InputInvalid: true, fault.OutputInvalid: true, fault.ToolUnknown: true,
	fault.InvalidRequest: true, fault.NotSupported: true, fault.Conflict: true, fault.Busy: true,
	fault.Limit: true, fault.Timeout: true, fault.Cancelled: true,
}

// toolFault is what a caller learns of a tool's failure: a code that a tool may
// use, and a bounded sentence without controls.
func toolFault(tool string, err error) *fault.Error {
	f := fault.New("bus.response", fault.CodeOf(err), tool, plain(fault.Sentence(err)))
	if !apart[f.Code] {
		f.Code = fault.HandlerFailed
	}
	if e, ok := err.(*fault.Error); ok {
		f.RetryAfter = min(e.RetryAfter, limit.PauseMax)
	}
	return f
}

func plain(s string) string {
	out := make([]rune, 0, min(len(s), limit.ErrorMessage))
	for _, r := range s {
		if len(out) == limit.ErrorMessage {
			break
		}
		if r == utf8.RuneError || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) {
			r = ' '
		}
		out = append(out, r)
	}
	return string(out)
}
