package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

var outside = netip.MustParseAddr("93.184.216.34")

// bed is a proxy on a real listener, before a real TLS server that plays the internet.
type bed struct {
	*Proxy
	t       *testing.T
	address string // of the proxy's listener
	server  *httptest.Server
	ended   chan Connection

	mu      sync.Mutex
	answers map[string][]netip.Addr // by host; a host without an answer is unknown
	dialed  []string
}

// httptest's certificate names example.com and *.example.com.
const host, origin = "api.example.com", "https://api.example.com"

func start(t *testing.T, h http.HandlerFunc) *bed {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // half of the tests leave before TLS begins
	server.StartTLS()
	b := &bed{t: t, server: server, ended: make(chan Connection, 1_000), answers: map[string][]netip.Addr{host: {outside}}}
	b.Proxy = New(Options{
		Resolve: func(_ context.Context, name string) ([]netip.Addr, error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if a := b.answers[name]; a != nil {
				return a, nil
			}
			return nil, errors.New("no such host")
		},
		Dial: func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			b.mu.Lock()
			b.dialed = append(b.dialed, to.String())
			b.mu.Unlock()
			if to.Addr() != outside {
				return nil, errors.New("no route")
			}
			return new(net.Dialer).DialContext(ctx, "tcp", b.server.Listener.Addr().String())
		},
		Began: func(string) func(Connection) { return func(c Connection) { b.ended <- c } },
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.address = l.Addr().String()
	s := b.HTTPServer()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close(); b.Proxy.Close(); b.server.Close() })
	return b
}

// browser is a client that goes through the proxy, as the web view does.
func (b *bed) browser() *http.Client {
	pool := x509.NewCertPool()
	pool.AddCert(b.server.Certificate())
	proxy, err := url.Parse(b.Address(b.address))
	if err != nil {
		b.t.Fatal(err)
	}
	t := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: pool}}
	b.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

func (b *bed) auth() string {
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+b.secret)) + "\r\n"
}

// raw sends bytes to the proxy and gives the status of its answer.
func (b *bed) raw(request string) (status int, c net.Conn) {
	b.t.Helper()
	c, err := net.Dial("tcp", b.address)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = c.Close() })
	if _, err := io.WriteString(c, request); err != nil {
		b.t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: http.MethodConnect})
	if err != nil {
		return 0, c
	}
	return r.StatusCode, c
}

func TestTunnel(t *testing.T) {
	b := start(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %d", r.Host, r.URL.Path, len(body))
	})
	b.Allow([]string{origin})
	client := b.browser()
	payload := strings.Repeat("secret", 100_000)
	r, err := client.Post(origin+"/path", "text/plain", strings.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if string(got) != fmt.Sprintf("%s /path %d", host, len(payload)) {
		t.Errorf("got %q", got)
	}
	client.CloseIdleConnections()
	c := <-b.ended
	if c.Host != host || c.Err != nil || c.Up < int64(len(payload)) || c.Down == 0 {
		t.Errorf("%+v", c)
	}
	if b.dialed[0] != outside.String()+":443" {
		t.Errorf("dialed %v", b.dialed)
	}
}

