// Package install decodes, reviews and keeps app packages.
//
// A package is a zip file with a closed neutron.json at its root. Its decoder
// reads central and local headers by itself and takes one exact form; whatever
// differs is refused with the entry named, before anything is written:
//
//  1. Nothing is ever unpacked. A package stays one blob, named by its SHA-256,
//     and a file of it is found by its exact name in an index in memory.
//  2. Every file's size, CRC and SHA-256 were checked before the package was
//     shown for review, and are checked again each time it is served.
//  3. The row and the bytes of an installation commit in one transaction.
package install

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"io"
	"slices"
	"strconv"
	"sync"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const (
	opDecode fault.Op = "install.decode"
	opServe  fault.Op = "install.serve"
)

// Package is a verified package: every byte of it was read once and agreed with its headers.
type Package struct {
	Manifest Manifest
	Raw      []byte // neutron.json as it stands
	Icon     []byte // the manifest's icon, an SVG; nil without one
	Hash     string // SHA-256 of the package file, hex
	Size     int64  // bytes of the package file
	Unpacked int64  // bytes of all its files
	Signer   string // Ed25519 public key whose signature was verified, hex; empty: unsigned

	src   io.ReaderAt
	files map[string]file
}

// file is where one file of a package lies and what it must turn out to be.
type file struct {
	at           int64 // of its data in the package
	packed, size int64
	deflated     bool
	crc          uint32
	sum          [sha256.Size]byte
}

// caps are the sizes that depend on where a package comes from.
type caps struct {
	bytes, entry, total int64
	entries             int
}

var (
	local  = caps{limit.PackageBytes, limit.PackageEntryBytes, limit.PackageTotalBytes, limit.PackageEntries}
	remote = caps{limit.RemoteBytes, limit.RemoteEntryBytes, limit.RemoteTotalBytes, limit.RemoteEntries}
)

// Decode verifies a package of size bytes and indexes it. It keeps src for
// Package.Read and writes nothing. Breaches are PACKAGE_INVALID,
// PACKAGE_TOO_LARGE or MANIFEST_INVALID with the entry as Subject.
func Decode(src io.ReaderAt, size int64) (*Package, error) { return decodeWithin(src, size, local) }

func decodeWithin(src io.ReaderAt, size int64, c caps) (*Package, error) {
	if size > c.bytes {
		return nil, tooLarge("package", "is %d bytes; %d are allowed", size, c.bytes)
	}
	records, err := readArchive(src, size, c)
	if err != nil {
		return nil, err
	}
	p := &Package{Size: size, src: src, files: make(map[string]file, len(records))}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(src, 0, size)); err != nil {
		return nil, refuseAs(fault.PackageInvalid, err, "package", "cannot be read")
	}
	p.Hash = hex.EncodeToString(h.Sum(nil))
	for _, r := range records {
		f := file{at: r.data, packed: r.packed, size: r.size, deflated: r.method == methodDeflate, crc: r.crc}
		sum := sha256.New()
		if err := unpack(src, f, r.name, sum); err != nil {
			return nil, err
		}
		f.sum = [sha256.Size]byte(sum.Sum(nil))
		p.files[r.name] = f
		p.Unpacked += r.size
	}
	if err := p.readManifest(); err != nil {
		return nil, err
	}
	return p, p.readSignature()
}

func (p *Package) readManifest() error {
	f, ok := p.files[ManifestName]
	switch {
	case !ok:
		return refuse(ManifestName, "is missing at the root of the package")
	case f.size > limit.ManifestBytes:
		return tooLarge(ManifestName, "is %d bytes; %d are allowed", f.size, limit.ManifestBytes)
	}
	raw, err := p.Read(ManifestName)
	if err != nil {
		return err
	}
	m, err := DecodeManifest(raw)
	if err != nil {
		return err
	}
	if err := m.checkFiles(func(name string) int64 {
		if f, ok := p.files[name]; ok {
			return f.size
		}
		return -1
	}); err != nil {
		return err
	}
	p.Manifest, p.Raw = *m, raw
	if m.Icon != "" {
		if p.Icon, err = p.Read(m.Icon); err != nil {
			return err
		}
		return checkIcon(m.Icon, p.Icon)
	}
	return nil
}

