package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"

	"neutron/kernel/audit"
	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/controlv1"
	"neutron/kernel/proto/controlv1/controlv1connect"
	"neutron/kernel/proto/linkv1"
)

// far stands for a kernel: it records what it is asked, and plays a window's other side.
type far struct {
	packed   []byte
	name     string
	fails    error
	entries  []*linkv1.AuditEntry
	news     chan *linkv1.AuditEntry
	followed chan context.Context
	send     chan func(*controlv1.AttachWindowResponse)
	told     chan *controlv1.AttachWindowRequest
	detached chan struct{}
	stopped  bool
}

func newFar() *far {
	return &far{
		news: make(chan *linkv1.AuditEntry), followed: make(chan context.Context, 1), send: make(chan func(*controlv1.AttachWindowResponse), 1),
		told: make(chan *controlv1.AttachWindowRequest, 8), detached: make(chan struct{}),
	}
}

func (f *far) Status() *controlv1.StatusResponse {
	return &controlv1.StatusResponse{Version: "x", Pid: 7}
}
func (f *far) Open(raise bool) (bool, string) { return raise, "http://127.0.0.1:1/#boot=1" }
func (f *far) Lock()                          {}
func (f *far) Shutdown()                      { f.stopped = true }
func (f *far) Apps() []*linkv1.App            { return []*linkv1.App{{Id: "notes"}} }
func (f *far) Remove(id string) error         { return f.fails }
func (f *far) Doctor() []*controlv1.Finding   { return []*controlv1.Finding{{Check: "c", Ok: true}} }

func (f *far) Review(pack []byte, name string) (*linkv1.Review, error) {
	f.packed, f.name = pack, name
	return &linkv1.Review{ReviewId: "r"}, f.fails
}

func (f *far) ReviewURL(_ context.Context, address string) (*linkv1.Review, error) {
	return &linkv1.Review{ReviewId: address}, f.fails
}

func (f *far) Approve(id, digest string, _ bool) (*linkv1.App, error) {
	return &linkv1.App{Id: id + digest}, f.fails
}

func (f *far) QueryAudit(q *linkv1.QueryAudit) (*linkv1.AuditPage, error) {
	p := &linkv1.AuditPage{}
	for i := len(f.entries) - 1; i >= 0; i-- {
		e := f.entries[i]
		if q.GetBefore() > 0 && e.GetSeq() >= q.GetBefore() || !about(e, q.GetAppId()) {
			continue
		}
		if len(p.Entries) == int(q.GetLimit()) {
			p.More = true
			break
		}
		p.Entries = append(p.Entries, e)
	}
	return p, f.fails
}

