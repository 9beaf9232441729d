// Package remote serves the control service of a running kernel on a unix
// socket: to the command line, and to a window in another process.
//
// Who may connect: only the account that runs the kernel. The socket has mode
// 0600 in a directory of mode 0700, and each connection's other side is asked
// the operating system for its account before a byte is read.
//
// What a caller may rely on: a failure of a call carries the fault, its code and
// its sentence (FromError gives it back); a stream ends when its caller goes or
// the server closes; nothing here holds state of its own.
package remote

import (
	"context"
	"errors"
	"io"
	"sync"

	"connectrpc.com/connect"

	"neutron/kernel/audit"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/linkv1"
)

const op fault.Op = "remote"

// Kernel is what the service needs of a kernel. All of it is the owner's own
// authority: whoever may connect may do everything here.
type Kernel interface {
	Status() *controlv1.StatusResponse
	// Open raises an attached window when raise is set and there is one; else it mints a link.
	Open(raise bool) (raised bool, link string)
	Lock()
	// Review verifies the bytes of a package; Approve installs what was shown.
	Review(pack []byte, name string) (*linkv1.Review, error)
	// replaceSigner: the owner takes another signer, or none, than the one that is pinned.
	Approve(reviewID, digest string, replaceSigner bool) (*linkv1.App, error)
	// ReviewURL fetches a package once and verifies it.
	ReviewURL(ctx context.Context, address string) (*linkv1.Review, error)
	Apps() []*linkv1.App
	// Remove takes out whichever installation of the app there is.
	Remove(appID string) error
	QueryAudit(*linkv1.QueryAudit) (*linkv1.AuditPage, error)
	FollowAudit(context.Context) <-chan *linkv1.AuditEntry
	Doctor() []*controlv1.Finding
	// Shutdown ends the process in an orderly way; it returns at once.
	Shutdown()
	AttachWindow(send func(*controlv1.AttachWindowResponse)) (recv func(*controlv1.AttachWindowRequest), detach func())
}

// service is the generated handler over a Kernel.
type service struct {
	k    Kernel
	most int // bytes of a package
}

func (s service) Status(context.Context, *connect.Request[controlv1.StatusRequest]) (*connect.Response[controlv1.StatusResponse], error) {
	return connect.NewResponse(s.k.Status()), nil
}

func (s service) Open(_ context.Context, r *connect.Request[controlv1.OpenRequest]) (*connect.Response[controlv1.OpenResponse], error) {
	raised, link := s.k.Open(r.Msg.GetRaise())
	return connect.NewResponse(&controlv1.OpenResponse{Raised: raised, Link: link}), nil
}

func (s service) Lock(context.Context, *connect.Request[controlv1.LockRequest]) (*connect.Response[controlv1.LockResponse], error) {
	s.k.Lock()
	return connect.NewResponse(&controlv1.LockResponse{}), nil
}

