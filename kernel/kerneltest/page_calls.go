package kerneltest

import (
	"encoding/json"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
)

// Request sends a request of a screen and waits for its answer.
func (p *Page) Request(submission string, set func(*linkv1.Request)) (*linkv1.Reply, error) {
	p.mu.Lock()
	p.nextID++
	r := &linkv1.Request{Id: p.nextID, Submission: submission}
	c := make(chan *linkv1.Reply, 4)
	p.replies[r.Id] = c
	p.mu.Unlock()
	set(r)
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Request{Request: r}})
	var reply *linkv1.Reply
	select {
	case reply = <-c:
	case <-time.After(patience):
		return nil, fault.New("page.request", fault.Timeout, "", "the kernel did not answer")
	case <-p.done:
		select {
		case reply = <-c: // it came with the end
		default:
			return nil, fault.New("page.request", fault.NoShell, "", "the link closed")
		}
	}
	if e := reply.GetError(); e != nil {
		return nil, fault.FromWire("page.request", "", e)
	}
	return reply, nil
}

// Upload sends a package in pieces and asks for its review.
func (p *Page) Upload(id string, b []byte, chunk int) (*linkv1.Review, error) {
	for at := 0; at < len(b) || at == 0; at += chunk {
		end := min(at+chunk, len(b))
		p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_UploadChunk{UploadChunk: &linkv1.UploadChunk{
			UploadId: id, Offset: uint64(at), Data: b[at:end], Last: end == len(b),
		}}})
	}
	r, err := p.Request("", func(r *linkv1.Request) {
		r.What = &linkv1.Request_ReviewInstall{ReviewInstall: &linkv1.ReviewInstall{
			Source: &linkv1.ReviewInstall_UploadId{UploadId: id}, Name: "a.neutron",
		}}
	})
	return r.GetReview(), err
}

// OpenTile asks for a tile and starts it.
func (p *Page) OpenTile(app, tile, instance string) (*Frame, error) {
	r, err := p.Request("", func(r *linkv1.Request) {
		r.What = &linkv1.Request_OpenTile{OpenTile: &linkv1.OpenTile{AppId: app, TileId: tile, Instance: instance}}
	})
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	f := p.frame(r.GetFrame())
	p.mu.Unlock()
	p.start(f)
	return f, nil
}

// Connect completes a handshake of the frame: a new connection.
func (f *Frame) Connect() {
	f.page.mu.Lock()
	f.conn++
	n := f.conn
	f.page.mu.Unlock()
	f.page.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_FrameConnected{FrameConnected: &linkv1.FrameConnected{FrameId: f.GetFrameId(), Connection: n}}})
}

// Mark tells the watchdog of a delivery.
func (f *Frame) Mark(settled bool) {
	f.page.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Mark{Mark: &linkv1.Mark{FrameId: f.GetFrameId(), Settled: settled}}})
}

// Post sends an exec and gives where its answer will come.
func (f *Frame) Post(action string, payload json.RawMessage) <-chan *linkv1.Respond {
	p := f.page
	p.mu.Lock()
	f.next++
	id, conn := f.next, f.conn
	c := make(chan *linkv1.Respond, 1)
	p.answers[execKey{f.GetFrameId(), id}] = c
	p.mu.Unlock()
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_PortExec{PortExec: &linkv1.PortExec{
		FrameId: f.GetFrameId(), Connection: conn, Id: id, Action: action, Payload: payload,
		Focused: true, Activated: true, Gesture: linkv1.GestureKind_GESTURE_KIND_POINTER,
	}}})
	return c
}

// Exec posts and waits.
func (f *Frame) Exec(action string, payload any) (json.RawMessage, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	return f.page.Wait(f.Post(action, raw))
}

// Call calls a tool and waits.
func (f *Frame) Call(target, name string, arguments any) (json.RawMessage, error) {
	return f.Exec("tools.call", map[string]any{"target": target, "name": name, "arguments": arguments})
}

