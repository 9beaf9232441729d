//go:build desktop && linux

package window

/*
#include "hook.h"
*/
import "C"

import (
	"context"
	"os"
	"os/exec"
	"time"

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
	C.hook_sandbox()
	return nil
}
