package appdata

import (
	"encoding/binary"
	"encoding/hex"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
)

const (
	opWrite fault.Op = "appdata.write"
	opRead  fault.Op = "appdata.read"
)

// A row's key is its kind, the installation's uid in 8 bytes, and the app's key.
const (
	valueKind = 'k' // revision in 8 bytes, JSON text
	blobKind  = 'b' // revision and size in 8 bytes each, SHA-256
	usageKind = 'u' // Usage
	goneKind  = 'x' // the installation was removed: nothing may be written any more
)

func rowKey(kind byte, uid uint64, key string) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{kind}, uid), key...)
}

// rowPrefix is how many bytes of a row's key are not the app's.
const rowPrefix = 9

// Usage is what one installation keeps.
type Usage struct {
	Revision  uint64 // of the last change; 0: there was none
	Entries   uint64
	Bytes     uint64 // keys and values, and limit.DataEntry for each entry
	Blobs     uint64
	BlobBytes uint64
}

func (u Usage) row() []byte {
	b := make([]byte, 0, 40)
	for _, n := range []uint64{u.Revision, u.Entries, u.Bytes, u.Blobs, u.BlobBytes} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func usageOf(tx *store.Tx, uid uint64) (u Usage) {
	b := tx.Bucket(store.Data).Get(rowKey(usageKind, uid, ""))
	if len(b) != 40 {
		return u
	}
	for n, into := range []*uint64{&u.Revision, &u.Entries, &u.Bytes, &u.Blobs, &u.BlobBytes} {
		*into = binary.BigEndian.Uint64(b[8*n:])
	}
	return u
}

func valueRow(revision uint64, value []byte) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(value)), revision), value...)
}

// revisionOf is the revision of a row; 0 for none.
func revisionOf(row []byte) uint64 {
	if len(row) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(row)
}

// blobRow is where a blob lies.
type blobRow struct {
	revision, size uint64
	hash           string
}

func (r blobRow) row() []byte {
	b := binary.BigEndian.AppendUint64(nil, r.revision)
	b = binary.BigEndian.AppendUint64(b, r.size)
	hash, _ := hex.DecodeString(r.hash)
	return append(b, hash...)
}

func blobOf(row []byte) blobRow {
	if len(row) < 16 {
		return blobRow{}
	}
	return blobRow{revisionOf(row), binary.BigEndian.Uint64(row[8:]), hex.EncodeToString(row[16:])}
}

// view is one installation within a write transaction.
type view struct {
	tx    *store.Tx
	b     *store.Bucket
	uid   uint64
	gone  bool
	usage Usage
}

func newView(tx *store.Tx, uid uint64) *view {
	v := &view{tx: tx, b: tx.Bucket(store.Data), uid: uid, usage: usageOf(tx, uid)}
	v.gone = v.b.Get(rowKey(goneKind, uid, "")) != nil
	return v
}

// edit is one write of one key.
type edit struct {
	kind   byte // valueKind or blobKind
	key    string
	remove bool
	body   []byte // JSON text, or the blob's bytes
	expect *uint64
}

// plan judges edits together on what is there, and gives what carries them out.
// A plan that is refused, or not carried out, has written nothing; nil: there is
// nothing to change.
func (v *view) plan(edits []edit) (write func() error, err error) {
	if v.gone {
		return nil, fault.New(opWrite, fault.Superseded, "", "The app was removed.")
	}
	next, was := v.usage, make([][]byte, len(edits))
	changed := false
	for n, e := range edits {
		old := v.b.Get(rowKey(e.kind, v.uid, e.key))
		if now := revisionOf(old); e.expect != nil && *e.expect != now {
			return nil, fault.Newf(opWrite, fault.Conflict, e.key, "%q is at revision %d, not %d.", e.key, now, *e.expect)
		}
		was[n] = old
		changed = changed || old != nil || !e.remove
		next.count(e, old)
	}
	if !changed {
		return nil, nil
	}
	if next.Bytes > limit.DataBytes && next.Bytes > v.usage.Bytes {
		return nil, fault.Newf(opWrite, fault.Limit, "", "The app would keep %d bytes; %d are allowed.", next.Bytes, limit.DataBytes)
	}
	if next.BlobBytes > limit.DataBlobBytes && next.BlobBytes > v.usage.BlobBytes {
		return nil, fault.Newf(opWrite, fault.Limit, "", "The app's blobs would have %d bytes; %d are allowed.", next.BlobBytes, limit.DataBlobBytes)
	}
	next.Revision++
	return func() error {
		for n, e := range edits {
			if err := v.write(e, was[n], next.Revision); err != nil {
				return err
			}
		}
		v.usage = next
		return v.b.Put(rowKey(usageKind, v.uid, ""), next.row())
	}, nil
}

// count takes one edit into account, over the row that was there.
func (u *Usage) count(e edit, old []byte) {
	if e.kind == blobKind {
		if old != nil {
			u.Blobs, u.BlobBytes, u.Bytes = u.Blobs-1, u.BlobBytes-blobOf(old).size, u.Bytes-cost(e.key)
		}
		if !e.remove {
			u.Blobs, u.BlobBytes, u.Bytes = u.Blobs+1, u.BlobBytes+uint64(len(e.body)), u.Bytes+cost(e.key)
		}
		return
	}
	if old != nil {
		u.Entries, u.Bytes = u.Entries-1, u.Bytes-cost(e.key)-uint64(len(old)-8)
	}
	if !e.remove {
		u.Entries, u.Bytes = u.Entries+1, u.Bytes+cost(e.key)+uint64(len(e.body))
	}
}

// cost is what a key costs whatever it holds.
func cost(key string) uint64 { return uint64(len(key)) + limit.DataEntry }

func (v *view) write(e edit, old []byte, revision uint64) error {
	key := rowKey(e.kind, v.uid, e.key)
	if e.kind == blobKind && old != nil {
		if err := v.tx.UnrefBlob(blobOf(old).hash); err != nil {
			return err
		}
	}
	switch {
	case e.remove:
		return v.b.Delete(key)
	case e.kind == valueKind:
		return v.b.Put(key, valueRow(revision, e.body))
	}
	hash, err := v.tx.PutBytes(e.body)
	if err != nil {
		return err
	}
	return v.b.Put(key, blobRow{revision, uint64(len(e.body)), hash}.row())
}
