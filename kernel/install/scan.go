package install

import "bytes"

// token is one piece of JavaScript that the checks look at. Comments are left out.
type token struct {
	kind tokenKind
	text string // of a string: what stands between its quotes
	at   int
}

type tokenKind byte

const (
	word    tokenKind = 'w' // names, keywords, numbers
	punct   tokenKind = 'p' // one byte of anything else
	text    tokenKind = 's'
	pattern tokenKind = 'r'
)

// scanJS splits JavaScript well enough to tell code from comments, strings,
// templates and regular expressions. It never fails: broken code gives odd tokens.
func scanJS(src []byte) []token {
	s := scanner{src: src}
	for s.at < len(src) {
		s.next()
	}
	return s.out
}

type scanner struct {
	src  []byte
	at   int
	out  []token
	open []bool // for each open brace: whether it is the ${ of a template
}

func (s *scanner) emit(k tokenKind, t string, at int) { s.out = append(s.out, token{k, t, at}) }

func (s *scanner) next() {
	b, start := s.src[s.at], s.at
	switch {
	case b == ' ' || b == '\t' || b == '\n' || b == '\r':
		s.at++
	case bytes.HasPrefix(s.src[s.at:], []byte("//")):
		s.skipTo("\n")
	case bytes.HasPrefix(s.src[s.at:], []byte("/*")):
		s.at += 2
		s.skipTo("*/")
	case b == '"' || b == '\'':
		s.quoted(b)
	case b == '`':
		s.at++
		s.template()
	case b == '/' && s.regexpMayStart():
		s.regexp()
	case wordByte(b):
		for s.at < len(s.src) && wordByte(s.src[s.at]) {
			s.at++
		}
		s.emit(word, string(s.src[start:s.at]), start)
	default:
		s.at++
		if b == '{' {
			s.open = append(s.open, false)
		} else if n := len(s.open) - 1; b == '}' && n >= 0 {
			inTemplate := s.open[n]
			if s.open = s.open[:n]; inTemplate {
				s.template()
				return
			}
		}
		s.emit(punct, string(b), start)
	}
}

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= 0x80 || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

func (s *scanner) skipTo(end string) {
	if i := bytes.Index(s.src[s.at:], []byte(end)); i >= 0 {
		s.at += i + len(end)
		return
	}
	s.at = len(s.src)
}

func (s *scanner) quoted(q byte) {
	start := s.at
	for s.at++; s.at < len(s.src) && s.src[s.at] != q && s.src[s.at] != '\n'; s.at++ {
		if s.src[s.at] == '\\' {
			s.at++
		}
	}
	end := min(s.at, len(s.src))
	s.at = min(s.at+1, len(s.src))
	s.emit(text, string(s.src[start+1:end]), start)
}

// template reads the text of a template up to its end or to the next ${.
func (s *scanner) template() {
	start := s.at
	for ; s.at < len(s.src); s.at++ {
		switch {
		case s.src[s.at] == '\\':
			s.at++
		case s.src[s.at] == '`':
			s.emit(text, string(s.src[start:s.at]), start)
			s.at++
			return
		case s.src[s.at] == '$' && s.at+1 < len(s.src) && s.src[s.at+1] == '{':
			s.emit(text, string(s.src[start:s.at]), start)
			s.at += 2
			s.open = append(s.open, true)
			return
		}
	}
	s.at = len(s.src)
}

// regexpMayStart tells a regular expression from a division by what stands before it.
func (s *scanner) regexpMayStart() bool {
	if len(s.out) == 0 {
		return true
	}
	switch last := s.out[len(s.out)-1]; last.kind {
	case word:
		switch last.text {
		case "return", "typeof", "case", "in", "of", "delete", "void", "do", "else", "throw", "new", "await", "yield":
			return true
		}
		return false
	case punct:
		return last.text != ")" && last.text != "]" && last.text != "}"
	}
	return false
}

func (s *scanner) regexp() {
	start, inClass := s.at, false
	for s.at++; s.at < len(s.src) && s.src[s.at] != '\n'; s.at++ {
		switch b := s.src[s.at]; {
		case b == '\\':
			s.at++
		case b == '[':
			inClass = true
		case b == ']':
			inClass = false
		case b == '/' && !inClass:
			s.at++
			s.emit(pattern, "", start)
			return
		}
	}
	s.at = min(s.at, len(s.src))
	s.emit(pattern, "", start)
}
