package link

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// FuzzFrame takes any bytes for a frame of a shell. What passes keeps the promises
// that the kernel's packages build on.
func FuzzFrame(f *testing.F) {
	id := "0123456789abcdef0123456789abcdef"
	for _, m := range []*linkv1.ToKernel{
		{Frame: &linkv1.ToKernel_PortExec{PortExec: &linkv1.PortExec{FrameId: id, Connection: 1, Id: 1, Action: "ping", Payload: []byte("{}")}}},
		{Frame: &linkv1.ToKernel_PortResponse{PortResponse: &linkv1.PortResponse{FrameId: id, Connection: 1, Call: 1, Result: &linkv1.PortResponse_Ok{}}}},
		{Frame: &linkv1.ToKernel_Request{Request: &linkv1.Request{Id: 1}}},
		{Frame: &linkv1.ToKernel_Hello{Hello: &linkv1.Hello{}}},
	} {
		b, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m := new(linkv1.ToKernel)
		if proto.Unmarshal(b, m) != nil || !wellFormed(m) {
			return
		}
		if m.GetHello() != nil {
			t.Error("a second hello passes")
		}
		for _, p := range []interface {
			GetFrameId() string
			GetConnection() uint64
		}{m.GetPortExec(), m.GetPortCancel(), m.GetPortResponse(), m.GetPortProgress(), m.GetFrameConnected()} {
			if p.GetConnection() == 0 && p.GetFrameId() == "" {
				continue // not this kind
			}
			if len(p.GetFrameId()) != 32 || p.GetConnection() == 0 {
				t.Errorf("frame %q connection %d passes", p.GetFrameId(), p.GetConnection())
			}
		}
		if e := m.GetPortExec(); e != nil && (e.GetId() == 0 || e.GetId() > limit.EnvelopeIDMax) {
			t.Errorf("exec id %d passes", e.GetId())
		}
	})
}
