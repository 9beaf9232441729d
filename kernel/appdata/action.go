package appdata

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

const opAction fault.Op = "appdata.action"

// Action is one store.* action of a page. The payload is JSON text that nobody has judged.
type Action struct {
	UID     uint64 // of the installation, from the page's connection
	Holder  string // names the connection: what it leaves unfinished ends with it
	Name    string // e.g. store.put
	Payload []byte
	// Told hears each revision that the action made, in the order of the commits
	// of all actions, and before Done does.
	Told func(revision uint64)
	// Done gets JSON text or a fault, once. Codes: INVALID_REQUEST, LIMIT,
	// CONFLICT, BUSY, NOT_SUPPORTED, SUPERSEDED, NO_SHELL and those of the store.
	Done func(ok []byte, err error)
}

// Do takes one action. It judges the payload and, for a read, answers before it
// returns; a change is queued behind those that came before, and answered when it
// is durable. Told and Done must not call back.
func (d *Data) Do(a Action) {
	do, ok := actions[a.Name]
	if !ok {
		a.Done(nil, fault.New(opAction, fault.NotSupported, a.Name, ""))
		return
	}
	if err := valid.JSON(a.Payload, limit.PayloadBytes); err != nil {
		a.Done(nil, err)
		return
	}
	answer, err := do(d, &a)
	if answer != nil || err != nil {
		a.Done(answer, err)
	}
}

// actions answer at once, or give neither answer nor fault: then they have
// queued a change that does.
var actions = map[string]func(*Data, *Action) ([]byte, error){
	"store.put":         (*Data).put,
	"store.get":         (*Data).get,
	"store.delete":      (*Data).remove,
	"store.list":        (*Data).list,
	"store.batch":       (*Data).batch,
	"store.usage":       (*Data).usage,
	"store.blob.begin":  (*Data).blobBegin,
	"store.blob.append": (*Data).blobAppend,
	"store.blob.commit": (*Data).blobCommit,
	"store.blob.abort":  (*Data).blobAbort,
	"store.blob.read":   (*Data).blobRead,
	"store.blob.list":   (*Data).blobList,
	"store.blob.delete": (*Data).blobDelete,
}

func invalid(sentence string) error {
	return fault.New(opAction, fault.InvalidRequest, "", sentence)
}

// read fills a request from a closed object.
func read(a *Action, into any) error {
	if jsontext.Value(a.Payload).Kind() != '{' || json.Unmarshal(a.Payload, into, json.RejectUnknownMembers(true)) != nil {
		return invalid("The payload is not an object of the form that " + a.Name + " takes.")
	}
	return nil
}

// expectation is a member ifRevision: a canonical decimal in a string, and never null.
type expectation struct{ n *uint64 }

// UnmarshalJSON reads the number.
func (e *expectation) UnmarshalJSON(b []byte) error {
	s, ok := strings.CutPrefix(string(b), `"`)
	s, closed := strings.CutSuffix(s, `"`)
	n, err := strconv.ParseUint(s, 10, 64)
	if !ok || !closed || err != nil || strconv.FormatUint(n, 10) != s {
		return invalid("A revision is a whole number in a string.")
	}
	e.n = &n
	return nil
}

// keyed is a request that names one key.
type keyed struct {
	Key        string      `json:"key"`
	IfRevision expectation `json:"ifRevision"`
}

// judgeKey checks a key: 1 to limit.DataKey bytes of UTF-8 without controls.
func judgeKey(key string) error {
	if key == "" || len(key) > limit.DataKey || !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl) {
		return fault.Newf(opAction, fault.InvalidRequest, "", "A key has 1 to %d bytes and no control characters.", limit.DataKey)
	}
	return nil
}

// judgeValue checks that a value stays readable: an answer wraps it in a few
// levels and values more, and its budget is that of any payload.
func judgeValue(value jsontext.Value) error {
	if value == nil {
		return invalid("A value is missing.")
	}
	if len(value) > limit.DataValue {
		return fault.Newf(opAction, fault.Limit, "", "The value has %d bytes; %d are allowed. Larger things are blobs.", len(value), limit.DataValue)
	}
	if nodes, depth := shape(value); nodes > limit.DataNodes || depth > limit.DataDepth {
		return fault.Newf(opAction, fault.InvalidRequest, "", "A value holds at most %d values in %d levels.", limit.DataNodes, limit.DataDepth)
	}
	return nil
}

