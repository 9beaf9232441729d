package bus

import (
	"context"
	"runtime/debug"
	"time"

	"neutron/kernel/audit"
	"neutron/kernel/consent"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/policy"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/tool"
)

// listTool is how the audit names a listing.
const listTool = "tools.list"

// call admits a tools.call.
func (b *Bus) call(caller endpoint.Endpoint, e Exec) {
	b.admit(caller, e, policy.Use, func() (callText, error) { return readCall(e.Payload) })
}

// list admits a tools.list.
func (b *Bus) list(caller endpoint.Endpoint, e Exec) {
	b.admit(caller, e, policy.Discover, func() (callText, error) {
		target, err := readList(e.Payload)
		return callText{target: target, name: listTool, timeout: limit.DiscoverTimeout}, err
	})
}

// admit takes a slot before anything else is done with a call.
func (b *Bus) admit(caller endpoint.Endpoint, e Exec, act policy.Act, read func() (callText, error)) {
	const op fault.Op = "bus.admit"
	c := &call{caller: caller, id: e.ID, stamp: e.Stamp, act: act, started: time.Now()}
	if !b.table.admit(c) {
		caller.Shell.Respond(caller.Ref, e.ID, nil, fault.New(op, fault.Busy, string(caller.ID), "").After(limit.BusyRetry))
		return
	}
	b.hop(c, "bus.Exec")
	what, err := read()
	if err != nil {
		b.settle(c, nil, err, "")
		return
	}
	record := b.audit.Begin(audit.Call{
		Caller: consent.PartyOf(caller), Target: &linkv1.Party{EndpointId: string(what.target)},
		Tool: what.name, Arguments: what.arguments,
	})
	b.table.fill(func() { c.what, c.record = what, record })
	b.registry.Use(caller.Ref)
	b.route(c)
}

// route finds the target and its tool, decides, and goes on accordingly.
func (b *Bus) route(c *call) {
	if !b.same(c.caller) {
		b.settle(c, nil, gone(c.caller.ID), "")
		return
	}
	if c.what.target == endpoint.Kernel {
		b.routeKernel(c)
		return
	}
	target, live := b.registry.Lookup(c.what.target)
	tools, pushed := b.exposed.get(target.Ref)
	switch {
	case !live && !b.registry.Expected(c.what.target):
		b.settle(c, nil, b.registry.Missing(c.what.target), "")
		return
	case !live || !pushed:
		b.park(c)
		return
	}
	d := tools[c.what.name]
	b.table.fill(func() { c.target, c.tool = target, d })
	c.record.Target(consent.PartyOf(target))
	if c.act == policy.Use && d == nil {
		b.settle(c, nil, unknownTool(c), "")
		return
	}
	b.decide(c)
}

// park waits for a target that starts, or that has not said yet what it exposes.
func (b *Bus) park(c *call) {
	wait := min(c.what.timeout, limit.DiscoverTimeout)
	deadline := time.AfterFunc(wait, func() { b.settle(c, nil, timeout(c), "") })
	if !b.table.park(c, deadline) {
		return
	}
	// A push or an end between the look and the parking would be missed.
	e, live := b.registry.Lookup(c.what.target)
	if _, pushed := b.exposed.get(e.Ref); live && pushed || !live && !b.registry.Expected(c.what.target) {
		for _, c := range b.table.unpark(c.what.target) {
			b.route(c)
		}
	}
}

// decide judges the input and asks the policy.
func (b *Bus) decide(c *call) {
	b.hop(c, "bus.decide")
	in := policy.Input{Caller: policy.Of(c.caller), Target: policy.Of(c.target), Act: c.act, Grants: b.desk}
	if c.tool != nil {
		in.Tool = c.tool.Policy()
		if c.tool.MetadataOnly {
			c.record.MetadataOnly()
		}
	}
	v := policy.Decide(in)
	if v.Effect == policy.Deny {
		err := error(fault.New("bus.decide", v.Code, string(c.what.target), ""))
		if v.Code == fault.ToolUnknown {
			err = unknownTool(c)
		}
		b.settle(c, nil, err, "")
		return
	}
	if c.tool != nil {
		if err := judgeInput(c.tool, c.what.arguments); err != nil {
			b.settle(c, nil, err, "")
			return
		}
	}
	if v.Effect == policy.Ask {
		b.ask(c, in)
		return
	}
	if v.By == policy.BySession {
		b.desk.Used(v.Key)
	}
	b.deliver(c, v.By)
}

