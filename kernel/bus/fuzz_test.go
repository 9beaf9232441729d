package bus_test

import (
	"testing"

	"neutron/kernel/bus"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/kerneltest"
	"neutron/kernel/limit"
)

// inline answers a delivery and notes how often each exec was answered.
type inline struct {
	mounted  endpoint.Frame
	answers  map[uint64]int
	bad      error
	delivers int
	ref      endpoint.Ref
	number   uint64
}

func (s *inline) ID() string                            { return "s1" }
func (s *inline) Mount(f endpoint.Frame)                { s.mounted = f }
func (s *inline) Unmount(endpoint.FrameID, error)       {}
func (s *inline) CancelDelivery(endpoint.Ref, uint64)   {}
func (s *inline) Progress(endpoint.Ref, uint64, []byte) {}
func (s *inline) Deliver(ref endpoint.Ref, call uint64, _ string, _, _ []byte) {
	s.delivers++
	s.ref, s.number = ref, call
}
func (s *inline) Respond(_ endpoint.Ref, id uint64, ok []byte, err error) {
	s.answers[id]++
	if (ok == nil) == (err == nil) {
		s.bad = fault.New("test", fault.Internal, "", "neither or both of ok and error")
	}
	if code := fault.CodeOf(err); err != nil && (code == fault.Internal || !code.Known()) {
		s.bad = err
	}
}

// FuzzExec throws action, payload and context at a live connection: whatever
// they are, an exec is answered exactly once with a known code, or delivered,
// and never more than the slots are held.
func FuzzExec(f *testing.F) {
	call := `{"target":"app:notes:background","name":"any","arguments":{"a":[1,"x",null]},"timeoutMs":1000}`
	for _, s := range [][3]string{
		{"tools.call", call, ""},
		{"tools.call", `{"target":"kernel","name":"apps.list","arguments":{}}`, "{}"},
		{"tools.call", `{"target":"app:notes:tile:main:instance:1","name":"any","arguments":{}}`, ""},
		{"tools.list", `{"target":"app:notes:background"}`, ""},
		{"tools.push", `{"tools":[{"name":"any","inputSchema":{"type":"object"},"annotations":{"neutron:visibility":"same_app"}}]}`, ""},
		{"ping", `{}`, `{"invocation":{"id":"0123456789abcdef","rootId":"0123456789abcdef","capability":"0123456789abcdef0123456789abcdef"}}`},
		{"store.put", `{"key":"a"}`, ""},
		{"tools.call", "{\"target\":\"app:notes:background\",\"name\":\"a\\u006ey\",\"arguments\":{\"a\":\"\\ud800\"}}", ""},
		{"tools.call", `{"target":"app:notes:background","name":"any","arguments":{"a":1e999}}}`, ""},
	} {
		f.Add(s[0], []byte(s[1]), []byte(s[2]))
	}
	w := kerneltest.NewWorld(f, kerneltest.Options{})
	f.Cleanup(func() { w.Close(f) })
	s := &inline{answers: map[uint64]int{}}
	w.Registry.Attach(s, false)
	w.Install(endpoint.App{ID: "notes", Name: "Notes", Version: "1.0.0", Hash: "h", Background: "b.html"})
	ref := endpoint.Ref{Frame: s.mounted.ID, Conn: 1}
	if err := w.Registry.Connected("s1", ref); err != nil {
		f.Fatal(err)
	}
	push := bus.Exec{ID: limit.EnvelopeIDMax, Action: "tools.push", Payload: []byte(`{"tools":[{"name":"any","inputSchema":{"type":"object"}}]}`)}
	w.Bus.Exec(s, ref, push)
	w.Bus.Wait()
	id := uint64(0)
	f.Fuzz(func(t *testing.T, action string, payload, context []byte) {
		id++
		*s = inline{mounted: s.mounted, answers: map[uint64]int{}}
		w.Bus.Exec(s, ref, bus.Exec{ID: id, Action: action, Payload: payload, Context: context})
		w.Bus.Wait()
		if s.delivers+s.answers[id] != 1 || len(s.answers) > 1 {
			t.Errorf("delivered %d times, answered %v", s.delivers, s.answers)
		}
		if s.delivers == 1 {
			w.Bus.Response(s, s.ref, s.number, payload, nil)
			w.Bus.Wait()
			if s.answers[id] != 1 {
				t.Errorf("the answer led to %v", s.answers)
			}
		}
		if s.bad != nil {
			t.Error(s.bad)
		}
		if n := w.Bus.InFlight(); n != 0 {
			t.Errorf("%d calls in flight", n)
		}
	})
}
