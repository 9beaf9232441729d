package schema

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"neutron/kernel/limit"
)

// quick is one subschema of a check that only ever says yes. It knows the
// keywords that most tools are made of, and takes a value without the work that
// the validator does to explain a refusal. Whatever it does not take, for
// whatever reason, the validator judges: every refusal and its sentence are the
// validator's, and a mistake here could only be a yes, which TestQuickIsNeverAlone
// holds against the validator's.
type quick struct {
	never      bool // uses a keyword that is not known here, or takes nothing
	types      kinds
	oneOf      []any // enum, or a single const; nil for none. Texts, numbers by literal, true, false, null
	all        []*quick
	any        []*quick
	properties []property
	additional *quick // nil: anything
	required   []string
	items      *quick // nil: anything
	size       [3]bounds
	unique     bool
	pattern    *regexp.Regexp
	program    int
	low, high  *edge
}

type property struct {
	name  string
	judge *quick
}

// bounds is a least and a most count, of the characters, items or members.
type bounds struct{ least, most int }

const (
	ofText = iota
	ofItems
	ofMembers
)

// edge is one limit of a number.
type edge struct {
	literal string
	value   float64
	open    bool // the limit itself is out
}

// kinds is a set of the types of JSON values; 0 is every type.
type kinds uint8

const (
	kindsNull kinds = 1 << iota
	kindsBoolean
	kindsInteger
	kindsNumber
	kindsString
	kindsArray
	kindsObject
)

var kindsByName = map[string]kinds{
	"null": kindsNull, "boolean": kindsBoolean, "integer": kindsInteger, "number": kindsNumber | kindsInteger,
	"string": kindsString, "array": kindsArray, "object": kindsObject,
}

// builder makes the quick form of a cleaned schema.
type builder struct {
	byPlace map[string]*quick
	refs    []reference
}

type reference struct {
	from *quick
	to   string
}

// quicken builds the quick form of a schema that the guard and the validator took.
func quicken(cleaned any) *quick {
	b := &builder{byPlace: make(map[string]*quick)}
	root := b.schema(cleaned, "")
	for _, r := range b.refs {
		target := b.byPlace[r.to]
		if target == nil {
			r.from.never = true
			continue
		}
		r.from.all = append(r.from.all, target)
	}
	return root
}

func (b *builder) schema(doc any, at string) *quick {
	q := &quick{}
	for i := range q.size {
		q.size[i] = bounds{0, int(^uint(0) >> 1)}
	}
	b.byPlace[at] = q
	if always, ok := doc.(bool); ok {
		q.never = !always
		return q
	}
	m, _ := doc.(map[string]any)
	for key, v := range m {
		if !b.keyword(q, key, v, at) {
			q.never = true
		}
	}
	return q
}

// keyword adds one keyword, or reports that it is not known here. In draft-07 a
// reference stands alone; to ask for its siblings as well only takes less.
func (b *builder) keyword(q *quick, key string, v any, at string) bool {
	here := at + "/" + token(key)
	switch key {
	case "$defs", "definitions":
		b.named(v, here)
	case "properties":
		q.properties = b.named(v, here)
	case "additionalProperties":
		q.additional = b.schema(v, here)
	case "items":
		if _, isList := v.([]any); isList {
			return false
		}
		q.items = b.schema(v, here)
	case "allOf":
		q.all = append(q.all, b.list(v, here)...)
	case "anyOf":
		q.any = b.list(v, here)
	case "$ref":
		ref, _ := v.(string)
		to, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
		b.refs = append(b.refs, reference{q, to})
		return err == nil
	case "type":
		return q.typed(v)
	case "enum":
		list, ok := v.([]any)
		return ok && q.among(list)
	case "const":
		return q.among([]any{v})
	case "required":
		list, _ := v.([]any)
		for _, name := range list {
			text, _ := name.(string)
			q.required = append(q.required, text)
		}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return q.count(key, v)
	case ownUnique:
		q.unique = true
	case ownPattern:
		text, _ := v.(string)
		var err, bad error
		q.pattern, err = regexp.Compile(text)
		q.program, bad = instructions(text)
		return err == nil && bad == nil
	case "minimum", "exclusiveMinimum":
		return bound(&q.low, v, key != "minimum")
	case "maximum", "exclusiveMaximum":
		return bound(&q.high, v, key != "maximum")
	default:
		return false
	}
	return true
}

func (b *builder) named(v any, at string) []property {
	m, _ := v.(map[string]any)
	list := make([]property, 0, len(m))
	for name, doc := range m {
		list = append(list, property{name, b.schema(doc, at+"/"+token(name))})
	}
	return list
}

func (b *builder) list(v any, at string) []*quick {
	docs, _ := v.([]any)
	list := make([]*quick, len(docs))
	for i, doc := range docs {
		list[i] = b.schema(doc, at+"/"+strconv.Itoa(i))
	}
	return list
}

func (q *quick) typed(v any) bool {
	names, isList := v.([]any)
	if !isList {
		names = []any{v}
	}
	for _, name := range names {
		text, _ := name.(string)
		q.types |= kindsByName[text]
	}
	return q.types != 0
}

