package sandbox

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzRequest: whatever bytes a request is made of, a file is answered only to
// one that keeps every rule, and a refusal never carries a right.
func FuzzRequest(f *testing.F) {
	s := New(Options{Lookup: files, ShellOrigin: func() string { return shell }})
	if err := s.SetSandboxURL("http://*.localhost:1"); err != nil {
		f.Fatal(err)
	}
	const label = "00112233445566778899aabbccddeeff"
	s.labels[notes], s.sites[label] = label, &shelf{notes, make(chan struct{}, answersPerLabel)}
	host := label + ".localhost:1"
	for _, r := range []string{
		"GET /x.js HTTP/1.1\r\nHost: " + host + "\r\nSec-Fetch-Dest: script\r\nOrigin: null\r\n\r\n",
		"GET /index.html?e=TOKEN HTTP/1.1\r\nHost: " + host + "\r\nSec-Fetch-Dest: iframe\r\n\r\n",
		"GET /%2e%2e/x.js HTTP/1.1\r\nHost: " + host + "\r\nSec-Fetch-Dest: script\r\n\r\n",
		"POST /x.js HTTP/1.1\r\nHost: " + host + "\r\nUpgrade: websocket\r\nService-Worker: script\r\nContent-Length: 1\r\n\r\nx",
		"GET http://" + host + "/x.js HTTP/1.1\r\nHost: evil\r\n\r\n",
	} {
		f.Add([]byte(r))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := s.Address(notes, "f", "index.html")
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(a)
		token := u.Query().Get("e")
		r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(bytes.ReplaceAll(b, []byte("TOKEN"), []byte(token)))))
		if err != nil {
			return
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		h := w.Header()
		if h.Get("Set-Cookie") != "" || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Fatalf("headers %v", h)
		}
		if w.Code != 200 && w.Code != 206 && w.Code != 416 {
			if h.Get("Access-Control-Allow-Origin") != "" || h.Get("Content-Security-Policy") != "sandbox; default-src 'none'" {
				t.Fatalf("a refusal with %v", h)
			}
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		_, there := files["notes/"+name]
		origin, dest := r.Header.Values("Origin"), r.Header.Values("Sec-Fetch-Dest")
		switch {
		case r.Method != "GET", r.Host != host, !there, len(dest) != 1, len(origin) > 1, len(origin) == 1 && origin[0] != "null",
			has(r, "Upgrade"), has(r, "Service-Worker"), r.ContentLength != 0, dest[0] == "document":
			t.Fatalf("answered: %q", b)
		case (strings.HasSuffix(name, ".html") || dest[0] == "iframe") && r.URL.RawQuery != "e="+token:
			t.Fatalf("a page without its token: %q", b)
		}
	})
}
