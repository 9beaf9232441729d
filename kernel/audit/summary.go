package audit

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/limit"
)

// Withheld stands for a value whose name says that it is a secret.
const Withheld = "[withheld]"

const cut = "…"

// secretNames mark a member as secret when its name, in lower case and without
// separators, contains one of them.
var secretNames = []string{"password", "passwd", "passphrase", "secret", "token", "apikey", "authorization", "cookie", "credential", "capability", "privatekey"}

var separators = strings.NewReplacer("_", "", "-", "", ".", "", " ", "")

func secret(name string) bool {
	name = separators.Replace(strings.ToLower(name))
	for _, s := range secretNames {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// Summary is JSON text as the audit keeps it: at most 2048 characters, the
// values of secret members withheld, white space dropped. Text that was cut
// ends with an ellipsis and is no JSON any more.
func Summary(raw []byte) string {
	w := writer{dec: jsontext.NewDecoder(bytes.NewReader(raw))}
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
	kind, length := w.dec.StackIndex(w.dec.StackDepth())
	name := kind == '{' && length%2 == 0
	if w.hidden && !name {
		w.hidden = false
		if w.dec.PeekKind() != '}' && w.dec.SkipValue() == nil {
			w.out = append(w.out, `"`+Withheld+`"`...)
			return true
		}
	}
	t, err := w.dec.ReadToken()
	if err != nil {
		return false
	}
	switch t.Kind() {
	case '}', ']':
		w.out = append(w.out, t.String()...)
		return true
	}
	if length > 0 && (name || kind == '[') {
		w.out = append(w.out, ',')
	}
	if t.Kind() != '"' {
		w.out = append(w.out, t.String()...)
		return true
	}
	text := t.String()
	w.out, err = jsontext.AppendQuote(w.out, text)
	if name {
		w.out = append(w.out, ':')
		w.hidden = secret(text)
	}
	return err == nil
}
