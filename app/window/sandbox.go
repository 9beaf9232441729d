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

// storageName is where WebKit keeps its own files, below the user's data and cache directories. The
// workspace keeps nothing there.
const storageName = "neutron-webview"

// prepareWeb makes WebKit's context. Its process sandbox is on unless NoSandboxEnv says otherwise.
// WebKit ends the whole process when it cannot start a sandbox or write its files, so
// both are tried first.
func prepareWeb(ctx context.Context) error {
	if err := makeStorage(); err != nil {
		return err
	}
	sandbox := os.Getenv(NoSandboxEnv) == ""
	if sandbox {
		if err := trySandbox(ctx); err != nil {
			return err
		}
	}
	dropDeadBuses()
	name := C.CString(storageName)
	defer C.free(unsafe.Pointer(name))
	C.hook_context(name, truth(sandbox))
	return nil
}

func makeStorage() error {
	home, _ := os.UserHomeDir() // empty: the variables decide, or making them fails
	for variable, usual := range map[string]string{"XDG_DATA_HOME": ".local/share", "XDG_CACHE_HOME": ".cache"} {
		dir := os.Getenv(variable)
		if dir == "" {
			dir = filepath.Join(home, usual)
		}
		if err := os.MkdirAll(filepath.Join(dir, storageName), 0o700); err != nil {
			return fault.Newf("window.makeStorage", fault.StoreReadOnly, variable, "The web view needs a directory %s below %s: %v", storageName, variable, err)
		}
	}
	return nil
}

// trySandbox runs bubblewrap once, as WebKit would.
func trySandbox(ctx context.Context) error {
	const op fault.Op = "window.trySandbox"
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
