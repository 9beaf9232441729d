package app

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"time"

	"neutron/kernel/fault"
)

// listen opens a loopback listener. Any other address is refused: whoever reaches
// it would be one secret away from the whole workspace.
func listen(address string, open func(string) (net.Listener, error)) (net.Listener, error) {
	const op fault.Op = "app.listen"
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, fault.Newf(op, fault.InvalidRequest, address, "%q is not an address like 127.0.0.1:0", address)
	}
	if a.Addr() != netip.AddrFrom4([4]byte{127, 0, 0, 1}) {
		return nil, fault.New(op, fault.InvalidRequest, address, "Neutron listens on 127.0.0.1 only.")
	}
	l, err := open(address)
	if err != nil {
		return nil, fault.Newf(op, fault.InvalidRequest, address, "%s cannot be opened: %v", address, err)
	}
	return l, nil
}

func open(address string) (net.Listener, error) { return net.Listen("tcp4", address) }

// shellServer bounds what a local program can hold open on the shell listener.
// Links are taken over after their handshake and keep their own time.
func shellServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// closed turns the end that was asked for into no error.
func closed(err error) error {
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
