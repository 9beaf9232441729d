package bus

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/policy"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/tool"
)

// exposed is what each connection pushed last: what is listed, judged and
// called. It ends with the connection.
type exposed struct {
	mu    sync.RWMutex
	byRef map[endpoint.Ref]map[string]*tool.Descriptor
}

func (x *exposed) init() { x.byRef = map[endpoint.Ref]map[string]*tool.Descriptor{} }

func (x *exposed) set(ref endpoint.Ref, tools map[string]*tool.Descriptor) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.byRef[ref] = tools
}

func (x *exposed) drop(ref endpoint.Ref) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.byRef, ref)
}

// get is the last push of a connection; false: it has not pushed yet. The map
// is never changed after it was pushed.
func (x *exposed) get(ref endpoint.Ref) (map[string]*tool.Descriptor, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	tools, ok := x.byRef[ref]
	return tools, ok
}

// push takes the whole list of tools of a connection. A list with one bad
// descriptor is refused whole, and the former one stays in force.
func (b *Bus) push(caller endpoint.Endpoint, payload []byte) error {
	raw, err := readPush(payload)
	if err != nil {
		return err
	}
	tools, err := tool.ParseList(raw, b.schemas)
	if err != nil {
		return err
	}
	b.exposed.set(caller.Ref, tools)
	b.states.hear(caller)
	if _, live := b.registry.Resolve(caller.Ref); !live {
		b.states.drop(caller.Ref)
		b.exposed.drop(caller.Ref) // it ended meanwhile, and nobody will say so again
		return fault.New("bus.push", fault.EndpointGone, string(caller.ID), "")
	}
	b.desk.ToolsChanged(caller.Ref, func(name string) string {
		if d := tools[name]; d != nil {
			return d.Hash
		}
		return ""
	})
	for _, c := range b.table.unpark(caller.ID) {
		b.route(c)
	}
	return nil
}

// Tools lists what a live endpoint exposes, for the owner's eyes, by name.
func (b *Bus) Tools(id endpoint.ID) ([]*linkv1.Tool, error) {
	var list []*tool.Descriptor
	if id == endpoint.Kernel {
		for _, k := range b.tools.List() {
			list = append(list, k.Descriptor)
		}
	} else {
		e, ok := b.registry.Lookup(id)
		if !ok {
			return nil, b.registry.Missing(id)
		}
		tools, _ := b.exposed.get(e.Ref)
		list = sorted(tools)
	}
	out := make([]*linkv1.Tool, len(list))
	for i, d := range list {
		out[i] = &linkv1.Tool{Name: d.Name, Title: d.Title, Description: d.Description, InputSchema: d.InputSchema, DefinitionHash: d.Hash}
	}
	return out, nil
}

func sorted(tools map[string]*tool.Descriptor) []*tool.Descriptor {
	return slices.SortedFunc(maps.Values(tools), func(a, b *tool.Descriptor) int { return cmp.Compare(a.Name, b.Name) })
}

// listing is the answer to tools.list.
func listing(list []*tool.Descriptor, visible func(policy.Tool) bool) []byte {
	out := []byte(`{"tools":[`)
	for _, d := range list {
		if !visible(d.Policy()) {
			continue
		}
		if out[len(out)-1] != '[' {
			out = append(out, ',')
		}
		out = append(out, d.Canonical...)
	}
	return append(out, `]}`...)
}
