package appdata

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strconv"
	"time"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
)

// uploads are the blobs that are being written, by their random name.
type uploads map[string]*upload

// upload is one of them, in memory until it is whole.
type upload struct {
	uid    uint64
	holder string
	key    string
	size   int
	expect *uint64
	bytes  []byte
	used   time.Time
}

// End forgets what a connection left unfinished.
func (d *Data) End(holder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, u := range d.uploads {
		if u.holder == holder {
			delete(d.uploads, name)
		}
	}
}

func (d *Data) blobBegin(a *Action) ([]byte, error) {
	var r struct {
		keyed
		Size *int `json:"size"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	if err := judgeKey(r.Key); err != nil {
		return nil, err
	}
	switch {
	case r.Size == nil || *r.Size < 0:
		return nil, invalid("A blob begins with its size in bytes.")
	case *r.Size > limit.DataBlob:
		return nil, fault.Newf(opAction, fault.Limit, r.Key, "The blob would have %d bytes; %d are allowed.", *r.Size, limit.DataBlob)
	}
	var random [16]byte
	rand.Read(random[:]) //nolint:errcheck // it never fails
	name := hex.EncodeToString(random[:])
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	own := 0
	for other, u := range d.uploads {
		switch {
		case now.Sub(u.used) >= limit.DataUploadIdle:
			delete(d.uploads, other)
		case u.uid == a.UID:
			own++
		}
	}
	if own >= limit.DataUploads || len(d.uploads) >= limit.DataUploading || d.closed {
		return nil, fault.New(opAction, fault.Busy, r.Key, "Too many blobs are being written.").After(limit.BusyRetry)
	}
	d.uploads[name] = &upload{uid: a.UID, holder: a.Holder, key: r.Key, size: *r.Size, expect: r.IfRevision.n, used: now}
	return []byte(`{"upload":"` + name + `"}`), nil
}

// named finds an upload of this connection. The caller holds mu.
func (d *Data) named(a *Action, name string) (*upload, error) {
	u := d.uploads[name]
	if u == nil || u.uid != a.UID || u.holder != a.Holder {
		return nil, invalid("No such blob is being written here.")
	}
	u.used = time.Now()
	return u, nil
}

func (d *Data) blobAppend(a *Action) ([]byte, error) {
	var r struct {
		Upload string `json:"upload"`
		Offset *int   `json:"offset"`
		Data   string `json:"data"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	chunk, err := base64.StdEncoding.Strict().DecodeString(r.Data)
	switch {
	case err != nil || len(r.Data) != base64.StdEncoding.EncodedLen(len(chunk)): // the decoder skips line ends
		return nil, invalid("A blob's bytes travel as base64.")
	case len(chunk) > limit.DataChunk:
		return nil, fault.Newf(opAction, fault.Limit, "", "At most %d bytes of a blob travel at once.", limit.DataChunk)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u, err := d.named(a, r.Upload)
	if err != nil {
		return nil, err
	}
	if r.Offset == nil || *r.Offset != len(u.bytes) || len(u.bytes)+len(chunk) > u.size {
		return nil, invalid("A blob's bytes follow each other, up to the size that it began with.")
	}
	u.bytes = append(u.bytes, chunk...)
	return append(strconv.AppendInt([]byte(`{"received":`), int64(len(u.bytes)), 10), '}'), nil
}

// take reads a request that names an upload, and ends it.
func (d *Data) take(a *Action) (*upload, error) {
	var r struct {
		Upload string `json:"upload"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u, err := d.named(a, r.Upload)
	if err == nil {
		delete(d.uploads, r.Upload)
	}
	return u, err
}

func (d *Data) blobCommit(a *Action) ([]byte, error) {
	u, err := d.take(a)
	if err != nil {
		return nil, err
	}
	if len(u.bytes) != u.size {
		return nil, invalid("The blob is not whole.")
	}
	d.change(a, plain, edit{kind: blobKind, key: u.key, body: u.bytes, expect: u.expect})
	return nil, nil
}

func (d *Data) blobAbort(a *Action) ([]byte, error) {
	if _, err := d.take(a); err != nil {
		return nil, err
	}
	return []byte("{}"), nil
}

func (d *Data) blobDelete(a *Action) ([]byte, error) { return d.removeOf(a, blobKind) }

func (d *Data) blobRead(a *Action) ([]byte, error) {
	r := struct {
		Key        string      `json:"key"`
		Offset     int64       `json:"offset"`
		Length     int64       `json:"length"`
		IfRevision expectation `json:"ifRevision"`
	}{Length: limit.DataChunk}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	if err := judgeKey(r.Key); err != nil {
		return nil, err
	}
	if r.Offset < 0 || r.Length < 0 || r.Length > limit.DataChunk {
		return nil, fault.Newf(opAction, fault.InvalidRequest, "", "A blob is read from an offset on, at most %d bytes at once.", limit.DataChunk)
	}
	for {
		row, all, err := d.blobAt(a.UID, r.Key)
		if err != nil {
			return nil, err
		}
		if r.IfRevision.n != nil && *r.IfRevision.n != row.revision {
			return nil, fault.Newf(opRead, fault.Conflict, r.Key, "%q is at revision %d, not %d.", r.Key, row.revision, *r.IfRevision.n)
		}
		if row.revision == 0 {
			return append(appendRevision([]byte(`{"blob":null,`), all), '}'), nil
		}
		chunk, err := d.readAt(row, r.Offset, r.Length)
		if err != nil {
			// A change between the look and the reading takes the file away.
			if now, _, e := d.blobAt(a.UID, r.Key); e == nil && now != row {
				continue
			}
			return nil, err
		}
		out := appendRevision([]byte(`{"blob":{`), row.revision)
		out = strconv.AppendUint(append(out, `,"size":`...), row.size, 10)
		out = base64.StdEncoding.AppendEncode(append(out, `,"data":"`...), chunk)
		return append(appendRevision(append(out, `"},`...), all), '}'), nil
	}
}

// blobAt is a blob's row, zero for none, and the installation's revision.
func (d *Data) blobAt(uid uint64, key string) (row blobRow, all uint64, err error) {
	err = d.store.View(func(tx *store.Tx) error {
		row = blobOf(tx.Bucket(store.Data).Get(rowKey(blobKind, uid, key)))
		all = usageOf(tx, uid).Revision
		return nil
	})
	return row, all, err
}

// readAt reads a part of a blob; beyond its end there is nothing.
func (d *Data) readAt(row blobRow, offset, length int64) ([]byte, error) {
	f, size, err := d.store.OpenBlob(row.hash)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	if offset >= size {
		return nil, nil
	}
	chunk := make([]byte, min(length, size-offset))
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, fault.Wrap(opRead, fault.StoreDamaged, "", err)
	}
	if _, err := io.ReadFull(f, chunk); err != nil {
		return nil, fault.Wrap(opRead, fault.StoreDamaged, "", err)
	}
	return chunk, nil
}
