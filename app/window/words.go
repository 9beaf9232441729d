package window

import (
	"fmt"
	"strings"
)

// words are the texts of one native prompt.
type words struct {
	heading, text, note string
	first, second       string   // the buttons; first is the default
	names               []string // whom the owner may suspect
}

// Bounds of what an app's name may take in a prompt: rows, and characters of one.
const (
	promptNames = 5
	promptName  = 48
)

// stallWords asks what to do about a page that stands still.
func stallWords(suspects []string) words {
	w := words{
		heading: "Neutron’s page does not answer",
		text:    "All frames share one web process, so the whole window stands still. Calls outside it, sessions and saving go on.",
		note:    "Reload ends the calls of every frame with ENDPOINT_GONE and brings the page back in about a second. What was saved is kept.",
		first:   "Reload", second: "Wait",
	}
	for i, s := range suspects {
		if i == promptNames {
			w.names = append(w.names, fmt.Sprintf("and %d more", len(suspects)-i))
			break
		}
		w.names = append(w.names, cut(s))
	}
	switch len(suspects) {
	case 0:
	case 1:
		w.heading = fmt.Sprintf("%s keeps Neutron from answering", cut(suspects[0]))
	default:
		w.heading = "One of these apps keeps Neutron from answering"
	}
	return w
}

// loopWords asks what to do about a page that ends again and again.
func loopWords(deaths int) words {
	return words{
		heading: "Neutron’s page keeps ending",
		text:    fmt.Sprintf("Its web process ended %d times in a minute. Sessions and saving go on outside it.", deaths),
		note:    "Reload starts the page once more. Quit closes Neutron; what was saved is kept.",
		first:   "Reload", second: "Quit",
	}
}

func cut(name string) string {
	name = strings.TrimSpace(name)
	if r := []rune(name); len(r) > promptName {
		return string(r[:promptName-1]) + "…"
	}
	return name
}
