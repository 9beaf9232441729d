//go:build e2e

package window

import (
	"fmt"
	"net/http"
	"os"
	"strings"
)

// openEnv names the locks that a test leaves open, separated by commas: redirect, unregister,
// filter, proxy. pageEnv is the frame that the bootstrap page shows when it does not leave.
const (
	openEnv = "NEUTRON_E2E_OPEN"
	pageEnv = "NEUTRON_E2E_FRAME"
)

func leftOpen(lock string) bool {
	for l := range strings.SplitSeq(os.Getenv(openEnv), ",") {
		if l == lock {
			return true
		}
	}
	return false
}

func openFilter() bool { return leftOpen("filter") }

func openLocks() (bits int) {
	if leftOpen("unregister") {
		bits |= 1
	}
	if leftOpen("proxy") {
		bits |= 2
	}
	return bits
}

func init() {
	if leftOpen("redirect") {
		startPage = func(w http.ResponseWriter, _ string) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><iframe sandbox="allow-scripts" src="%s"></iframe>`, os.Getenv(pageEnv))
		}
	}
}
