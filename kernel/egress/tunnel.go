package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// tunnel is one connection on its way or open.
type tunnel struct {
	host     string
	ctx      context.Context
	cancel   context.CancelFunc
	up, down atomic.Int64
	err      error // why nothing was let through
}

// admit gives a connection its place. LIMIT when there is none.
func (p *Proxy) admit(host string) (*tunnel, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	same := 0
	for t := range p.open {
		if t.host == host {
			same++
		}
	}
	if p.ended || !p.allow[host] || len(p.open) >= limit.EgressTunnels || same >= limit.EgressPerHost {
		return nil, fault.New(op, fault.Limit, host, "")
	}
	t := &tunnel{host: host}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	p.open[t] = true
	p.wg.Add(1)
	return t, nil
}

func (p *Proxy) release(t *tunnel, ended func(Connection)) {
	t.cancel()
	p.mu.Lock()
	delete(p.open, t)
	p.mu.Unlock()
	ended(Connection{Host: t.host, Up: t.up.Load(), Down: t.down.Load(), Err: t.err})
	p.wg.Done()
}

// client is the window's side: what the server had read ahead comes first.
type client struct {
	net.Conn
	ahead io.Reader
}

// Read gives the bytes in their order.
func (c client) Read(b []byte) (int, error) { return c.ahead.Read(b) }

// hijack takes the connection over and says that the tunnel stands.
func hijack(w http.ResponseWriter) (client, error) {
	h, ok := w.(http.Hijacker)
	if !ok {
		return client{}, errors.New("the connection cannot be taken over")
	}
	conn, buffered, err := h.Hijack()
	if err != nil {
		return client{}, err
	}
	if err = conn.SetDeadline(time.Now().Add(limit.EgressHello)); err == nil {
		_, err = io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n")
	}
	if err != nil {
		return client{}, errors.Join(err, conn.Close())
	}
	return client{conn, buffered.Reader}, nil
}

// carry copies both ways until both ends are done, nothing moved for
// limit.EgressIdle, or the tunnel is ended.
func (t *tunnel) carry(near client, far net.Conn) {
	unhook := context.AfterFunc(t.ctx, func() { _, _ = near.Close(), far.Close() })
	defer unhook()
	extend := func() {
		at := time.Now().Add(limit.EgressIdle)
		_, _ = near.SetDeadline(at), far.SetDeadline(at)
	}
	extend()
	var both sync.WaitGroup
	both.Go(func() { pour(far, near, near, &t.up, extend) })
	both.Go(func() { pour(near.Conn, far, far, &t.down, extend) })
	both.Wait()
	_, _ = near.Close(), far.Close()
}

// pour copies one direction. A clean end is passed on and the other direction goes
// on; a broken one ends both.
func pour(to net.Conn, from io.Reader, source net.Conn, n *atomic.Int64, extend func()) {
	page := make([]byte, 32<<10)
	for {
		got, err := from.Read(page)
		if got > 0 {
			extend()
			wrote, e := to.Write(page[:got])
			n.Add(int64(wrote))
			if e != nil {
				err = e
			}
		}
		if err == nil {
			continue
		}
		half, ok := to.(interface{ CloseWrite() error })
		if errors.Is(err, io.EOF) && ok && half.CloseWrite() == nil {
			return
		}
		_, _ = to.Close(), source.Close()
		return
	}
}
