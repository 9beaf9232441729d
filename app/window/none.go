//go:build !desktop || !linux

package window

import (
	"context"

	"neutron/kernel/fault"
)

// Available says whether this build has a window.
const Available = false

// Run fails with NOT_SUPPORTED: this build has no window.
func Run(context.Context, Peer, Options) error {
	return fault.New("window.Run", fault.NotSupported, "window", "This build has no window; use neutron serve.")
}
