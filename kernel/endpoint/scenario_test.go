package endpoint_test

import (
	"testing"

	"neutron/kernel/kerneltest"
)

// Scenarios show the lives of frames: readiness, the gate, hosts, recovery.
func TestScenarios(t *testing.T) { kerneltest.Play(t, "testdata/*.txtar") }
