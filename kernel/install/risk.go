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
func Risks(m *Manifest, bundled bool, s *linkv1.Signer) []*linkv1.Risk {
	var risks []*linkv1.Risk
	if !bundled || Replaces(s) {
		risks = append(risks, publisher(s))
	}
	for _, o := range m.Connect {
		risks = append(risks, &linkv1.Risk{Level: riskHigh, Tag: "connect", Title: "Leaves this computer for " + host(o),
			Consequence: "What it sees and is given may be sent there, without asking each time.", Fact: o})
	}
	if m.Background != nil {
		risks = append(risks, &linkv1.Risk{Level: riskMedium, Tag: "background", Title: "Runs while none of its tiles is open",
			Consequence: "One hidden background, for as long as Neutron runs.", Fact: m.Background.Path})
	}
	risks = append(risks,
		network(m),
		&linkv1.Risk{Level: riskLow, Tag: "use", Title: "May ask to use other apps",
			Consequence: "Each app and tool is asked for by itself. Installing allows none.", Fact: "asks first"},
		&linkv1.Risk{Level: riskLow, Tag: "tools", Title: "May offer tools to other apps",
			Consequence: "Each use by another app still asks you.", Fact: "asks first"},
		&linkv1.Risk{Level: riskLow, Tag: "reads", Title: "Reads nothing else on this computer",
			Consequence: "No files, no other app's data, no camera, microphone, location or clipboard.", Fact: "own package only"},
	)
	if n := len(m.Tiles); n > 0 {
		risks = append(risks, &linkv1.Risk{Level: riskLow, Tag: "tiles", Title: "Opens " + count(n, "kind of tile", "kinds of tile"),
			Consequence: "Only when you open one. It sees what you do inside it.", Fact: few(ids(m.Tiles))})
	}
	if m.Tray != nil {
		risks = append(risks, &linkv1.Risk{Level: riskLow, Tag: "tray", Title: "Sits in the bar",
			Consequence: "A small picture that opens a page. You can hide it.", Fact: m.Tray.Path})
	}
	slices.SortStableFunc(risks, func(a, b *linkv1.Risk) int { return int(b.Level) - int(a.Level) })
	return risks
}

// publisher says who stands behind the bytes, as far as anybody knows.
func publisher(s *linkv1.Signer) *linkv1.Risk {
	r := &linkv1.Risk{Level: riskMedium, Tag: "publisher", Fact: s.GetKey()}
	switch s.GetState() {
	case linkv1.SignerState_SIGNER_STATE_NEW:
		r.Title = "Signed by a key that is new here"
		r.Consequence = "Nobody verified whose key it is. From now on every version of this app must be signed by it."
	case linkv1.SignerState_SIGNER_STATE_SAME:
		r.Level, r.Title = riskLow, "Signed by the same key as before"
		r.Consequence = "It comes from whoever made the earlier version. Nobody verified who that is."
	case linkv1.SignerState_SIGNER_STATE_CHANGED:
		r.Level, r.Title = riskHigh, "Signed by another key than before"
		r.Consequence = "It may come from somebody else, who would get what you trusted this app with. Ask its maker before you take the new key."
	case linkv1.SignerState_SIGNER_STATE_MISSING:
		r.Level, r.Title, r.Fact = riskHigh, "Not signed, though it was before", "unsigned"
		r.Consequence = "It may come from somebody else, who would get what you trusted this app with. Ask its maker for a signed package."
	default:
		r.Title, r.Fact = "Nobody vouches for who made it", "unsigned"
		r.Consequence = "The package is not signed. Its name and what it says about itself are its own words."
	}
	return r
}

// network says what else may leave. It must not promise what a browser does not keep.
func network(m *Manifest) *linkv1.Risk {
	r := &linkv1.Risk{Level: riskMedium, Tag: "network", Title: "Declares no internet address",
		Consequence: "In the Neutron window nothing leaves. In a browser an app can still open bare connections, so what it can read could leave there.", Fact: "no addresses"}
	if n := len(m.Connect); n > 0 {
		r.Title, r.Fact = "Declares no other internet address", count(n, "address", "addresses")
		r.Consequence = "In the Neutron window it can talk to addresses that an installed app declares, and to no other. In a browser it can still open bare connections anywhere."
	}
	return r
}

func count(n int, one, many string) string {
	if n == 1 {
		return "one " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// few lists the first few of some ids; they are ASCII by grammar.
func few(ids []string) string {
	const shown = 4
	list := slices.Clone(ids[:min(len(ids), shown)])
	if more := len(ids) - shown; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}