// Names lists the package's files in order.
func (p *Package) Names() []string {
	names := make([]string, 0, len(p.files))
	for n := range p.files {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Has reports whether the package holds a file of exactly this name.
func (p *Package) Has(name string) bool { _, ok := p.files[name]; return ok }

// Read gives one file by its exact name and compares it with what was verified.
// A name that the package does not hold is PACKAGE_INVALID, changed bytes are DIGEST_MISMATCH.
func (p *Package) Read(name string) ([]byte, error) {
	f, ok := p.files[name]
	if !ok {
		return nil, fault.New(opServe, fault.PackageInvalid, quote(name), "The package holds no such file.")
	}
	var b buffer
	b.grow(f.size)
	if err := unpack(p.src, f, name, &b); err != nil {
		return nil, err
	}
	// The sum is not known yet while Decode reads the file for the first time.
	if f.sum != ([sha256.Size]byte{}) && sha256.Sum256(b.bytes) != f.sum {
		return nil, fault.New(opServe, fault.DigestMismatch, quote(name), "A file of the package changed after it was verified.")
	}
	return b.bytes, nil
}

// buffer is an io.Writer of known size: it never grows by doubling.
type buffer struct{ bytes []byte }

func (b *buffer) grow(n int64) { b.bytes = make([]byte, 0, n) }

// Write appends.
func (b *buffer) Write(p []byte) (int, error) {
	b.bytes = append(b.bytes, p...)
	return len(p), nil
}

// inflater is what unpacking needs; they are pooled, since each is 40 KiB.
type inflater struct {
	in   counted
	zip  io.ReadCloser
	page []byte
}

var inflaters = sync.Pool{New: func() any {
	return &inflater{zip: flate.NewReader(nil), page: make([]byte, 32<<10)}
}}

// counted counts the bytes taken; being an io.ByteReader it is never read ahead by flate.
type counted struct {
	*bufio.Reader
	n int64
}

// ReadByte takes one byte.
func (c *counted) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// Read takes some bytes.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// unpack streams one file to w and holds it to its header: exactly size bytes,
// out of exactly packed bytes, with that CRC.
func unpack(src io.ReaderAt, f file, name string, w io.Writer) error {
	x := inflaters.Get().(*inflater)
	defer inflaters.Put(x)
	section := io.NewSectionReader(src, f.at, f.packed)
	if x.in.Reader == nil {
		x.in.Reader = bufio.NewReaderSize(section, 32<<10)
	} else {
		x.in.Reader.Reset(section)
	}
	x.in.n = 0
	var r io.Reader = &x.in
	if f.deflated {
		if err := x.zip.(flate.Resetter).Reset(&x.in, nil); err != nil {
			return refuseAs(fault.PackageInvalid, err, name, "cannot be inflated")
		}
		r = x.zip
	}
	crc := crc32.NewIEEE()
	// One byte more than claimed is asked for, so that a longer file shows.
	n, err := io.CopyBuffer(io.MultiWriter(crc, w), struct{ io.Reader }{io.LimitReader(r, f.size+1)}, x.page)
	switch {
	case err != nil:
		return refuseAs(fault.PackageInvalid, err, name, "has data that cannot be inflated")
	case n > f.size:
		return refuse(name, "is larger than the %d bytes its header says", f.size)
	case n < f.size:
		return refuse(name, "has %d bytes where its header says %d", n, f.size)
	case x.in.n != f.packed:
		return refuse(name, "has %d bytes behind the end of its data", f.packed-x.in.n)
	case crc.Sum32() != f.crc:
		return refuse(name, "does not agree with its checksum")
	}
	return nil
}

// refuse names an entry, or a part of the archive, and what is wrong with it.
func refuse(entry, format string, args ...any) error {
	return refuseAs(fault.PackageInvalid, nil, entry, format, args...)
}

func tooLarge(entry, format string, args ...any) error {
	return refuseAs(fault.PackageTooLarge, nil, entry, format, args...)
}

func refuseAs(code fault.Code, cause error, entry, format string, args ...any) error {
	q := quote(entry)
	f := fault.Newf(opDecode, code, q, "%s "+format+".", append([]any{q}, args...)...)
	f.Err = cause
	return f
}

// quote makes a foreign name safe to read: ASCII, short, in quotes only where it needs them.
func quote(name string) string {
	const shown = 96
	cut := ""
	if len(name) > shown {
		name, cut = name[:shown], "…"
	}
	q := strconv.QuoteToASCII(name)
	if q == `"`+name+`"` && name != "" {
		q = name
	}
	return q + cut
}
