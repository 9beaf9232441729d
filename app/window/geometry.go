package window

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
)

// geometry is what the window remembers of itself between two runs, in logical pixels.
type geometry struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximised bool `json:"maximised"`
}

// geometryMax bounds a remembered size, so that a damaged file opens no absurd window.
const geometryMax = 16_384

// readGeometry never fails: a missing or damaged file gives the default size.
func readGeometry(file string) geometry {
	g := geometry{Width: defaultWidth, Height: defaultHeight}
	if file == "" {
		return g
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return g
	}
	var kept geometry
	if json.Unmarshal(raw, &kept) != nil || kept.Width < minWidth || kept.Height < minHeight ||
		kept.Width > geometryMax || kept.Height > geometryMax {
		return g
	}
	return kept
}

// writeGeometry replaces the file. Failing costs nothing but the size, so it is only logged.
func writeGeometry(file string, g geometry, log *slog.Logger) {
	if file == "" {
		return
	}
	if g.Maximised { // the size to come back to is the one before
		was := readGeometry(file)
		g.Width, g.Height = was.Width, was.Height
	}
	raw, _ := json.Marshal(g) // two ints and a bool cannot fail
	next := file + ".new"
	err := os.WriteFile(next, raw, 0o600)
	if err == nil {
		err = os.Rename(next, file)
	}
	if err != nil {
		log.Warn("window.geometry", "file", filepath.Base(file), "err", err)
	}
}
