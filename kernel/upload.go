package kernel

import (
	"slices"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

// uploads are package bytes on their way from one shell. All of them together are
// no larger than one package may be. One that was given up is never told of: newer
// ones take its place.
type uploads struct {
	open  map[string]*upload
	order []string // of open, oldest first
	total int64
}

type upload struct {
	data []byte
	done bool
	err  error
}

// take adds a chunk. A breach is kept and told when the upload is used: a chunk has no answer.
func (u *uploads) take(c *linkv1.UploadChunk) {
	const op fault.Op = "kernel.upload"
	if u.open == nil {
		u.open = make(map[string]*upload)
	}
	up := u.open[c.GetUploadId()]
	if up == nil {
		if c.GetOffset() != 0 {
			return // its begin was displaced; its review says that there is no such upload
		}
		if len(u.open) >= limit.UploadsAtOnce {
			u.forget(u.order[0])
		}
		up = new(upload)
		u.open[c.GetUploadId()] = up
		u.order = append(u.order, c.GetUploadId())
	}
	for u.total+int64(len(c.GetData())) > limit.PackageBytes && u.order[0] != c.GetUploadId() {
		u.forget(u.order[0])
	}
	switch {
	case up.err != nil:
		return
	case up.done || c.GetOffset() != uint64(len(up.data)):
		up.err = fault.New(op, fault.InvalidRequest, c.GetUploadId(), "The pieces of the package came out of order.")
	case u.total+int64(len(c.GetData())) > limit.PackageBytes:
		up.err = fault.Newf(op, fault.PackageTooLarge, c.GetUploadId(), "A package may be %d MiB.", limit.PackageBytes>>20)
	}
	if up.err != nil {
		u.total -= int64(len(up.data))
		up.data = nil
		return
	}
	up.data = append(up.data, c.GetData()...)
	u.total += int64(len(c.GetData()))
	up.done = c.GetLast()
}

// claim takes a complete upload out.
func (u *uploads) claim(id string) ([]byte, error) {
	const op fault.Op = "kernel.upload"
	up := u.open[id]
	if up == nil {
		return nil, fault.New(op, fault.InvalidRequest, id, "There is no such upload.")
	}
	u.forget(id)
	if up.err != nil {
		return nil, up.err
	}
	if !up.done {
		return nil, fault.New(op, fault.InvalidRequest, id, "The upload is not complete.")
	}
	return up.data, nil
}

func (u *uploads) forget(id string) {
	u.total -= int64(len(u.open[id].data))
	delete(u.open, id)
	u.order = slices.DeleteFunc(u.order, func(o string) bool { return o == id })
}

func (u *uploads) drop() { *u = uploads{} }

func (s *shell) upload(c *linkv1.UploadChunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uploads.take(c)
}

func (s *shell) claimUpload(id string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.uploads.claim(id)
}
