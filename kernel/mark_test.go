package kernel

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/store"
)

func TestWords(t *testing.T) {
	if len(words) < 256 {
		t.Errorf("%d words: two of them must give at least 2^16 marks", len(words))
	}
	sorted := slices.Clone(words)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(words) {
		t.Error("a word stands twice")
	}
	for _, w := range words {
		if !regexp.MustCompile(`^[a-z]{2,10}$`).MatchString(w) {
			t.Errorf("word %q", w)
		}
	}
}

func TestMarkIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	mark := func() string {
		s, err := store.Open(dir, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		m, err := ownerMark(s)
		if err != nil {
			t.Fatal(err)
		}
		if a, b, ok := strings.Cut(m.GetWords(), " "); !ok || a == b || len(m.GetSeed()) != 16 {
			t.Errorf("mark %v", m)
		}
		raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	if a, b := mark(), mark(); a != b {
		t.Error("the mark changed at a restart")
	}
	first, second := newMark(), newMark()
	if proto.Equal(first, second) {
		t.Error("two owners have one mark")
	}
}
