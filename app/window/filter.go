package window

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"neutron/kernel/fault"
)

// rule is one entry of a WebKit content blocker.
type rule struct {
	Trigger struct {
		Filter string   `json:"url-filter"`
		Case   bool     `json:"url-filter-is-case-sensitive"`
		IfTop  []string `json:"if-top-url,omitempty"`
	} `json:"trigger"`
	Action struct {
		Type string `json:"type"`
	} `json:"action"`
}

func block(filter string) (r rule) {
	r.Trigger.Filter, r.Trigger.Case, r.Action.Type = filter, true, "block"
	return r
}

func pass(filter string, ifTop ...string) (r rule) {
	r.Trigger.Filter, r.Trigger.Case, r.Trigger.IfTop = filter, true, ifTop
	r.Action.Type = "ignore-previous-rules"
	return r
}

// origin is scheme://host[:port] of an address, in lower case.
func origin(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return "", fault.New("window.origin", fault.InvalidRequest, "", "A shell or sandbox address is not an http address.")
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

// filterRules makes the content filter: everything is blocked but the shell's origin, its WebSocket,
// labels of the sandbox listener, the declared https origins, and what carries its own bytes. Which
// frame may reach which origin is its policy's matter. wails: passes only for the
// bootstrap page itself; a preload hint would otherwise reach it from any frame, past every CSP.
func filterRules(shell, sandbox string, declared []string) ([]byte, error) {
	w, err := origin(shell)
	if err != nil {
		return nil, err
	}
	rules := []rule{
		block(".*"),
		pass("^wails://wails/", "^wails://wails/"),
		pass("^" + regexp.QuoteMeta(w) + "/"),
		pass("^ws" + regexp.QuoteMeta(strings.TrimPrefix(w, "http")) + "/"),
		pass("^data:"), pass("^blob:"), pass("^about:"),
	}
	if sandbox != "" {
		s, err := origin(strings.Replace(sandbox, "://*.", "://label.", 1))
		if err != nil {
			return nil, err
		}
		host := strings.Replace(regexp.QuoteMeta(s), "://label\\.", "://[0-9a-z]+\\.", 1)
		rules = append(rules, pass("^"+host+"/"))
	}
	for _, d := range declared {
		o, err := origin(d)
		if err != nil || o != d || !strings.HasPrefix(o, "https://") || strings.Contains(o, "*") || strings.Count(o, ":") != 1 {
			return nil, fault.New("window.filterRules", fault.InvalidRequest, "", "A declared origin is not an https origin.")
		}
		rules = append(rules, pass("^"+regexp.QuoteMeta(o)+"/"))
	}
	return json.Marshal(rules)
}
