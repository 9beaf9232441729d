package window

import (
	"encoding/json"
	"regexp"
	"testing"
)

// passes plays the rules as the engine does: the last one that matches decides.
func passes(t *testing.T, rules []byte, address, top string) bool {
	t.Helper()
	var list []rule
	if err := json.Unmarshal(rules, &list); err != nil {
		t.Fatal(err)
	}
	ok := true
	for _, r := range list {
		if !regexp.MustCompile(r.Trigger.Filter).MatchString(address) {
			continue
		}
		if len(r.Trigger.IfTop) > 0 && !regexp.MustCompile(r.Trigger.IfTop[0]).MatchString(top) {
			continue
		}
		ok = r.Action.Type == "ignore-previous-rules"
	}
	return ok
}

func TestFilterLetsOnlyOwnAddressesPass(t *testing.T) {
	rules, err := filterRules("http://127.0.0.1:4001/#boot=00", "http://*.localhost:4002", nil)
	if err != nil {
		t.Fatal(err)
	}
	const shell = "http://127.0.0.1:4001/"
	for address, want := range map[string]bool{
		"http://127.0.0.1:4001/":                      true,
		"http://127.0.0.1:4001/assets/a.js":           true,
		"ws://127.0.0.1:4001/link":                    true,
		"http://0a1b2c.localhost:4002/i.html":         true,
		"data:image/png;base64,AA==":                  true,
		"blob:http://127.0.0.1:4001/x":                true,
		"about:blank":                                 true,
		"wails://wails/":                              false,
		"wails://wails/x.js":                          false,
		"http://127.0.0.1:4003/":                      false,
		"http://127.0.0.1:40011/":                     false,
		"http://127.0.0.1:4001.evil.test/":            false,
		"http://127x0x0x1:4001/":                      false,
		"http://localhost:4002/":                      false,
		"http://a.b.localhost:4002/":                  false,
		"http://a.localhost:4002.evil.test/":          false,
		"http://0a1b2c.localhost:4003/":               false,
		"https://0a1b2c.localhost:4002/":              false,
		"https://example.com/?http://127.0.0.1:4001/": false,
		"file:///etc/passwd":                          false,
		"wss://127.0.0.1:4001/link":                   false,
	} {
		if passes(t, rules, address, shell) != want {
			t.Errorf("%s: passes %v", address, !want)
		}
	}
	if !passes(t, rules, "wails://wails/", "wails://wails/") {
		t.Error("the bootstrap page itself is blocked")
	}
}

func TestFilterRefusesStrangeAddresses(t *testing.T) {
	for _, bad := range []string{"", "wails://wails/", "file:///x", "http://", "http://user@127.0.0.1:1/", "127.0.0.1:1"} {
		if _, err := filterRules(bad, "", nil); err == nil {
			t.Errorf("%q was taken as the shell's address", bad)
		}
	}
	if _, err := filterRules("http://127.0.0.1:1/", "nonsense", nil); err == nil {
		t.Error("nonsense was taken as the sandbox's address")
	}
}

func TestInSandbox(t *testing.T) {
	const box = "http://*.localhost:4002"
	for address, want := range map[string]bool{
		"http://abc.localhost:4002/x":      true,
		"http://.localhost:4002/":          false,
		"http://a.b.localhost:4002/":       false,
		"http://a@b.localhost:4002/":       false,
		"http://e.test/?.localhost:4002/":  false,
		"http://e.test/#x.localhost:4002/": false,
		"http://abc.localhost:40020/":      false,
		"https://abc.localhost:4002/":      false,
	} {
		if inSandbox(address, box) != want {
			t.Errorf("%s: %v", address, !want)
		}
	}
	if inSandbox("http://abc.localhost:4002/", "") {
		t.Error("an unknown sandbox lets pages pass")
	}
}

// Exactly the declared hosts pass, over https only.
func TestFilterLetsDeclaredOriginsPass(t *testing.T) {
	rules, err := filterRules("http://127.0.0.1:4001/", "http://*.localhost:4002", []string{"https://a.example.com", "https://b-c.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{
		"https://a.example.com/":                       true,
		"https://a.example.com/x?y#z":                  true,
		"https://b-c.example.org/x":                    true,
		"http://a.example.com/":                        false,
		"wss://a.example.com/":                         false,
		"https://a.example.com:8443/":                  false,
		"https://example.com/":                         false,
		"https://x.a.example.com/":                     false,
		"https://xa.example.com/":                      false,
		"https://a.example.com.evil.org/":              false,
		"https://axexample.com/":                       false,
		"https://a.example.com@evil.org/":              false,
		"https://evil.org/https://a.example.com/":      false,
		"https://evil.org/?https://a.example.com/":     false,
		"http://127.0.0.1:4001/assets/a.js":            true,
		"http://0a1b2c.localhost:4002/i.html":          true,
		"https://0a1b2c.localhost:4002/a.example.com/": false,
	} {
		if passes(t, rules, address, "http://127.0.0.1:4001/") != want {
			t.Errorf("%s: passes %v", address, !want)
		}
	}
	for _, bad := range []string{"", "*", "https://", "https://*", "https://*.example.com", "http://a.example.com", "https://a.example.com/", "https://a.example.com:443", "https://me@a.example.com", "https://A.example.com", ".*"} {
		if _, err := filterRules("http://127.0.0.1:1/", "", []string{bad}); err == nil {
			t.Errorf("%q was taken as an origin", bad)
		}
	}
}