// among keeps the values that can be compared as they are.
func (q *quick) among(values []any) bool {
	if q.oneOf != nil {
		return false // enum and const at once
	}
	q.oneOf = make([]any, 0, len(values))
	for _, v := range values {
		switch v.(type) {
		case []any, map[string]any:
		default:
			q.oneOf = append(q.oneOf, v)
		}
	}
	return true
}

func (q *quick) count(key string, v any) bool {
	literal, _ := v.(json.Number)
	n, err := strconv.Atoi(string(literal))
	if err != nil {
		return false // 2.0, say
	}
	of := &q.size[map[string]int{"Length": ofText, "Items": ofItems, "Properties": ofMembers}[key[3:]]]
	if strings.HasPrefix(key, "min") {
		of.least = n
	} else {
		of.most = n
	}
	return true
}

func bound(e **edge, v any, open bool) bool {
	literal, _ := v.(json.Number)
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil || *e != nil { // two limits of one side: left to the validator
		return false
	}
	*e = &edge{string(literal), f, open}
	return true
}

// allowance is what one quick look may spend, a fraction of the budget: a look
// in vain costs little beside what the validator may spend after it.
type allowance struct{ left int }

const quickShare = 8

func (a *allowance) spend(steps int) bool {
	a.left -= steps
	return a.left >= 0
}

// takes reports that the schema takes v. False says nothing.
func (q *quick) takes(v any, a *allowance) bool {
	if q.never || !a.spend(1) {
		return false
	}
	if q.oneOf != nil && !(a.spend(len(q.oneOf)) && scalar(v) && slices.Contains(q.oneOf, v)) {
		return false
	}
	for _, part := range q.all {
		if !part.takes(v, a) {
			return false
		}
	}
	if q.any != nil && !slices.ContainsFunc(q.any, func(part *quick) bool { return part.takes(v, a) }) {
		return false
	}
	switch v := v.(type) {
	case nil:
		return q.is(kindsNull)
	case bool:
		return q.is(kindsBoolean)
	case json.Number:
		return q.takesNumber(string(v))
	case string:
		return q.is(kindsString) && q.takesText(v, a)
	case []any:
		return q.is(kindsArray) && q.takesList(v, a)
	case map[string]any:
		return q.is(kindsObject) && q.takesObject(v, a)
	}
	return false
}

func (q *quick) is(k kinds) bool { return q.types == 0 || q.types&k != 0 }

func scalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

func (q *quick) takesNumber(literal string) bool {
	if !q.is(kindsNumber) && !(q.is(kindsInteger) && strings.Trim(literal, "-0123456789") == "") {
		return false
	}
	if q.low == nil && q.high == nil {
		return true
	}
	f, err := strconv.ParseFloat(literal, 64)
	return err == nil && (q.low == nil || q.low.inside(literal, f, f > q.low.value)) && (q.high == nil || q.high.inside(literal, f, f < q.high.value))
}

// inside is exact though floats are not: rounding keeps the order, so numbers
// whose floats differ differ in the same direction. Equal floats tell only of
// equal literals.
func (e *edge) inside(literal string, f float64, beyond bool) bool {
	return beyond || !e.open && f == e.value && literal == e.literal
}

func (q *quick) takesText(s string, a *allowance) bool {
	n := q.size[ofText]
	if !a.spend(len(s) / textPerStep) {
		return false
	}
	if n.least > 0 || len(s) > n.most {
		if length := utf8.RuneCountInString(s); length < n.least || length > n.most {
			return false
		}
	}
	if q.pattern == nil {
		return true
	}
	return len(s) <= limit.PatternInput && a.spend(1+len(s)*q.program/instructionsPerStep) && q.pattern.MatchString(s)
}

func (q *quick) takesList(items []any, a *allowance) bool {
	n := q.size[ofItems]
	if len(items) < n.least || len(items) > n.most || !a.spend(len(items)) {
		return false
	}
	if q.items != nil {
		for _, item := range items {
			if !q.items.takes(item, a) {
				return false
			}
		}
	}
	return !q.unique || distinctTexts(items)
}

// distinctTexts knows only texts; of few, each is compared with each.
func distinctTexts(items []any) bool {
	const few = 16
	if len(items) > few {
		return false
	}
	for i, item := range items {
		if _, ok := item.(string); !ok || slices.Contains(items[:i], item) {
			return false
		}
	}
	return true
}

func (q *quick) takesObject(members map[string]any, a *allowance) bool {
	n := q.size[ofMembers]
	if len(members) < n.least || len(members) > n.most || !a.spend(len(members)+len(q.properties)+len(q.required)) {
		return false
	}
	for _, name := range q.required {
		if _, has := members[name]; !has {
			return false
		}
	}
	known := 0
	for i := range q.properties {
		p := &q.properties[i]
		v, has := members[p.name]
		if !has {
			continue
		}
		if known++; !p.judge.takes(v, a) {
			return false
		}
	}
	if q.additional == nil || known == len(members) {
		return true
	}
	if !a.spend(len(members) * len(q.properties) / textPerStep) {
		return false
	}
	for name, v := range members {
		if !slices.ContainsFunc(q.properties, func(p property) bool { return p.name == name }) && !q.additional.takes(v, a) {
			return false
		}
	}
	return true
}
