package install

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// shop serves packages over real TLS on loopback.
func shop(t *testing.T, h http.Handler) (*shelf, *httptest.Server) {
	t.Helper()
	srv := httptest.NewTLSServer(h)
	t.Cleanup(srv.Close)
	s := open(t, t.TempDir(), Options{})
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	s.client = fetchClient(&tls.Config{RootCAs: pool})
	return s, srv
}

// What was fetched once is reviewed and installed; nothing else is ever asked of the server.
func TestReviewURL(t *testing.T) {
	var asked atomic.Int32
	pack := app("notes", "1.0.0")
	s, srv := shop(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if len(r.Cookies()) > 0 || r.Header.Get("Authorization") != "" || r.Header.Get("Referer") != "" || r.Method != http.MethodGet {
			t.Errorf("the request carries %v", r.Header)
		}
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
		_, _ = w.Write(pack)
	}))
	address := srv.URL + "/dir/notes.neutron?v=1"
	r, err := s.ReviewURL(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	if r.Source != address {
		t.Errorf("it comes from %q", r.Source)
	}
	srv.Close()
	i, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil || i.Size != int64(len(pack)) || asked.Load() != 1 {
		t.Errorf("%v, %d bytes, asked %d times", err, i.Size, asked.Load())
	}
}

func TestFetchRefuses(t *testing.T) {
	pack := app("notes", "1.0.0")
	s, srv := shop(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ok":
			_, _ = w.Write(pack)
		case "/moved":
			http.Redirect(w, r, "/ok", http.StatusFound)
		case "/see":
			http.Redirect(w, r, "https://example.com/", http.StatusSeeOther)
		case "/missing":
			http.NotFound(w, r)
		case "/part":
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(pack)
		case "/empty":
		case "/short":
			w.Header().Set("Content-Length", strconv.Itoa(len(pack)+10))
			_, _ = w.Write(pack)
		case "/announced":
			w.Header().Set("Content-Length", strconv.Itoa(limit.RemoteBytes+1))
		case "/endless":
			for chunk := make([]byte, 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(pack)
			_ = z.Close()
		case "/text":
			_, _ = w.Write([]byte("<!doctype html>Please log in"))
		}
	}))
	for path, code := range map[string]fault.Code{
		"/moved": fault.FetchFailed, "/see": fault.FetchFailed, "/missing": fault.FetchFailed, "/part": fault.FetchFailed, "/empty": fault.FetchFailed,
		"/short": fault.FetchFailed, "/gzip": fault.FetchFailed, "/announced": fault.PackageTooLarge, "/endless": fault.PackageTooLarge, "/text": fault.PackageInvalid,
	} {
		before := s.files()
		_, err := s.ReviewURL(t.Context(), srv.URL+path)
		wants(t, err, code)
		if fmt.Sprint(before) != fmt.Sprint(s.files()) {
			t.Errorf("%s wrote something", path)
		}
	}
	if _, err := s.ReviewURL(t.Context(), srv.URL+"/ok"); err != nil {
		t.Errorf("the control: %v", err)
	}
	stranger := open(t, t.TempDir(), Options{})
	_, err := stranger.ReviewURL(t.Context(), srv.URL+"/ok") // a certificate that nobody vouches for
	wants(t, err, fault.FetchFailed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.ReviewURL(ctx, srv.URL+"/ok")
	wants(t, err, fault.FetchFailed)
}

