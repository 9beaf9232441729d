// Command gen writes docs/limits.md from the tables of limits and codes. Run it
// with go generate ./kernel/limit.
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE")
		os.Exit(2)
	}
	if err := os.WriteFile(os.Args[1], page(), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// page renders both tables.
func page() []byte {
	var b bytes.Buffer
	b.WriteString(`# Limits and codes

Written by ` + "`go generate ./kernel/limit`" + ` from kernel/limit and kernel/fault. A shell gets both lists when it attaches.

## Limits

| name | value | unit | what it bounds | code on breach |
|---|---:|---|---|---|
`)
	for _, r := range limit.Table() {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", r.Name, r.Value, r.Unit, r.Sentence, r.Code)
	}
	b.WriteString(`
## Codes

Every failure has one of these codes, whatever its sentence says. New ones are added, none is taken away.

| code | its sentence, unless a better one is at hand |
|---|---|
`)
	codes := fault.Codes()
	for _, c := range slices.Sorted(maps.Keys(codes)) {
		fmt.Fprintf(&b, "| %s | %s |\n", c, codes[c])
	}
	return b.Bytes()
}
