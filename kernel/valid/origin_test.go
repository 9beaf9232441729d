package valid_test

import (
	"net/netip"
	"strings"
	"testing"

	"neutron/kernel/fault"
	"neutron/kernel/valid"
)

func TestOrigin(t *testing.T) {
	long := strings.Repeat("a.", 125) + "com" // 253 characters
	table(t, func(s string) error { _, err := valid.Origin(s); return err },
		[]string{
			"https://api.example.com", "https://example.org", "https://a-b.c1.example.net", "https://xn--mnchen-3ya.de", "https://0x.com", "https://1.2.3.com",
			"https://" + long, "https://localhost.example.com",
		},
		[]string{
			"", "example.com", "http://example.com", "HTTPS://example.com", "https:example.com", "https:/example.com", "https://", "wss://example.com",
			"https://Example.com", "https://example.com/", "https://example.com/x", "https://example.com?x", "https://example.com#x", `https://example.com\x`,
			"https://user@example.com", "https://user:pw@example.com", "https://*.example.com", "https://*", "https://example.*",
			"https://example.com:443", "https://example.com:8443", "https://example.com:", "https://example.com.", "https://.example.com", "https://a..com",
			"https://-a.com", "https://a-.com", "https://a_b.com", "https://exa mple.com", "https://münchen.de", "https://e\u0301.com", "https://example.com\n",
			"https://example.com;script-src *", "https://example.com,https://b.com", "https://a%2eb.com", "https://" + strings.Repeat("a", 64) + ".com",
			"https://a" + long, " https://example.com", "https://'none'",
			"https://127.0.0.1", "https://10.0.0.1", "https://8.8.8.8", "https://0x7f.1", "https://1.2.3.0x4", "https://2130706433", "https://[::1]", "https://a.1",
			"https://localhost", "https://x.localhost", "https://printer.local", "https://metadata.google.internal", "https://nas.lan", "https://router.home.arpa",
			"https://intranet", "https://a.test", "https://a.onion", "https://1.0.0.127.in-addr.arpa",
		})
}

func TestPublicAddr(t *testing.T) {
	for s, want := range map[string]bool{
		"8.8.8.8": true, "93.184.216.34": true, "172.32.0.1": true, "100.128.0.1": true, "2606:4700::1111": true, "2a00:1450::1": true,
		"127.0.0.1": false, "127.255.0.1": false, "0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false,
		"169.254.169.254": false, "100.64.0.1": false, "192.0.0.8": false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.7": false, "203.0.113.9": false,
		"224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:8.8.8.8": true, "::127.0.0.1": false, "fe80::1": false,
		"fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "fec0::1": false, "ff02::1": false, "64:ff9b::7f00:1": false, "64:ff9b:1::1": false,
		"2002:7f00:1::": false, "2001:0:4136::1": false, "2001:db8::1": false, "100::1": false, "2606::1%x": false,
	} {
		err := valid.PublicAddr(netip.MustParseAddr(s))
		if (err == nil) != want || err != nil && fault.CodeOf(err) != fault.Denied {
			t.Errorf("%s: %v", s, err)
		}
	}
	if valid.PublicAddr(netip.Addr{}) == nil {
		t.Error("no address passes")
	}
}
