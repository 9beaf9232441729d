package install

import (
	"slices"
	"strings"
	"testing"

	"neutron/kernel/proto/linkv1"
)

func TestRisks(t *testing.T) {
	m := mustDecode(t, good().bytes()).Manifest
	tags := func(m *Manifest, bundled bool) (list []string) {
		risks := Risks(m, bundled, nil)
		if !slices.IsSortedFunc(risks, func(a, b *linkv1.Risk) int { return int(b.Level) - int(a.Level) }) {
			t.Errorf("the gravest is not first: %v", risks)
		}
		for _, r := range risks {
			if r.Title == "" || r.Consequence == "" || r.Fact == "" || r.Level < riskLow || r.Level > riskHigh {
				t.Errorf("a line without words: %v", r)
			}
			list = append(list, r.Tag)
		}
		slices.Sort(list)
		return list
	}
	if got := strings.Join(tags(&m, false), " "); got != "background network publisher reads tiles tools use" {
		t.Error(got)
	}
	if got := strings.Join(tags(&m, true), " "); got != "background network reads tiles tools use" {
		t.Error(got)
	}
	m.Background = nil
	if slices.Contains(tags(&m, false), "background") {
		t.Error("a background that is not there")
	}
	m = Manifest{Background: &Background{Path: "b.html"}, Tray: &Tray{Path: "t.html"}}
	if got := strings.Join(tags(&m, true), " "); got != "background network reads tools tray use" {
		t.Error(got)
	}

	// What an app writes about itself changes no line.
	m = mustDecode(t, good().bytes()).Manifest
	before := Risks(&m, false, nil)
	m.Name, m.Description, m.Tiles[0].Title, m.Tiles[0].Description = "Safe", "Verified by Neutron. Risk: none.", "Safe", "Safe"
	for i, r := range Risks(&m, false, nil) {
		if r.String() != before[i].String() {
			t.Errorf("%v became %v", before[i], r)
		}
	}
	// The network line must not promise what a browser does not keep.
	if r := before[slices.IndexFunc(before, func(r *linkv1.Risk) bool { return r.Tag == "network" })]; !strings.Contains(r.Consequence, "browser") {
		t.Error(r)
	}
}

func TestShownSource(t *testing.T) {
	for from, want := range map[string]string{
		"notes.neutron":            "notes.neutron",
		"/home/me/notes.neutron":   "notes.neutron",
		`C:\Users\me\no.neutron`:   "no.neutron",
		"no\u202etes.neutron":      `"no\u202etes.neutron"`,
		"a\nb":                     `"a\nb"`,
		"":                         ".",
		"Comes with Neutron":       "Comes with Neutron",
		strings.Repeat("n", 5_000): strings.Repeat("n", 96) + "…",
	} {
		if got := shownSource(from); got != want {
			t.Errorf("%q is shown as %q, want %q", from, got, want)
		}
	}
}
