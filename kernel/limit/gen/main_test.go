package main

import (
	"bytes"
	"os"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

func TestTheDocIsUpToDate(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(doc, page()) {
		t.Error("docs/limits.md is not what the tables say: run go generate ./kernel/limit")
	}
}

func TestTheTableIsWellFormed(t *testing.T) {
	names := map[string]bool{}
	for _, r := range limit.Table() {
		if r.Name == "" || r.Unit == "" || r.Sentence == "" || r.Value <= 0 || names[r.Name] {
			t.Errorf("%+v is incomplete or there twice", r)
		}
		if r.Code != "" && !r.Code.Known() {
			t.Errorf("%s has the unknown code %s", r.Name, r.Code)
		}
		names[r.Name] = true
	}
	for c, text := range fault.Codes() {
		if text == "" || text[len(text)-1] != '.' {
			t.Errorf("%s has no sentence", c)
		}
	}
}