// Wait waits for one answer.
func (p *Page) Wait(c <-chan *linkv1.Respond) (json.RawMessage, error) {
	select {
	case r := <-c:
		if e := r.GetError(); e != nil {
			return nil, fault.FromWire("page.exec", r.GetFrameId(), e)
		}
		return r.GetOk(), nil
	case <-time.After(patience):
		return nil, fault.New("page.exec", fault.Timeout, "", "the kernel did not answer")
	case <-p.done:
		return nil, fault.New("page.exec", fault.NoShell, "", "the link closed")
	}
}

// Apps is the newest list of apps; nil before the first.
func (p *Page) Apps() *linkv1.Apps { return p.part("*linkv1.State_Apps").GetApps() }

// Questions is the newest queue.
func (p *Page) Questions() []*linkv1.Question {
	return p.part("*linkv1.State_Questions").GetQuestions().GetQuestions()
}

// Frames is the newest list of frames.
func (p *Page) Frames() []*linkv1.FrameState {
	return p.part("*linkv1.State_Frames").GetFrames().GetFrames()
}

// Health is the newest health.
func (p *Page) Health() *linkv1.Health { return p.part("*linkv1.State_Health").GetHealth() }

// UntilDocs waits for pushed documents that ok likes and gives them.
func (p *Page) UntilDocs(ok func([]*linkv1.Doc) bool) []*linkv1.Doc {
	const kind = "*linkv1.State_Docs"
	p.Until(func() bool { d := p.state[kind].GetDocs(); return d != nil && ok(d.GetDocs()) })
	return p.Docs()
}

// Docs is what was pushed last of the documents.
func (p *Page) Docs() []*linkv1.Doc { return p.part("*linkv1.State_Docs").GetDocs().GetDocs() }

func (p *Page) part(kind string) *linkv1.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state[kind]
}

// UntilHealth waits for a health that ok likes and gives it.
func (p *Page) UntilHealth(ok func(*linkv1.Health) bool) *linkv1.Health {
	const kind = "*linkv1.State_Health"
	p.Until(func() bool { h := p.state[kind].GetHealth(); return h != nil && ok(h) })
	return p.Health()
}

// UntilQuestion waits for a question and gives the oldest.
func (p *Page) UntilQuestion() *linkv1.Question {
	const kind = "*linkv1.State_Questions"
	p.Until(func() bool { return len(p.state[kind].GetQuestions().GetQuestions()) > 0 })
	return p.Questions()[0]
}

// UntilFrame waits until an endpoint has a status and gives its state.
func (p *Page) UntilFrame(id string, status linkv1.FrameStatus) (found *linkv1.FrameState) {
	const kind = "*linkv1.State_Frames"
	p.Until(func() bool {
		for _, f := range p.state[kind].GetFrames().GetFrames() {
			if f.GetEndpointId() == id && f.GetStatus() == status {
				found = f
				return true
			}
		}
		return false
	})
	return found
}

// Closes lists the frames that the kernel closed.
func (p *Page) Closes() []*linkv1.FrameClose {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*linkv1.FrameClose(nil), p.closes...)
}

// Others lists what came and is none of the usual: notices, gestures, locks.
func (p *Page) Others() []*linkv1.ToShell {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*linkv1.ToShell(nil), p.others...)
}

// Foreign sends an exec for a frame that need not be this page's own.
func (p *Page) Foreign(frame string, conn uint64, action, payload string) <-chan *linkv1.Respond {
	c := make(chan *linkv1.Respond, 1)
	p.mu.Lock()
	p.answers[execKey{frame, 1 << 40}] = c
	p.mu.Unlock()
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_PortExec{PortExec: &linkv1.PortExec{
		FrameId: frame, Connection: conn, Id: 1 << 40, Action: action, Payload: []byte(payload),
	}}})
	return c
}

// Mounts counts how often the kernel mounted an endpoint here.
func (p *Page) Mounts(endpoint string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mounts {
		if m.GetFrame().GetEndpointId() == endpoint {
			n++
		}
	}
	return n
}
