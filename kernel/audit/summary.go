package audit

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/limit"
)

// Withheld stands for a value whose name says that it is a secret.
const Withheld = "[withheld]"

const cut = "…"

// secretNames mark a member as secret when its name, in lower case and without
// separators, contains one of them.
var secretNames = [][]byte{
	[]byte("password"), []byte("passwd"), []byte("passphrase"), []byte("secret"), []byte("token"), []byte("apikey"),
	[]byte("authorization"), []byte("cookie"), []byte("credential"), []byte("capability"), []byte("privatekey"),
}

// secret judges a member's name as it stands, with its quotes.
func secret(quoted []byte) bool {
	var room [64]byte
	name := room[:0]
	if bytes.IndexByte(quoted, '\\') >= 0 {
		quoted, _ = jsontext.AppendUnquote(nil, quoted) // its text was read as a JSON string
	}
	for _, c := range quoted {
		switch {
		case 'A' <= c && c <= 'Z':
			name = append(name, c+'a'-'A')
		case c != '_' && c != '-' && c != '.' && c != ' ':
			name = append(name, c)
		}
	}
	return slices.ContainsFunc(secretNames, func(s []byte) bool { return bytes.Contains(name, s) })
}

// Summary is JSON text as the audit keeps it: at most 2048 characters, the
// values of secret members withheld, white space dropped. Text that was cut
// ends with an ellipsis and is no JSON any more.
func Summary(raw []byte) string {
	w := writer{dec: jsontext.NewDecoder(bytes.NewBuffer(raw)), out: make([]byte, 0, min(len(raw), limit.AuditField))}
	for len(w.out) <= limit.AuditField*utf8.UTFMax && w.next() {
	}
	return clip(string(w.out))
}

// clip cuts text to the field's size in characters.
func clip(s string) string {
	if len(s) <= limit.AuditField || utf8.RuneCountInString(s) <= limit.AuditField {
		return s
	}
	n := 0
	for i := range s {
		if n == limit.AuditField-1 {
			return s[:i] + cut
		}
		n++
	}
	return s
}

// writer copies one JSON text, token by token.
type writer struct {
	dec    *jsontext.Decoder
	out    []byte
	hidden bool // the value of the member just named is secret
}

// next copies one token; false: the end, or no JSON.
func (w *writer) next() bool {
	parent, length := w.dec.StackIndex(w.dec.StackDepth())
	name := parent == '{' && length%2 == 0
	kind := w.dec.PeekKind()
	if w.hidden && kind != 0 {
		w.hidden = false
		w.out = append(w.out, `"`+Withheld+`"`...)
		return w.dec.SkipValue() == nil
	}
	switch kind {
	case 0:
		return false
	case '}', ']':
		w.out = append(w.out, byte(kind))
		_, err := w.dec.ReadToken()
		return err == nil
	}
	if length > 0 && (name || parent == '[') {
		w.out = append(w.out, ',')
	}
	if kind == '{' || kind == '[' {
		w.out = append(w.out, byte(kind))
		_, err := w.dec.ReadToken()
		return err == nil
	}
	v, err := w.dec.ReadValue()
	if err != nil {
		return false
	}
	w.out = append(w.out, v...)
	if name {
		w.out = append(w.out, ':')
		w.hidden = secret(v)
	}
	return true
}
