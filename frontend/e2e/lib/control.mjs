// A host without defences, for the positive controls: the same hostile page in a page that leaves out one thing.
// What an attack does here it would do to Neutron if that one defence were off.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { root } from "./process.mjs";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json" };

// The host's page. It takes any "ready" from anywhere as its first frame's, believes what a payload says about its
// sender, and answers a second handshake with the first one's identity.
const page = (sandbox, src) => `<!doctype html><meta charset=utf-8><title>Control</title>
<iframe id=f ${sandbox === null ? "" : `sandbox="${sandbox}"`} src="${src}" width=600 height=400></iframe>
<script>
const seen = [];
addEventListener("message", (e) => {
  seen.push({ type: e.data?.type, own: e.source === f.contentWindow });
  if (e.data?.type !== "neutron:msgbus:ready") return;
  const c = new MessageChannel();
  c.port1.onmessage = (m) => {
    const { id, payload, caller } = m.data;
    c.port1.postMessage({ type: "response", id, ok: { caller: caller ?? payload?.payload?.caller ?? "app:hostile", echo: payload } });
  };
  e.source.postMessage({ type: "neutron:msgbus:connect", version: 1, sessionId: "controlcontrolcontrol" }, "*", [c.port2]);
});
</script>`;

// A page of two frames: the hostile one, and one that takes a port from whoever sends it.
const pair = (src) => `<!doctype html><meta charset=utf-8><title>Control</title>
<iframe sandbox="allow-scripts" src="${src}"></iframe><iframe sandbox="allow-scripts" src="/victim"></iframe>
<script>onmessage = (e) => e.data?.type === "neutron:msgbus:ready" && e.source.postMessage({ type: "neutron:msgbus:connect", version: 1, sessionId: "controlcontrolcontrol" }, "*", [new MessageChannel().port2])</script>`;
const victim = `<!doctype html><title>Victim</title><script>onmessage = (e) => e.ports[0]?.postMessage({ secret: "what only the shell should hear" })</script>`;

/** Starts it. `requests` lists what arrived at any of its addresses. */
export function openControl() {
  const requests = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://control");
    requests.push({ method: request.method, path: url.pathname, query: url.search, origin: request.headers.origin, upgrade: request.headers.upgrade });
    const send = (code, type, body) => response.writeHead(code, { "Content-Type": type, "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" }).end(body);
    if (url.pathname === "/host") return send(200, types[".html"], page(url.searchParams.get("sandbox"), url.searchParams.get("src")));
    if (url.pathname === "/pair") return send(200, types[".html"], pair(url.searchParams.get("src")));
    if (url.pathname === "/victim") return send(200, types[".html"], victim);
    if (url.pathname === "/blank") return send(200, types[".html"], "<!doctype html><title>Elsewhere</title>elsewhere");
    if (url.pathname === "/app/sw.js") return send(200, types[".js"], `addEventListener("fetch", () => {});`);
    if (url.pathname.startsWith("/app/")) {
      const path = normalize(url.pathname.slice(5));
      try {
        return send(200, types[extname(path)] ?? "application/octet-stream", readFileSync(join(root, "examples/build/hostile", path)));
      } catch {
        return send(404, "text/plain", "no");
      }
    }
    return send(200, "text/plain", "taken");
  });
  // Takes every WebSocket, whoever asks.
  const sockets = new Set();
  server.on("upgrade", (request, socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    requests.push({ method: "GET", path: request.url, origin: request.headers.origin, upgrade: "websocket" });
    import("node:crypto").then(({ createHash }) => {
      const accept = createHash("sha1").update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    });
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      const base = `http://127.0.0.1:${port}`;
      done({
        port,
        base,
        elsewhere: `http://elsewhere.localhost:${port}`,
        requests,
        /** The address of the host page around a page of the hostile app, with that sandbox attribute (null: none). */
        host: (sandbox = "allow-scripts", file = "index.html") =>
          `${base}/host?${sandbox === null ? "" : `sandbox=${encodeURIComponent(sandbox)}&`}src=${encodeURIComponent(`http://frame.localhost:${port}/app/${file}`)}`,
        pair: () => `${base}/pair?src=${encodeURIComponent(`http://frame.localhost:${port}/app/index.html`)}`,
        close() {
          for (const socket of sockets) socket.destroy();
          server.closeAllConnections();
          return new Promise((end) => server.close(end));
        },
      });
    }),
  );
}