// Everything but CONNECT to an approved host's port 443, with the credentials, is refused.
func TestRefusals(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	b.Allow([]string{origin, "https://b.example.com", "https://localhost", "https://10.0.0.1", "https://*.example.com", "nonsense"})
	connect := func(target string) string {
		return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n" + b.auth() + "\r\n"
	}
	wrong := "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":x")) + "\r\n"
	for name, c := range map[string]struct {
		request string
		status  int
	}{
		"no credentials":     {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n\r\n", 407},
		"wrong credentials":  {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n" + wrong + "\r\n", 407},
		"twice":              {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n" + b.auth() + wrong + "\r\n", 407},
		"as a server's":      {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n" + strings.TrimPrefix(b.auth(), "Proxy-") + "\r\n", 407},
		"another host":       {connect("evil.example.com:443"), 403},
		"the parent":         {connect("example.com:443"), 403},
		"a child":            {connect("a." + host + ":443"), 403},
		"another suffix":     {connect(host + ".evil.com:443"), 403},
		"a prefix":           {connect("x" + host + ":443"), 403},
		"capitals":           {connect("API.example.com:443"), 403},
		"a dot more":         {connect(host + ".:443"), 403},
		"another port":       {connect(host + ":80"), 403},
		"a long port":        {connect(host + ":0443"), 403},
		"a literal":          {connect("127.0.0.1:443"), 403},
		"its address":        {connect(outside.String() + ":443"), 403},
		"localhost":          {connect("localhost:443"), 403},
		"a private literal":  {connect("10.0.0.1:443"), 403},
		"a literal of six":   {connect("[::1]:443"), 403},
		"a wildcard":         {connect("*.example.com:443"), 403},
		"get":                {"GET https://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n" + b.auth() + "\r\n", 405},
		"get of http":        {"GET http://" + host + "/ HTTP/1.1\r\nHost: " + host + "\r\n" + b.auth() + "\r\n", 405},
		"get of the proxy":   {"GET / HTTP/1.1\r\nHost: " + b.address + "\r\n" + b.auth() + "\r\n", 405},
		"options":            {"OPTIONS * HTTP/1.1\r\nHost: " + host + "\r\n" + b.auth() + "\r\n", 405},
		"a body":             {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + "\r\n" + b.auth() + "Content-Length: 3\r\n\r\nabc", 400},
		"host says another":  {"CONNECT evil.example.com:443 HTTP/1.1\r\nHost: " + host + ":443\r\n" + b.auth() + "\r\n", 403},
		"an unknown name":    {connect("b.example.com:443"), 502},
		"the control":        {connect(host + ":443"), 200},
		"another host field": {"CONNECT " + host + ":443 HTTP/1.1\r\nHost: evil.example.com\r\n" + b.auth() + "\r\n", 200},
	} {
		if got, _ := b.raw(c.request); got != c.status {
			t.Errorf("%s: %d, want %d", name, got, c.status)
		}
	}
	if b.Refused() == 0 {
		t.Error("no refusal is counted")
	}
	for _, d := range b.dialed {
		if d != outside.String()+":443" {
			t.Errorf("dialed %s", d)
		}
	}
}

// A name that leads inside is refused whole, whatever else it leads to.
func TestNamesThatLeadInside(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	b.Allow([]string{origin})
	for _, list := range [][]string{
		{"127.0.0.1"}, {"::1"}, {"10.0.0.1"}, {"192.168.0.1"}, {"169.254.169.254"}, {"::ffff:127.0.0.1"}, {"fd00::1"}, {"fe80::1"}, {"0.0.0.0"}, {"100.64.0.1"},
		{"64:ff9b::7f00:1"}, {"2002:7f00:1::"}, {outside.String(), "127.0.0.1"}, {"127.0.0.1", outside.String()},
	} {
		var a []netip.Addr
		for _, s := range list {
			a = append(a, netip.MustParseAddr(s))
		}
		b.mu.Lock()
		b.answers[host] = a
		b.mu.Unlock()
		status, conn := b.raw("CONNECT " + host + ":443 HTTP/1.1\r\nHost: x\r\n" + b.auth() + "\r\n")
		_ = conn.Close()
		if c := <-b.ended; status != 403 || fault.CodeOf(c.Err) != fault.Denied {
			t.Errorf("%v: %d, %+v", list, status, c)
		}
	}
	if len(b.dialed) != 0 {
		t.Errorf("dialed %v", b.dialed)
	}
}

// The next address of a host is tried, and not one more than a few.
func TestSeveralAddresses(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	b.Allow([]string{origin})
	dead := netip.MustParseAddr("8.8.8.8")
	for _, c := range []struct {
		list   []netip.Addr
		status int
	}{
		{[]netip.Addr{dead, outside}, 200}, {[]netip.Addr{dead}, 502}, {[]netip.Addr{}, 502},
		{[]netip.Addr{dead, dead, dead, dead, outside}, 502},
	} {
		b.mu.Lock()
		b.answers[host] = c.list
		b.mu.Unlock()
		if status, _ := b.raw("CONNECT " + host + ":443 HTTP/1.1\r\nHost: x\r\n" + b.auth() + "\r\n"); status != c.status {
			t.Errorf("%v: %d", c.list, status)
		}
	}
}

// An origin that is taken back, a lock and the end cut what is open.
func TestCut(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	request := "CONNECT " + host + ":443 HTTP/1.1\r\nHost: x\r\n" + b.auth() + "\r\n"
	for name, cut := range map[string]func(){
		"taken back": func() { b.Allow([]string{"https://b.example.com"}) },
		"locked":     b.EndAll,
	} {
		b.Allow([]string{origin})
		status, c := b.raw(request)
		if status != 200 {
			t.Fatalf("%s: %d", name, status)
		}
		b.Allow([]string{origin, "https://b.example.com"}) // one that stays allowed stays open
		select {
		case <-b.ended:
			t.Errorf("%s: another list ends what is still allowed", name)
		default:
		}
		cut()
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("%s: the tunnel stands", name)
		}
		<-b.ended
	}
	b.Close()
	if status, _ := b.raw(request); status == 200 {
		t.Error("a closed proxy lets something through")
	}
}

// One host cannot take all places, and all of them have an end.
func TestPlaces(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	b.Allow([]string{origin})
	request := "CONNECT " + host + ":443 HTTP/1.1\r\nHost: x\r\n" + b.auth() + "\r\n"
	for i := range limit.EgressPerHost {
		if status, _ := b.raw(request); status != 200 {
			t.Fatalf("%d: %d", i, status)
		}
	}
	if status, _ := b.raw(request); status != 503 {
		t.Errorf("one more: %d", status)
	}
	b.EndAll()
	for range limit.EgressPerHost {
		<-b.ended
	}
	if status, _ := b.raw(request); status != 200 {
		t.Errorf("after the end of the others: %d", status)
	}
}

// One side's end of sending leaves the other side's answer whole.
func TestHalfClose(t *testing.T) {
	b := start(t, func(http.ResponseWriter, *http.Request) {})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		asked, _ := io.ReadAll(c)
		_, _ = c.Write([]byte(strings.ToUpper(string(asked))))
		_ = c.Close()
	}()
	b.o.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return net.Dial("tcp", l.Addr().String()) }
	b.Allow([]string{origin})
	// The first bytes come with the request, as an eager client sends them.
	status, c := b.raw("CONNECT " + host + ":443 HTTP/1.1\r\nHost: x\r\n" + b.auth() + "\r\nhello ")
	if status != 200 {
		t.Fatal(status)
	}
	_, _ = io.WriteString(c, "world")
	_ = c.(*net.TCPConn).CloseWrite()
	if got, err := io.ReadAll(c); err != nil || string(got) != "HELLO WORLD" {
		t.Errorf("%q, %v", got, err)
	}
	if e := <-b.ended; e.Up != 11 || e.Down != 11 {
		t.Errorf("%+v", e)
	}
}

func TestUnion(t *testing.T) {
	if got := fmt.Sprint(Union([]string{"b", "a"}, nil, []string{"a", "c"})); got != "[a b c]" {
		t.Error(got)
	}
}
