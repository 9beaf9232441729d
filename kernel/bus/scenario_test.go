package bus_test

import (
	"testing"

	"neutron/kernel/kerneltest"
)

// Scenarios are the conformance cases of the bus: lines in, lines out, audit
// afterwards. Rewrite them with -update, and read what changed.
func TestScenarios(t *testing.T) { kerneltest.Play(t, "testdata/*.txtar") }
