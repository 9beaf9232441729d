// Package examples holds the bundled example apps as packed .neutron files.
package examples

import (
	"embed"
	"io/fs"
)

// dist is filled by `make examples`; a build without it bundles no apps.
//
//go:embed all:dist
var dist embed.FS

// Files holds the bundled packages as <id>.neutron at its root, beside files that are none.
func Files() fs.FS {
	f, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant above
	}
	return f
}