// shape counts the values and the levels of JSON text that is known to be whole.
func shape(value []byte) (nodes, depth int) {
	level, text := 0, false
	nodes = 1
	for n := 0; n < len(value); n++ {
		switch c := value[n]; {
		case text && c == '\\':
			n++
		case c == '"':
			text = !text
		case text:
		case c == '[' || c == '{':
			level++
			depth = max(depth, level)
			nodes++ // of an empty one too: it is no more than a bound
		case c == ']' || c == '}':
			level--
		case c == ',':
			nodes++
		}
	}
	return nodes, depth
}

func (d *Data) put(a *Action) ([]byte, error) {
	var r struct {
		keyed
		Value jsontext.Value `json:"value"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	if err := judgeKey(r.Key); err != nil {
		return nil, err
	}
	if err := judgeValue(r.Value); err != nil {
		return nil, err
	}
	d.change(a, plain, edit{kind: valueKind, key: r.Key, body: r.Value, expect: r.IfRevision.n})
	return nil, nil
}

func (d *Data) remove(a *Action) ([]byte, error) { return d.removeOf(a, valueKind) }

func (d *Data) removeOf(a *Action, kind byte) ([]byte, error) {
	var r keyed
	if err := read(a, &r); err != nil {
		return nil, err
	}
	if err := judgeKey(r.Key); err != nil {
		return nil, err
	}
	d.change(a, func(c *change) []byte {
		out := append(appendRevision([]byte("{"), c.at), `,"deleted":`...)
		return append(strconv.AppendBool(out, c.changed), '}')
	}, edit{kind: kind, key: r.Key, remove: true, expect: r.IfRevision.n})
	return nil, nil
}

func (d *Data) batch(a *Action) ([]byte, error) {
	var r struct {
		Changes []struct {
			keyed
			Value  jsontext.Value `json:"value"`
			Delete bool           `json:"delete"`
		} `json:"changes"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	switch n := len(r.Changes); {
	case n == 0:
		return nil, invalid("A batch has its list of changes.")
	case n > limit.DataBatch:
		return nil, fault.Newf(opAction, fault.Limit, "", "A batch has at most %d changes.", limit.DataBatch)
	}
	edits, seen := make([]edit, len(r.Changes)), make(map[string]bool, len(r.Changes))
	for n, c := range r.Changes {
		if err := judgeKey(c.Key); err != nil {
			return nil, err
		}
		if seen[c.Key] {
			return nil, invalid("A batch changes a key once.")
		}
		seen[c.Key] = true
		if c.Delete == (c.Value != nil) {
			return nil, invalid("A change of a batch has either a value or delete: true.")
		}
		if !c.Delete {
			if err := judgeValue(c.Value); err != nil {
				return nil, err
			}
		}
		edits[n] = edit{kind: valueKind, key: c.Key, remove: c.Delete, body: c.Value, expect: c.IfRevision.n}
	}
	d.change(a, plain, edits...)
	return nil, nil
}

// change queues edits and answers the action when they are durable.
func (d *Data) change(a *Action, answer func(*change) []byte, edits ...edit) {
	c := &change{uid: a.UID, edits: edits, told: a.Told}
	for _, e := range edits {
		c.bytes += len(e.key) + len(e.body)
	}
	c.done = func(_ uint64, err error) {
		if err != nil {
			a.Done(nil, err)
			return
		}
		a.Done(answer(c), nil)
	}
	d.submit(c)
}

// plain is the answer that tells the revision of a change and no more.
func plain(c *change) []byte {
	return append(appendRevision([]byte("{"), c.at), '}')
}

// appendRevision appends the member revision. It is a string: a page's numbers
// end at 2^53, and those that apps publish have up to 128 digits.
func appendRevision(out []byte, n uint64) []byte {
	return append(strconv.AppendUint(append(out, `"revision":"`...), n, 10), '"')
}
