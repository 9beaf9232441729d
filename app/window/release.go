//go:build desktop && linux && !e2e

package window

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

// The shell draws no 3D; without the GPU the web process is smaller and starts on every machine.
const gpuPolicy = linux.WebviewGpuPolicyNever

func started(context.Context) {}
