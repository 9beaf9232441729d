package remote

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"connectrpc.com/connect"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/controlv1/controlv1connect"
)

// Server answers on one control socket.
type Server struct {
	http   *http.Server
	socket string
	wg     sync.WaitGroup
}

// Listen serves k on a unix socket. The caller holds the lock of the data
// directory, so a socket that is there already belongs to nobody and is replaced.
// log may be nil.
func Listen(socket string, k Kernel, log *slog.Logger) (*Server, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if info, err := os.Lstat(socket); err == nil && info.Mode().Type() != fs.ModeSocket {
		return nil, fault.Newf(op, fault.StoreReadOnly, socket, "Something else is in the way of the control socket %s.", socket)
	}
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cannotListen(socket, err)
	}
	// The socket is made under another name with the right mode and then moved:
	// at no time can another account connect to it.
	making := filepath.Join(filepath.Dir(socket), ".control-new")
	_ = os.Remove(making)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: making, Net: "unix"})
	if err != nil {
		return nil, cannotListen(socket, err)
	}
	l.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(making, 0o600), os.Rename(making, socket)); err != nil {
		return nil, cannotListen(socket, errors.Join(err, l.Close(), os.Remove(making)))
	}
	s := &Server{http: httpServer(service{k, limit.PackageBytes}, log), socket: socket}
	s.wg.Go(func() {
		if err := s.http.Serve(own{l, os.Getuid(), log}); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the control socket ended", "err", err)
		}
	})
	return s, nil
}

// Close ends every call and stream, and removes the socket. It waits for the
// listener, not for calls: their contexts have ended.
func (s *Server) Close() error {
	err := s.http.Close()
	s.wg.Wait()
	if e := os.Remove(s.socket); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return fault.Wrap(op, fault.Internal, s.socket, err)
}

func cannotListen(socket string, err error) error {
	code := fault.StoreReadOnly
	if errors.Is(err, syscall.ENOSPC) {
		code = fault.StoreFull
	}
	return &fault.Error{Op: op, Code: code, Subject: socket, Err: err, Message: "The control socket " + socket + " cannot be made."}
}

func httpServer(s service, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	mux.Handle(controlv1connect.NewControlServiceHandler(s, connect.WithReadMaxBytes(limit.LinkFrameBytes)))
	h := &http.Server{
		Handler:           mux,
		Protocols:         new(http.Protocols),
		ReadHeaderTimeout: 5 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	h.Protocols.SetHTTP1(true) // for curl, when somebody has to look
	h.Protocols.SetUnencryptedHTTP2(true)
	return h
}

// own is a listener that takes only connections of its owner's account, or of root.
type own struct {
	*net.UnixListener
	owner int
	log   *slog.Logger
}

// Accept implements net.Listener.
func (o own) Accept() (net.Conn, error) {
	for {
		c, err := o.AcceptUnix()
		if err != nil {
			return nil, err
		}
		uid, err := peer(c)
		if err == nil && (uid == o.owner || uid == 0) {
			return c, nil
		}
		o.log.Warn("another account tried the control socket", "uid", uid, "err", err)
		_ = c.Close()
	}
}

// Dial gives a client of the kernel behind a socket. It does not connect yet;
// Reach tells whether anybody answers.
func Dial(socket string) controlv1connect.ControlServiceClient {
	return client(func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "unix", socket) })
}

// Running reports whether a kernel listens on a socket; it may be one that does not answer.
func Running(socket string) bool {
	c, err := net.Dial("unix", socket)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// Reach gives a client of the kernel behind a socket once that kernel has answered
// a first question; nil: nobody listens there. ENDPOINT_GONE: somebody listens and
// did not answer within limit.AnswerWait, as a process that was stopped does.
func Reach(ctx context.Context, socket string) (controlv1connect.ControlServiceClient, error) {
	if !Running(socket) {
		return nil, nil
	}
	c := Dial(socket)
	in, cancel := context.WithTimeout(ctx, limit.AnswerWait)
	defer cancel()
	_, err := c.Status(in, connect.NewRequest(&controlv1.StatusRequest{}))
	if err != nil && ctx.Err() == nil && in.Err() != nil {
		return nil, fault.Newf(op, fault.EndpointGone, socket, "The Neutron behind %s runs but does not answer.", socket)
	}
	return c, FromError(err)
}

func client(dial func(context.Context) (net.Conn, error)) controlv1connect.ControlServiceClient {
	t := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		Protocols:   new(http.Protocols),
	}
	t.Protocols.SetUnencryptedHTTP2(true) // a stream in both directions needs it
	return controlv1connect.NewControlServiceClient(&http.Client{Transport: t}, "http://neutron")
}

// Local gives a client of a kernel in this process, over the same service but
// no socket. end waits until the service has ended.
func Local(k Kernel) (c controlv1connect.ControlServiceClient, end func()) {
	return local(service{k, limit.PackageBytes})
}

func local(k service) (c controlv1connect.ControlServiceClient, end func()) {
	p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	s := httpServer(k, slog.New(slog.DiscardHandler))
	var wg sync.WaitGroup
	wg.Go(func() { _ = s.Serve(p) })
	return client(p.dial), func() {
		_ = s.Close()
		wg.Wait()
	}
}

// pipes is a listener whose connections are pipes inside the process.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }
