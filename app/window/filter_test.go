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
	rules, err := filterRules("http://127.0.0.1:4001/#boot=00", "http://*.localhost:4002")
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
		if _, err := filterRules(bad, ""); err == nil {
			t.Errorf("%q was taken as the shell's address", bad)
		}
	}
	if _, err := filterRules("http://127.0.0.1:1/", "nonsense"); err == nil {
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
