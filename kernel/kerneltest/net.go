package kerneltest

import (
	"context"
	"net"
	"net/netip"
	"sync"

	"neutron/kernel/fault"
)

// Net is a network in memory. What waits on it stands still in a synctest bubble,
// so that a whole instance can be played through hours in no time.
type Net struct {
	mu        sync.Mutex
	listeners map[string]*listener
	port      uint16
}

// Listen opens a listener; port 0 takes the next free one.
func (n *Net) Listen(address string) (net.Listener, error) {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.listeners == nil {
		n.listeners = make(map[string]*listener)
	}
	if a.Port() == 0 {
		n.port++
		a = netip.AddrPortFrom(a.Addr(), 1000+n.port)
	}
	l := &listener{net: n, addr: net.TCPAddrFromAddrPort(a), conns: make(chan net.Conn), closed: make(chan struct{})}
	n.listeners[a.String()] = l
	return l, nil
}

// Dial connects to a listener by its address.
func (n *Net) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[address]
	n.mu.Unlock()
	refused := fault.New("net.dial", fault.EndpointGone, address, "nobody listens there")
	if l == nil {
		return nil, refused
	}
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed:
		return nil, refused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type listener struct {
	net    *Net
	addr   *net.TCPAddr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error { l.once.Do(func() { close(l.closed) }); return nil }

func (l *listener) Addr() net.Addr { return l.addr }
