//go:build bindings

package window

import "os"

// wails build runs the program once under this tag to learn what it binds to the page. Nothing is.
func init() { os.Exit(0) }
