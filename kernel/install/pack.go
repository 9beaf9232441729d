package install

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

const opPack fault.Op = "install.pack"

// Pack writes the package of a directory to w. The same files give the same
// bytes: names are sorted and times fixed. Hidden files, editor back-ups and
// packages are left out; links and other non-regular files are refused. The
// result went through Decode, so whatever Pack writes can be installed.
func Pack(dir string, w io.Writer) error {
	names, err := sources(dir)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fault.Wrap(opPack, fault.PackageInvalid, dir, err)
	}
	defer root.Close()
	b, err := archive(names, func(name string) ([]byte, error) {
		// The root follows no link out of the directory, should one appear after the walk.
		body, err := root.ReadFile(name)
		return body, fault.Wrap(opPack, fault.PackageInvalid, quote(name), err)
	})
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return fault.Wrap(opPack, fault.StoreReadOnly, dir, err)
	}
	return nil
}

// archive makes the package of some files, in the order of their names, and decodes it again.
func archive(names []string, read func(name string) ([]byte, error)) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	d, err := flate.NewWriter(nil, flate.BestCompression)
	if err != nil {
		return nil, fault.Wrap(opPack, fault.Internal, "", err)
	}
	for _, name := range names {
		body, err := read(name)
		if err != nil {
			return nil, err
		}
		if err := packFile(z, d, name, body); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, fault.Wrap(opPack, fault.Internal, "", err)
	}
	_, err = Decode(bytes.NewReader(b.Bytes()), int64(b.Len()))
	return b.Bytes(), err
}

// sources lists the files of a directory that belong into its package, sorted by their bytes.
func sources(dir string) ([]string, error) {
	var names []string
	var total int64
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fault.Wrap(opPack, fault.PackageInvalid, quote(name), err)
		case name == ".":
			return nil
		case left(d.Name()):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() && d.Name() == "node_modules":
			return refuse(name, "does not belong into a package: pack the directory that the build writes")
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			return refuse(name, "is a symbolic link")
		case !d.Type().IsRegular():
			return refuse(name, "is no regular file")
		}
		info, err := d.Info()
		if err != nil {
			return fault.Wrap(opPack, fault.PackageInvalid, quote(name), err)
		}
		names = append(names, name)
		if total += info.Size(); info.Size() > limit.PackageEntryBytes || total > limit.PackageTotalBytes || len(names) > limit.PackageEntries {
			return tooLarge(name, "brings the package over a limit: %d files, %d bytes", len(names), total)
		}
		return checkName(name)
	})
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && len(names) == 0 {
			return nil, fault.Newf(opPack, fault.PackageInvalid, dir, "There is no directory %s.", quote(dir))
		}
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// left names what an app's directory holds beside the app.
func left(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || path.Ext(name) == ".neutron" || name == "Thumbs.db" || name == "desktop.ini"
}

func packFile(z *zip.Writer, d *flate.Writer, name string, body []byte) error {
	var deflated bytes.Buffer
	d.Reset(&deflated)
	if _, err := d.Write(body); err != nil {
		return fault.Wrap(opPack, fault.Internal, quote(name), err)
	}
	if err := d.Close(); err != nil {
		return fault.Wrap(opPack, fault.Internal, quote(name), err)
	}
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, CreatorVersion: 3<<8 | 20, ReaderVersion: 20, ExternalAttrs: 0o100644 << 16, ModifiedDate: 0x21,
		Flags: flagUTF8, CRC32: crc32.ChecksumIEEE(body), CompressedSize64: uint64(deflated.Len()), UncompressedSize64: uint64(len(body))}
	packed := deflated.Bytes()
	// What does not shrink is stored, and so is what shrinks like a bomb.
	if len(packed) >= len(body) || len(body) > len(packed)*limit.PackageRatio {
		h.Method, h.CompressedSize64, packed = zip.Store, h.UncompressedSize64, body
	}
	w, err := z.CreateRaw(h)
	if err != nil {
		return fault.Wrap(opPack, fault.Internal, quote(name), err)
	}
	if _, err := w.Write(packed); err != nil {
		return fault.Wrap(opPack, fault.Internal, quote(name), err)
	}
	return nil
}
