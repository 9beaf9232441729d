package link

import (
	"errors"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// conn is one attached shell. Three goroutines: the reader (which owns the link's
// life), the writer, and the watchdog.
type conn struct {
	server *Server
	ws     *websocket.Conn
	client string
	out    *queue
	gone   chan struct{} // closed when the link has ended and left the server's table

	closing sync.Once
	code    int // what the writer closes with, set before out.drain
	reason  string

	recvMu sync.Mutex // one callback of the receiver at a time

	mu      sync.Mutex    // guards all below; under it only out's lock is taken
	ponged  chan struct{} // closed and made anew at each pong
	pong    uint64        // number of the newest one
	asked   time.Time     // when the oldest unanswered ping went out; zero: none
	busy    bool          // the reader is inside Receive: silence is the kernel's own
	stalled bool
	acked   bool
	seq     uint64 // of the newest ping
}

func newConn(s *Server, ws *websocket.Conn, g admission) *conn {
	// The writer may be stuck in a write that this page does not take.
	full := func() { time.AfterFunc(limit.LinkClose, func() { ws.Close() }) }
	return &conn{
		server: s, ws: ws, client: g.client, out: newQueue(full),
		gone: make(chan struct{}), ponged: make(chan struct{}), code: websocket.CloseNormalClosure,
	}
}

// Send is Sender's.
func (c *conn) Send(f *linkv1.ToShell) { c.out.push(f) }

// SendState is Sender's.
func (c *conn) SendState(s *linkv1.State) {
	f := &linkv1.ToShell{Frame: &linkv1.ToShell_State{State: s}}
	if p := partOf(s); p != partNone {
		c.out.coalesce(p, f)
		return
	}
	c.out.push(f)
}

// Close is Sender's.
func (c *conn) Close(code int, reason string) {
	c.closing.Do(func() {
		c.code, c.reason = code, reason
		time.AfterFunc(limit.LinkClose, func() { c.ws.Close() }) // a page that does not read holds nobody up
	})
	c.out.drain()
}

// replace cuts a link whose page is dead and waits until it has left.
func (c *conn) replace() {
	c.closing.Do(func() { c.code, c.reason = CloseReplaced, "attached again" })
	c.ws.Close()
	<-c.gone
}

// alive asks the page for a sign of life: the answer to this very ping, since an
// earlier frame of a dead page may still be on its way.
func (c *conn) alive(wait time.Duration) bool {
	seq := c.ping()
	t := time.NewTimer(wait)
	defer t.Stop()
	for {
		c.mu.Lock()
		ponged, answered := c.ponged, c.pong >= seq
		c.mu.Unlock()
		if answered {
			return true
		}
		select {
		case <-ponged:
		case <-c.gone:
			return false
		case <-t.C:
			return false
		}
	}
}

// ping queues a ping, in place of one that still waits, and gives its number.
func (c *conn) ping() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seq++
	c.out.coalesce(partPing, &linkv1.ToShell{Frame: &linkv1.ToShell_Ping{Ping: &linkv1.Ping{Seq: c.seq}}})
	return c.seq
}

// serve runs the link; it returns when all its goroutines have ended.
func (c *conn) serve(recv Receiver) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { c.write(done) })
	wg.Go(func() { c.watch(recv, done) })
	code, reason := c.read(recv)
	if code != 0 {
		c.closing.Do(func() { c.code, c.reason = code, reason })
		closeWith(c.ws, code, reason)
	}
	close(done)
	c.ws.Close()
	wg.Wait()
}

// read takes frames until the link ends; a code other than 0 says why the kernel ends it.
func (c *conn) read(recv Receiver) (int, string) {
	c.ws.SetReadLimit(limit.LinkFrameBytes)
	c.ws.SetReadDeadline(time.Time{})
	tokens := newBucket(limit.LinkTokens, limit.LinkBurst)
	for {
		kind, b, err := c.ws.ReadMessage()
		if err != nil {
			if errors.Is(err, websocket.ErrReadLimit) { // the socket has sent the close by itself
				c.server.refused.Add(1)
			}
			return 0, ""
		}
		if !tokens.take() {
			c.server.refused.Add(1)
			return websocket.ClosePolicyViolation, "flood"
		}
		m := new(linkv1.ToKernel)
		if kind != websocket.BinaryMessage || proto.Unmarshal(b, m) != nil || !wellFormed(m) {
			c.server.refused.Add(1)
			return CloseProtocol, "malformed frame"
		}
		c.hear(m, recv)
	}
}

// hear takes one frame. Any frame is a sign of life.
func (c *conn) hear(m *linkv1.ToKernel, recv Receiver) {
	c.mu.Lock()
	c.asked, c.busy = time.Time{}, true
	back := c.stalled
	c.stalled = false
	pong, isPong := m.Frame.(*linkv1.ToKernel_Pong)
	ack := isPong && !c.acked
	if isPong {
		c.acked = true
		c.pong = max(c.pong, min(pong.Pong.GetSeq(), c.seq))
		close(c.ponged)
		c.ponged = make(chan struct{})
	}
	c.mu.Unlock()

	if ack {
		c.server.secrets.acknowledge(c.client)
	}
	c.recvMu.Lock()
	if back {
		recv.Recovered()
	}
	if m.Frame != nil && !isPong { // an unknown kind leaves Frame nil and is ignored
		recv.Receive(m)
	}
	c.recvMu.Unlock()

	c.mu.Lock()
	c.busy = false
	c.mu.Unlock()
}

// write sends what is queued until the link ends or the queue is drained.
func (c *conn) write(done <-chan struct{}) {
	defer c.ws.Close() // wakes the reader
	for {
		b, ok, last, overflow := c.out.next()
		switch {
		case overflow:
			c.server.o.Log.Warn("a shell fell behind", "client", c.client)
			closeWith(c.ws, CloseSlow, "fell behind")
			return
		case last:
			closeWith(c.ws, c.code, c.reason)
			return
		case ok:
			c.ws.SetWriteDeadline(time.Now().Add(limit.LinkWrite))
			if c.ws.WriteMessage(websocket.BinaryMessage, b) != nil {
				return
			}
			continue
		}
		select {
		case <-c.out.wake:
		case <-done:
			return
		}
	}
}

// watch pings the shell and says when it stalls. The clock runs from the oldest
// unanswered ping, so that a kernel which itself got no CPU blames nobody.
func (c *conn) watch(recv Receiver, done <-chan struct{}) {
	t := time.NewTicker(limit.Ping)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-t.C:
		}
		c.mu.Lock()
		stall := !c.asked.IsZero() && !c.busy && !c.stalled && time.Since(c.asked) >= limit.Stall
		c.stalled = c.stalled || stall
		since := c.asked
		if c.asked.IsZero() {
			c.asked = time.Now()
		}
		c.mu.Unlock()
		c.ping()
		if stall {
			c.recvMu.Lock()
			recv.Stalled(since)
			c.recvMu.Unlock()
		}
	}
}
