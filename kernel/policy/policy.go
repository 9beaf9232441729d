// Package policy decides who may call what: a pure function of the caller, the
// target, the act and the grants the owner gave. It holds no state and no clock.
package policy

import (
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
)

// Kind is what kind of caller or target a side is.
type Kind uint8

// The kinds of sides.
const (
	KindApp    Kind = 1
	KindKernel Kind = 2 // as a target only
	KindAgent  Kind = 3 // as a caller only, like the next two
	KindCLI    Kind = 4
	KindRemote Kind = 5
)

// Side is one side of a call as the policy sees it.
type Side struct {
	Kind     Kind
	Endpoint endpoint.ID
	Identity endpoint.Identity // apps only
}

// Of makes the side of a live app endpoint.
func Of(e endpoint.Endpoint) Side {
	return Side{Kind: KindApp, Endpoint: e.ID, Identity: e.Identity}
}

// Kernel is the kernel as a target.
func Kernel() Side { return Side{Kind: KindKernel, Endpoint: endpoint.Kernel} }

// Act is what a grant allows: to see another app's tools, or to use one.
type Act uint8

// The acts. Neither includes the other.
const (
	Discover Act = 1
	Use      Act = 2
)

// Tool is what the policy needs of the tool that a call names.
type Tool struct {
	Name       string
	Definition string // hex SHA-256 of the canonical descriptor
	SameApp    bool   // annotated neutron:visibility = same_app
}

// Key is a grant's key: what the owner was shown is what is stored and what is
// matched. It is comparable; KeyOf is the only maker.
type Key struct {
	CallerKind       Kind
	Caller           string // app id, or the endpoint of any other caller
	CallerUID        uint64
	CallerVersion    string
	CallerHash       string
	CallerGeneration uint64
	Target           string
	TargetUID        uint64
	TargetGeneration uint64
	Act              Act
	Tool             string
	Definition       string
}

// KeyOf is the key of one act. A discover key names no tool.
func KeyOf(caller, target Side, act Act, tool Tool) Key {
	k := Key{
		CallerKind: caller.Kind, Caller: string(caller.Endpoint),
		Target: target.Identity.App, TargetUID: target.Identity.UID, TargetGeneration: target.Identity.Generation,
		Act: act,
	}
	if caller.Kind == KindApp {
		i := caller.Identity
		k.Caller, k.CallerUID, k.CallerVersion, k.CallerHash, k.CallerGeneration = i.App, i.UID, i.Version, i.Hash, i.Generation
	}
	if act == Use {
		k.Tool, k.Definition = tool.Name, tool.Definition
	}
	return k
}

// Grants tells whether the owner gave exactly this.
type Grants interface {
	Holds(Key) bool
}

// Effect is what a decision comes to.
type Effect uint8

// The effects.
const (
	Allow Effect = 1
	Ask   Effect = 2
	Deny  Effect = 3
)

// Why a call was allowed, as the audit names it.
const (
	BySameApp = "same-app"
	ByKernel  = "kernel"
	BySession = "session"
)

// Verdict is a decision. Code is set for Deny, By for Allow, Key for Ask and
// for an Allow that a grant gave.
type Verdict struct {
	Effect Effect
	Code   fault.Code
	By     string
	Key    Key
}

// Input is everything a decision depends on.
type Input struct {
	Caller Side
	Target Side
	Act    Act
	Tool   Tool
	Grants Grants
}

// Decide judges one act. Order matters: what nobody may do comes before what a
// grant allows.
func Decide(in Input) Verdict {
	caller, target := in.Caller, in.Target
	if caller.Kind == KindKernel || caller.Kind == 0 {
		return Verdict{Effect: Deny, Code: fault.InvalidRequest}
	}
	if target.Kind == KindKernel {
		return Verdict{Effect: Allow, By: ByKernel}
	}
	if target.Kind != KindApp {
		return Verdict{Effect: Deny, Code: fault.EndpointGone}
	}
	if caller.Kind == KindAgent && target.Identity.Role == endpoint.Tray {
		return Verdict{Effect: Deny, Code: fault.InvocationInvalid}
	}
	if SameApp(caller, target) {
		return Verdict{Effect: Allow, By: BySameApp}
	}
	if in.Act == Use && in.Tool.SameApp {
		// Not DENIED: that would tell that the tool exists.
		return Verdict{Effect: Deny, Code: fault.ToolUnknown}
	}
	key := KeyOf(caller, target, in.Act, in.Tool)
	if in.Grants != nil && in.Grants.Holds(key) {
		return Verdict{Effect: Allow, By: BySession, Key: key}
	}
	return Verdict{Effect: Ask, Key: key}
}

// SameApp reports whether both sides are one installation.
func SameApp(caller, target Side) bool {
	return caller.Kind == KindApp && target.Kind == KindApp && caller.Identity.SameInstallation(target.Identity)
}

// Visible reports whether a caller may see a tool in a listing it may have.
func Visible(caller, target Side, tool Tool) bool {
	return !tool.SameApp || SameApp(caller, target)
}
