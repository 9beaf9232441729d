package appdata

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/store"
)

func (d *Data) get(a *Action) ([]byte, error) {
	var r struct {
		Key string `json:"key"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	if err := judgeKey(r.Key); err != nil {
		return nil, err
	}
	var out []byte
	err := d.store.View(func(tx *store.Tx) error {
		out = append(out, `{"entry":`...)
		if row := tx.Bucket(store.Data).Get(rowKey(valueKind, a.UID, r.Key)); row == nil {
			out = append(out, "null"...)
		} else {
			out = appendRevision(append(out, '{'), revisionOf(row))
			out = append(append(append(out, `,"value":`...), row[8:]...), '}')
		}
		out = append(appendRevision(append(out, ','), usageOf(tx, a.UID).Revision), '}')
		return nil
	})
	return out, err
}

// page is a request for some of the keys, in their order.
type page struct {
	Prefix string `json:"prefix"`
	After  string `json:"after"`
	Limit  *int   `json:"limit"`
}

// judge gives how many entries a page may have.
func (p page) judge() (most int, err error) {
	most = limit.DataPage
	if p.Limit != nil {
		most = *p.Limit
	}
	if most < 1 || most > limit.DataPage || len(p.Prefix) > limit.DataKey || len(p.After) > limit.DataKey || !utf8.ValidString(p.Prefix+p.After) {
		return 0, fault.Newf(opAction, fault.InvalidRequest, "", "A list has a prefix and a key to begin after, of at most %d bytes, and 1 to %d entries.", limit.DataKey, limit.DataPage)
	}
	return most, nil
}

func (d *Data) list(a *Action) ([]byte, error) {
	var r struct {
		page
		Values bool `json:"values"`
	}
	if err := read(a, &r); err != nil {
		return nil, err
	}
	return d.pageOf(a, valueKind, r.page, func(out, row []byte) []byte {
		if !r.Values {
			return out
		}
		return append(append(out, `,"value":`...), row[8:]...)
	})
}

func (d *Data) blobList(a *Action) ([]byte, error) {
	var r page
	if err := read(a, &r); err != nil {
		return nil, err
	}
	return d.pageOf(a, blobKind, r, func(out, row []byte) []byte {
		return strconv.AppendUint(append(out, `,"size":`...), blobOf(row).size, 10)
	})
}

// pageEnd is room for what follows the entries: next with the longest key, and the revision.
const pageEnd = 4 << 10

// pageOf lists rows of one kind until the page is full, in entries, bytes or
// values; it has at least one where there is one.
func (d *Data) pageOf(a *Action, kind byte, p page, more func(out, row []byte) []byte) ([]byte, error) {
	most, err := p.judge()
	if err != nil {
		return nil, err
	}
	prefix := rowKey(kind, a.UID, p.Prefix)
	start := prefix
	if after := append(rowKey(kind, a.UID, p.After), 0); p.After != "" && bytes.Compare(after, prefix) > 0 {
		start = after
	}
	out := []byte(`{"entries":[`)
	var last []byte
	err = d.store.View(func(tx *store.Tx) error {
		entries, nodes := 0, 0
		for k, row := range tx.Bucket(store.Data).From(start, prefix) {
			whole := len(out)
			if entries > 0 {
				out = append(out, ',')
			}
			out = append(out, `{"key":`...)
			var err error
			if out, err = jsontext.AppendQuote(out, k[rowPrefix:]); err != nil {
				return fault.Wrap(opRead, fault.StoreDamaged, "", err)
			}
			from := len(out)
			out = append(more(appendRevision(append(out, ','), revisionOf(row)), row), '}')
			n, _ := shape(out[from:])
			nodes += n + 4
			if entries > 0 && (entries == most || len(out)+pageEnd > limit.PayloadBytes || nodes > limit.JSONNodes-16) {
				out = append(out[:whole], `],"next":`...)
				out, err = jsontext.AppendQuote(out, last)
				out = append(appendRevision(append(out, ','), usageOf(tx, a.UID).Revision), '}')
				return fault.Wrap(opRead, fault.StoreDamaged, "", err)
			}
			last = append(last[:0], k[rowPrefix:]...)
			entries++
		}
		out = append(appendRevision(append(out, "],"...), usageOf(tx, a.UID).Revision), '}')
		return nil
	})
	return out, err
}

func (d *Data) usage(a *Action) ([]byte, error) {
	if err := read(a, &struct{}{}); err != nil {
		return nil, err
	}
	u, err := d.Usage(a.UID)
	if err != nil {
		return nil, err
	}
	out := appendRevision([]byte("{"), u.Revision)
	for _, n := range []struct {
		name  string
		value uint64
	}{{"entries", u.Entries}, {"bytes", u.Bytes}, {"bytesMax", limit.DataBytes}, {"blobs", u.Blobs}, {"blobBytes", u.BlobBytes}, {"blobBytesMax", limit.DataBlobBytes}} {
		out = strconv.AppendUint(append(append(append(out, `,"`...), n.name...), `":`...), n.value, 10)
	}
	return append(out, '}'), nil
}

// Usage is what an installation keeps now.
func (d *Data) Usage(uid uint64) (u Usage, err error) {
	err = d.store.View(func(tx *store.Tx) error {
		u = usageOf(tx, uid)
		return nil
	})
	return u, err
}