// ReviewInstall collects the package. It is bounded before anything is decoded.
func (s service) ReviewInstall(ctx context.Context, in *connect.ClientStream[controlv1.ReviewInstallRequest]) (*connect.Response[controlv1.ReviewInstallResponse], error) {
	var pack []byte
	name := ""
	for in.Receive() {
		m := in.Msg()
		if address := m.GetUrl(); address != "" && pack == nil {
			review, err := s.k.ReviewURL(ctx, address)
			if err != nil {
				return nil, toConnect(err)
			}
			return connect.NewResponse(&controlv1.ReviewInstallResponse{Review: review}), nil
		}
		if name == "" {
			name = m.GetName()
		}
		if len(pack)+len(m.GetChunk()) > s.most {
			return nil, toConnect(fault.Newf(op, fault.PackageTooLarge, name, "A package may be %d MiB.", s.most>>20))
		}
		pack = append(pack, m.GetChunk()...)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	review, err := s.k.Review(pack, name)
	if err != nil {
		return nil, toConnect(err)
	}
	return connect.NewResponse(&controlv1.ReviewInstallResponse{Review: review}), nil
}

func (s service) ApproveInstall(_ context.Context, r *connect.Request[controlv1.ApproveInstallRequest]) (*connect.Response[controlv1.ApproveInstallResponse], error) {
	app, err := s.k.Approve(r.Msg.GetReviewId(), r.Msg.GetDigest(), r.Msg.GetReplaceSigner())
	if err != nil {
		return nil, toConnect(err)
	}
	return connect.NewResponse(&controlv1.ApproveInstallResponse{App: app}), nil
}

func (s service) ListApps(context.Context, *connect.Request[controlv1.ListAppsRequest]) (*connect.Response[controlv1.ListAppsResponse], error) {
	return connect.NewResponse(&controlv1.ListAppsResponse{Apps: s.k.Apps()}), nil
}

func (s service) RemoveApp(_ context.Context, r *connect.Request[controlv1.RemoveAppRequest]) (*connect.Response[controlv1.RemoveAppResponse], error) {
	if err := s.k.Remove(r.Msg.GetAppId()); err != nil {
		return nil, toConnect(err)
	}
	return connect.NewResponse(&controlv1.RemoveAppResponse{}), nil
}

// WatchAudit subscribes before it reads, so that no entry falls between the two.
func (s service) WatchAudit(ctx context.Context, r *connect.Request[controlv1.WatchAuditRequest], out *connect.ServerStream[controlv1.WatchAuditResponse]) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var news <-chan *linkv1.AuditEntry
	if r.Msg.GetFollow() {
		news = s.k.FollowAudit(ctx)
	}
	sent, err := s.sendNewest(r.Msg, out)
	if err != nil || news == nil {
		return err
	}
	for e := range news {
		// One that was sent while it was pending comes once more, with its outcome.
		if e.GetSeq() <= sent.last && !sent.pending[e.GetSeq()] || !about(e, r.Msg.GetAppId()) {
			continue
		}
		delete(sent.pending, e.GetSeq())
		if err := out.Send(&controlv1.WatchAuditResponse{Entry: e}); err != nil {
			return err
		}
	}
	return nil
}

// newest is what a watcher has seen of the log: up to a number, and which calls had no outcome yet.
type newest struct {
	last    uint64
	pending map[uint64]bool
}

// sendNewest sends the newest entries, oldest first, and tells which.
func (s service) sendNewest(q *controlv1.WatchAuditRequest, out *connect.ServerStream[controlv1.WatchAuditResponse]) (sent newest, err error) {
	sent.pending = map[uint64]bool{}
	var found []*linkv1.AuditEntry
	want := int(min(q.GetLast(), limit.AuditEntries))
	for before := uint64(0); len(found) < want; {
		page, err := s.k.QueryAudit(&linkv1.QueryAudit{Before: before, Limit: uint32(min(want-len(found), limit.AuditPage)), AppId: q.GetAppId()})
		if err != nil {
			return sent, toConnect(err)
		}
		found = append(found, page.GetEntries()...)
		if !page.GetMore() || len(page.GetEntries()) == 0 {
			break
		}
		before = page.GetEntries()[len(page.GetEntries())-1].GetSeq()
	}
	for i := len(found) - 1; i >= 0; i-- {
		if err := out.Send(&controlv1.WatchAuditResponse{Entry: found[i]}); err != nil {
			return sent, err
		}
		sent.last = found[i].GetSeq()
		if found[i].GetStatus() == audit.Pending {
			sent.pending[sent.last] = true
		}
	}
	return sent, nil
}

func about(e *linkv1.AuditEntry, app string) bool {
	return app == "" || e.GetCaller().GetAppId() == app || e.GetTarget().GetAppId() == app
}

func (s service) Doctor(context.Context, *connect.Request[controlv1.DoctorRequest]) (*connect.Response[controlv1.DoctorResponse], error) {
	return connect.NewResponse(&controlv1.DoctorResponse{Findings: s.k.Doctor()}), nil
}

func (s service) Shutdown(context.Context, *connect.Request[controlv1.ShutdownRequest]) (*connect.Response[controlv1.ShutdownResponse], error) {
	s.k.Shutdown()
	return connect.NewResponse(&controlv1.ShutdownResponse{}), nil
}

// AttachWindow joins a window's stream to the kernel. Sends are one at a time,
// and after the stream has ended nothing is sent.
func (s service) AttachWindow(ctx context.Context, st *connect.BidiStream[controlv1.AttachWindowRequest, controlv1.AttachWindowResponse]) error {
	var mu sync.Mutex // guards sends and ended; the kernel is not called under it
	ended := false
	recv, detach := s.k.AttachWindow(func(m *controlv1.AttachWindowResponse) {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			_ = st.Send(m) // a broken stream shows in Receive
		}
	})
	defer func() {
		detach()
		mu.Lock()
		ended = true
		mu.Unlock()
	}()
	for {
		m, err := st.Receive()
		switch {
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		recv(m)
	}
}
