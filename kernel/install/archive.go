package install

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"unicode/utf8"

	"neutron/kernel/limit"
)

// The numbers of the zip format (APPNOTE 6.3) that this decoder knows. Whatever else the format can say is refused.
const (
	sigLocal      = 0x04034b50
	sigCentral    = 0x02014b50
	sigEnd        = 0x06054b50
	sigDescriptor = 0x08074b50

	localSize   = 30
	centralSize = 46
	endSize     = 22

	methodStore   = 0
	methodDeflate = 8

	flagEncrypted  = 1 << 0
	flagLevel      = 1<<1 | 1<<2 // how hard the packer tried; says nothing about the data
	flagDescriptor = 1 << 3
	flagUTF8       = 1 << 11

	extraZip64 = 0x0001
	extraBytes = 256 // of extra fields per header: time stamps need 40
)

// record is one entry, as its central header says and its local header repeats.
type record struct {
	name         string
	flags        uint16
	method       uint16
	crc          uint32
	packed, size int64
	local        int64 // offset of the local header
	data         int64 // offset of the data
}

// readArchive reads the directory of a zip file that is exactly local entries
// end to end, their central headers in any order, and an end record: no byte of
// the file belongs to nobody, or to two.
func readArchive(src io.ReaderAt, size int64, c caps) ([]record, error) {
	start, length, count, err := readEnd(src, size, c)
	if err != nil {
		return nil, err
	}
	records, err := readCentral(src, start, length, count)
	if err != nil {
		return nil, err
	}
	if err := checkSizes(records, c); err != nil {
		return nil, err
	}
	slices.SortStableFunc(records, func(a, b record) int { return int(a.local - b.local) })
	return records, checkLocals(src, records, start)
}

// readEnd reads the end record, which must be the last 22 bytes, and gives where the central directory lies.
func readEnd(src io.ReaderAt, size int64, c caps) (start, length int64, count int, err error) {
	const part = "end of archive"
	if size < endSize {
		return 0, 0, 0, refuse("package", "is no zip archive: it has %d bytes", size)
	}
	b, err := at(src, size-endSize, endSize)
	if err != nil {
		return 0, 0, 0, err
	}
	le := binary.LittleEndian
	if le.Uint32(b) != sigEnd {
		return 0, 0, 0, noEnd(src, size)
	}
	here, total := le.Uint16(b[8:]), le.Uint16(b[10:])
	length, start = int64(le.Uint32(b[12:])), int64(le.Uint32(b[16:]))
	switch {
	case le.Uint16(b[20:]) != 0:
		return 0, 0, 0, refuse(part, "announces a comment")
	case total == 0xffff || length == 0xffffffff || start == 0xffffffff:
		return 0, 0, 0, refuse(part, "wants the zip64 form")
	case le.Uint16(b[4:]) != 0 || le.Uint16(b[6:]) != 0 || here != total:
		return 0, 0, 0, refuse(part, "speaks of several disks")
	case int(total) > c.entries:
		return 0, 0, 0, tooLarge("package", "holds %d files; %d are allowed", total, c.entries)
	case total == 0:
		return 0, 0, 0, refuse("package", "holds no files")
	case start+length != size-endSize:
		return 0, 0, 0, refuse(part, "does not follow the central directory: bytes were added, removed or moved")
	case length < int64(total)*centralSize:
		return 0, 0, 0, refuse(part, "counts %d entries in a directory of %d bytes", total, length)
	}
	return start, length, int(total), nil
}

// noEnd finds out why the end record is not where it should be, to say it well.
func noEnd(src io.ReaderAt, size int64) error {
	n := min(size, endSize+0xffff)
	b, err := at(src, size-n, n)
	if err != nil {
		return err
	}
	i := bytes.LastIndex(b, binary.LittleEndian.AppendUint32(nil, sigEnd))
	switch {
	case i < 0:
		return refuse("package", "is no zip archive, or is cut short")
	case len(b)-i >= endSize && int(binary.LittleEndian.Uint16(b[i+20:])) == len(b)-i-endSize:
		return refuse("end of archive", "carries a comment")
	}
	return refuse("package", "has bytes behind its end")
}

func readCentral(src io.ReaderAt, start, length int64, count int) ([]record, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(src, start, length), 64<<10)
	records, names := make([]record, 0, count), newTree()
	for len(records) < count {
		rec, err := readCentralHeader(r, start)
		if err != nil {
			return nil, err
		}
		if err := names.add(rec.name); err != nil {
			return nil, err
		}
		records = append(records, rec)
	}
	if _, err := r.ReadByte(); err == nil {
		return nil, refuse("central directory", "has bytes behind its last entry")
	}
	return records, nil
}

