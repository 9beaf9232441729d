package window

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
)

// bootstrap answers wails:// once per launch, with a page that leaves for the shell. It is the one
// page that Wails itself would trust, so it holds no frame and runs one line.
type bootstrap struct{ *bootstrapState }

type bootstrapState struct {
	mu      sync.Mutex
	spent   bool        // answered, or given up
	address chan string // the first boot address, until the page takes it
	armed   chan struct{}
	once    sync.Once
	log     *slog.Logger
}

func newBootstrap(log *slog.Logger) bootstrap {
	return bootstrap{&bootstrapState{address: make(chan string, 1), armed: make(chan struct{}), log: log}}
}

// release lets the page go once the locks are armed: no frame exists before.
func (b bootstrap) release() { b.once.Do(func() { close(b.armed) }) }

// offer hands the first address to the page; false: the page is gone and the address must be loaded.
func (b bootstrap) offer(address string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent {
		return false
	}
	select {
	case <-b.address: // a newer boot secret replaces one that was not used
	default:
	}
	b.address <- address
	return true
}

// spend gives the page up: from now on addresses are loaded directly.
func (b bootstrap) spend() {
	b.mu.Lock()
	b.spent = true
	b.mu.Unlock()
}

// open reports whether wails:// may still be loaded.
func (b bootstrap) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.spent
}

// ServeHTTP answers the first request for the page and nothing after it. 410, because Wails
// replaces a 404 by a page of its own.
func (b bootstrap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.URL.Path != "/" || !b.open() {
		// Only a page past the content filter comes here.
		b.log.Warn("window.wails", "path", r.URL.Path)
		w.WriteHeader(http.StatusGone)
		return
	}
	select {
	case <-b.armed:
	case <-r.Context().Done():
		return
	}
	var address string
	select {
	case address = <-b.address:
	case <-r.Context().Done():
		return
	}
	b.mu.Lock()
	late := b.spent
	b.spent = true
	b.mu.Unlock()
	if late {
		w.WriteHeader(http.StatusGone)
		return
	}
	startPage(w, address)
}

// startPage is a variable only for the build that breaks this lock on purpose.
var startPage = writeBootstrap

// writeBootstrap writes the page. The nonce keeps out the two scripts that Wails adds to every page.
func writeBootstrap(w http.ResponseWriter, address string) {
	nonce := rand.Text()
	target, _ := json.Marshal(address) // a string cannot fail; < > & come out escaped
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'nonce-"+nonce+"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	fmt.Fprintf(w, `<!doctype html><title>Neutron</title><script nonce="%s">location.replace(%s)</script>`, nonce, target)
}
