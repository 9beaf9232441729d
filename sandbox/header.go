package sandbox

import (
	"net/http"
	"strings"
)

const typeHTML = "text/html; charset=utf-8"

// PermissionsPolicy denies every powerful feature to the frame and to its
// children. A name that Chromium 156 does not know is left out, since it would
// complain in every page's console; its default denies such a frame anyway.
const PermissionsPolicy = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), " +
	"clipboard-read=(), clipboard-write=(), compute-pressure=(), cross-origin-isolated=(), display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), " +
	"geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), idle-detection=(), keyboard-map=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), " +
	"otp-credentials=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), " +
	"speaker-selection=(), storage-access=(), sync-xhr=(), usb=(), window-management=(), xr-spatial-tracking=()"

// ContentSecurityPolicy is the policy of every file of an app. It never says
// 'self': in an opaque document WebKitGTK 2.50 matches 'self' with nothing at
// all, and Chromium would let it open a WebSocket to us. The label's own origin
// is spelled out instead. declared are the origins that the installation may
// connect to; one that is not spelled as an https origin is left out.
func ContentSecurityPolicy(own, shell string, declared ...string) string {
	return "sandbox allow-scripts; default-src 'none'" +
		"; script-src " + own + " 'unsafe-inline' 'wasm-unsafe-eval'" +
		"; style-src " + own + " 'unsafe-inline'" +
		"; img-src " + own + " data: blob:" +
		"; font-src " + own + " data:" +
		"; media-src " + own + " data: blob:" +
		"; worker-src " + own + " blob:" +
		"; connect-src " + own + " data: blob:" + sources(declared) +
		"; frame-src 'none'; base-uri 'none'; form-action 'none'" +
		"; frame-ancestors " + shell
}

// sources writes origins behind the others of a directive. Whoever looked them up
// judged them; a character that could end the directive is refused here all the same.
func sources(declared []string) string {
	var b strings.Builder
	for _, o := range declared {
		host, ok := strings.CutPrefix(o, "https://")
		if !ok || host == "" || strings.ContainsFunc(host, notHost) {
			continue
		}
		b.WriteByte(' ')
		b.WriteString(o)
	}
	return b.String()
}

func notHost(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-')
}

// setHeaders writes the headers of a file that is served. An opaque frame can
// load nothing without CORP cross-origin and a starred ACAO; what keeps others
// out is the label and the gates.
func setHeaders(h http.Header, own, shell, contentType string, declared []string) {
	h.Set("Content-Security-Policy", ContentSecurityPolicy(own, shell, declared...))
	h.Set("Content-Type", contentType)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Origin-Agent-Cluster", "?1")
	h.Set("Cache-Control", "no-store")
	h.Set("Permissions-Policy", PermissionsPolicy)
}
