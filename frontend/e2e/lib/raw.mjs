// Requests with exactly these headers and this path, which no browser and no fetch would send.
import { connect } from "node:net";

/** Sends one HTTP/1.1 request to a loopback port; the path is not normalised. */
export function raw(port, path, headers = {}, { method = "GET", body = "" } = {}) {
  return new Promise((done, fail) => {
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    const lines = Object.entries({ ...headers, ...(body ? { "content-length": Buffer.byteLength(body) } : {}) }).map(([k, v]) => `${k}: ${v}`);
    socket.setTimeout(5000, () => socket.destroy(new Error("no answer")));
    socket.on("data", (d) => (text += d.toString("latin1")));
    socket.on("error", fail);
    socket.on("close", () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
      done({ status, head: text.split("\r\n\r\n")[0] ?? "", body: text.slice(text.indexOf("\r\n\r\n") + 4) });
    });
    socket.write([`${method} ${path} HTTP/1.1`, ...lines, "Connection: close", "", body].join("\r\n"));
  });
}

/** The headers of an engine's own requests, so that what is refused is refused for what the test changed. */
export const asAsset = (host) => ({ host, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" });
export const asPage = (host) => ({ host, "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" });
