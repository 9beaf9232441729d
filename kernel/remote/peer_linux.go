package remote

import (
	"net"
	"syscall"
)

// peer asks the kernel which account the other end of a connection belongs to.
func peer(c *net.UnixConn) (uid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	uid = -1
	ctrlErr := raw.Control(func(fd uintptr) {
		var cred *syscall.Ucred
		if cred, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED); err == nil {
			uid = int(cred.Uid)
		}
	})
	if ctrlErr != nil {
		err = ctrlErr
	}
	return uid, err
}
