package sandbox

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Bounds of the listener. All waits are per connection or per request.
const (
	headerBytes   = 16 << 10         // of one request, beyond it 431
	headerWait    = 5 * time.Second  // from the first byte to the end of the headers
	readWait      = 10 * time.Second // a whole request
	writeWait     = 60 * time.Second // a whole answer
	idleWait      = 90 * time.Second // between two requests of a connection
	connections   = 768              // at once; engines open six per label
	perConnection = 4_096            // requests, then it is closed

	answersAtOnce   = 24 // files in memory at once, in all
	answersPerLabel = 6  // of one label, as many as an engine opens connections
)

// HTTPServer is a server for this handler with the listener's bounds set. Wrap its listener with Limit.
func (s *Server) HTTPServer() *http.Server {
	return &http.Server{
		Handler:           perConn(s),
		ReadHeaderTimeout: headerWait,
		ReadTimeout:       readWait,
		WriteTimeout:      writeWait,
		IdleTimeout:       idleWait,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          nil,
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, countKey{}, new(count))
		},
	}
}

type countKey struct{}

// count is the requests of one connection; net/http serves them one after another.
type count struct{ n int }

func perConn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(countKey{}).(*count); ok {
			if c.n++; c.n >= perConnection {
				w.Header().Set("Connection", "close")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Limit bounds the connections that a listener holds at once. One too many is
// closed at once rather than queued: a queue would let one hog starve every frame.
func Limit(l net.Listener) net.Listener { return limitTo(l, connections) }

func limitTo(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, free: make(chan struct{}, n)}
}

type limited struct {
	net.Listener
	free chan struct{}
}

// Accept gives the next connection that fits.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		select {
		case l.free <- struct{}{}:
			return &counted{Conn: c, free: l.free}, nil
		default:
			_ = c.Close()
		}
	}
}

type counted struct {
	net.Conn
	once sync.Once
	free chan struct{}
}

// Close gives the connection's place back, once.
func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { <-c.free })
	return err
}
