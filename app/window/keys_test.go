package window

import "testing"

func TestDOMKey(t *testing.T) {
	for _, c := range []struct {
		keyval uint32
		char   rune
		want   string
	}{
		{0x61, 'a', "a"}, {0x41, 'A', "A"}, {0x20, ' ', " "}, {0xff0d, '\r', "Enter"}, {0xff8d, '\r', "Enter"},
		{0xff09, '\t', "Tab"}, {0xfe20, 0, "Tab"}, {0xff1b, 0x1b, "Escape"}, {0xffc5, 0, "F8"}, {0xff52, 0, "ArrowUp"},
		{0xe4, 'ä', "ä"}, {0x6ca, 'й', "й"}, {0xfe51, 0, "Unidentified"}, {0xff08, '\b', "Backspace"},
	} {
		if got := domKey(c.keyval, c.char); got != c.want {
			t.Errorf("%#x: %q, want %q", c.keyval, got, c.want)
		}
	}
}

func TestShortcuts(t *testing.T) {
	for _, c := range []struct {
		c    chord
		want bool
	}{
		{chord{key: "k", ctrl: true}, true}, {chord{key: "k", meta: true}, true}, {chord{key: "k"}, false},
		{chord{key: "k", ctrl: true, shift: true}, false}, {chord{key: "k", ctrl: true, alt: true}, false},
		{chord{key: ".", ctrl: true}, true}, {chord{key: "F6"}, true}, {chord{key: "F6", shift: true}, true},
		{chord{key: "F8"}, true}, {chord{key: "F8", ctrl: true}, false}, {chord{key: "F7"}, false},
		{chord{key: "1", meta: true}, true}, {chord{key: "9", meta: true, shift: true}, true}, {chord{key: "0", meta: true}, false},
		{chord{key: "1", alt: true}, false}, {chord{key: "q", meta: true}, true}, {chord{key: "q", ctrl: true}, false},
		{chord{key: "c", ctrl: true}, false}, {chord{key: "v", ctrl: true}, false}, {chord{key: "Escape"}, false},
	} {
		if shortcut(c.c) != c.want {
			t.Errorf("%+v: %v", c.c, !c.want)
		}
	}
}

// A gesture says what it means for the owner's intent and nothing of what was typed.
func TestEvidenceHoldsNoTyping(t *testing.T) {
	for keyval := range uint32(0x10000) {
		got := evidenceKey(keyval)
		name := domKey(keyval, rune(keyval))
		decides := keyval == 0x20 || name == "Enter" || name == "Tab"
		if (got != 0) != decides || (decides && got != keyval) {
			t.Fatalf("%#x (%s) is told as %#x", keyval, name, got)
		}
	}
}
