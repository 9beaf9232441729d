package sandbox

import "net/http"

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
// is spelled out instead.
func ContentSecurityPolicy(own, shell string) string {
	return "sandbox allow-scripts; default-src 'none'" +
		"; script-src " + own + " 'unsafe-inline' 'wasm-unsafe-eval'" +
		"; style-src " + own + " 'unsafe-inline'" +
		"; img-src " + own + " data: blob:" +
		"; font-src " + own + " data:" +
		"; media-src " + own + " data: blob:" +
		"; worker-src " + own + " blob:" +
		"; connect-src " + own + " data: blob:" +
		"; frame-src 'none'; base-uri 'none'; form-action 'none'" +
		"; frame-ancestors " + shell
}

// setHeaders writes the headers of a file that is served. An opaque frame can
// load nothing without CORP cross-origin and a starred ACAO; what keeps others
// out is the label and the gates.
func setHeaders(h http.Header, own, shell, contentType string) {
	h.Set("Content-Security-Policy", ContentSecurityPolicy(own, shell))
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
