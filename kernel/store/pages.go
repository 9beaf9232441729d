package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt maps its file and believes every page number and length in it: a
// damaged file ends the process with a fault, or keeps it in a loop of pages for
// ever. So a file is judged here before bbolt sees it, with plain reads. The
// format is bbolt's own, version 2, in the byte order of the machine.
const (
	boltMagic   = 0xED0CDAED
	boltVersion = 2
	noFreelist  = ^uint64(0)

	pageHeader    = 16 // id 8, flags 2, count 2, overflow 4
	metaSize      = 64
	elementHeader = 16
	bucketHeader  = 16 // root page 8, sequence 8

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketElement = 0x01
	bucketDepth   = 4 // of nested buckets; ours are one deep
)

var order = binary.NativeEndian

// pages is a database file under judgement.
type pages struct {
	file    io.ReaderAt
	size    uint64 // of one page
	count   uint64 // pages below the high water mark
	reached map[uint64]bool
}

// wholePages checks the file at path: a valid meta page, every page of every
// bucket reached once and within the file, keys in order, and no page that is
// both used and free. It reads all of it and writes nothing.
func wholePages(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	p := &pages{file: f, reached: map[uint64]bool{0: true, 1: true}}
	root, freelist, err := p.meta(info.Size())
	if err != nil {
		return err
	}
	if err := p.bucket(root, 0); err != nil {
		return err
	}
	return p.freelist(freelist)
}

// meta takes the newest of the two meta pages that are valid.
func (p *pages) meta(fileSize int64) (root, freelist uint64, err error) {
	var newest, found uint64
	sizes := []uint64{0, uint64(os.Getpagesize()), 4096, 8192, 16384, 65536}
	for _, at := range sizes {
		b := make([]byte, metaSize)
		if _, err := p.file.ReadAt(b, int64(at)+pageHeader); err != nil {
			continue
		}
		sum := fnv.New64a()
		sum.Write(b[:metaSize-8])
		size, txid := uint64(order.Uint32(b[8:])), order.Uint64(b[48:])
		switch {
		case order.Uint32(b) != boltMagic, order.Uint32(b[4:]) != boltVersion, order.Uint64(b[56:]) != sum.Sum64():
			continue
		case at != 0 && at != size, found > 0 && txid <= newest:
			continue
		}
		found++
		newest = txid
		p.size, root, freelist, p.count = size, order.Uint64(b[16:]), order.Uint64(b[32:]), order.Uint64(b[40:])
	}
	switch {
	case found == 0:
		return 0, 0, damaged("no meta page is valid")
	case p.size < 512 || p.size > 1<<16 || p.count < 4:
		return 0, 0, damaged("the meta page makes no sense")
	case p.count > uint64(fileSize)/p.size:
		return 0, 0, damaged(fmt.Sprintf("the file has %d bytes and should have %d pages of %d", fileSize, p.count, p.size))
	}
	return root, freelist, nil
}

// page reads a page with its overflow and marks it reached.
func (p *pages) page(id uint64) (b []byte, flags uint16, count int, err error) {
	if id < 2 || id >= p.count {
		return nil, 0, 0, damaged(fmt.Sprintf("page %d is outside", id))
	}
	head := make([]byte, pageHeader)
	if err := p.read(head, id); err != nil {
		return nil, 0, 0, err
	}
	overflow := uint64(order.Uint32(head[12:]))
	if order.Uint64(head) != id || overflow >= p.count-id {
		return nil, 0, 0, damaged(fmt.Sprintf("page %d has a wrong head", id))
	}
	for i := id; i <= id+overflow; i++ {
		if p.reached[i] {
			return nil, 0, 0, damaged(fmt.Sprintf("page %d is reached twice", i))
		}
		p.reached[i] = true
	}
	b = make([]byte, (overflow+1)*p.size)
	return b, order.Uint16(head[8:]), int(order.Uint16(head[10:])), p.read(b, id)
}

