package tool

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/schema"
)

// Call is one call of a kernel tool. Arguments match the tool's input schema.
type Call struct {
	Caller    endpoint.Endpoint
	Stamp     endpoint.Stamp
	Arguments []byte
	// Permit asks the owner for a grant of this run: of one tool of a live
	// target, or, with an empty tool, of seeing its tools.
	Permit func(ctx context.Context, target endpoint.ID, tool string) error
}

// Handler runs a kernel tool and returns its result as JSON.
type Handler func(ctx context.Context, c Call) ([]byte, error)

// Kernel is one of the kernel's own tools.
type Kernel struct {
	*Descriptor
	Run  Handler
	Asks bool // it waits for the owner: the question's time bounds it, not the call's
}

// Set is the kernel's tools by name.
type Set struct {
	byName map[string]*Kernel
	sorted []*Kernel
}

// NewSet collects tools. Two of one name are a programming error and panic.
func NewSet(tools ...*Kernel) *Set {
	s := &Set{byName: map[string]*Kernel{}}
	for _, t := range tools {
		if s.byName[t.Name] != nil {
			panic("tool: two kernel tools named " + t.Name)
		}
		s.byName[t.Name] = t
		s.sorted = append(s.sorted, t)
	}
	slices.SortFunc(s.sorted, func(a, b *Kernel) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// Get finds a tool.
func (s *Set) Get(name string) (*Kernel, bool) {
	t, ok := s.byName[name]
	return t, ok
}

// List is every tool by name.
func (s *Set) List() []*Kernel { return s.sorted }

// define makes a kernel tool of its descriptor's text. The text is ours, so a
// fault in it panics at start.
func define(text string, run Handler) *Kernel {
	d, err := Parse([]byte(text), schema.NewCache())
	if err != nil {
		panic("tool: " + err.Error())
	}
	return &Kernel{Descriptor: d, Run: run}
}

// result makes the JSON of a handler's value.
func result(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	return b, fault.Wrap("tool.result", fault.Internal, "", err)
}

// arguments reads a handler's arguments, which its input schema has judged.
func arguments(c Call, into any) error {
	return fault.Wrap("tool.arguments", fault.InputInvalid, "", json.Unmarshal(c.Arguments, into, json.RejectUnknownMembers(true)))
}
