package kernel

import (
	"context"
	"sync"
	"time"

	"neutron/kernel/bus"
	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/link"
	"neutron/kernel/proto/linkv1"
)

// shell is one attached workspace page: what the link hands the kernel, and what
// the kernel's packages see of it. It implements link.Receiver and endpoint.Shell.
type shell struct {
	k      *Kernel
	id     string // its client ULID
	out    link.Sender
	window bool
	ctx    context.Context // ends when the shell detaches
	cancel context.CancelFunc
	slots  chan struct{} // one per request under way

	mu         sync.Mutex // guards all below; nothing is called under it
	nonce      string
	reports    chan *linkv1.ProbeReport
	gateOpen   bool
	gateReason string
	stalled    bool
	evidence   endpoint.Evidence // of the stall
	timer      *time.Timer
	holdsKeys  bool
	uploads    uploads
}

var (
	_ link.Receiver  = (*shell)(nil)
	_ endpoint.Shell = (*shell)(nil)
)

// Attach is link.Host's.
func (k *Kernel) Attach(out link.Sender, h link.Hello) (link.Receiver, *linkv1.Welcome, error) {
	const op fault.Op = "kernel.attach"
	ctx, cancel := context.WithCancel(context.Background())
	s := &shell{k: k, id: h.Client, out: out, window: h.Window, ctx: ctx, cancel: cancel, slots: make(chan struct{}, limit.RequestsAtOnce)}
	k.mu.Lock()
	var err error
	switch {
	case k.closed:
		err = fault.New(op, fault.NoShell, "", "Neutron is closing.")
	case k.locked:
		err = fault.New(op, fault.Locked, "", "")
	case len(k.shells) >= limit.Shells:
		err = fault.Newf(op, fault.Limit, "", "At most %d workspaces can be open.", limit.Shells)
	default:
		k.shells = append(k.shells, s)
	}
	k.mu.Unlock()
	if err != nil {
		cancel()
		return nil, nil, err
	}
	welcome, err := k.welcome(s)
	if err != nil {
		k.forget(s)
		cancel()
		return nil, nil, err
	}
	k.frames.Attach(s, true)
	k.log.Info("a shell attached", "shell", s.id, "window", s.window)
	k.pushAll(s)
	k.run(func() { k.openGate(ctx, s) })
	return s, welcome, nil
}

// Detach is link.Receiver's.
func (s *shell) Detach() {
	s.cancel()
	if s.window {
		s.k.noteLeft(s) // before its frames are forgotten
	}
	s.k.forget(s)
	s.k.frames.Detach(s.id)
	s.mu.Lock()
	holds := s.holdsKeys
	s.uploads.drop()
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	if w := s.k.peer(); holds && w != nil {
		w.hold(false) // a page that went away in the middle of a question must not keep the keyboard
	}
	s.k.log.Info("a shell detached", "shell", s.id)
}

// Receive is link.Receiver's. Everything that may take long runs elsewhere.
func (s *shell) Receive(m *linkv1.ToKernel) {
	switch f := m.GetFrame().(type) {
	case *linkv1.ToKernel_Request:
		s.request(f.Request)
	case *linkv1.ToKernel_PortExec:
		e := f.PortExec
		s.k.bus.Exec(s, ref(e), bus.Exec{
			ID: e.GetId(), Action: e.GetAction(), Payload: e.GetPayload(), Context: e.GetContext(),
			Stamp: endpoint.Stamp{Focused: e.GetFocused(), Activated: e.GetActivated(), Gesture: e.GetGesture()},
		})
	case *linkv1.ToKernel_PortResponse:
		e := f.PortResponse
		var err error
		if e.GetError() != nil {
			err = fault.FromWire("kernel.response", e.GetFrameId(), e.GetError())
		}
		s.k.bus.Response(s, ref(e), e.GetCall(), e.GetOk(), err)
	case *linkv1.ToKernel_PortProgress:
		s.k.bus.ProgressFrom(s, ref(f.PortProgress), f.PortProgress.GetCall(), f.PortProgress.GetValue())
	case *linkv1.ToKernel_PortCancel:
		s.k.bus.CancelExec(s, ref(f.PortCancel), f.PortCancel.GetId())
	case *linkv1.ToKernel_Mark:
		s.k.frames.Mark(s.id, endpoint.FrameID(f.Mark.GetFrameId()), f.Mark.GetSettled())
	case *linkv1.ToKernel_FrameConnected:
		if err := s.k.frames.Connected(s.id, ref(f.FrameConnected)); err != nil {
			s.Unmount(endpoint.FrameID(f.FrameConnected.GetFrameId()), err) // the shell holds a frame that the kernel has given up
		} else if i, ok := s.k.frames.IdentityOf(endpoint.FrameID(f.FrameConnected.GetFrameId())); ok && i.Role != endpoint.Probe {
			s.k.log.Info("a page connected", "app", i.App, "page", i.Page, "frame", f.FrameConnected.GetFrameId(), "connection", f.FrameConnected.GetConnection())
		}
	case *linkv1.ToKernel_FrameEnded:
		s.frameEnded(f.FrameEnded)
	case *linkv1.ToKernel_ProbeReport:
		s.probeReport(f.ProbeReport)
	case *linkv1.ToKernel_UploadChunk:
		s.upload(f.UploadChunk)
	case *linkv1.ToKernel_QuestionShown:
		if err := s.k.desk.Shown(f.QuestionShown.GetId()); err != nil {
			s.k.log.Debug("question shown", "err", err) // it closed meanwhile; the shell learns it by the state
		}
	case *linkv1.ToKernel_KeyHold:
		s.keyHold(f.KeyHold.GetOn())
	case *linkv1.ToKernel_Refused:
		s.k.refused.Add(uint64(f.Refused.GetCount()))
		s.k.log.Warn("the shell refused messages", "frame", f.Refused.GetFrameId(), "code", f.Refused.GetCode(), "count", f.Refused.GetCount())
	}
}

