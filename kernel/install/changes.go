package install

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"neutron/kernel/proto/linkv1"
)

const (
	added   = linkv1.ChangeKind_CHANGE_KIND_ADDED
	removed = linkv1.ChangeKind_CHANGE_KIND_REMOVED
	changed = linkv1.ChangeKind_CHANGE_KIND_CHANGED
)

// Changes says what an upgrade makes different in what an app may do, the gravest
// first: facts of the two manifests and signers, none of their prose. What the
// update itself ends is known to the kernel, which adds it.
func Changes(old *Installed, p *Package) []*linkv1.Change {
	m, was := &p.Manifest, &old.Manifest
	var list []*linkv1.Change
	add := func(kind linkv1.ChangeKind, level uint32, tag, title, consequence, fact string) {
		list = append(list, &linkv1.Change{Kind: kind, Level: level, Tag: tag, Title: title, Consequence: consequence, Fact: fact})
	}
	more, fewer := difference(was.Connect, m.Connect)
	for _, o := range more {
		add(added, riskHigh, "connect", "May now send to "+host(o), "The installed version may not.", o)
	}
	for _, o := range fewer {
		add(removed, 0, "connect", "May no longer send to "+host(o), "The installed version may.", o)
	}
	switch oldPath, path := backgroundPath(was), backgroundPath(m); {
	case oldPath == "" && path != "":
		add(added, riskMedium, "background", "Now runs while none of its tiles is open", "The installed version has no background.", path)
	case oldPath != "" && path == "":
		add(removed, 0, "background", "No longer runs in the background", "What its background offered to other apps ends.", oldPath)
	case oldPath != path:
		add(changed, riskLow, "background", "Another page runs in the background", "", path)
	}
	switch {
	case was.Tray == nil && m.Tray != nil:
		add(added, riskLow, "tray", "Now sits in the bar", "The installed version does not.", m.Tray.Path)
	case was.Tray != nil && m.Tray == nil:
		add(removed, 0, "tray", "No longer sits in the bar", "", was.Tray.Path)
	}
	more, fewer = difference(ids(was.Tiles), ids(m.Tiles))
	if len(more) > 0 {
		add(added, riskLow, "tiles", "Has "+count(len(more), "new kind of tile", "new kinds of tile"), "Opened only by you.", few(more))
	}
	if len(fewer) > 0 {
		add(removed, 0, "tiles", "No longer has "+count(len(fewer), "kind of tile", "kinds of tile"), "Open ones close and cannot be opened again.", few(fewer))
	}
	if was.Name != m.Name {
		add(changed, riskLow, "name", "Calls itself by another name", "The name is its own word. Its id stays "+m.ID+".", fmt.Sprintf("%q, was %q", m.Name, was.Name))
	}
	if old.Signer == "" && p.Signer != "" {
		add(added, riskLow, "publisher", "Is signed from now on", "Later versions must be signed by the same key.", p.Signer)
	}
	slices.SortStableFunc(list, func(a, b *linkv1.Change) int { return cmp.Compare(b.Level, a.Level) })
	return list
}

// unbundled is the change of an app that came with Neutron and is replaced from elsewhere.
func unbundled() *linkv1.Change {
	return &linkv1.Change{Kind: changed, Level: riskHigh, Tag: "publisher", Title: "Replaces an app that came with Neutron",
		Consequence: "The installed version is part of Neutron. This package comes from elsewhere.", Fact: "from elsewhere"}
}

// difference gives what is in b only, and what is in a only.
func difference(a, b []string) (more, fewer []string) {
	for _, s := range b {
		if !slices.Contains(a, s) {
			more = append(more, s)
		}
	}
	for _, s := range a {
		if !slices.Contains(b, s) {
			fewer = append(fewer, s)
		}
	}
	return more, fewer
}

func backgroundPath(m *Manifest) string {
	if m.Background == nil {
		return ""
	}
	return m.Background.Path
}

// host is an origin as a person reads it.
func host(origin string) string { return strings.TrimPrefix(origin, "https://") }

func ids(tiles []Tile) (list []string) {
	for _, t := range tiles {
		list = append(list, t.ID)
	}
	return list
}
