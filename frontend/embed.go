// Package frontend embeds the built shell page.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Files is the built page, index.html at its root. Before `make build` it holds
// no page, and the shell listener says so.
func Files() fs.FS {
	f, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant above
	}
	return f
}
