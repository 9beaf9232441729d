package kerneltest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	kernelproto "neutron/kernel/proto"
	"neutron/kernel/proto/linkv1"
)

// Dial opens a connection to a listener of the test.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Tool answers one call of a page's tool: JSON in, JSON out.
type Tool func(arguments json.RawMessage) (result any, err error)

// Script is what the pages of one app do once their port is open: the tools they push.
type Script struct {
	Descriptors []string        // JSON texts, pushed at once
	Tools       map[string]Tool // by name
	Silent      bool            // never completes its handshake
}

// Page plays the shell's page over a real WebSocket: it answers pings and the
// bridge probe, mounts what it is told, and lets scripted apps run in the frames.
type Page struct {
	t       testing.TB
	ws      *websocket.Conn
	write   sync.Mutex
	Welcome *linkv1.Welcome
	Code    int // of the close; -1: without one. Read it after Done
	done    chan struct{}
	jobs    chan func()

	mu        sync.Mutex
	cond      *sync.Cond
	scripts   map[string]Script // by app
	frames    map[string]*Frame
	replies   map[uint64]chan *linkv1.Reply
	answers   map[execKey]chan *linkv1.Respond
	progress  map[execKey]int
	state     map[string]*linkv1.State
	mounts    []*linkv1.FrameMount
	closes    []*linkv1.FrameClose
	others    []*linkv1.ToShell
	nextID    uint64
	handler   bool // the probe sees a native handler
	noProbe   bool // the probe never answers
	frozen    bool // its thread hangs
	shutdowns bool
}

type execKey struct {
	frame string
	id    uint64
}

// Frame is one iframe of a page.
type Frame struct {
	*linkv1.Frame
	page *Page
	conn uint64
	next uint64
}

// PageOptions say who attaches and how. Scripts are by app id.
type PageOptions struct {
	Dial       Dial
	Origin     string
	Secret     string
	Client     string
	Scripts    map[string]Script
	HasHandler bool
	NoProbe    bool
}

// Attach says hello and waits for the welcome, or for the refusal: then Welcome is nil and Code says why.
func Attach(t testing.TB, o PageOptions) *Page {
	t.Helper()
	dialer := websocket.Dialer{NetDialContext: o.Dial}
	ws, _, err := dialer.Dial("ws"+o.Origin[len("http"):]+"/link", http.Header{"Origin": {o.Origin}})
	if err != nil {
		t.Fatal(err)
	}
	p := &Page{
		t: t, ws: ws, done: make(chan struct{}), scripts: o.Scripts, handler: o.HasHandler, noProbe: o.NoProbe,
		frames: map[string]*Frame{}, replies: map[uint64]chan *linkv1.Reply{}, answers: map[execKey]chan *linkv1.Respond{},
		progress: map[execKey]int{}, state: map[string]*linkv1.State{}, jobs: make(chan func(), 1<<14),
	}
	p.cond = sync.NewCond(&p.mu)
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Hello{Hello: &linkv1.Hello{ProtocolHash: kernelproto.Hash, Secret: o.Secret, Client: o.Client}}})
	go p.read()
	go p.thread()
	p.Until(func() bool { return p.Welcome != nil || p.shutdowns })
	return p
}

// Send sends one message. A link that has closed takes it without a word.
func (p *Page) Send(m *linkv1.ToKernel) {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	p.mu.Lock()
	for p.frozen && !p.shutdowns {
		p.cond.Wait() // a thread that hangs sends nothing
	}
	p.mu.Unlock()
	p.write.Lock()
	defer p.write.Unlock()
	p.ws.WriteMessage(websocket.BinaryMessage, b)
}

// patience is how long a page waits for the kernel: in a bubble no time at all.
const patience = 10 * time.Minute

// Until waits until something that the kernel said makes ok true, or until the link
// has ended. ok must not call the page. Running out of patience fails the test.
func (p *Page) Until(ok func() bool) {
	p.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		p.mu.Lock()
		late = true
		p.cond.Broadcast()
		p.mu.Unlock()
	})
	defer timer.Stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !ok() && !p.shutdowns && !late {
		p.cond.Wait()
	}
	if late {
		p.t.Error("the kernel did not say what was waited for")
	}
}

// Freeze stops or starts the page's thread: what comes meanwhile has no effect.
func (p *Page) Freeze(on bool) {
	p.mu.Lock()
	p.frozen = on
	p.cond.Broadcast()
	p.mu.Unlock()
}

// Kill ends the page without a word.
func (p *Page) Kill() { p.ws.Close(); <-p.done }

// Done waits for the link's end and gives its close code.
func (p *Page) Done() int { <-p.done; return p.Code }

