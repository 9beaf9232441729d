// Command neutron is the workspace: a window, a server for browsers, and the
// command line that talks to either.
package main

import (
	"os"

	"neutron/app"
)

// version is set by the linker at a release.
var version = "0.1.0-dev"

func main() { os.Exit(app.Main(os.Args[1:], version)) }
