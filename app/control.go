package app

import (
	"context"
	"fmt"
	"os"

	"neutron/app/cli"
	"neutron/frontend"
	"neutron/kernel"
	"neutron/kernel/fault"
	"neutron/kernel/install"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/remote"
	"neutron/sandbox"
)

// control is the kernel as the control service sees it: what needs the whole
// instance, beside what the kernel itself offers.
type control struct {
	*kernel.Kernel
	i *Instance
}

// Status is remote.Kernel's.
func (c control) Status() *controlv1.StatusResponse {
	s := c.Kernel.Status()
	return &controlv1.StatusResponse{
		Version: s.Version, Pid: uint32(os.Getpid()), Workspace: s.Workspace, Sandbox: s.Sandbox, Window: s.Window,
		Shells: uint32(s.Shells), Frames: uint32(s.Frames), Locked: s.Locked, ProtocolHash: s.ProtocolHash,
	}
}

// Open is remote.Kernel's.
func (c control) Open(raise bool) (raised bool, link string) {
	if raise && c.RaiseWindow() {
		return true, ""
	}
	return false, c.ShellLink()
}

// Review is remote.Kernel's.
func (c control) Review(pack []byte, name string) (*linkv1.Review, error) {
	return c.Kernel.Review(install.Bytes(pack), int64(len(pack)), name)
}

// Apps is remote.Kernel's.
func (c control) Apps() (list []*linkv1.App) {
	for _, i := range c.Kernel.Apps() {
		list = append(list, i.App())
	}
	return list
}

// Remove is remote.Kernel's.
func (c control) Remove(id string) error { return c.Kernel.Remove(id, 0) }

// Doctor is remote.Kernel's.
func (c control) Doctor() (list []*controlv1.Finding) {
	for _, f := range c.i.store.Check() {
		list = append(list, &controlv1.Finding{Check: f.Check, Ok: f.OK, Detail: f.Detail})
	}
	packages := &controlv1.Finding{Check: "packages", Ok: true, Detail: fmt.Sprintf("%d installed apps are what was approved", len(c.Kernel.Apps()))}
	if err := c.Verify(); err != nil {
		packages.Ok, packages.Detail = false, fault.Sentence(err)
	}
	refused := &controlv1.Finding{Check: "refused", Ok: true, Detail: fmt.Sprintf("%d requests, hellos, frames and messages were turned away since the start", c.Kernel.Status().Refused)}
	return append(list, packages, refused)
}

// Shutdown is remote.Kernel's.
func (c control) Shutdown() { c.i.stop() }

// listenControl opens the control socket, the last thing of a start: whoever
// finds it finds a kernel that answers.
func (i *Instance) listenControl() error {
	s, err := remote.Listen(i.place.Socket, control{i.kernel, i}, i.log)
	if err != nil {
		return err
	}
	i.later(s.Close)
	return nil
}

// offline builds the kernel without listeners, for a command that found none running.
func (i *Instance) offline(o Options) (err error) {
	i.shellOrigin, i.sandboxURL = "http://127.0.0.1:0", "http://*.localhost:0"
	files := new(lookup)
	box := sandbox.New(sandbox.Options{Lookup: files, ShellOrigin: func() string { return i.shellOrigin }, Log: i.log})
	i.kernel, err = kernel.New(kernel.Options{
		Store: i.store, Log: i.log, ShellFiles: frontend.Files(), Version: o.Version,
		ShellOrigin: i.shellOrigin, SandboxURL: i.sandboxURL, Addresser: addresser{box}, Sandbox: box, Dev: o.Dev,
	})
	if err != nil {
		return err
	}
	files.k = i.kernel
	i.later(i.kernel.Close)
	return nil
}

// offlineControl is cli.Program's Offline.
func offlineControl(o Options) (*cli.Control, error) {
	i, err := begin(o, (*Instance).offline)
	if err != nil {
		return nil, err
	}
	client, end := remote.Local(control{i.kernel, i})
	return &cli.Control{Client: client, Close: func() error { end(); return i.Close() }}, nil
}

// until is ctx, ended also by a shutdown that came over the control socket.
func (i *Instance) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	unhook := context.AfterFunc(i.stopped, cancel)
	return ctx, func() { unhook(); cancel() }
}
