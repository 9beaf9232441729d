package install

import (
	"errors"
	"io"
	"sync"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// opened is an installed package that is being served. It is verified as a whole
// once a launch, at its first use; each file again whenever it is read.
type opened struct {
	once sync.Once
	pack *Package
	err  error

	mu     sync.RWMutex // readers serve; the writer closes
	blob   io.Closer
	closed bool
}

func (o *opened) open(a *Apps, hash string) {
	o.once.Do(func() {
		blob, size, err := a.store.OpenBlob(hash)
		if err != nil {
			o.err = err
			return
		}
		src, ok := blob.(io.ReaderAt)
		if !ok {
			o.err = errors.Join(fault.New(opServe, fault.Internal, hash, ""), blob.Close())
			return
		}
		o.blob = blob
		if o.pack, o.err = Decode(src, size); o.err == nil && o.pack.Hash != hash {
			o.err = fault.New(opServe, fault.DigestMismatch, hash, "An installed package changed on the disk. Its app does not run.")
		}
	})
}

func (o *opened) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed = true; o.blob != nil {
		_ = o.blob.Close()
	}
}

// File gives one file of an installed app and its media type: exactly this
// installation at exactly this content hash, by the file's exact name. It is
// what the sandbox serves; false is all a frame learns, the log says why.
func (a *Apps) File(app string, uid uint64, hash, name string) (content []byte, contentType string, ok bool) {
	i, ok := a.Get(app)
	if !ok || i.UID != uid || i.Hash != hash {
		return nil, "", false
	}
	key := cacheKey{hash, name}
	if b, ok := a.files.get(key); ok {
		return b, ContentType(name), true
	}
	b, err := a.read(hash, name)
	if err != nil {
		a.log.Error("a package's file was not served", "app", app, "file", quote(name), "err", err)
		return nil, "", false
	}
	if b == nil {
		return nil, "", false
	}
	if len(b) <= limit.AssetCacheFile {
		a.files.put(key, b)
	}
	return b, ContentType(name), true
}

// read gives nil for a file that the package does not hold.
func (a *Apps) read(hash, name string) ([]byte, error) {
	a.mu.Lock()
	o, ok := a.opened[hash]
	if !ok {
		o = new(opened)
		a.opened[hash] = o
	}
	a.mu.Unlock()
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return nil, nil
	}
	o.open(a, hash)
	if o.err != nil || !o.pack.Has(name) {
		return nil, o.err
	}
	return o.pack.Read(name)
}

// drop ends the serving of a package, unless another installed app has the same bytes.
func (a *Apps) drop(hash string) {
	a.mu.Lock()
	for _, i := range a.apps {
		if i.Hash == hash {
			a.mu.Unlock()
			return
		}
	}
	o := a.opened[hash]
	delete(a.opened, hash)
	a.mu.Unlock()
	a.files.forget(hash)
	if o != nil {
		o.close()
	}
}

// Verify reads an installed app's package from the disk to its end and compares it with its row, for the checker.
func (a *Apps) Verify(id string) error {
	i, ok := a.Get(id)
	if !ok {
		return fault.New(opServe, fault.AppUnknown, id, "")
	}
	o := new(opened)
	defer o.close()
	o.open(a, i.Hash)
	return o.err
}