// onPort is any message about one connection of one frame.
type onPort interface {
	GetFrameId() string
	GetConnection() uint64
}

func ref(m onPort) endpoint.Ref {
	return endpoint.Ref{Frame: endpoint.FrameID(m.GetFrameId()), Conn: m.GetConnection()}
}

func (s *shell) frameEnded(e *linkv1.FrameEnded) {
	code := fault.Code(e.GetCode())
	if !code.Known() {
		code = fault.EndpointGone // CLOSED and any word of a newer shell
	}
	s.k.frames.Ended(s.id, ref(e), fault.New("kernel.frame", code, e.GetFrameId(), ""))
}

func (s *shell) keyHold(on bool) {
	s.mu.Lock()
	s.holdsKeys = on
	s.mu.Unlock()
	if w := s.k.peer(); s.window && w != nil {
		w.hold(on)
	}
}

// ID is endpoint.Shell's.
func (s *shell) ID() string { return s.id }

// Mount is endpoint.Shell's.
func (s *shell) Mount(f endpoint.Frame) {
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_FrameMount{FrameMount: &linkv1.FrameMount{Frame: f.Wire(), Nonce: f.Nonce}}})
}

// Unmount is endpoint.Shell's.
func (s *shell) Unmount(id endpoint.FrameID, err error) {
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_FrameClose{FrameClose: &linkv1.FrameClose{
		FrameId: string(id), Code: string(fault.CodeOf(err)), Reason: fault.Sentence(err),
	}}})
}

// Deliver is endpoint.Shell's.
func (s *shell) Deliver(r endpoint.Ref, call uint64, action string, payload, context []byte) {
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Deliver{Deliver: &linkv1.Deliver{
		FrameId: string(r.Frame), Connection: r.Conn, Call: call, Action: action, Payload: payload, Context: context,
	}}})
}

// CancelDelivery is endpoint.Shell's.
func (s *shell) CancelDelivery(r endpoint.Ref, call uint64) {
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_DeliverCancel{DeliverCancel: &linkv1.DeliverCancel{
		FrameId: string(r.Frame), Connection: r.Conn, Call: call,
	}}})
}

// Respond is endpoint.Shell's.
func (s *shell) Respond(r endpoint.Ref, id uint64, ok []byte, err error) {
	m := &linkv1.Respond{FrameId: string(r.Frame), Connection: r.Conn, Id: id}
	if err != nil {
		m.Result = &linkv1.Respond_Error{Error: fault.ToWire(err)}
	} else {
		m.Result = &linkv1.Respond_Ok{Ok: ok}
	}
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Respond{Respond: m}})
}

// Progress is endpoint.Shell's.
func (s *shell) Progress(r endpoint.Ref, id uint64, value []byte) {
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_RespondProgress{RespondProgress: &linkv1.RespondProgress{
		FrameId: string(r.Frame), Connection: r.Conn, Id: id, Value: value,
	}}})
}