func (p *Page) read() {
	defer close(p.done)
	for {
		_, b, err := p.ws.ReadMessage()
		if err != nil {
			p.mu.Lock()
			p.Code, p.shutdowns = -1, true
			var ce *websocket.CloseError
			if errors.As(err, &ce) {
				p.Code = ce.Code
			}
			p.cond.Broadcast()
			p.mu.Unlock()
			p.ws.Close()
			return
		}
		m := new(linkv1.ToShell)
		if err := proto.Unmarshal(b, m); err != nil {
			panic(err)
		}
		p.take(m)
	}
}

func (p *Page) take(m *linkv1.ToShell) {
	p.mu.Lock()
	var then func()
	switch f := m.GetFrame().(type) {
	case *linkv1.ToShell_Welcome:
		p.Welcome = f.Welcome
	case *linkv1.ToShell_Ping:
		then = func() {
			p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_Pong{Pong: &linkv1.Pong{Seq: f.Ping.GetSeq()}}})
		}
	case *linkv1.ToShell_Reply:
		if c := p.replies[f.Reply.GetId()]; c != nil {
			c <- f.Reply
		}
	case *linkv1.ToShell_State:
		p.state[fmt.Sprintf("%T", f.State.GetPart())] = f.State
	case *linkv1.ToShell_FrameMount:
		p.mounts = append(p.mounts, f.FrameMount)
		fr := p.frame(f.FrameMount.GetFrame())
		then = func() { p.mounted(fr, f.FrameMount.GetNonce()) }
	case *linkv1.ToShell_FrameClose:
		p.closes = append(p.closes, f.FrameClose)
		delete(p.frames, f.FrameClose.GetFrameId())
	case *linkv1.ToShell_Respond:
		k := execKey{f.Respond.GetFrameId(), f.Respond.GetId()}
		if c := p.answers[k]; c != nil {
			delete(p.answers, k)
			c <- f.Respond
		}
	case *linkv1.ToShell_RespondProgress:
		p.progress[execKey{f.RespondProgress.GetFrameId(), f.RespondProgress.GetId()}]++
	case *linkv1.ToShell_Deliver:
		then = func() { p.deliver(f.Deliver) }
	default:
		p.others = append(p.others, m)
	}
	p.cond.Broadcast()
	p.mu.Unlock()
	if then != nil {
		p.jobs <- then
	}
}

// thread runs what the kernel's messages lead to, one after another, and stands
// still while the page is frozen.
func (p *Page) thread() {
	for {
		select {
		case job := <-p.jobs:
			job() // what it sends waits for the thaw
		case <-p.done:
			return
		}
	}
}

func (p *Page) frame(f *linkv1.Frame) *Frame {
	fr := &Frame{Frame: f, page: p}
	p.frames[f.GetFrameId()] = fr
	return fr
}

func (p *Page) mounted(f *Frame, nonce string) {
	if f.GetRole() == linkv1.Role_ROLE_PROBE {
		if p.noProbe {
			return
		}
		f.Connect()
		p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_ProbeReport{ProbeReport: &linkv1.ProbeReport{
			FrameId: f.GetFrameId(), Nonce: nonce, HasHandler: p.handler, Sent: 9,
		}}})
		return
	}
	p.start(f)
}

// start completes a frame's handshake and pushes its app's tools.
func (p *Page) start(f *Frame) {
	s := p.scripts[f.GetAppId()]
	if s.Silent {
		return
	}
	f.Connect()
	if f.GetRole() == linkv1.Role_ROLE_BACKGROUND {
		list := "["
		for i, d := range s.Descriptors {
			if i > 0 {
				list += ","
			}
			list += d
		}
		f.Post("tools.push", json.RawMessage(`{"tools":`+list+`]}`))
	}
}

func (p *Page) deliver(d *linkv1.Deliver) {
	p.mu.Lock()
	f := p.frames[d.GetFrameId()]
	var s Script
	if f != nil {
		s = p.scripts[f.GetAppId()]
	}
	p.mu.Unlock()
	if f == nil {
		return
	}
	f.Mark(false)
	var in struct {
		Name      string
		Arguments json.RawMessage
	}
	answer := &linkv1.PortResponse{FrameId: d.GetFrameId(), Connection: d.GetConnection(), Call: d.GetCall()}
	err := json.Unmarshal(d.GetPayload(), &in)
	tool := s.Tools[in.Name]
	if tool == nil {
		return // a tool that never answers
	}
	var out any
	if err == nil {
		out, err = tool(in.Arguments)
	}
	var raw []byte
	if err == nil {
		raw, err = json.Marshal(out)
	}
	if err != nil {
		answer.Result = &linkv1.PortResponse_Error{Error: fault.ToWire(err)}
	} else {
		answer.Result = &linkv1.PortResponse_Ok{Ok: raw}
	}
	p.Send(&linkv1.ToKernel{Frame: &linkv1.ToKernel_PortResponse{PortResponse: answer}})
	f.Mark(true)
}
