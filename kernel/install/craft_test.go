package install

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// crafted is a zip file of which every byte can be bent.
type crafted struct {
	lead  []byte // before the first entry
	parts []*part
	gap   []byte // before the central directory
	tail  []byte // behind the central directory's last entry, inside its length
	end   func(*endRecord)
	after []byte // behind the end record
}

type header struct {
	need, flags, method uint16
	crc, packed, size   uint32
	name                string
	extra               []byte
}

type part struct {
	local, central header
	made           uint16
	attr           uint32
	disk           uint16
	comment        string
	offset         func(uint32) uint32
	before, data   []byte
	descriptor     []byte
	hidden         bool // has no central header
}

type endRecord struct {
	disk, start, here, total uint16
	length, offset           uint32
	commentLen               uint16
	comment                  []byte
}

// entry is a well-formed deflated file.
func entry(name, body string) *part {
	var z bytes.Buffer
	w, _ := flate.NewWriter(&z, flate.BestCompression)
	_, _ = w.Write([]byte(body))
	_ = w.Close()
	h := header{need: 20, flags: flagUTF8, method: methodDeflate, crc: crc32.ChecksumIEEE([]byte(body)), packed: uint32(z.Len()), size: uint32(len(body)), name: name}
	return &part{local: h, central: h, made: 3<<8 | 20, attr: 0o100644 << 16, data: z.Bytes()}
}

// stored is a well-formed stored file.
func stored(name, body string) *part {
	h := header{need: 20, flags: flagUTF8, method: methodStore, crc: crc32.ChecksumIEEE([]byte(body)), packed: uint32(len(body)), size: uint32(len(body)), name: name}
	return &part{local: h, central: h, made: 3<<8 | 20, attr: 0o100644 << 16, data: []byte(body)}
}

func (p *part) both(f func(*header)) *part { f(&p.local); f(&p.central); return p }

func (p *part) with(f func(*part)) *part { f(p); return p }

// streamed turns a part into what a streaming packer writes.
func (p *part) streamed(signature bool) *part {
	p.both(func(h *header) { h.flags |= flagDescriptor })
	le := binary.LittleEndian
	if signature {
		p.descriptor = le.AppendUint32(nil, sigDescriptor)
	}
	for _, n := range []uint32{p.local.crc, p.local.packed, p.local.size} {
		p.descriptor = le.AppendUint32(p.descriptor, n)
	}
	p.local.crc, p.local.packed, p.local.size = 0, 0, 0
	return p
}

func (h header) tailLen(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, h.crc)
	b = le.AppendUint32(b, h.packed)
	b = le.AppendUint32(b, h.size)
	b = le.AppendUint16(b, uint16(len(h.name)))
	return le.AppendUint16(b, uint16(len(h.extra)))
}

func (c *crafted) bytes() []byte {
	le := binary.LittleEndian
	out, central := bytes.Clone(c.lead), []byte(nil)
	count := uint16(0)
	for _, p := range c.parts {
		out = append(out, p.before...)
		at := uint32(len(out))
		if p.offset != nil {
			at = p.offset(at)
		}
		out = le.AppendUint32(out, sigLocal)
		for _, n := range []uint16{p.local.need, p.local.flags, p.local.method, 0, 0x21} {
			out = le.AppendUint16(out, n)
		}
		out = p.local.tailLen(out)
		out = append(append(append(append(out, p.local.name...), p.local.extra...), p.data...), p.descriptor...)
		if p.hidden {
			continue
		}
		count++
		central = le.AppendUint32(central, sigCentral)
		for _, n := range []uint16{p.made, p.central.need, p.central.flags, p.central.method, 0, 0x21} {
			central = le.AppendUint16(central, n)
		}
		central = p.central.tailLen(central)
		for _, n := range []uint16{uint16(len(p.comment)), p.disk, 0} {
			central = le.AppendUint16(central, n)
		}
		central = le.AppendUint32(central, p.attr)
		central = le.AppendUint32(central, at)
		central = append(append(append(central, p.central.name...), p.central.extra...), p.comment...)
	}
	out = append(out, c.gap...)
	central = append(central, c.tail...)
	e := endRecord{here: count, total: count, length: uint32(len(central)), offset: uint32(len(out))}
	if c.end != nil {
		c.end(&e)
	}
	out = append(out, central...)
	out = le.AppendUint32(out, sigEnd)
	for _, n := range []uint16{e.disk, e.start, e.here, e.total} {
		out = le.AppendUint16(out, n)
	}
	out = le.AppendUint32(out, e.length)
	out = le.AppendUint32(out, e.offset)
	out = le.AppendUint16(out, e.commentLen)
	return append(append(out, e.comment...), c.after...)
}

const goodManifest = `{"format":1,"id":"notes","name":"Notes","version":"1.2.3","description":"Short notes.","icon":"icon.svg",
 "tiles":[{"id":"main","title":"Notes","path":"index.html"}],"background":{"path":"bg/background.html"}}`

const goodIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>`

// good is a well-formed package with room for one more thing to go wrong.
func good(more ...*part) *crafted {
	return &crafted{parts: append([]*part{
		entry(ManifestName, goodManifest),
		entry("index.html", "<!doctype html><title>Notes</title><script type=module src=app.js></script>"),
		entry("app.js", "export {}"),
		stored("icon.svg", goodIcon),
		entry("bg/background.html", "<!doctype html>"),
	}, more...)}
}

func decode(b []byte) (*Package, error) { return Decode(bytes.NewReader(b), int64(len(b))) }

func mustDecode(t testing.TB, b []byte) *Package {
	t.Helper()
	p, err := decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// withManifest is the good package with another manifest.
func withManifest(m string, more ...*part) *crafted {
	c := good(more...)
	c.parts[0] = entry(ManifestName, m)
	return c
}
