package window

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
)

func get(b bootstrap, method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.ServeHTTP(w, httptest.NewRequestWithContext(context.Background(), method, path, nil))
	return w
}

func TestBootstrapAnswersOnce(t *testing.T) {
	b := newBootstrap(slog.New(slog.DiscardHandler))
	b.release()
	if !b.offer("http://127.0.0.1:1/#boot=aa") || !b.offer("http://127.0.0.1:1/#boot=bb</script>") {
		t.Fatal("an address before the page was asked for is refused")
	}
	for _, r := range [][2]string{{"GET", "/x.js"}, {"POST", "/"}, {"GET", "/index.html"}} {
		if w := get(b, r[0], r[1]); w.Code != http.StatusGone || w.Body.Len() > 0 {
			t.Errorf("%v: %d %q", r, w.Code, w.Body)
		}
	}
	w := get(b, "GET", "/")
	body := w.Body.String()
	if w.Code != 200 || !strings.Contains(body, `location.replace("http://127.0.0.1:1/#boot=bb`) || strings.Contains(body, "bb</script>") {
		t.Errorf("%d %s", w.Code, body)
	}
	csp := w.Header().Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("the page that Wails trusts may do more than leave: %s", csp)
	}
	if w := get(b, "GET", "/"); w.Code != http.StatusGone || w.Body.Len() > 0 {
		t.Errorf("a second visit: %d %q", w.Code, w.Body)
	}
	if b.offer("http://127.0.0.1:1/#boot=cc") || b.open() {
		t.Error("the page is gone, but takes addresses")
	}
}

// No page before the locks are armed, and none once the page was given up.
func TestBootstrapWaitsForTheLocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBootstrap(slog.New(slog.DiscardHandler))
		b.offer("http://127.0.0.1:1/")
		done := make(chan int)
		go func() { done <- get(b, "GET", "/").Code }()
		synctest.Wait()
		select {
		case <-done:
			t.Fatal("a page was served before the locks were armed")
		default:
		}
		b.spend()
		b.release()
		if code := <-done; code != http.StatusGone {
			t.Errorf("a page that was given up is answered %d", code)
		}
	})
}
