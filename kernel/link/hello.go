package link

import (
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// serveLink judges Origin, upgrade, first frame, protocol hash and secret, in this
// order, and then runs the link until it ends.
func (s *Server) serveLink(w http.ResponseWriter, r *http.Request) {
	if o := r.Header.Values("Origin"); (len(o) != 1 || o[0] != s.o.Origin) && !s.open.origin {
		s.refuse(w, r, "origin", http.StatusForbidden)
		return
	}
	if !websocket.IsWebSocketUpgrade(r) {
		s.refuse(w, r, "upgrade", http.StatusForbidden)
		return
	}
	if !s.enter() {
		s.refuse(w, r, "closing", http.StatusServiceUnavailable)
		return
	}
	defer s.wg.Done()
	select {
	case s.waiting <- struct{}{}:
	default:
		s.refuse(w, r, "too many hellos", http.StatusServiceUnavailable)
		return
	}
	greeted := sync.OnceFunc(func() { <-s.waiting })
	defer greeted()

	up := websocket.Upgrader{
		ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10, HandshakeTimeout: limit.HelloWait,
		CheckOrigin: func(*http.Request) bool { return true }, // judged above, byte for byte
	}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.refused.Add(1)
		return
	}
	defer ws.Close()
	hello, code, why := s.readHello(ws)
	if code != 0 {
		s.turnAway(ws, code, why)
		return
	}
	grant, err := s.admit(hello)
	if err != nil {
		s.turnAway(ws, CloseSecret, "secret")
		return
	}
	greeted()
	s.run(ws, grant)
}

// readHello takes the first frame. A code other than 0 says how to close.
func (s *Server) readHello(ws *websocket.Conn) (*linkv1.Hello, int, string) {
	ws.SetReadLimit(limit.HelloBytes)
	ws.SetReadDeadline(time.Now().Add(limit.HelloWait))
	kind, b, err := ws.ReadMessage()
	if err != nil {
		return nil, CloseProtocol, "no hello"
	}
	var m linkv1.ToKernel
	if kind != websocket.BinaryMessage || proto.Unmarshal(b, &m) != nil || m.GetHello() == nil {
		return nil, CloseProtocol, "no hello"
	}
	h := m.GetHello()
	if h.GetProtocolHash() != s.o.Hash && !s.open.hash {
		return nil, CloseProtocol, "protocol hash"
	}
	if s.locked.Load() {
		return nil, CloseLocked, "locked"
	}
	return h, 0, ""
}

// admit spends the hello's secret. When a living link of the same shell answers,
// this is a copied tab and not a reload.
func (s *Server) admit(h *linkv1.Hello) (admission, error) {
	if s.open.secret {
		return admission{client: "anybody", resume: "none"}, nil
	}
	twin := false
	if id := s.secrets.owner(h.GetSecret()); id != "" {
		if old := s.byClient(id); old != nil {
			if twin = old.alive(limit.TwinWait); !twin {
				old.replace()
			}
		}
	}
	grant, err := s.secrets.admit(h.GetSecret(), twin)
	if err != nil {
		s.failures.pause(s.open.pace)
	}
	return grant, err
}

func (s *Server) byClient(id string) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(id)
}

// find is the link of a shell, or nil. The caller holds mu.
func (s *Server) find(id string) *conn {
	for c := range s.conns {
		if c.client == id {
			return c
		}
	}
	return nil
}

func (s *Server) turnAway(ws *websocket.Conn, code int, why string) {
	s.refused.Add(1)
	s.o.Log.Warn("refused", "listener", "link", "why", why, "code", code)
	closeWith(ws, code, why)
}

func closeWith(ws *websocket.Conn, code int, why string) {
	// The peer may be gone already; then there is nobody to tell.
	ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, why), time.Now().Add(time.Second))
}

// failures slows refusals down once there were many. A good secret never waits, so
// a program that guesses cannot keep the owner out.
type failures struct {
	mu     sync.Mutex // guards bucket; held while pausing, so that pauses add up
	bucket *bucket
}

func (f *failures) pause(off bool) {
	if off {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.bucket == nil {
		f.bucket = newBucket(1/limit.SecretPause.Seconds(), limit.SecretFailures)
	}
	if !f.bucket.take() {
		time.Sleep(limit.SecretPause)
		f.bucket.last = time.Now() // the pause paid for this one and earns nothing for the next
	}
}

// enlist makes c the one link of its shell; a code other than 0 says how to close. Two
// hellos with one resume secret may be admitted in the same moment, when neither finds the
// other's link: the one that was admitted last stays, for only its page can resume.
func (s *Server) enlist(c *conn, g admission) (int, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for !s.closed {
		old := s.find(c.client)
		switch {
		case !s.secrets.newest(g):
			return CloseReplaced, "attached again"
		case old == nil:
			s.conns[c] = struct{}{}
			return 0, ""
		}
		s.mu.Unlock()
		old.replace()
		s.mu.Lock()
	}
	return websocket.CloseGoingAway, "Neutron is closing"
}

// run attaches an admitted shell to the host and serves it until the link ends.
func (s *Server) run(ws *websocket.Conn, g admission) {
	c := newConn(s, ws, g)
	if code, why := s.enlist(c, g); code != 0 {
		s.turnAway(ws, code, why)
		return
	}
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		close(c.gone)
	}()
	recv, welcome, err := s.o.Host.Attach(c, Hello{Client: g.client, Window: g.window, Fresh: g.fresh})
	if err != nil {
		s.turnAway(ws, closeCode(err), fault.Sentence(err))
		return
	}
	defer recv.Detach()
	welcome.Resume, welcome.Client = g.resume, g.client
	if err := c.out.first(&linkv1.ToShell{Frame: &linkv1.ToShell_Welcome{Welcome: welcome}}); err != nil {
		s.turnAway(ws, CloseProtocol, "welcome")
		return
	}
	c.serve(recv)
}

func closeCode(err error) int {
	switch fault.CodeOf(err) {
	case fault.Locked:
		return CloseLocked
	case fault.Limit:
		return CloseFull
	}
	return CloseProtocol
}
