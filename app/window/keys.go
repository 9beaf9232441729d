package window

import "unicode"

// chord is a key with its modifiers.
type chord struct {
	key                    string // a DOM key name
	alt, ctrl, shift, meta bool
}

// Bits of a GDK modifier state, as the hook passes them on.
const (
	maskShift = 1 << 0
	maskCtrl  = 1 << 2
	maskAlt   = 1 << 3
	maskSuper = 1<<6 | 1<<26 | 1<<28 // MOD4, SUPER, META
)

// namedKeys maps GDK key values to DOM key names.
var namedKeys = map[uint32]string{
	0xff08: "Backspace", 0xff09: "Tab", 0xfe20: "Tab", 0xff0d: "Enter", 0xff8d: "Enter", 0xff1b: "Escape",
	0xff50: "Home", 0xff51: "ArrowLeft", 0xff52: "ArrowUp", 0xff53: "ArrowRight", 0xff54: "ArrowDown",
	0xff55: "PageUp", 0xff56: "PageDown", 0xff57: "End", 0xff63: "Insert", 0xffff: "Delete", 0xff67: "ContextMenu",
	0xff95: "Home", 0xff96: "ArrowLeft", 0xff97: "ArrowUp", 0xff98: "ArrowRight", 0xff99: "ArrowDown",
	0xff9a: "PageUp", 0xff9b: "PageDown", 0xff9c: "End", 0xff9f: "Delete",
	0xffbe: "F1", 0xffbf: "F2", 0xffc0: "F3", 0xffc1: "F4", 0xffc2: "F5", 0xffc3: "F6",
	0xffc4: "F7", 0xffc5: "F8", 0xffc6: "F9", 0xffc7: "F10", 0xffc8: "F11", 0xffc9: "F12",
	0xffe1: "Shift", 0xffe2: "Shift", 0xffe3: "Control", 0xffe4: "Control", 0xffe5: "CapsLock",
	0xffe7: "Meta", 0xffe8: "Meta", 0xffe9: "Alt", 0xffea: "Alt", 0xffeb: "Meta", 0xffec: "Meta",
}

// domKey names a key as the DOM would: a named key, or the character it types.
func domKey(keyval uint32, char rune) string {
	if name, ok := namedKeys[keyval]; ok {
		return name
	}
	if char != 0 && unicode.IsPrint(char) {
		return string(char)
	}
	return "Unidentified"
}

// chordOf reads one GTK key event.
func chordOf(keyval uint32, char rune, state uint32) chord {
	return chord{key: domKey(keyval, char), alt: state&maskAlt != 0, ctrl: state&maskCtrl != 0,
		shift: state&maskShift != 0, meta: state&maskSuper != 0}
}

// shortcut reports whether a chord belongs to the shell at all times: a frame that has the keyboard
// would swallow it. The key is the one of the first layout and level, so Shift and a
// second alphabet do not hide it.
func shortcut(c chord) bool {
	switch {
	case c.alt:
		return false
	case c.ctrl && !c.meta && !c.shift:
		return c.key == "k" || c.key == "."
	case c.meta && !c.ctrl:
		return len(c.key) == 1 && c.key >= "1" && c.key <= "9" || !c.shift && (c.key == "k" || c.key == "q")
	case !c.ctrl && !c.meta:
		return c.key == "F6" || c.key == "F8" && !c.shift
	}
	return false
}

// evidenceKey is the key value that a gesture may carry: Enter, Space or Tab, which decide what a
// gesture means. Every other key is 0, so that no typing leaves the window.
func evidenceKey(keyval uint32) uint32 {
	switch keyval {
	case 0xff0d, 0xff8d, 0x20, 0xff09, 0xfe20:
		return keyval
	}
	return 0
}

// silent reports whether a key alone is no gesture: modifiers, and Escape, as in the DOM's rule of
// user activation.
func (c chord) silent() bool {
	switch c.key {
	case "Shift", "Control", "Alt", "Meta", "CapsLock", "Escape":
		return true
	}
	return false
}
