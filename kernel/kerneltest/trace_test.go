package kerneltest

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"neutron/kernel/bus"
	"neutron/kernel/endpoint"
)

// TestTraceIsTrue makes one routed call and compares its hops with the spans of docs/trace.md, and finds
// every symbol of the table in its file.
func TestTraceIsTrue(t *testing.T) {
	rows := traceRows(t)
	if len(rows) == 0 || len(rows) > 8 {
		t.Fatalf("docs/trace.md has %d hops; a call is to be read in at most eight", len(rows))
	}
	var want []string
	for _, r := range rows {
		text, err := os.ReadFile("../../" + r.file)
		if err != nil {
			t.Error(err)
			continue
		}
		name := regexp.QuoteMeta(r.symbol[strings.LastIndex(r.symbol, ".")+1:])
		if !regexp.MustCompile(`(?m)^(func \([^)]+\)|\s*(async )?) *` + name + `\(`).Match(text) {
			t.Errorf("%s has no %s", r.file, r.symbol)
		}
		for _, s := range r.spans {
			if strings.HasPrefix(s, "bus.") {
				want = append(want, s)
			}
		}
	}

	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var got []string
		const id = 7
		w := NewWorld(t, Options{Trace: func(h bus.Hop) {
			mu.Lock()
			defer mu.Unlock()
			if h.ID == id {
				got = append(got, h.Name)
			}
		}})
		defer w.Close(t)
		w.Attach("s", false)
		w.Install(endpoint.App{ID: "notes", Name: "Notes", Version: "0.1.0", Hash: "n", Background: "b.html", Tiles: []endpoint.TilePage{{ID: "main", Path: "i.html"}}})
		synctest.Wait()
		background := w.Actor("notes")
		if err := w.Connect(background); err != nil {
			t.Fatal(err)
		}
		if err := w.Open(t.Context(), "tile", "s", "notes", "main", ""); err != nil {
			t.Fatal(err)
		}
		tile := w.Actor("tile")
		if err := w.Connect(tile); err != nil {
			t.Fatal(err)
		}
		w.Push(background, 1, `{"name":"notes_search","inputSchema":{"type":"object"}}`)
		synctest.Wait()
		w.Exec(tile, bus.Exec{ID: id, Action: "tools.call", Payload: []byte(`{"target":"app:notes:background","name":"notes_search","arguments":{}}`)})
		synctest.Wait()
		for _, e := range w.Events() {
			if e.Kind == "deliver" {
				w.Bus.Response(background.Shell, e.Ref, e.ID, []byte(`{}`), nil)
			}
		}
		synctest.Wait()
		if !slices.Equal(got, want) {
			t.Errorf("a call went through %q; docs/trace.md says %q", got, want)
		}
	})
}

type traceRow struct {
	file, symbol string
	spans        []string
}

func traceRows(t *testing.T) (rows []traceRow) {
	t.Helper()
	text, err := os.ReadFile("../../docs/trace.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		c := strings.Split(line, "|")
		if len(c) != 7 || !regexp.MustCompile(`^ \d+ $`).MatchString(c[1]) {
			continue
		}
		bare := func(s string) string { return strings.Trim(s, " `") }
		r := traceRow{file: bare(c[2]), symbol: bare(c[3])}
		for s := range strings.SplitSeq(c[4], ",") {
			r.spans = append(r.spans, bare(s))
		}
		rows = append(rows, r)
	}
	return rows
}
