package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"neutron/kernel/proto/linkv1"
)

// plain makes a text safe for a terminal: what is not a printable character or a
// space could move the cursor, hide or reorder what stands beside it.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == ' ', unicode.IsPrint(r):
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// line is plain on one line.
func line(s string) string { return strings.ReplaceAll(plain(s), "\n", " ") }

// size is a number of bytes for a person.
func size(n uint64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}

// app is an app as programs read it.
type app struct {
	ID          string   `json:"id"`
	UID         uint64   `json:"uid,omitempty"`
	Version     string   `json:"version"`
	Hash        string   `json:"hash"`
	Generation  uint64   `json:"generation,omitempty"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Tiles       []string `json:"tiles"`
	Background  bool     `json:"background"`
	InstalledAt int64    `json:"installedAtMs,omitempty"`
	Connect     []string `json:"connect"`
	Signer      string   `json:"signer,omitempty"` // Ed25519 public key, hex
}

func described(a *linkv1.App) app {
	d := app{
		ID: a.GetId(), UID: a.GetUid(), Version: a.GetVersion(), Hash: a.GetHash(), Generation: a.GetGeneration(), Name: a.GetName(),
		Description: a.GetDescription(), Tiles: []string{}, Background: a.GetBackground(), InstalledAt: a.GetInstalledAtMs(), Connect: append([]string{}, a.GetConnect()...), Signer: a.GetSigner(),
	}
	for _, t := range a.GetTiles() {
		d.Tiles = append(d.Tiles, t.GetId())
	}
	return d
}

// review is a review as programs read it.
type review struct {
	App              app      `json:"app"`
	Source           string   `json:"source"`
	Bytes            uint64   `json:"bytes"`
	Files            uint32   `json:"files"`
	InstalledVersion string   `json:"installedVersion,omitempty"`
	Risks            []risk   `json:"risks"`
	Signer           signer   `json:"signer"`
	Changes          []change `json:"changes"`
	Installed        bool     `json:"installed"` // false: install again with --yes
}

type signer struct {
	State  string `json:"state"` // unsigned, new, same, changed, missing
	Key    string `json:"key,omitempty"`
	Pinned string `json:"pinned,omitempty"`
}

type change struct {
	Kind        string `json:"kind"` // added, removed, changed, ends
	Level       uint32 `json:"level"`
	Tag         string `json:"tag"`
	Title       string `json:"title"`
	Consequence string `json:"consequence"`
	Fact        string `json:"fact"`
}

// word is the name of an enum's value as programs read it.
func word(e interface{ String() string }, prefix string) string {
	return strings.ToLower(strings.TrimPrefix(e.String(), prefix))
}

type risk struct {
	Level       uint32 `json:"level"`
	Tag         string `json:"tag"`
	Title       string `json:"title"`
	Consequence string `json:"consequence"`
	Fact        string `json:"fact"`
}

func reviewed(r *linkv1.Review) review {
	v := review{App: described(r.GetApp()), Source: r.GetSource(), Bytes: r.GetSizeBytes(), Files: r.GetFiles(), InstalledVersion: r.GetInstalledVersion(), Risks: []risk{}, Changes: []change{},
		Signer: signer{word(r.GetSigner().GetState(), "SIGNER_STATE_"), r.GetSigner().GetKey(), r.GetSigner().GetPinned()}}
	for _, k := range r.GetRisks() {
		v.Risks = append(v.Risks, risk{k.GetLevel(), k.GetTag(), k.GetTitle(), k.GetConsequence(), k.GetFact()})
	}
	for _, k := range r.GetChanges() {
		v.Changes = append(v.Changes, change{word(k.GetKind(), "CHANGE_KIND_"), k.GetLevel(), k.GetTag(), k.GetTitle(), k.GetConsequence(), k.GetFact()})
	}
	return v
}

// printReview shows what the owner decides on. What the app wrote about itself is marked.
func printReview(w io.Writer, r *linkv1.Review) {
	printApp(w, r.GetApp())
	fmt.Fprintf(w, "  package      %s, %s, %d files\n", line(r.GetSource()), size(r.GetSizeBytes()), r.GetFiles())
	if v := r.GetInstalledVersion(); v != "" {
		fmt.Fprintf(w, "  replaces     version %s\n", line(v))
	}
	if len(r.GetChanges()) > 0 {
		fmt.Fprintln(w, "\nWhat the update changes:")
	}
	for _, k := range r.GetChanges() {
		sign := map[linkv1.ChangeKind]string{linkv1.ChangeKind_CHANGE_KIND_ADDED: "+", linkv1.ChangeKind_CHANGE_KIND_REMOVED: "-"}[k.GetKind()]
		fmt.Fprintf(w, "  %1s%s %s (%s)\n", sign, strings.Repeat("!", int(k.GetLevel())), line(k.GetTitle()), line(k.GetFact()))
		if k.GetConsequence() != "" {
			fmt.Fprintf(w, "    %s\n", line(k.GetConsequence()))
		}
	}
	fmt.Fprintln(w, "\nWhat it may do:")
	for _, k := range r.GetRisks() {
		fmt.Fprintf(w, "  %s %s\n    %s\n", strings.Repeat("!", int(k.GetLevel())), line(k.GetTitle()), line(k.GetConsequence()))
		if f := k.GetFact(); f != "" {
			fmt.Fprintf(w, "    (%s)\n", line(f))
		}
	}
	fmt.Fprintln(w)
}

func printApp(w io.Writer, a *linkv1.App) {
	fmt.Fprintf(w, "%s %s\n", line(a.GetId()), line(a.GetVersion()))
	fmt.Fprintf(w, "  calls itself %q, which nobody verified\n", line(a.GetName()))
	if d := a.GetDescription(); d != "" {
		fmt.Fprintf(w, "  and says     %q\n", line(d))
	}
	fmt.Fprintf(w, "  SHA-256      %s\n", line(a.GetHash()))
	var pages []string
	for _, t := range a.GetTiles() {
		pages = append(pages, "tile "+line(t.GetId()))
	}
	if a.GetBackground() {
		pages = append(pages, "background")
	}
	fmt.Fprintf(w, "  pages        %s\n", strings.Join(pages, ", "))
	if s := a.GetSigner(); s != "" {
		fmt.Fprintf(w, "  signed by    %s\n", line(s))
	}
	if o := a.GetConnect(); len(o) > 0 {
		fmt.Fprintf(w, "  connects to  %s\n", line(strings.Join(o, ", ")))
	}
	if at := a.GetInstalledAtMs(); at > 0 {
		fmt.Fprintf(w, "  installed    %s, installation %d, generation %d\n", when(at), a.GetUid(), a.GetGeneration())
	}
}
