// Package examples holds the bundled example apps as packed .neutron files.
package examples

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// dist is filled by `make examples`; a build without it bundles no apps.
//
//go:embed all:dist
var dist embed.FS

// Bundle is one packed app. ID is its app id, which is also the file's name.
type Bundle struct {
	ID    string
	Bytes []byte
}

// Bundles lists the bundled apps by id. It is empty, and no error, when nothing was packed before the build.
func Bundles() ([]Bundle, error) {
	entries, err := fs.ReadDir(dist, "dist")
	if err != nil {
		return nil, err
	}
	var out []Bundle
	for _, e := range entries {
		id, packed := strings.CutSuffix(e.Name(), ".neutron")
		if !packed {
			continue
		}
		b, err := dist.ReadFile(path.Join("dist", e.Name()))
		if err != nil {
			return nil, err
		}
		out = append(out, Bundle{ID: id, Bytes: b})
	}
	return out, nil
}
