package install

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
)

// versioned is a package with some members of its manifest.
func versioned(version, members string) []byte {
	m := fmt.Sprintf(`{"format":1,"id":"notes","name":"Notes","version":%q,%s}`, version, members)
	return (&crafted{parts: []*part{entry(ManifestName, m), entry("index.html", "<!doctype html>"+version), entry("bg.html", "<!doctype html>"), stored("icon.svg", goodIcon)}}).bytes()
}

func tilesOf(list ...string) string {
	var out []string
	for _, id := range list {
		out = append(out, fmt.Sprintf(`{"id":%q,"title":"T","path":"index.html"}`, id))
	}
	return `"tiles":[` + strings.Join(out, ",") + `]`
}

// Each difference in authority is one line; what stays is none.
func TestChanges(t *testing.T) {
	one, bg := tilesOf("main"), `"background":{"path":"bg.html"}`
	const a, b = `"connect":["https://a.example.com"]`, `"connect":["https://b.example.com"]`
	for name, c := range map[string]struct {
		old, new           string
		oldSigner, newSign string
		want               string
	}{
		"nothing":            {one + "," + a, one + "," + a, "", "", ""},
		"same, signed":       {one, one, "k", "k", ""},
		"an origin":          {one, one + "," + a, "", "", "ADDED 3 connect https://a.example.com"},
		"no origin":          {one + "," + a, one, "", "", "REMOVED 0 connect https://a.example.com"},
		"another origin":     {one + "," + a, one + "," + b, "", "", "ADDED 3 connect https://b.example.com; REMOVED 0 connect https://a.example.com"},
		"a background":       {one, one + "," + bg, "", "", "ADDED 2 background bg.html"},
		"no background":      {one + "," + bg, one, "", "", "REMOVED 0 background bg.html"},
		"another background": {one + "," + bg, one + `,"background":{"path":"index.html"}`, "", "", "CHANGED 1 background index.html"},
		"tiles":              {tilesOf("x", "y"), tilesOf("y", "z", "w"), "", "", "ADDED 1 tiles z, w; REMOVED 0 tiles x"},
		"a tray": {one + "," + bg, one + "," + bg + `,"tray":{"title":"T","path":"index.html","icon":"icon.svg"}`, "", "",
			"ADDED 1 tray index.html"},
		"signed from now on": {one, one, "", "k", "ADDED 1 publisher " + publicOf("k")},
		"all at once":        {one, tilesOf("main", "two") + "," + bg + "," + a, "", "", "ADDED 3 connect https://a.example.com; ADDED 2 background bg.html; ADDED 1 tiles two"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir(), Options{})
			s.install(signed(t, versioned("1.0.0", c.old), c.oldSigner))
			r, err := s.review(signed(t, versioned("1.1.0", c.new), c.newSign))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, ch := range r.Changes {
				if ch.Title == "" {
					t.Errorf("a line without words: %v", ch)
				}
				got = append(got, fmt.Sprintf("%s %d %s %s", strings.TrimPrefix(ch.Kind.String(), "CHANGE_KIND_"), ch.Level, ch.Tag, ch.Fact))
			}
			if s := strings.Join(got, "; "); s != c.want || r.InstalledVersion != "1.0.0" {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
		})
	}
}

// What an app writes about itself adds no line but that it wrote another name.
func TestChangesIgnoreProse(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	s.install(versioned("1.0.0", tilesOf("main")))
	r, err := s.review(versioned("1.1.0", tilesOf("main")+`,"description":"Fixes only. No new access."`))
	if err != nil || len(r.Changes) != 0 {
		t.Errorf("%v, %v", r.GetChanges(), err)
	}
}

// A refused version says why, names both packages, and says that nothing happened.
func TestVersionsAreExplained(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	i := s.install(versioned("1.1.0", tilesOf("main")))
	for what, c := range map[string]struct {
		pack []byte
		say  []string
	}{
		"other bytes": {versioned("1.1.0", tilesOf("other")), []string{"1.1.0", "other bytes", i.Hash[:8], "higher version", "Nothing was changed"}},
		"older":       {versioned("1.0.9", tilesOf("main")), []string{"1.0.9", "older", "1.1.0", "remove the app", "Nothing was changed"}},
		"the same":    {versioned("1.1.0", tilesOf("main")), []string{"1.1.0", "already"}},
	} {
		_, err := s.review(c.pack)
		wants(t, err, fault.VersionNotNewer)
		for _, w := range c.say {
			if !strings.Contains(fault.Sentence(err), w) {
				t.Errorf("%s: %q is missing in %s", what, w, fault.Sentence(err))
			}
		}
	}
}

// Declared origins are rows of their own, the gravest there are, and travel with the row of the app.
func TestConnectIsShownAndKept(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	list := []string{"https://a.example.com", "https://b.example.org"}
	r, err := s.review(versioned("1.0.0", tilesOf("main")+`,"connect":["`+strings.Join(list, `","`)+`"]`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range r.Risks[:2] {
		if k.Level != riskHigh || k.Tag != "connect" || !strings.HasPrefix(k.Title, "Leaves this computer for ") {
			t.Errorf("%v", k)
		}
		got = append(got, k.Fact)
	}
	if !slices.Equal(got, list) || !slices.Equal(r.App.Connect, list) {
		t.Errorf("%v, %v", got, r.App.Connect)
	}
	if n := slices.IndexFunc(r.Risks, func(k *linkv1.Risk) bool { return k.Tag == "network" }); !strings.Contains(r.Risks[n].Title, "no other") {
		t.Errorf("%v", r.Risks[n])
	}
	if _, err := s.Approve(r.ReviewId, r.App.Hash, nil); err != nil {
		t.Fatal(err)
	}
	i, _ := s.again().Get("notes")
	if !slices.Equal(i.Manifest.Connect, list) {
		t.Errorf("the row has %v", i.Manifest.Connect)
	}
}

// Replacing an app that came with the binary is said first.
func TestUnbundledIsSaid(t *testing.T) {
	old := versioned("1.0.0", tilesOf("main"))
	s := open(t, t.TempDir(), Options{Bundled: bundledFiles(old)})
	r, err := s.ReviewBundled("notes")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approve(r.ReviewId, r.App.Hash, nil); err != nil {
		t.Fatal(err)
	}
	r, err = s.review(versioned("1.1.0", tilesOf("main")))
	if err != nil || len(r.Changes) != 1 || r.Changes[0].Level != riskHigh {
		t.Errorf("%v, %v", r.GetChanges(), err)
	}
}

func bundledFiles(pack []byte) fs.FS { return fstest.MapFS{"notes.neutron": {Data: pack}} }
