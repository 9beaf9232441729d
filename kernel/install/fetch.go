package install

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
	"neutron/kernel/proto/linkv1"
)

const opFetch fault.Op = "install.fetch"

// ReviewURL fetches a package once and reviews these bytes; they are never fetched
// again. The address must be https, spelled canonically and without user or
// fragment; the request carries no credentials, cookies or referrer, follows no
// redirect and takes no encoding. The sizes of limit.Remote* hold. FETCH_FAILED
// when the server gives nothing usable, INVALID_REQUEST for an address of another form.
func (a *Apps) ReviewURL(ctx context.Context, address string) (*linkv1.Review, error) {
	b, err := fetch(ctx, a.client, address, a.dev)
	if err != nil {
		return nil, err
	}
	return a.review(Bytes(b), int64(len(b)), remote, shownURL(address), false)
}

// ReviewDir packs a directory in memory, by the rules of Pack, and reviews the package.
func (a *Apps) ReviewDir(dir string) (*linkv1.Review, error) {
	if !path.IsAbs(dir) {
		return nil, fault.New(opReview, fault.InvalidRequest, quote(dir), "A directory is named by its whole path.")
	}
	var b bytes.Buffer
	if err := Pack(dir, &b); err != nil {
		return nil, err
	}
	return a.review(Bytes(b.Bytes()), int64(b.Len()), local, shownSource(dir), false)
}

// fetchClient follows nothing, keeps nothing and sends nothing but the request. Nil roots are the system's.
func fetchClient(roots *tls.Config) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: roots, ResponseHeaderTimeout: limit.RemoteWait, TLSHandshakeTimeout: limit.RemoteWait,
			DisableCompression: true, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       limit.RemoteFetch,
	}
}

// packageURL judges an address before anything is sent.
func packageURL(address string, dev bool) (*url.URL, error) {
	no := func(why string) (*url.URL, error) {
		return nil, fault.Newf(opFetch, fault.InvalidRequest, quote(address), "The address %s %s.", quote(address), why)
	}
	if len(address) > limit.RemoteURL {
		return no("is longer than the 4,096 characters that are allowed")
	}
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return no("is not an address")
	case u.Scheme != "https" && !(dev && u.Scheme == "http" && loopback(u.Hostname())):
		return no("does not begin with https://")
	case u.User != nil:
		return no("holds a user or a password, which would be sent")
	case strings.Contains(address, "#"):
		return no("has a part behind #, which is never sent")
	case u.Hostname() == "" || u.Opaque != "":
		return no("names no host")
	case u.String() != address || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return no("is not spelled as it would be sent; write other characters as %XX and other scripts of a host as xn--")
	}
	return u, nil
}

// loopback reports whether a host is this computer, without asking anybody.
func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

func fetch(ctx context.Context, client *http.Client, address string, dev bool) ([]byte, error) {
	u, err := packageURL(address, dev)
	if err != nil {
		return nil, err
	}
	failed := func(cause error, why string) ([]byte, error) {
		f := fault.Newf(opFetch, fault.FetchFailed, quote(address), "The package could not be fetched from %s: %s. Nothing was installed.", u.Host, why)
		f.Err = cause
		return nil, f
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return failed(err, "the address cannot be asked for")
	}
	r.Header = http.Header{"Accept": {"*/*"}, "Accept-Encoding": {"identity"}, "Cache-Control": {"no-store"}, "User-Agent": {"neutron"}}
	answer, err := client.Do(r)
	if err != nil {
		return failed(err, reason(err))
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	switch {
	case answer.StatusCode >= 300 && answer.StatusCode < 400:
		return failed(nil, "the server leads to another address, which is not followed; use that address if you trust it")
	case answer.StatusCode != http.StatusOK:
		return failed(nil, "the server answered "+answer.Status)
	case answer.Request.URL.String() != address:
		return failed(nil, "the answer is of another address")
	case answer.Uncompressed || !plainCoding(answer.Header):
		return failed(nil, "the answer is encoded")
	case answer.ContentLength > limit.RemoteBytes:
		return nil, tooLarge("package", "is announced with %d bytes; %d are allowed from an address", answer.ContentLength, limit.RemoteBytes)
	}
	b, err := io.ReadAll(io.LimitReader(answer.Body, limit.RemoteBytes+1))
	switch {
	case len(b) > limit.RemoteBytes:
		return nil, tooLarge("package", "is larger than the %d bytes that are allowed from an address", limit.RemoteBytes)
	case err != nil:
		return failed(err, "the answer broke off")
	case answer.ContentLength >= 0 && int64(len(b)) != answer.ContentLength:
		return failed(nil, "the answer is not as long as it was announced")
	case len(b) == 0:
		return failed(nil, "the answer is empty")
	}
	return b, nil
}

// plainCoding reports whether the bytes of an answer are the package's own.
func plainCoding(h http.Header) bool {
	for _, v := range h.Values("Content-Encoding") {
		if v != "" && !strings.EqualFold(v, "identity") {
			return false
		}
	}
	return true
}

// reason is a transport's error without the address, which the sentence names already.
func reason(err error) string {
	var u *url.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "it was stopped"
	case errors.As(err, &u) && u.Timeout():
		return "no answer came in time"
	case errors.As(err, &u):
		return u.Err.Error()
	}
	return err.Error()
}

// shownURL makes an address that was fetched short enough to show: its host is what the owner judges.
func shownURL(address string) string {
	const shown = 120
	if len(address) <= shown {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return quote(address)
	}
	return u.Scheme + "://" + u.Host + "/…/" + quote(path.Base(u.EscapedPath()))
}
