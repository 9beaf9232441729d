package link

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// policyFor is the shell's Content-Security-Policy. Trusted Types close the DOM's
// script sinks; the frame wildcard names the sandbox listener's labels and nothing else.
func policyFor(shell *url.URL, sandbox string) string {
	ws := "ws://"
	if shell.Scheme == "https" {
		ws = "wss://"
	}
	return fmt.Sprintf("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "+
		"connect-src 'self' %s%s; frame-src %s; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types neutron", ws, shell.Host, sandbox)
}

// denied lists the powerful features that no page of ours uses. The shell writes
// the clipboard in a browser, so that one stays with itself.
const denied = "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), " +
	"clipboard-write=(self), display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), geolocation=(), " +
	"gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), " +
	"picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()"

func setHeaders(h http.Header, csp string) {
	h.Set("Content-Security-Policy", csp)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Permissions-Policy", denied)
	h.Set("Cache-Control", "no-store")
}

// contentTypes is the fixed table; a file of another kind is not served.
var contentTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".mjs":   "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".json":  "application/json",
	".map":   "application/json",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".jpg":   "image/jpeg",
	".webp":  "image/webp",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
	".wasm":  "application/wasm",
	".txt":   "text/plain; charset=utf-8",
}

func contentType(name string) (string, bool) {
	t, ok := contentTypes[strings.ToLower(path.Ext(name))]
	return t, ok
}