func readCentralHeader(r io.Reader, start int64) (record, error) {
	const part = "central directory"
	var b [centralSize]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return record{}, refuse(part, "ends inside an entry")
	}
	le := binary.LittleEndian
	if le.Uint32(b[:]) != sigCentral {
		return record{}, refuse(part, "holds something that is no entry")
	}
	rec := record{flags: le.Uint16(b[8:]), method: le.Uint16(b[10:]), crc: le.Uint32(b[16:]),
		packed: int64(le.Uint32(b[20:])), size: int64(le.Uint32(b[24:])), local: int64(le.Uint32(b[42:]))}
	nameLen, extraLen, commentLen := int(le.Uint16(b[28:])), int(le.Uint16(b[30:])), int(le.Uint16(b[32:]))
	name := make([]byte, min(nameLen, limit.PackagePath+1))
	if _, err := io.ReadFull(r, name); err != nil {
		return record{}, refuse(part, "ends inside a name")
	}
	rec.name = string(name)
	if err := checkEncoding(rec); err != nil {
		return record{}, err
	}
	if err := checkName(rec.name); err != nil {
		return record{}, err
	}
	if err := readExtra(r, rec.name, extraLen); err != nil {
		return record{}, err
	}
	switch {
	case commentLen != 0:
		return record{}, refuse(rec.name, "carries a comment")
	case le.Uint16(b[34:]) != 0:
		return record{}, refuse(rec.name, "lies on another disk")
	case rec.packed == 0xffffffff || rec.size == 0xffffffff || rec.local == 0xffffffff:
		return record{}, refuse(rec.name, "wants the zip64 form")
	case rec.local+localSize > start:
		return record{}, refuse(rec.name, "lies outside the archive's data")
	}
	if err := checkForm(rec, le.Uint16(b[6:])); err != nil {
		return record{}, err
	}
	return rec, checkMode(rec.name, le.Uint32(b[38:]))
}

// checkEncoding wants names to say how they are written.
func checkEncoding(rec record) error {
	ascii := true
	for i := range len(rec.name) {
		ascii = ascii && rec.name[i] < utf8.RuneSelf
	}
	if !ascii && rec.flags&flagUTF8 == 0 {
		return refuse(rec.name, "has a name in an unnamed character set")
	}
	return nil
}

// checkForm judges the version, the flags and the method of a header.
func checkForm(rec record, needed uint16) error {
	switch {
	case rec.flags&flagEncrypted != 0:
		return refuse(rec.name, "is encrypted")
	case rec.flags&^(flagLevel|flagDescriptor|flagUTF8) != 0:
		return refuse(rec.name, "has flags %#x that are not known here", rec.flags)
	case rec.method != methodStore && rec.method != methodDeflate:
		return refuse(rec.name, "is packed by method %d; only stored and deflated files are taken", rec.method)
	case needed&0xff > 20:
		return refuse(rec.name, "needs version %d of the zip format; 2.0 is taken", needed&0xff)
	case rec.method == methodStore && rec.packed != rec.size:
		return refuse(rec.name, "is stored, yet has two sizes: %d and %d bytes", rec.packed, rec.size)
	}
	return nil
}

// checkMode wants a regular file, whichever system packed it.
func checkMode(name string, external uint32) error {
	const (
		typeMask = 0o170000
		regular  = 0o100000
		symlink  = 0o120000
		special  = 0o7000 // setuid, setgid, sticky
		dosOther = 0x08 | 0x10
	)
	mode := external >> 16
	switch {
	case mode&typeMask == symlink:
		return refuse(name, "is a symbolic link")
	case mode&typeMask != 0 && mode&typeMask != regular, external&dosOther != 0:
		return refuse(name, "is no regular file")
	case mode&special != 0:
		return refuse(name, "has set-user or set-group rights")
	}
	return nil
}

// knownExtras are time stamps and owners, which everybody ignores. A field that
// renames, resizes, links or encrypts an entry is not among them.
var knownExtras = map[uint16]bool{0x5455: true, 0x7875: true, 0x5855: true, 0x000a: true}

func readExtra(r io.Reader, name string, n int) error {
	if n > extraBytes {
		return refuse(name, "has %d bytes of extra fields; %d are allowed", n, extraBytes)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return refuse(name, "is cut off in its extra fields")
	}
	for len(b) > 0 {
		if len(b) < 4 || len(b)-4 < int(binary.LittleEndian.Uint16(b[2:])) {
			return refuse(name, "has broken extra fields")
		}
		id := binary.LittleEndian.Uint16(b)
		if id == extraZip64 {
			return refuse(name, "wants the zip64 form")
		}
		if !knownExtras[id] {
			return refuse(name, "has an extra field %#04x that is not known here", id)
		}
		b = b[4+int(binary.LittleEndian.Uint16(b[2:])):]
	}
	return nil
}

