package link

import (
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"neutron/kernel/limit"
)

// The attack cases of the shell listener. Each is tried against the product and
// then, as the control, with the one defence off that stops it.

// Attack 10: a name of the attacker's is rebound to this machine, so that his page
// and the listener are one origin to the browser.
func TestAttack10Rebinding(t *testing.T) {
	s, _ := serve(t)
	name := "evil.example:" + s.url.Port()
	page := func() int {
		return request(t, s, "GET", name, "/", map[string]string{"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty"}).StatusCode
	}
	link := func() int {
		s.open.origin = true // to the page it is same-origin; the Host gate must do alone
		defer func() { s.open.origin = false }()
		code, _, _ := knock(t, s, name, origin("http://"+name), websocket.BinaryMessage, first(bootOf(s)))
		return code
	}
	if a, b := page(), link(); a != 403 || b != 403 {
		t.Errorf("a rebound name got %d and %d", a, b)
	}
	s.open.host = true
	if a, b := page(), link(); a != 200 || b != 1 {
		t.Errorf("control: %d and %d", a, b)
	}
}

// Attack 11: a web page, or an app's frame, opens the socket from the owner's own
// browser. It may even have learned a secret: the origin gate must do alone.
func TestAttack11CrossSiteWebSocket(t *testing.T) {
	s, _ := serve(t)
	for name, from := range map[string]string{"a web page": "https://evil.example", "an opaque frame": "null", "a local page": "http://127.0.0.1:1"} {
		attack := func() int {
			code, _, _ := knock(t, s, s.url.Host, origin(from), websocket.BinaryMessage, first(bootOf(s)))
			return code
		}
		if got := attack(); got != 403 {
			t.Errorf("%s got %d", name, got)
		}
		s.open.origin = true
		if got := attack(); got != 1 {
			t.Errorf("control, %s: %d", name, got)
		}
		s.open.origin = false
	}
}

// Attack 12: a foreign page sends what needs no permission: a form, an element, a no-cors fetch.
func TestAttack12ForeignPage(t *testing.T) {
	s, _ := serve(t)
	for _, a := range []struct {
		name, method, path, site, dest string
		off                            *bool
	}{
		{"form post", "POST", "/", "cross-site", "document", &s.open.method},
		{"beacon", "POST", "/", "same-origin", "empty", &s.open.method},
		{"script element", "GET", "/assets/main.js", "cross-site", "script", &s.open.fetch},
		{"no-cors fetch", "GET", "/", "cross-site", "empty", &s.open.fetch},
		{"hidden frame", "GET", "/", "same-site", "iframe", &s.open.fetch},
	} {
		attack := func() int {
			return request(t, s, a.method, s.url.Host, a.path, map[string]string{"Sec-Fetch-Site": a.site, "Sec-Fetch-Dest": a.dest}).StatusCode
		}
		if got := attack(); got != 403 {
			t.Errorf("%s: %d", a.name, got)
		}
		*a.off = true
		if got := attack(); got != 200 {
			t.Errorf("control, %s: %d", a.name, got)
		}
		*a.off = false
	}
}

// Attack 13: another program of this machine sends whatever it likes, the right
// Origin too. What it lacks is the secret, and it may not guess fast.
func TestAttack13LocalProcess(t *testing.T) {
	s, h := serve(t)
	attack := func() int {
		code, _, _ := knock(t, s, s.url.Host, origin(s.o.Origin), websocket.BinaryMessage, first(""))
		return code
	}
	if got := attack(); got != CloseSecret || len(h.shells) != 0 {
		t.Errorf("without a secret: %d, %d shells", got, len(h.shells))
	}
	s.open.secret = true
	if got := attack(); got != 1 || len(h.shells) != 1 {
		t.Errorf("control: %d, %d shells", got, len(h.shells))
	}
}

func TestAttack13Guessing(t *testing.T) {
	guesses := func(d *desk) time.Duration {
		start := time.Now()
		for range limit.SecretFailures + 10 {
			<-d.open("guess").done
		}
		return time.Since(start)
	}
	play(t, func(d *desk) {
		if took := guesses(d); took < 9*limit.SecretPause {
			t.Errorf("%d guesses took %v", limit.SecretFailures+10, took)
		}
		start := time.Now()
		if p := d.open(d.boot()); p.welcome == nil || time.Since(start) != 0 {
			t.Errorf("the owner was kept out by a guesser: %v", time.Since(start))
		}
	})
	play(t, func(d *desk) {
		d.Server.open.pace = true
		if took := guesses(d); took != 0 {
			t.Errorf("control: %v", took)
		}
	})
}

// Attack 14: cookies know no ports. A page of another local server plants one that
// the browser then sends here.
func TestAttack14CookieShadowing(t *testing.T) {
	s, _ := serve(t)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "evil", Path: "/"})
	}))
	defer evil.Close()
	// naive is what Neutron is not: a server that believes a cookie.
	believed := ""
	naive := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err == nil {
			believed = c.Value
		}
	}))
	defer naive.Close()

	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	for _, address := range []string{evil.URL, naive.URL, s.o.Origin} {
		res, err := browser.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if address == s.o.Origin && (res.StatusCode != 200 || len(res.Cookies()) != 0) {
			t.Errorf("with a planted cookie: %d, sets %v", res.StatusCode, res.Cookies())
		}
	}
	if believed != "evil" {
		t.Error("control: the planted cookie did not reach another port, so the test shows nothing")
	}
	if s.cookies.Load() != 1 {
		t.Errorf("%d cookies noted", s.cookies.Load())
	}
	u, err := url.Parse(s.o.Origin)
	if err != nil {
		t.Fatal(err)
	}
	h := origin(s.o.Origin)
	for _, c := range jar.Cookies(u) {
		h.Add("Cookie", c.String())
	}
	if code, _, _ := knock(t, s, s.url.Host, h, websocket.BinaryMessage, first("")); code != CloseSecret {
		t.Errorf("a cookie instead of a secret: %d", code)
	}
}