func (f *far) FollowAudit(ctx context.Context) <-chan *linkv1.AuditEntry {
	f.followed <- ctx
	out := make(chan *linkv1.AuditEntry)
	go func() {
		defer close(out)
		for {
			select {
			case e := <-f.news:
				out <- e
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (f *far) AttachWindow(send func(*controlv1.AttachWindowResponse)) (func(*controlv1.AttachWindowRequest), func()) {
	f.send <- send
	return func(m *controlv1.AttachWindowRequest) { f.told <- m }, func() { close(f.detached) }
}

// doors gives the same client over a socket and over a pipe: one suite for both.
func doors(t *testing.T, run func(t *testing.T, f *far, c controlv1connect.ControlServiceClient)) {
	t.Run("socket", func(t *testing.T) {
		f := newFar()
		path := filepath.Join(t.TempDir(), "s")
		s, err := Listen(path, f, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the socket was left: %v", err)
			}
		})
		run(t, f, Dial(path))
	})
	t.Run("pipe", func(t *testing.T) {
		f := newFar()
		c, end := Local(f)
		t.Cleanup(end)
		run(t, f, c)
	})
}

func TestCallsAndFaults(t *testing.T) {
	doors(t, func(t *testing.T, f *far, c controlv1connect.ControlServiceClient) {
		ctx := t.Context()
		if r, err := c.Status(ctx, connect.NewRequest(&controlv1.StatusRequest{})); err != nil || r.Msg.GetPid() != 7 {
			t.Errorf("status: %v, %v", r, err)
		}
		if r, err := c.Open(ctx, connect.NewRequest(&controlv1.OpenRequest{Raise: true})); err != nil || !r.Msg.GetRaised() {
			t.Errorf("open: %v, %v", r, err)
		}
		f.fails = fault.New("far", fault.Busy, "s", "Come back later.").After(3 * time.Second)
		_, err := c.RemoveApp(ctx, connect.NewRequest(&controlv1.RemoveAppRequest{AppId: "x"}))
		var got *fault.Error
		if !errors.As(FromError(err), &got) || got.Code != fault.Busy || got.Message != "Come back later." || got.RetryAfter != 3*time.Second {
			t.Errorf("the fault came back as %v", FromError(err))
		}
		f.fails = errors.New("a cause with /a/path in it")
		_, err = c.RemoveApp(ctx, connect.NewRequest(&controlv1.RemoveAppRequest{AppId: "x"}))
		if got := FromError(err); fault.CodeOf(got) != fault.Internal || strings.Contains(err.Error(), "/a/path") {
			t.Errorf("a cause crossed the socket: %v", err)
		}
	})
}

// send uploads a package of so many bytes and asks for its review.
func send(t *testing.T, c controlv1connect.ControlServiceClient, bytes int) error {
	t.Helper()
	st := c.ReviewInstall(t.Context())
	for sent := 0; sent < bytes; sent += limit.UploadChunk {
		if st.Send(&controlv1.ReviewInstallRequest{Chunk: make([]byte, min(limit.UploadChunk, bytes-sent)), Name: "a.neutron"}) != nil {
			break
		}
	}
	_, err := st.CloseAndReceive()
	return FromError(err)
}

func TestReviewCollectsThePackage(t *testing.T) {
	doors(t, func(t *testing.T, f *far, c controlv1connect.ControlServiceClient) {
		if err := send(t, c, 3*limit.UploadChunk+5); err != nil || len(f.packed) != 3*limit.UploadChunk+5 || f.name != "a.neutron" {
			t.Errorf("%v: %d bytes of %q", err, len(f.packed), f.name)
		}
	})
}

func TestReviewIsBounded(t *testing.T) {
	f := newFar()
	c, end := local(service{f, 2 * limit.UploadChunk})
	defer end()
	if err := send(t, c, 2*limit.UploadChunk); err != nil || len(f.packed) != 2*limit.UploadChunk {
		t.Errorf("at the limit: %v, %d bytes", err, len(f.packed))
	}
	f.packed = nil
	if err := send(t, c, 2*limit.UploadChunk+1); fault.CodeOf(err) != fault.PackageTooLarge || f.packed != nil {
		t.Errorf("over the limit: %v, %d bytes reached the kernel", err, len(f.packed))
	}
}

func TestWatchAudit(t *testing.T) {
	doors(t, func(t *testing.T, f *far, c controlv1connect.ControlServiceClient) {
		for i := range 2*limit.AuditPage + 10 {
			f.entries = append(f.entries, &linkv1.AuditEntry{Seq: uint64(i + 1), Caller: &linkv1.Party{AppId: fmt.Sprint("app", i%2)}})
		}
		last := uint64(len(f.entries))
		f.entries[last-2].Status = audit.Pending
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		st, err := c.WatchAudit(ctx, connect.NewRequest(&controlv1.WatchAuditRequest{Follow: true, Last: limit.AuditPage + 50}))
		if err != nil {
			t.Fatal(err)
		}
		next := last - limit.AuditPage - 50
		expect := func(seq uint64) {
			t.Helper()
			if !st.Receive() || st.Msg().GetEntry().GetSeq() != seq {
				t.Fatalf("got %v (%v), want entry %d", st.Msg(), st.Err(), seq)
			}
		}
		for range limit.AuditPage + 50 {
			next++
			expect(next)
		}
		followed := <-f.followed
		f.news <- f.entries[last-1] // it was sent already
		for range 2 {
			f.news <- &linkv1.AuditEntry{Seq: last - 1, Status: audit.OK} // it was sent while nobody knew its outcome
		}
		expect(last - 1)
		f.news <- &linkv1.AuditEntry{Seq: last + 1}
		expect(last + 1)
		cancel()
		<-followed.Done() // the kernel's subscription ends with its reader
		if st.Receive() {
			t.Error("a stream went on after its end")
		}
		st, err = c.WatchAudit(t.Context(), connect.NewRequest(&controlv1.WatchAuditRequest{Last: 3, AppId: "app0"}))
		if err != nil {
			t.Fatal(err)
		}
		for _, seq := range []uint64{last - 5, last - 3, last - 1} {
			expect(seq)
		}
		if st.Receive() || st.Err() != nil {
			t.Errorf("more came without follow: %v, %v", st.Msg(), st.Err())
		}
	})
}

func TestAttachWindow(t *testing.T) {
	doors(t, func(t *testing.T, f *far, c controlv1connect.ControlServiceClient) {
		st := c.AttachWindow(t.Context())
		if err := st.Send(nil); err != nil { // only the headers: the kernel speaks first
			t.Fatal(err)
		}
		send := <-f.send
		boot := &controlv1.AttachWindowResponse{What: &controlv1.AttachWindowResponse_Boot{Boot: &controlv1.Boot{Url: "u"}}}
		send(boot)
		if m, err := st.Receive(); err != nil || !proto.Equal(m, boot) {
			t.Errorf("heard %v, %v", m, err)
		}
		died := &controlv1.AttachWindowRequest{What: &controlv1.AttachWindowRequest_ProcessDied{ProcessDied: &controlv1.ProcessDied{Reason: 2}}}
		if err := st.Send(died); err != nil {
			t.Error(err)
		}
		if m := <-f.told; !proto.Equal(m, died) {
			t.Errorf("told %v", m)
		}
		if err := st.CloseRequest(); err != nil {
			t.Error(err)
		}
		<-f.detached
		if _, err := st.Receive(); err == nil {
			t.Error("the stream did not end")
		}
		send(boot) // into nothing, and without harm
	})
}

func TestCloseEndsStreams(t *testing.T) {
	f := newFar()
	path := filepath.Join(t.TempDir(), "s")
	s, err := Listen(path, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	st := Dial(path).AttachWindow(t.Context())
	if err := st.Send(nil); err != nil {
		t.Fatal(err)
	}
	<-f.send
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	<-f.detached
	if _, err := st.Receive(); fault.CodeOf(FromError(err)) != fault.EndpointGone {
		t.Errorf("the window was told %v", FromError(err))
	}
	if Running(path) {
		t.Error("the socket still answers")
	}
}

func TestSocketIsPrivateAndReplacesAStaleOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	if err := l.Close(); err != nil { // what a killed kernel leaves
		t.Fatal(err)
	}
	if Running(path) {
		t.Error("a stale socket answers")
	}
	s, err := Listen(path, newFar(), nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if !Running(path) {
		t.Error("nobody answers")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(path, newFar(), nil); fault.CodeOf(err) != fault.StoreReadOnly {
		t.Errorf("over a file: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "precious" {
		t.Errorf("the file was replaced: %q, %v", b, err)
	}
}

// TestAttack13AnotherAccount lets a listener take this process for a stranger.
// The positive control is the same request at a listener of this account.
func TestAttack13AnotherAccount(t *testing.T) {
	if os.Getuid() != 0 { // root is always let in
		try(t, os.Getuid()+1, false)
	} else {
		try(t, -1, true) // root against any owner
	}
	try(t, os.Getuid(), true)
	stranger(t)
}

// try serves for an owner and reports whether this process is let in.
func try(t *testing.T, owner int, want bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	s := httpServer(service{newFar(), limit.PackageBytes}, quiet)
	done := make(chan error, 1)
	go func() { done <- s.Serve(own{l, owner, quiet}) }()
	_, err = Dial(path).Status(t.Context(), connect.NewRequest(&controlv1.StatusRequest{}))
	if (err == nil) != want {
		t.Errorf("owner %d: let in %v (%v), want %v", owner, err == nil, err, want)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
