package kernel

import (
	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// command is a durable command of one shell. What it changes and its receipt
// commit together, so that a shell which lost the answer may send the command
// again and gets the same answer; the same submission id with another payload is
// refused.
type command struct {
	client, submission, kind string
	payload                  []byte
}

func (s *shell) command(submission, kind string, payload proto.Message) (command, error) {
	raw, err := proto.MarshalOptions{Deterministic: true}.Marshal(payload)
	return command{s.id, submission, kind, raw}, fault.Wrap("kernel.command", fault.Internal, kind, err)
}

// stored is the answer the command got before; nil: it is new.
func (c command) stored(tx *store.Tx) (*linkv1.Reply, error) {
	b, replay, err := store.Receipt(tx, c.client, c.submission, c.kind, c.payload)
	if err != nil || !replay {
		return nil, err
	}
	r := new(linkv1.Reply)
	return r, fault.Wrap("kernel.command", fault.StoreDamaged, c.kind, proto.Unmarshal(b, r))
}

func (c command) keep(tx *store.Tx, r *linkv1.Reply) error {
	b, err := proto.Marshal(r)
	if err != nil {
		return fault.Wrap("kernel.command", fault.Internal, c.kind, err)
	}
	return store.PutReceipt(tx, c.client, c.submission, c.kind, c.payload, b)
}

// once runs a durable command in a transaction. Without a submission id it runs each time.
func (s *shell) once(submission, kind string, payload proto.Message, do func(*store.Tx) (*linkv1.Reply, error)) (reply *linkv1.Reply, err error) {
	c, err := s.command(submission, kind, payload)
	if err != nil {
		return nil, err
	}
	err = s.k.store.Update(func(tx *store.Tx) (err error) {
		if submission == "" {
			reply, err = do(tx)
			return err
		}
		if reply, err = c.stored(tx); err != nil || reply != nil {
			return err
		}
		if reply, err = do(tx); err != nil {
			return err
		}
		return c.keep(tx, reply)
	})
	s.k.noteDisk(err)
	return reply, err
}

func done() *linkv1.Reply { return &linkv1.Reply{What: &linkv1.Reply_Done{Done: &linkv1.Done{}}} }
