//go:build desktop && linux

package window

/*
#cgo pkg-config: x11
#include <stdlib.h>
#include "hook.h"
*/
import "C"

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"neutron/kernel/fault"
)

// sandboxTry bounds the trial run of bubblewrap.
const sandboxTry = 5 * time.Second

// sandboxPages turns on WebKit's process sandbox, unless NoSandboxEnv says otherwise. WebKit ends
// the whole process when bubblewrap is missing or may not make namespaces, so that is tried first.
func sandboxPages(ctx context.Context) error {
	const op fault.Op = "window.sandboxPages"
	if os.Getenv(NoSandboxEnv) != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sandboxTry)
	defer cancel()
	refuse := func(what string) error {
		return fault.New(op, fault.NotSupported, what, "WebKit's process sandbox cannot start here: "+what+
			". Install bubblewrap and xdg-dbus-proxy, or set "+NoSandboxEnv+"=1 if the container is a sandbox itself.")
	}
	for _, tool := range []string{"bwrap", "xdg-dbus-proxy"} {
		if _, err := exec.LookPath(tool); err != nil {
			return refuse(tool + " is missing")
		}
	}
	if err := exec.CommandContext(ctx, "bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true").Run(); err != nil {
		return refuse("bwrap may not make namespaces")
	}
	dropDeadBuses()
	C.hook_sandbox()
	return nil
}

// dropDeadBuses hides message buses whose socket is gone. WebKit's sandbox binds each socket it is
// told of and aborts the whole process when one does not exist: a stale environment is enough,
// or the accessibility bus that an earlier session left on the X server. Where no session has
// a bus, none is started for us either: it would outlive the window.
func dropDeadBuses() {
	const session, accessible = "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"
	address := os.Getenv(session)
	if address == "" {
		address = "unix:path=" + filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	}
	if dead(address) {
		os.Setenv(session, "disabled:")
	}
	bus := C.hook_a11y_bus()
	defer C.free(unsafe.Pointer(bus))
	if dead(C.GoString(bus)) || dead(os.Getenv(accessible)) {
		os.Setenv(accessible, "disabled:")
		os.Setenv("NO_AT_BRIDGE", "1")
	}
}

// dead reports whether a bus address names a socket file that does not exist.
func dead(address string) bool {
	for one := range strings.SplitSeq(address, ";") {
		_, rest, ok := strings.Cut(one, "unix:path=")
		if !ok {
			continue
		}
		path, _, _ := strings.Cut(rest, ",")
		if _, err := os.Stat(path); err != nil {
			return true
		}
	}
	return false
}

// display reports whether there is a display to open a window on.
func display() bool {
	return os.Getenv("WAYLAND_DISPLAY") != "" || C.hook_x_display() != 0
}
