// Command pack turns every built example app into a .neutron file: those to bundle in examples/dist,
// those only for tests in examples/build. Run it from the repository's root after examples/build.mjs.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"neutron/kernel/install"
)

// testOnly apps attack Neutron on command, or only measure it: they never reach a binary.
var testOnly = map[string]bool{"hostile": true, "bench": true}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run() error {
	manifests, err := filepath.Glob("examples/build/*/neutron.json")
	if err != nil {
		return err
	}
	if len(manifests) == 0 {
		return fmt.Errorf("nothing is built: run node examples/build.mjs first")
	}
	for _, m := range manifests {
		dir := filepath.Dir(m)
		id := filepath.Base(dir)
		into := "examples/dist"
		if testOnly[id] {
			into = "examples/build"
		}
		if err := pack(dir, filepath.Join(into, id+".neutron")); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

func pack(dir, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := install.Pack(dir, f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
