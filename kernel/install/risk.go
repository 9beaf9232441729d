package install

import (
	"fmt"
	"slices"
	"strings"

	"neutron/kernel/proto/linkv1"
)

// The levels of a risk, as the review sorts and colours them.
const (
	riskLow    = 1
	riskMedium = 2
	riskHigh   = 3
)

// Risks says in plain words what an app may do once it is installed, the
// gravest first. It is computed from the manifest's facts alone: nothing an app
// writes about itself can raise, lower or add a line. Bundled apps came with the
// binary, so nobody need vouch for them.
func Risks(m *Manifest, bundled bool) []*linkv1.Risk {
	var risks []*linkv1.Risk
	if !bundled {
		risks = append(risks, &linkv1.Risk{Level: riskMedium, Tag: "publisher", Title: "Nobody vouches for who made it",
			Consequence: "The package is not signed. Its name and what it says about itself are its own words.", Fact: "unsigned"})
	}
	if m.Background != nil {
		risks = append(risks, &linkv1.Risk{Level: riskMedium, Tag: "background", Title: "Runs while none of its tiles is open",
			Consequence: "One hidden background, for as long as Neutron runs.", Fact: m.Background.Path})
	}
	risks = append(risks,
		&linkv1.Risk{Level: riskMedium, Tag: "network", Title: "Declares no internet address",
			Consequence: "In the Neutron window nothing leaves. In a browser an app can still open bare connections, so what it can read could leave there.", Fact: "no addresses"},
		&linkv1.Risk{Level: riskLow, Tag: "use", Title: "May ask to use other apps",
			Consequence: "Each app and tool is asked for by itself. Installing allows none.", Fact: "asks first"},
		&linkv1.Risk{Level: riskLow, Tag: "tools", Title: "May offer tools to other apps",
			Consequence: "Each use by another app still asks you.", Fact: "asks first"},
		&linkv1.Risk{Level: riskLow, Tag: "reads", Title: "Reads nothing else on this computer",
			Consequence: "No files, no other app's data, no camera, microphone, location or clipboard.", Fact: "own package only"},
	)
	if n := len(m.Tiles); n > 0 {
		risks = append(risks, &linkv1.Risk{Level: riskLow, Tag: "tiles", Title: "Opens " + count(n, "kind of tile", "kinds of tile"),
			Consequence: "Only when you open one. It sees what you do inside it.", Fact: tileIDs(m.Tiles)})
	}
	if m.Tray != nil {
		risks = append(risks, &linkv1.Risk{Level: riskLow, Tag: "tray", Title: "Sits in the bar",
			Consequence: "A small picture that opens a page. You can hide it.", Fact: m.Tray.Path})
	}
	slices.SortStableFunc(risks, func(a, b *linkv1.Risk) int { return int(b.Level) - int(a.Level) })
	return risks
}

func count(n int, one, many string) string {
	if n == 1 {
		return "one " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// tileIDs lists the first few ids; they are ASCII by grammar.
func tileIDs(tiles []Tile) string {
	const shown = 4
	var ids []string
	for _, t := range tiles[:min(len(tiles), shown)] {
		ids = append(ids, t.ID)
	}
	if more := len(tiles) - shown; more > 0 {
		ids = append(ids, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(ids, ", ")
}
