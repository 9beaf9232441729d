package bus

import (
	"neutron/kernel/audit"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/valid"
)

// Response takes a frame's answer to a delivery: exactly one of ok and err. One
// with both or neither, for a delivery that is not open on that connection, or
// from another shell's, is dropped, and the call stays open.
func (b *Bus) Response(shell endpoint.Shell, ref endpoint.Ref, number uint64, ok []byte, err error) {
	b.inOrder(ref, len(ok), func() { b.response(shell, ref, number, ok, err) })
}

func (b *Bus) response(shell endpoint.Shell, ref endpoint.Ref, number uint64, ok []byte, err error) {
	if (ok == nil) == (err == nil) || !b.hosts(shell, ref) {
		b.refused.Add(1)
		return
	}
	if b.states.answered(ref, number) {
		return
	}
	c := b.table.answer(ref, number)
	if c == nil {
		b.refused.Add(1)
		return
	}
	b.hop(c, "bus.Response")
	if err != nil {
		b.settle(c, nil, toolFault(c.what.name, err), "")
		return
	}
	if err := judgeOutput(c, ok); err != nil {
		b.settle(c, nil, err, "")
		return
	}
	b.settle(c, ok, nil, "")
}

func (b *Bus) hosts(shell endpoint.Shell, ref endpoint.Ref) bool {
	e, live := b.registry.Resolve(ref)
	return live && e.Shell.ID() == shell.ID()
}

// judgeOutput judges a result by the tool's schema, or, without one, as JSON.
func judgeOutput(c *call, ok []byte) error {
	var err error
	if c.tool.Output != nil {
		err = c.tool.Output.Validate(ok)
	} else {
		err = valid.JSON(ok, limit.PayloadBytes)
	}
	if err == nil {
		return nil
	}
	return judged(fault.OutputInvalid, c.what.name, err)
}

// ProgressFrom passes a frame's progress on. Too large, too many, late, foreign
// or no JSON: it is dropped, and the call goes on.
func (b *Bus) ProgressFrom(shell endpoint.Shell, ref endpoint.Ref, number uint64, value []byte) {
	b.inOrder(ref, len(value), func() { b.progress(shell, ref, number, value) })
}

func (b *Bus) progress(shell endpoint.Shell, ref endpoint.Ref, number uint64, value []byte) {
	if !b.hosts(shell, ref) || valid.JSON(value, limit.ProgressBytes) != nil {
		b.refused.Add(1)
		return
	}
	passed := b.table.relay(ref, number, func(c *call) {
		c.caller.Shell.Progress(c.caller.Ref, c.id, value)
	})
	if !passed {
		b.refused.Add(1)
	}
}

// CancelExec settles a frame's own call as CANCELLED and tells its target.
func (b *Bus) CancelExec(shell endpoint.Shell, ref endpoint.Ref, id uint64) {
	b.inOrder(ref, 0, func() { b.cancel(shell, ref, id) })
}

func (b *Bus) cancel(shell endpoint.Shell, ref endpoint.Ref, id uint64) {
	c := b.table.find(ref, id)
	if c == nil || !b.hosts(shell, ref) {
		b.refused.Add(1)
		return
	}
	b.settle(c, nil, fault.New("bus.cancel", fault.Cancelled, string(c.caller.ID), ""), "")
}

// ended settles every call in which a connection that is over was a side, and
// closes its questions.
func (b *Bus) ended(ref endpoint.Ref, why error) {
	const op fault.Op = "bus.ended"
	b.exposed.drop(ref)
	b.states.drop(ref)
	if b.data != nil {
		b.data.End(holder(ref))
	}
	for _, one := range b.table.of(ref) {
		was := one.last
		err := fault.New(op, fault.EndpointGone, string(was.what.target), fault.Sentence(why))
		if was.state == asking {
			err = fault.New(op, fault.RequestCancelled, was.what.name, "")
		}
		b.settle(one.call, nil, err, "")
	}
	b.desk.Ended(ref)
}

// settle ends a call, once: whoever comes second does nothing. The audit has
// the entry before the caller has the answer.
func (b *Bus) settle(c *call, ok []byte, err error, by string) {
	was := b.table.finish(c, err)
	if was.state == settled {
		return
	}
	b.hop(c, "bus.settle")
	if was.state == delivered && was.number != 0 && b.same(was.target) {
		was.target.Shell.CancelDelivery(was.target.Ref, was.number)
	}
	if was.record != nil {
		status := audit.OK
		if err != nil {
			status = string(fault.CodeOf(err))
		}
		was.record.Settle(status, by, ok)
	}
	if fault.CodeOf(err) == fault.Internal {
		b.log.Error("a call failed inside", "caller", c.caller.ID, "tool", was.what.name, "err", err)
	}
	if b.same(c.caller) {
		c.caller.Shell.Respond(c.caller.Ref, c.id, ok, err)
	}
}