func (p *pages) read(b []byte, id uint64) error {
	_, err := p.file.ReadAt(b, int64(id*p.size))
	if errors.Is(err, io.EOF) {
		return damaged("the file ends too early")
	}
	return err
}

// bucket walks the tree of one bucket.
func (p *pages) bucket(root uint64, depth int) error {
	var last []byte
	return p.tree(root, depth, &last)
}

func (p *pages) tree(id uint64, depth int, last *[]byte) error {
	b, flags, count, err := p.page(id)
	if err != nil {
		return err
	}
	switch flags {
	case leafPage:
		return p.leaf(b, count, depth, last)
	case branchPage:
		if count == 0 {
			return damaged(fmt.Sprintf("page %d is an empty branch", id))
		}
		for i := range count {
			at := pageHeader + i*elementHeader
			if at+elementHeader > len(b) {
				return damaged(fmt.Sprintf("page %d has too many elements", id))
			}
			if _, err := part(b, at, order.Uint32(b[at:]), order.Uint32(b[at+4:])); err != nil {
				return err
			}
			if err := p.tree(order.Uint64(b[at+8:]), depth, last); err != nil {
				return err
			}
		}
		return nil
	}
	return damaged(fmt.Sprintf("page %d is of a wrong kind", id))
}

// leaf checks the elements of a leaf, inline buckets included.
func (p *pages) leaf(b []byte, count, depth int, last *[]byte) error {
	for i := range count {
		at := pageHeader + i*elementHeader
		if at+elementHeader > len(b) {
			return damaged("a leaf has too many elements")
		}
		flags, pos, klen, vlen := order.Uint32(b[at:]), order.Uint32(b[at+4:]), order.Uint32(b[at+8:]), order.Uint32(b[at+12:])
		key, err := part(b, at, pos, klen)
		if err != nil {
			return err
		}
		if *last != nil && bytes.Compare(*last, key) >= 0 {
			return damaged("keys are out of order")
		}
		*last = append([]byte{}, key...)
		value, err := part(b, at, pos+klen, vlen)
		if err != nil {
			return err
		}
		if flags&bucketElement != 0 {
			if err := p.child(value, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// child checks a bucket inside another: a tree of its own, or a leaf inside the value.
func (p *pages) child(value []byte, depth int) error {
	if len(value) < bucketHeader || depth > bucketDepth {
		return damaged("a bucket has no head")
	}
	if root := order.Uint64(value); root != 0 {
		return p.bucket(root, depth)
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader || order.Uint16(inline[8:]) != leafPage {
		return damaged("a small bucket has no page")
	}
	var last []byte
	return p.leaf(inline, int(order.Uint16(inline[10:])), depth, &last)
}

// part is a key or a value: n bytes, pos after the element at.
func part(b []byte, at int, pos, n uint32) ([]byte, error) {
	from, to := uint64(at)+uint64(pos), uint64(at)+uint64(pos)+uint64(n)
	if to > uint64(len(b)) || from < pageHeader {
		return nil, damaged("an element points outside its page")
	}
	return b[from:to], nil
}

// freelist checks that free pages exist and that nothing uses them.
func (p *pages) freelist(id uint64) error {
	if id == noFreelist {
		return nil
	}
	b, flags, count, err := p.page(id)
	if err != nil {
		return err
	}
	if flags != freelistPage {
		return damaged("the list of free pages is missing")
	}
	ids, n := b[pageHeader:], uint64(count)
	if count == 0xFFFF { // then the first number is the count
		n, ids = order.Uint64(ids), ids[8:]
	}
	if n > uint64(len(ids)/8) {
		return damaged("the list of free pages is too long")
	}
	seen := make(map[uint64]bool, n)
	for i := range n {
		free := order.Uint64(ids[8*i:])
		if free < 2 || free >= p.count || p.reached[free] || seen[free] {
			return damaged(fmt.Sprintf("page %d is free and used, or free twice", free))
		}
		seen[free] = true
	}
	return nil
}
