package valid

import (
	"net/netip"
	"strconv"
	"strings"

	"neutron/kernel/fault"
	"neutron/kernel/limit"
)

// Origin checks an https origin that an app may declare, and gives its host. There
// is one spelling: https:// and a name in lower case, in ASCII, with a dot, without
// port, path, user or wildcard. Addresses made of numbers and names that only ever
// mean this computer or its network are refused; what a name resolves to is judged
// by whoever connects, each time.
func Origin(s string) (host string, err error) {
	host, ok := strings.CutPrefix(s, "https://")
	if !ok {
		return "", badOrigin(s, "must begin with https:// in lower case")
	}
	for _, c := range []struct{ chars, rule string }{
		{"@", "may name no user"}, {"*", "may hold no wildcard: name each host"}, {"/?#\\", "must end behind the host"},
		{":[]", "may name no port and no IPv6 address"},
	} {
		if strings.ContainsAny(host, c.chars) {
			return "", badOrigin(s, c.rule)
		}
	}
	if host == "" || len(host) > limit.OriginHost {
		return "", badOrigin(s, "needs a host of at most 253 characters")
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || !all(l, hostByte) || l[0] == '-' || l[len(l)-1] == '-' {
			return "", badOrigin(s, "must have a host of lower-case ASCII labels; write other scripts as xn--")
		}
	}
	last := labels[len(labels)-1]
	switch {
	case numeric(last):
		return "", badOrigin(s, "must name its host; an address of numbers tells the owner nothing")
	case len(labels) < 2 || localNames[last] || strings.HasSuffix(host, ".home.arpa"):
		return "", badOrigin(s, "names this computer or its network; only hosts of the internet can be declared")
	}
	return host, nil
}

// badOrigin names the rule, and quotes the offender shortly and in ASCII.
func badOrigin(s, rule string) error {
	if len(s) > 96 {
		s = s[:96] + "…"
	}
	return fault.Newf(opName, fault.InvalidRequest, "", "The origin %s %s.", strconv.QuoteToASCII(s), rule)
}

// localNames are top-level names that lead to no host of the internet.
var localNames = map[string]bool{
	"localhost": true, "local": true, "localdomain": true, "internal": true, "intranet": true, "lan": true, "home": true, "corp": true, "private": true,
	"test": true, "example": true, "invalid": true, "onion": true, "alt": true, "arpa": true,
}

// numeric reports whether a browser takes a host with this last label for an IPv4 address.
func numeric(label string) bool {
	if all(label, func(b byte) bool { return b >= '0' && b <= '9' }) {
		return true
	}
	hex, ok := strings.CutPrefix(label, "0x")
	return ok && all(hex, func(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' })
}

func hostByte(b byte) bool { return lowerDigit(b) || b == '-' }

// notPublic are the ranges that are special by the IANA registries and that
// netip's own predicates do not name. NAT64, 6to4 and Teredo carry an IPv4
// address inside, which nobody judged.
var notPublic = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fec0::/10",
)

func prefixes(list ...string) (out []netip.Prefix) {
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// PublicAddr reports whether an address is one of the public internet. It refuses
// with DENIED whatever is this computer's, its network's, or of special use.
func PublicAddr(a netip.Addr) error {
	a = a.Unmap()
	ok := a.IsValid() && a.Zone() == "" && a.IsGlobalUnicast() && !a.IsPrivate()
	for _, p := range notPublic {
		ok = ok && !p.Contains(a)
	}
	if !ok {
		return fault.Newf("valid.address", fault.Denied, a.String(), "%s is no address of the public internet.", a)
	}
	return nil
}
