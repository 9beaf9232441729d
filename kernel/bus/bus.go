// Package bus carries one routed call: admit > decide > deliver > progress* >
// settle.
//
// Guarantees:
//
//  1. Every exec with a valid id is settled by exactly one Respond, unless its
//     connection is over: then nobody is there to hear it.
//  2. A call holds one of its endpoint's eight slots from admission until it is
//     settled, while the owner is asked too.
//  3. Identities come from the connection. They are checked again after every
//     wait, before the delivery and before the reply.
//  4. What is delivered is what was judged: input against the tool's schema,
//     the definition that the owner was shown. What is answered is judged too.
//  5. When a side goes, its calls are settled at once. A cancel or a deadline
//     reaches the target. The deadline runs from the delivery.
//  6. Messages of one connection are handled in the order they came, so a push
//     of tools is in force before any later reply. Connections do not wait for
//     each other: what is dear to judge costs the one that sent it. One that
//     sends more than can be judged is ended with FLOOD, alone.
//
// Exec, Response, ProgressFrom and CancelExec queue and return at once; they may
// be called from many goroutines.
package bus

import (
	"log/slog"
	"strings"
	"sync/atomic"

	"neutron/kernel/appdata"
	"neutron/kernel/audit"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/schema"
	"neutron/kernel/tool"
)

// Hop is one named step of a call, for the trace: the exec's connection and id,
// and the function that took it.
type Hop struct {
	Ref  endpoint.Ref
	ID   uint64
	Name string
}

// Data is what the store.* actions of a page reach: what its own installation
// keeps. *appdata.Data is one.
type Data interface {
	Do(appdata.Action)
	End(holder string)
}

// Options of a bus. Data, Log, Schemas and Trace may be nil; without Data the
// store.* actions are NOT_SUPPORTED.
type Options struct {
	Data     Data
	Registry *endpoint.Registry
	Desk     *consent.Desk
	Audit    *audit.Log
	Tools    *tool.Set
	Schemas  *schema.Cache
	Log      *slog.Logger
	Trace    func(Hop)
}

// Exec is one exec envelope of a frame. Payload and Context are JSON text and
// must not change afterwards; an empty Context is none.
type Exec struct {
	ID      uint64
	Action  string
	Payload []byte
	Context []byte
	Stamp   endpoint.Stamp
}

// Bus is the one router of a kernel.
type Bus struct {
	registry *endpoint.Registry
	desk     *consent.Desk
	audit    *audit.Log
	tools    *tool.Set
	data     Data
	schemas  *schema.Cache
	log      *slog.Logger
	trace    func(Hop)

	states  states
	lanes   lanes
	table   table
	exposed exposed
	workers workers
	refused atomic.Uint64
}

// New makes a bus and listens for connections that end.
func New(o Options) *Bus {
	b := &Bus{
		registry: o.Registry, desk: o.Desk, audit: o.Audit, tools: o.Tools, data: o.Data,
		schemas: o.Schemas, log: o.Log, trace: o.Trace,
	}
	if b.schemas == nil {
		b.schemas = schema.NewCache()
	}
	if b.log == nil {
		b.log = slog.New(slog.DiscardHandler)
	}
	b.workers.init()
	b.states.init(b.table.number)
	b.lanes.init()
	b.table.init()
	b.exposed.init()
	o.Registry.OnEnd(b.ended)
	return b
}

// Wait returns when everything that was queued is handled and nobody is asked any
// more: at the end, after every shell was detached and the desk's run ended.
func (b *Bus) Wait() { b.workers.wait() }

// Refused counts the messages that were dropped without an answer, because an
// answer could not be told from another one's.
func (b *Bus) Refused() uint64 { return b.refused.Load() }

// InFlight counts the calls that are not settled.
func (b *Bus) InFlight() int { return b.table.size() }

func (b *Bus) hop(c *call, name string) {
	if b.trace != nil {
		b.trace(Hop{c.caller.Ref, c.id, name})
	}
}

// private are the actions that are not tools and that are not served yet.
var private = []string{
	"tray.set_state", "tray.dismiss", "clipboard.write_text",
	"connections.", "ethereum_provider.", "vetkeys.", "agent.mode.", "store.",
}

func reserved(action string) bool {
	for _, p := range private {
		if action == p || strings.HasSuffix(p, ".") && strings.HasPrefix(action, p) {
			return true
		}
	}
	return false
}

// Exec takes one exec envelope of a connection of this shell.
func (b *Bus) Exec(shell endpoint.Shell, ref endpoint.Ref, e Exec) {
	b.inOrder(ref, len(e.Payload)+len(e.Context), func() { b.exec(shell, ref, e) })
}

func (b *Bus) exec(shell endpoint.Shell, ref endpoint.Ref, e Exec) {
	const op fault.Op = "bus.exec"
	if e.ID == 0 || e.ID > limit.EnvelopeIDMax {
		b.refused.Add(1)
		return
	}
	caller, live := b.registry.Resolve(ref)
	if !live || caller.Shell.ID() != shell.ID() {
		shell.Respond(ref, e.ID, nil, fault.New(op, fault.EndpointGone, string(ref.Frame), ""))
		return
	}
	if b.table.serving(ref, e.ID) {
		b.refused.Add(1)
		return
	}
	if err := contextOf(e.Context); err != nil {
		shell.Respond(ref, e.ID, nil, err)
		return
	}
	switch e.Action {
	case "tools.call":
		b.call(caller, e)
	case "tools.list":
		b.list(caller, e)
	case "tools.push":
		err := b.push(caller, e.Payload)
		shell.Respond(ref, e.ID, okIf(err), err)
	case publishAction:
		ok, err := b.publish(caller, e.Payload)
		shell.Respond(ref, e.ID, ok, err)
	case "ping":
		err := emptyPayload(e.Payload)
		shell.Respond(ref, e.ID, okIf(err), err)
	default:
		if b.data != nil && strings.HasPrefix(e.Action, dataPrefix) {
			b.keep(caller, e)
			return
		}
		code := fault.InvalidRequest
		if reserved(e.Action) {
			code = fault.NotSupported
		}
		shell.Respond(ref, e.ID, nil, fault.New(op, code, string(caller.ID), ""))
	}
}

func okIf(err error) []byte {
	if err != nil {
		return nil
	}
	return []byte("{}")
}
