//go:build desktop && linux

package window

/*
#cgo pkg-config: gtk+-3.0 webkit2gtk-4.1
#cgo CFLAGS: -Wall -Wno-deprecated-declarations
#include <stdlib.h>
#include "hook.h"
*/
import "C"

import (
	"time"
	"unsafe"
)

// current is the one window of this process; the hook's callbacks arrive on the GTK thread and may
// not block it.
var current *desk

//export windowArmed
func windowArmed() { current.armed() }

//export windowHeard
func windowHeard() { current.heard.Add(1) }

//export windowProxied
func windowProxied() { current.proxied.Store(true) }

//export windowFiltered
func windowFiltered(ok C.int, why *C.char) { current.filtered(ok != 0, C.GoString(why)) }

//export windowAddress
func windowAddress(address *C.char) { current.moved(C.GoString(address)) }

//export windowMayGo
func windowMayGo(address *C.char, gesture C.int) C.int {
	return truth(current.mayGo(C.GoString(address), gesture != 0))
}

//export windowDied
func windowDied(reason C.int) { current.died(int32(reason)) }

//export windowPressed
func windowPressed(x, y C.int, age C.ulong) {
	current.pressed(int32(x), int32(y), time.Duration(age)*time.Millisecond)
}

//export windowKey
func windowKey(keyval, typed, plain, plainTyped, state C.uint, age C.ulong, held, again C.int) C.int {
	k := keyPress{
		typed: chordOf(uint32(keyval), rune(typed), uint32(state)), plain: chordOf(uint32(plain), rune(plainTyped), uint32(state)),
		keyval: uint32(keyval), age: time.Duration(age) * time.Millisecond, held: held != 0, again: again != 0,
	}
	return truth(current.key(k))
}

//export windowAnswered
func windowAnswered(first C.int) { current.answered(first != 0) }

//export windowClosing
func windowClosing(width, height, maximised C.int) {
	current.n.(*hook).closing(geometry{Width: int(width), Height: int(height), Maximised: maximised != 0})
}

func truth(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// hook is the native side that a desk drives.
type hook struct {
	closing func(geometry) // on the GTK thread, before the page is ended
}

func (*hook) arm(open int)                  { C.hook_arm(C.int(open)) }
func (*hook) proxy(address string)          { C.hook_proxy(C.CString(address)) }
func (*hook) load(address string)           { C.hook_load(C.CString(address)) }
func (*hook) endPage()                      { C.hook_end_page() }
func (*hook) raise()                        { C.hook_raise() }
func (*hook) quit()                         { C.hook_quit() }
func (*hook) hold(on bool)                  { C.hook_hold(truth(on)) }
func (*hook) closePrompt()                  { C.hook_prompt_close() }
func (*hook) filter(rules []byte, d string) { C.hook_filter(C.CString(string(rules)), C.CString(d)) }

func (*hook) prompt(w words, arm time.Duration) {
	p := (*C.prompt)(C.calloc(1, C.size_t(unsafe.Sizeof(C.prompt{}))))
	p.heading, p.text, p.note = C.CString(w.heading), C.CString(w.text), C.CString(w.note)
	p.first, p.second, p.arm_ms = C.CString(w.first), C.CString(w.second), C.int(arm.Milliseconds())
	names := unsafe.Slice((**C.char)(C.calloc(C.size_t(len(w.names)+1), C.size_t(unsafe.Sizeof(p.heading)))), len(w.names)+1)
	for i, n := range w.names {
		names[i] = C.CString(n)
	}
	p.names = &names[0]
	C.hook_prompt(p)
}
