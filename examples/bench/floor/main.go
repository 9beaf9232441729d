// Command floor serves what the product is measured against: bare frames with a port that echoes, a
// WebSocket that echoes, and a page with the frames of the memory measurement. It prints its port.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/gorilla/websocket"
)

const floorPage = `<!doctype html><meta charset=utf-8><title>Floor</title>
<iframe id=f sandbox="allow-scripts"></iframe>
<script type=module>
import { batch, payload } from "/payload.js";
const port = await new Promise((done) => {
  addEventListener("message", (e) => {
    if (e.source !== f.contentWindow) return;
    const c = new MessageChannel();
    e.source.postMessage("connect", "*", [c.port2]);
    done(c.port1);
  });
  f.src = "http://one.localhost:PORT/echo.html"; // not before somebody listens
});
const socket = new WebSocket("ws://127.0.0.1:PORT/ws");
socket.binaryType = "arraybuffer";
await new Promise((done) => (socket.onopen = done));
const overPort = (v) => new Promise((done) => { port.onmessage = (e) => done(e.data); port.postMessage(v); });
const overSocket = (b) => new Promise((done) => { socket.onmessage = (e) => done(e.data); socket.send(b); });
globalThis.floor = async (bytes, ms) => {
  const value = payload(bytes);
  const binary = new TextEncoder().encode(JSON.stringify(value));
  return { port: await batch(() => overPort(value), ms / 2), socket: await batch(() => overSocket(binary), ms / 2) };
};
globalThis.ready = true;
</script>`

const echoPage = `<!doctype html><title>Echo</title><script>
onmessage = (e) => { const p = e.ports[0]; if (p) p.onmessage = (m) => p.postMessage(m.data); };
parent.postMessage("ready", "*");
</script>`

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	page := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, strings.ReplaceAll(text, "PORT", port))
		}
	}
	http.HandleFunc("/floor", page(floorPage))
	http.HandleFunc("/echo.html", page(echoPage))
	http.HandleFunc("/frames", page(framesPage()))
	http.HandleFunc("/payload.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "examples/bench/payload.js") })
	built := http.StripPrefix("/app/", http.FileServer(http.Dir("examples/build/bench")))
	http.HandleFunc("/app/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*") // an opaque frame loads modules with CORS
		built.ServeHTTP(w, r)
	})
	http.HandleFunc("/ws", echo)
	fmt.Println(port)
	log.Fatal(http.Serve(l, nil))
}

// framesPage holds a tile and a background of eight apps, each app on a name of its own, as in Neutron.
func framesPage() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset=utf-8><title>Frames</title>`)
	for i := range 8 {
		fmt.Fprintf(&b, `<iframe sandbox="allow-scripts" src="http://app%d.localhost:PORT/app/index.html" width=300 height=200></iframe>`, i)
		fmt.Fprintf(&b, `<iframe sandbox="allow-scripts" src="http://app%d.localhost:PORT/app/background.html" style="display:none"></iframe>`, i)
	}
	return b.String()
}

func echo(w http.ResponseWriter, r *http.Request) {
	u := websocket.Upgrader{ReadBufferSize: 64 << 10, WriteBufferSize: 64 << 10}
	c, err := u.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	for {
		kind, b, err := c.ReadMessage()
		if err != nil || c.WriteMessage(kind, b) != nil {
			return
		}
	}
}
