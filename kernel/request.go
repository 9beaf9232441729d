package kernel

import (
	"context"
	"runtime/debug"
	"time"

	"neutron/kernel/endpoint"
	"neutron/kernel/fault"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
)

// request answers one request of a screen, in its own goroutine: some wait for the
// gate, the disk or a page.
func (s *shell) request(r *linkv1.Request) {
	const op fault.Op = "kernel.request"
	select {
	case s.slots <- struct{}{}:
	default:
		s.reply(r.GetId(), nil, fault.New(op, fault.Busy, s.id, "").After(time.Second))
		return
	}
	ok := s.k.run(func() {
		defer func() { <-s.slots }()
		reply, err := s.answer(s.ctx, r)
		s.reply(r.GetId(), reply, err)
		if r.GetLockAll() != nil && err == nil {
			s.k.Lock() // after the answer, which would not get out any more
		}
	})
	if !ok {
		<-s.slots
	}
}

func (s *shell) reply(id uint64, r *linkv1.Reply, err error) {
	switch {
	case err != nil:
		if fault.CodeOf(err) == fault.Internal {
			s.k.log.Error("request", "shell", s.id, "err", err)
		}
		r = &linkv1.Reply{What: &linkv1.Reply_Error{Error: fault.ToWire(err)}}
	case r == nil:
		r = &linkv1.Reply{What: &linkv1.Reply_Done{Done: &linkv1.Done{}}}
	}
	r.Id = id
	s.out.Send(&linkv1.ToShell{Frame: &linkv1.ToShell_Reply{Reply: r}})
}

// answer is the table of all requests. A nil reply means done.
func (s *shell) answer(ctx context.Context, r *linkv1.Request) (reply *linkv1.Reply, err error) {
	const op fault.Op = "kernel.request"
	defer func() {
		if p := recover(); p != nil { // one request's bug is that request's failure
			s.k.log.Error("panic in a request", "panic", p, "stack", string(debug.Stack()))
			reply, err = nil, fault.New(op, fault.Internal, s.id, "")
		}
	}()
	k := s.k
	switch w := r.GetWhat().(type) {
	case *linkv1.Request_OpenTile:
		t := w.OpenTile
		f, err := k.frames.OpenTile(ctx, s.id, t.GetAppId(), t.GetTileId(), t.GetInstance())
		return &linkv1.Reply{What: &linkv1.Reply_Frame{Frame: f.Wire()}}, err
	case *linkv1.Request_CloseFrame:
		return nil, k.frames.Close(s.id, endpoint.FrameID(w.CloseFrame.GetFrameId()))
	case *linkv1.Request_RetryFrame:
		return nil, k.frames.Retry(w.RetryFrame.GetAppId(), w.RetryFrame.GetTileId())
	case *linkv1.Request_EndpointTools:
		return k.endpointTools(w.EndpointTools)

	case *linkv1.Request_QuestionOpen:
		return nil, k.desk.Open(w.QuestionOpen.GetId())
	case *linkv1.Request_QuestionAnswer:
		a := w.QuestionAnswer
		return nil, k.desk.Answer(a.GetId(), a.GetChoice(), a.GetDigest(), milliseconds(a.GetPauseMs()))
	case *linkv1.Request_ListGrants:
		return &linkv1.Reply{What: &linkv1.Reply_Grants{Grants: &linkv1.GrantList{Grants: k.desk.Grants()}}}, nil
	case *linkv1.Request_RevokeGrant:
		return s.once(r.GetSubmission(), "revoke_grant", w.RevokeGrant, func(*store.Tx) (*linkv1.Reply, error) {
			return done(), k.desk.Revoke(w.RevokeGrant.GetId())
		})
	case *linkv1.Request_QueryAudit:
		return k.queryAudit(w.QueryAudit)

	case *linkv1.Request_ReviewInstall:
		return s.reviewInstall(ctx, w.ReviewInstall)
	case *linkv1.Request_ApproveInstall:
		return s.approveInstall(r.GetSubmission(), w.ApproveInstall)
	case *linkv1.Request_DiscardInstall:
		k.apps.Discard(w.DiscardInstall.GetReviewId())
		return nil, nil
	case *linkv1.Request_RemoveApp:
		return s.removeApp(r.GetSubmission(), w.RemoveApp)
	case *linkv1.Request_DescribeApp:
		return k.describeApp(s, w.DescribeApp)

	case *linkv1.Request_PutDoc:
		return s.putDoc(r.GetSubmission(), w.PutDoc)
	case *linkv1.Request_LockAll:
		return nil, nil // request locks once the answer is queued
	}
	return nil, fault.New(op, fault.NotSupported, s.id, "This Neutron does not know the request.")
}

// milliseconds bounds what a shell sends before it becomes a duration.
func milliseconds(ms uint64) time.Duration {
	return time.Duration(min(ms, uint64(24*time.Hour/time.Millisecond))) * time.Millisecond
}
