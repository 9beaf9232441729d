package policy_test

import (
	"testing"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/policy"
)

func app(id string, uid uint64, role endpoint.Role) policy.Side {
	i := endpoint.Identity{App: id, UID: uid, Version: "1.0.0", Hash: "aa", Generation: 3, Role: role, Tile: "main", Instance: "1"}
	return policy.Of(endpoint.Endpoint{ID: i.ID(), Identity: i})
}

type grants map[policy.Key]bool

func (g grants) Holds(k policy.Key) bool { return g[k] }

var (
	notes   = app("notes", 1, endpoint.Background)
	daybook = app("daybook", 2, endpoint.Tile)
	tray    = app("notes", 1, endpoint.Tray)
	agent   = policy.Side{Kind: policy.KindAgent, Endpoint: "agent:s1"}
	search  = policy.Tool{Name: "search", Definition: "d1"}
	private = policy.Tool{Name: "dump", Definition: "d2", SameApp: true}
)

func holding(keys ...policy.Key) grants {
	g := grants{}
	for _, k := range keys {
		g[k] = true
	}
	return g
}

func TestDecide(t *testing.T) {
	use := policy.KeyOf(daybook, notes, policy.Use, search)
	see := policy.KeyOf(daybook, notes, policy.Discover, policy.Tool{})
	cases := []struct {
		name   string
		in     policy.Input
		effect policy.Effect
		code   fault.Code
		by     string
	}{
		{"nobody calls as the kernel", policy.Input{Caller: policy.Kernel(), Target: notes, Act: policy.Use, Tool: search}, policy.Deny, fault.InvalidRequest, ""},
		{"a side without a kind", policy.Input{Target: notes, Act: policy.Use, Tool: search}, policy.Deny, fault.InvalidRequest, ""},
		{"kernel tools ask for themselves", policy.Input{Caller: daybook, Target: policy.Kernel(), Act: policy.Use, Tool: search}, policy.Allow, "", policy.ByKernel},
		{"an agent is nobody's target", policy.Input{Caller: daybook, Target: agent, Act: policy.Use, Tool: search}, policy.Deny, fault.EndpointGone, ""},
		{"a tray is never an agent's target (64)", policy.Input{Caller: agent, Target: tray, Act: policy.Use, Tool: search}, policy.Deny, fault.InvocationInvalid, ""},
		{"a tray of the same app", policy.Input{Caller: notes, Target: tray, Act: policy.Use, Tool: search}, policy.Allow, "", policy.BySameApp},
		{"same app", policy.Input{Caller: app("notes", 1, endpoint.Tile), Target: notes, Act: policy.Use, Tool: private}, policy.Allow, "", policy.BySameApp},
		{"same id, other installation", policy.Input{Caller: app("notes", 9, endpoint.Tile), Target: notes, Act: policy.Use, Tool: search}, policy.Ask, "", ""},
		{"a same_app tool is unknown to others (31)", policy.Input{Caller: daybook, Target: notes, Act: policy.Use, Tool: private, Grants: holding(policy.KeyOf(daybook, notes, policy.Use, private))}, policy.Deny, fault.ToolUnknown, ""},
		{"no grant (34)", policy.Input{Caller: daybook, Target: notes, Act: policy.Use, Tool: search, Grants: grants{}}, policy.Ask, "", ""},
		{"no grants at all", policy.Input{Caller: daybook, Target: notes, Act: policy.Use, Tool: search}, policy.Ask, "", ""},
		{"a use grant (35)", policy.Input{Caller: daybook, Target: notes, Act: policy.Use, Tool: search, Grants: holding(use)}, policy.Allow, "", policy.BySession},
		{"use does not include discover", policy.Input{Caller: daybook, Target: notes, Act: policy.Discover, Grants: holding(use)}, policy.Ask, "", ""},
		{"discover does not include use", policy.Input{Caller: daybook, Target: notes, Act: policy.Use, Tool: search, Grants: holding(see)}, policy.Ask, "", ""},
		{"a discover grant", policy.Input{Caller: daybook, Target: notes, Act: policy.Discover, Tool: search, Grants: holding(see)}, policy.Allow, "", policy.BySession},
		{"an agent asks", policy.Input{Caller: agent, Target: notes, Act: policy.Use, Tool: search, Grants: holding(use)}, policy.Ask, "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			v := policy.Decide(c.in)
			if v.Effect != c.effect || v.Code != c.code || v.By != c.by {
				t.Errorf("got %+v, want effect %d code %q by %q", v, c.effect, c.code, c.by)
			}
			if v.Effect == policy.Ask && v.Key != policy.KeyOf(c.in.Caller, c.in.Target, c.in.Act, c.in.Tool) {
				t.Errorf("the question's key is not the act's: %+v", v.Key)
			}
		})
	}
}

// Each part of the key alone voids a grant: what runs is exactly what was shown.
func TestKeyBindsEveryPart(t *testing.T) {
	granted := holding(policy.KeyOf(daybook, notes, policy.Use, search))
	changed := func(f func(caller, target *policy.Side, tool *policy.Tool)) policy.Input {
		c, g, tool := daybook, notes, search
		f(&c, &g, &tool)
		return policy.Input{Caller: c, Target: g, Act: policy.Use, Tool: tool, Grants: granted}
	}
	cases := map[string]policy.Input{
		"caller reinstalled":    changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.UID++ }),
		"caller version":        changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.Version = "1.0.1" }),
		"caller content":        changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.Hash = "bb" }),
		"caller generation":     changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.Generation++ }),
		"caller is another app": changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.App = "other" }),
		"target reinstalled":    changed(func(_, g *policy.Side, _ *policy.Tool) { g.Identity.UID++ }),
		"target generation":     changed(func(_, g *policy.Side, _ *policy.Tool) { g.Identity.Generation++ }),
		"another target":        changed(func(_, g *policy.Side, _ *policy.Tool) { g.Identity.App = "other" }),
		"another tool":          changed(func(_, _ *policy.Side, tool *policy.Tool) { tool.Name = "create" }),
		"a changed definition":  changed(func(_, _ *policy.Side, tool *policy.Tool) { tool.Definition = "d9" }),
	}
	for name, in := range cases {
		if v := policy.Decide(in); v.Effect != policy.Ask {
			t.Errorf("%s: got effect %d, want a question", name, v.Effect)
		}
	}
	if v := policy.Decide(changed(func(c, _ *policy.Side, _ *policy.Tool) { c.Identity.Instance, c.Identity.Tile = "2", "side" })); v.Effect != policy.Allow {
		t.Errorf("another tile of the same installation: got %+v, want the grant to hold", v)
	}
}

func TestVisible(t *testing.T) {
	if policy.Visible(daybook, notes, private) {
		t.Error("another app sees a same_app tool")
	}
	if !policy.Visible(app("notes", 1, endpoint.Tile), notes, private) {
		t.Error("the app's own tile does not see its same_app tool")
	}
	if !policy.Visible(daybook, notes, search) {
		t.Error("a plain tool is hidden")
	}
}