func judgeInput(d *tool.Descriptor, arguments []byte) error {
	err := d.Input.Validate(arguments)
	if err == nil {
		return nil
	}
	return judged(fault.InputInvalid, d.Name, err)
}

// judged gives a validator's fault the code of its side. A limit stays one.
func judged(code fault.Code, subject string, err error) error {
	if c := fault.CodeOf(err); c == fault.Limit || c == fault.Internal {
		code = c
	}
	return fault.New("bus.judge", code, subject, fault.Sentence(err))
}

// ask puts the owner's question and delivers on a yes. The question closes when
// the call is settled otherwise.
func (b *Bus) ask(c *call, in policy.Input) {
	ctx, ok := b.table.interruptible(c, asking, 0, nil)
	if !ok {
		return
	}
	q := consent.Question{
		Kind:   linkv1.QuestionKind_QUESTION_KIND_USE,
		Caller: in.Caller, Target: in.Target, CallerRef: c.caller.Ref, TargetRef: c.target.Ref,
		CallerParty: consent.PartyOf(c.caller), TargetParty: consent.PartyOf(c.target),
		Tool: in.Tool, Arguments: c.what.arguments, Caused: b.caused(c),
	}
	if c.act == policy.Discover {
		q.Kind = linkv1.QuestionKind_QUESTION_KIND_DISCOVER
	} else {
		q.Title, q.Description = c.tool.Title, c.tool.Description
	}
	b.spawn(func() {
		choice, err := b.desk.Ask(ctx, q)
		if err != nil {
			b.settle(c, nil, err, refusal(err))
			return
		}
		by := decision(choice)
		if err := c.record.Decided(by); err != nil {
			b.settle(c, nil, err, "")
			return
		}
		b.deliver(c, by)
	})
}

// caused reports whether the owner's click or key is what this call comes from.
func (b *Bus) caused(c *call) bool {
	return c.stamp.OwnerCaused() && time.Since(c.started) < limit.CausedAge
}

func decision(c consent.Choice) string {
	if c == consent.Session {
		return policy.BySession
	}
	return "once"
}

func refusal(err error) string {
	if fault.CodeOf(err) == fault.Denied {
		return "denied"
	}
	return ""
}

// deliver checks once more that nothing has changed, and hands the call over.
func (b *Bus) deliver(c *call, by string) {
	if !b.same(c.caller) || !b.same(c.target) {
		b.settle(c, nil, gone(c.target.ID), by)
		return
	}
	tools, _ := b.exposed.get(c.target.Ref)
	if c.act == policy.Discover {
		caller, target := policy.Of(c.caller), policy.Of(c.target)
		b.settle(c, listing(sorted(tools), func(t policy.Tool) bool { return policy.Visible(caller, target, t) }), nil, by)
		return
	}
	if now := tools[c.what.name]; now == nil || now.Hash != c.tool.Hash {
		b.settle(c, nil, fault.New("bus.deliver", fault.RequestCancelled, c.what.name, "The tool changed before the call was delivered."), by)
		return
	}
	payload, err := delivery(c.what.name, c.what.arguments, c.caller)
	if err != nil {
		b.settle(c, nil, fault.Wrap("bus.deliver", fault.Internal, c.what.name, err), by)
		return
	}
	if len(payload) > limit.PayloadBytes { // with the caller's name; the target's port would refuse it
		b.settle(c, nil, fault.New("bus.deliver", fault.Limit, c.what.name, "The arguments are too large to be delivered."), by)
		return
	}
	c.record.Decision(by)
	b.hop(c, "bus.deliver")
	b.table.dispatch(c, func() { b.settle(c, nil, timeout(c), "") }, func(number uint64) {
		c.target.Shell.Deliver(c.target.Ref, number, "tool.run", payload, nil)
	})
}