// checkSizes refuses bombs by what the headers claim; unpack later holds each file to its claim.
func checkSizes(records []record, c caps) error {
	const ratioFrom = 1 << 20
	var total int64
	for _, r := range records {
		total += r.size
		switch {
		case r.size > c.entry:
			return tooLarge(r.name, "is %d bytes unpacked; %d are allowed", r.size, c.entry)
		case r.size > ratioFrom && r.size > r.packed*limit.PackageRatio:
			return tooLarge(r.name, "grows from %d to %d bytes; at most %d times is allowed", r.packed, r.size, limit.PackageRatio)
		case total > c.total:
			return tooLarge(r.name, "brings the package to more than the %d bytes that are allowed unpacked", c.total)
		}
	}
	return nil
}

// checkLocals walks the local headers in the order in which they lie: each must
// begin where the one before ended, and the last end where the directory begins.
func checkLocals(src io.ReaderAt, records []record, start int64) error {
	end := int64(0)
	for i := range records {
		r := &records[i]
		switch {
		case r.local < end:
			return refuse(r.name, "overlaps another entry")
		case r.local > end && i == 0:
			return refuse(r.name, "is not the first thing in the file: %d bytes stand before it", r.local)
		case r.local > end:
			return refuse(r.name, "has %d bytes before it that belong to no entry", r.local-end)
		}
		next := start
		if i+1 < len(records) {
			next = records[i+1].local
		}
		var err error
		if end, err = checkLocal(src, r, next); err != nil {
			return err
		}
	}
	if end != start {
		return refuse("central directory", "has %d bytes before it that belong to no entry", start-end)
	}
	return nil
}

// checkLocal compares a local header with its central one, and gives where the entry ends.
func checkLocal(src io.ReaderAt, r *record, next int64) (int64, error) {
	b, err := at(src, r.local, localSize)
	if err != nil {
		return 0, err
	}
	le := binary.LittleEndian
	nameLen, extraLen := int64(le.Uint16(b[26:])), int64(le.Uint16(b[28:]))
	r.data = r.local + localSize + nameLen + extraLen
	end := r.data + r.packed
	switch {
	case le.Uint32(b) != sigLocal:
		return 0, refuse(r.name, "has no header at its place")
	case end > next:
		return 0, refuse(r.name, "overlaps what follows it")
	case int(nameLen) != len(r.name):
		return 0, refuse(r.name, "has another name in front of its data")
	}
	name, err := at(src, r.local+localSize, nameLen)
	if err != nil {
		return 0, err
	}
	if string(name) != r.name {
		return 0, refuse(r.name, "has another name in front of its data: %s", quote(string(name)))
	}
	if err := readExtra(io.NewSectionReader(src, r.local+localSize+nameLen, extraLen), r.name, int(extraLen)); err != nil {
		return 0, err
	}
	here := *r
	here.flags, here.method = le.Uint16(b[6:]), le.Uint16(b[8:])
	here.crc, here.packed, here.size = le.Uint32(b[14:]), int64(le.Uint32(b[18:])), int64(le.Uint32(b[22:]))
	if r.flags&flagDescriptor != 0 && here.crc == 0 && here.packed == 0 && here.size == 0 {
		here.crc, here.packed, here.size = r.crc, r.packed, r.size
	}
	switch {
	case here.flags != r.flags || here.method != r.method:
		return 0, refuse(r.name, "has two headers that differ in flags or method")
	case here.packed != r.packed || here.size != r.size:
		return 0, refuse(r.name, "has two headers that differ in size: %d of %d bytes, and %d of %d", here.packed, here.size, r.packed, r.size)
	case here.crc != r.crc:
		return 0, refuse(r.name, "has two headers that differ in checksum")
	case le.Uint16(b[4:])&0xff > 20:
		return 0, refuse(r.name, "needs version %d of the zip format; 2.0 is taken", le.Uint16(b[4:])&0xff)
	}
	if r.flags&flagDescriptor != 0 {
		return checkDescriptor(src, r, end, next)
	}
	return end, nil
}

// checkDescriptor reads the sizes that a streaming packer wrote behind the data, with or without a signature.
func checkDescriptor(src io.ReaderAt, r *record, at0, next int64) (int64, error) {
	n := next - at0
	if n != 12 && n != 16 {
		return 0, refuse(r.name, "has no data descriptor where its flags promise one")
	}
	b, err := at(src, at0, n)
	if err != nil {
		return 0, err
	}
	le := binary.LittleEndian
	if n == 16 {
		if le.Uint32(b) != sigDescriptor {
			return 0, refuse(r.name, "has no data descriptor where its flags promise one")
		}
		b = b[4:]
	}
	if le.Uint32(b) != r.crc || int64(le.Uint32(b[4:])) != r.packed || int64(le.Uint32(b[8:])) != r.size {
		return 0, refuse(r.name, "has a data descriptor that differs from its headers")
	}
	return next, nil
}

// at reads n bytes; a package that ends before them is cut short.
func at(src io.ReaderAt, off, n int64) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(src, off, n), b); err != nil {
		return nil, refuseAs("PACKAGE_INVALID", err, "package", "cannot be read to its end")
	}
	return b, nil
}
