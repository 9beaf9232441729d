package kernel

import (
	"google.golang.org/protobuf/proto"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
	"neutron/kernel/store"
	"neutron/kernel/valid"
)

// Docs are the shell's own durable state: layouts, theme, seen marks. The kernel
// does not read them; it keeps the newest revision of each and refuses a write that
// was made against an older one.

// docs lists all of them by key.
func (k *Kernel) docs() ([]*linkv1.Doc, error) {
	var out []*linkv1.Doc
	err := k.store.View(func(tx *store.Tx) error {
		for key, b := range tx.Bucket(store.Docs).All() {
			d := new(linkv1.Doc)
			if err := proto.Unmarshal(b, d); err != nil {
				return fault.Wrap("kernel.docs", fault.StoreDamaged, string(key), err)
			}
			out = append(out, d)
		}
		return nil
	})
	return out, err
}

func (s *shell) putDoc(submission string, p *linkv1.PutDoc) (*linkv1.Reply, error) {
	const op fault.Op = "kernel.putDoc"
	if err := docKey(p.GetKey()); err != nil {
		return nil, err
	}
	if len(p.GetJson()) > limit.DocBytes {
		return nil, fault.Newf(op, fault.Limit, p.GetKey(), "A document may be %d KiB.", limit.DocBytes>>10)
	}
	if err := valid.JSON(p.GetJson(), limit.DocBytes); err != nil {
		return nil, err
	}
	changed := false
	reply, err := s.once(submission, "put_doc", p, func(tx *store.Tx) (*linkv1.Reply, error) {
		b := tx.Bucket(store.Docs)
		old := new(linkv1.Doc)
		before := b.Get([]byte(p.GetKey()))
		if err := proto.Unmarshal(before, old); err != nil {
			return nil, fault.Wrap(op, fault.StoreDamaged, p.GetKey(), err)
		}
		if old.GetRevision() != p.GetIfRevision() {
			// The shell reads the number, so that the last hand on a document can win.
			return nil, fault.Newf(op, fault.Conflict, p.GetKey(), "It was changed by somebody else meanwhile and stands at revision %d.", old.GetRevision())
		}
		if before == nil && count(b) >= limit.Docs {
			return nil, fault.Newf(op, fault.Limit, p.GetKey(), "At most %d documents are kept.", limit.Docs)
		}
		d := &linkv1.Doc{Key: p.GetKey(), Revision: old.GetRevision() + 1, Json: p.GetJson()}
		raw, err := proto.Marshal(d)
		if err != nil {
			return nil, fault.Wrap(op, fault.Internal, p.GetKey(), err)
		}
		changed = true
		// The answer, which its receipt repeats, need not carry the text back.
		return &linkv1.Reply{What: &linkv1.Reply_Doc{Doc: &linkv1.Doc{Key: d.Key, Revision: d.Revision}}}, b.Put([]byte(p.GetKey()), raw)
	})
	if changed && err == nil {
		s.k.pushDocs(s)
	}
	return reply, err
}

// pushDocs gives every other shell what one of them just wrote. All documents go, since a part of the
// state replaces the one before it that still waits; the lock keeps an older reading from going last.
func (k *Kernel) pushDocs(from *shell) {
	k.docsMu.Lock()
	defer k.docsMu.Unlock()
	var state *linkv1.State
	for _, s := range k.allShells() {
		if s == from {
			continue
		}
		if state == nil {
			docs, err := k.docs()
			if err != nil {
				k.log.Error("documents were not pushed", "err", err)
				return
			}
			state = &linkv1.State{Part: &linkv1.State_Docs{Docs: &linkv1.Docs{Docs: docs}}}
		}
		s.out.SendState(state)
	}
}

func count(b *store.Bucket) (n int) {
	for range b.All() {
		n++
	}
	return n
}

// docKey takes short names of lower-case letters, digits and the marks . - _ : /
func docKey(key string) error {
	bad := key == "" || len(key) > limit.ActionName
	for _, c := range key {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' && c != ':' && c != '/' {
			bad = true
		}
	}
	if bad {
		return fault.New("kernel.putDoc", fault.InvalidRequest, key, "A document's key has up to 64 of a-z, 0-9 and . - _ : /")
	}
	return nil
}
