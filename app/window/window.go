// Package window is the native side of Neutron: one window on the system's web
// view, sealed against the frames it shows.
//
// It knows the kernel only as a Peer: messages of control.proto in both
// directions, in the kernel's own process or through the control socket.
//
// What it guarantees on Linux (WebKitGTK), each proven alone by a test:
//
//  1. Nothing is bound. The page leaves wails:// at once for the shell's own
//     address, and wails:// answers one request per launch.
//  2. The web view's native message handler is gone before the first page that
//     can hold a frame is loaded. What still arrives is counted.
//  3. A content filter lets only the shell's and the sandbox's addresses pass;
//     a dead web proxy shuts what a filter does not see.
//  4. Permission requests are denied, new windows and foreign navigations refused.
//  5. Gestures and held keys come from GTK, where no frame can forge them.
//  6. A dead web process is followed by a fresh start of the shell, and no
//     process of the web view outlives Run.
//
// The order of the talk: Attach, BootWanted; the kernel answers Boot. ArmProbe is
// answered by LockState once the filter for the last Boot was judged, so a kernel
// that waits for this answer before it mounts the probe needs no clock. ReadLocks
// is answered at once. A Boot that nobody asked for is loaded at once: after Answered with reload
// the window ends the stalled page and expects one. A page that ended by itself is reported
// as ProcessDied, followed by BootWanted.
package window

import (
	"log/slog"

	"neutron/kernel/proto/controlv1"
)

// Peer is the kernel as the window sees it.
type Peer interface {
	// Tell hands one message to the kernel. It is called from one goroutine at a
	// time and may block; the window never waits for it.
	Tell(*controlv1.AttachWindowRequest)
	// Hear gives the kernel's messages. When the channel is closed the window quits.
	Hear() <-chan *controlv1.AttachWindowResponse
}

// Options say how the window looks. The zero value is useful.
type Options struct {
	Title     string       // empty: Neutron
	StateFile string       // remembers size and maximised state; empty: forget them
	Log       *slog.Logger // nil: discard
}

// The window's size in logical pixels.
const (
	minWidth      = 800
	minHeight     = 600
	defaultWidth  = 1280
	defaultHeight = 800
)

// UnlockPath is where the locked shell's own button leads. The window never loads it: after a
// real gesture it asks the kernel for a fresh start instead (BootWanted with unlock).
const UnlockPath = "/unlock"

// NoSandboxEnv turns WebKit's process sandbox off when it is set to anything, for
// containers that allow no user namespaces.
const NoSandboxEnv = "NEUTRON_NO_WEBKIT_SANDBOX"