// Addresses that are refused before anything is sent.
func TestPackageURL(t *testing.T) {
	for address, dev := range map[string]bool{
		"https://example.com/a.neutron": false, "https://example.com:8443/a?b=c": false, "https://192.168.1.2/a": false, "https://xn--mnchen-3ya.de/%C3%BC": false,
		"http://127.0.0.1:8080/a": true, "http://localhost:1/a": true, "http://[::1]:1/a": true, "https://example.com/": true,
	} {
		if _, err := packageURL(address, dev); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	long := "https://example.com/" + strings.Repeat("a", limit.RemoteURL)
	for _, bad := range []string{
		"", "example.com/a", "http://example.com/a", "http://127.0.0.1:1/a", "http://localhost/a", "ftp://example.com/a", "file:///etc/passwd", "https:///a", "https://",
		"https://me@example.com/a", "https://me:pw@example.com/a", "https://example.com/a#b", "https://example.com/a#", "HTTPS://example.com/a", "https:example.com",
		" https://example.com/a", "https://example.com/a b", "https://example.com/ü", "https://münchen.de/a", "https://example.com/a\n", "javascript:1", long,
	} {
		if _, err := packageURL(bad, false); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, bad := range []string{"http://example.com/a", "http://127.0.0.1.example.com/a", "http://192.168.1.1/a", "http://me@localhost/a"} {
		if _, err := packageURL(bad, true); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("for an author, %q: %v", bad, err)
		}
	}
	if _, err := url.Parse(shownURL(long)); err != nil || len(shownURL(long)) > 200 || !strings.HasPrefix(shownURL(long), "https://example.com/") {
		t.Errorf("%q is shown", shownURL(long))
	}
}

// The author's flag opens http on this computer, and only there.
func TestDevFetch(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(app("notes", "1.0.0")) }))
	defer srv.Close()
	_, err := open(t, t.TempDir(), Options{}).ReviewURL(t.Context(), srv.URL+"/a")
	wants(t, err, fault.InvalidRequest)
	if _, err := open(t, t.TempDir(), Options{Dev: true}).ReviewURL(t.Context(), srv.URL+"/a"); err != nil {
		t.Error(err)
	}
}

// The smaller sizes of a fetched package hold before anything is unpacked.
func TestRemoteSizes(t *testing.T) {
	var many []*part
	for i := range limit.RemoteEntries {
		many = append(many, stored(fmt.Sprint("f/", i), ""))
	}
	var b strings.Builder // shrinks, but not like a bomb
	for i := 0; b.Len() < limit.RemoteEntryBytes; i++ {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		fmt.Fprintf(&b, "%x%960s", sum, "")
	}
	big := b.String()[:limit.RemoteEntryBytes]
	var four []*part
	for i := range 4 {
		four = append(four, entry("0", ""))
		if i == 0 {
			four[0] = entry("0", big)
		}
		*four[i] = *four[0]
		four[i].both(func(h *header) { h.name = strconv.Itoa(i) })
	}
	for name, pack := range map[string][]byte{
		"entries": app("notes", "1.0.0", many...),
		"entry":   app("notes", "1.0.0", stored("big", big+"x")),
		"total":   app("notes", "1.0.0", four...),
	} {
		s, srv := shop(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(pack) }))
		_, err := s.ReviewURL(t.Context(), srv.URL)
		wants(t, err, fault.PackageTooLarge)
		if _, err := s.review(pack); err != nil {
			t.Errorf("%s, from a file: %v", name, err)
		}
	}
}

func TestReviewDir(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	dir := filepath.Join(t.TempDir(), "notes")
	if err := New(dir, ""); err != nil {
		t.Fatal(err)
	}
	r, err := s.ReviewDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	// What changes in the directory afterwards changes nothing in what was reviewed.
	if err := os.WriteFile(filepath.Join(dir, "more.js"), []byte("1"), 0o600); err != nil {
		t.Fatal(err)
	}
	i, err := s.Approve(r.ReviewId, r.App.Hash, nil)
	if err != nil || r.Source != "notes" {
		t.Errorf("%v from %q", err, r.Source)
	}
	if _, _, ok := s.File(i.ID, i.UID, i.Hash, "more.js"); ok {
		t.Error("a later file is served")
	}
	_, err = s.ReviewDir("notes")
	wants(t, err, fault.InvalidRequest)
	_, err = s.ReviewDir(filepath.Join(dir, "nothing"))
	wants(t, err, fault.PackageInvalid)
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	_, err = s.ReviewDir(dir)
	wants(t, err, fault.PackageInvalid)
}