// routeKernel runs one of the kernel's own tools, or lists them.
func (b *Bus) routeKernel(c *call) {
	b.hop(c, "bus.decide")
	v := policy.Decide(policy.Input{Caller: policy.Of(c.caller), Target: policy.Kernel(), Act: c.act})
	if c.act == policy.Discover {
		list := make([]*tool.Descriptor, 0, len(b.tools.List()))
		for _, k := range b.tools.List() {
			list = append(list, k.Descriptor)
		}
		b.settle(c, listing(list, func(policy.Tool) bool { return true }), nil, v.By)
		return
	}
	k, ok := b.tools.Get(c.what.name)
	if !ok {
		b.settle(c, nil, unknownTool(c), "")
		return
	}
	b.table.fill(func() { c.tool = k.Descriptor })
	if err := judgeInput(k.Descriptor, c.what.arguments); err != nil {
		b.settle(c, nil, err, v.By)
		return
	}
	wait := c.what.timeout
	if k.Asks {
		wait = 0
	}
	ctx, ok := b.table.interruptible(c, delivered, wait, func() { b.settle(c, nil, timeout(c), "") })
	if !ok {
		return
	}
	c.record.Decision(v.By)
	b.spawn(func() {
		result, err := b.runTool(ctx, k, c)
		if err == nil && k.Output != nil {
			if bad := k.Output.Validate(result); bad != nil {
				err = judged(fault.OutputInvalid, k.Name, bad)
			}
		}
		if err != nil {
			result = nil
		}
		b.settle(c, result, err, refusal(err))
	})
}

// runTool guards a handler: its panic settles this call, and nothing else.
func (b *Bus) runTool(ctx context.Context, k *tool.Kernel, c *call) (result []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			b.log.Error("a kernel tool panicked", "tool", k.Name, "panic", r, "stack", string(debug.Stack()))
			err = fault.New("bus.runTool", fault.Internal, k.Name, "")
		}
	}()
	return k.Run(ctx, tool.Call{
		Caller: c.caller, Stamp: c.stamp, Arguments: c.what.arguments,
		Permit: func(ctx context.Context, target endpoint.ID, name string) error {
			return b.permit(ctx, c, target, name)
		},
	})
}

// permit asks the owner for a grant of this run, unless there is one or none is
// needed.
func (b *Bus) permit(ctx context.Context, c *call, id endpoint.ID, name string) error {
	const op fault.Op = "bus.permit"
	target, live := b.registry.Lookup(id)
	if !live {
		return b.registry.Missing(id)
	}
	in := policy.Input{Caller: policy.Of(c.caller), Target: policy.Of(target), Act: policy.Discover, Grants: b.desk}
	q := consent.Question{
		Kind:   linkv1.QuestionKind_QUESTION_KIND_REQUEST,
		Caller: in.Caller, Target: in.Target, CallerRef: c.caller.Ref, TargetRef: target.Ref,
		CallerParty: consent.PartyOf(c.caller), TargetParty: consent.PartyOf(target), Caused: b.caused(c),
	}
	if name != "" {
		tools, _ := b.exposed.get(target.Ref)
		d := tools[name]
		if d == nil || !policy.Visible(in.Caller, in.Target, d.Policy()) {
			return fault.New(op, fault.ToolUnknown, name, "")
		}
		in.Act, in.Tool = policy.Use, d.Policy()
		q.Tool, q.Title, q.Description = in.Tool, d.Title, d.Description
	}
	switch v := policy.Decide(in); v.Effect {
	case policy.Allow:
		return nil
	case policy.Deny:
		return fault.New(op, v.Code, string(id), "")
	}
	if _, err := b.desk.Ask(ctx, q); err != nil {
		return err
	}
	return c.record.Decided(policy.BySession)
}

// same reports whether an endpoint is still the one that it was.
func (b *Bus) same(e endpoint.Endpoint) bool {
	now, live := b.registry.Resolve(e.Ref)
	return live && now.Identity == e.Identity
}

func gone(id endpoint.ID) error {
	return fault.New("bus.route", fault.EndpointGone, string(id), "")
}

func unknownTool(c *call) error {
	return fault.New("bus.route", fault.ToolUnknown, c.what.name, "")
}

func timeout(c *call) error {
	return fault.New("bus.deadline", fault.Timeout, c.what.name, "")
}
