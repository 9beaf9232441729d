import * as port from "./port.js";

// Every attack is a function of `hostile`, called by the test through the engine's own driver. Each returns what it saw.

const caught = [];
const settle = (ms) => new Promise((done) => setTimeout(done, ms));
const attempt = async (fn) => {
  try {
    const value = await fn();
    return value === undefined ? "done" : String(value);
  } catch (e) {
    return `refused: ${e?.name ?? e}`;
  }
};

/** A child of this frame that runs a script: what a nested page or a popup would be. */
function child(script) {
  const f = document.createElement("iframe");
  f.srcdoc = `<script>${script}</${"script"}>`;
  document.body.append(f);
  return f;
}

const native = () => {
  const handlers = globalThis.webkit?.messageHandlers;
  return Boolean(handlers?.external || globalThis.chrome?.webview || globalThis.external?.invoke || globalThis.WailsInvoke);
};

globalThis.hostile = {
  ...port,
  mark: String(Math.random()),

  /** Cases 2 and 5: others say that they are ready. */
  async forge() {
    const forged = `onmessage=e=>{if(e.data?.type==="neutron:msgbus:connect")parent.postMessage({stolen:true},"*")};parent.parent.postMessage({type:"neutron:msgbus:ready",version:1},"*");parent.parent.postMessage({type:"neutron:msgbus:connect",version:1,sessionId:"forgedforgedforged"},"*")`;
    child(forged);
    const popup = open("about:blank");
    parent.postMessage({ type: "neutron:msgbus:ready", version: 2 }, "*");
    parent.postMessage({ type: "neutron:msgbus:ready", version: 1, app: "notes" }, "*");
    await settle(400);
    return { popup: popup !== null };
  },

  /** Case 5: a forged connect to every other frame of the page. What they then say is kept in `caught`. */
  spray() {
    let sent = 0;
    for (let i = 0; i < top.length; i++) {
      if (top[i] === self) continue;
      const c = new MessageChannel();
      c.port1.onmessage = (e) => caught.push(e.data);
      top[i].postMessage({ type: "neutron:msgbus:connect", version: 1, sessionId: "forgedforgedforged" }, "*", [c.port2]);
      sent += 1;
    }
    return sent;
  },
  caught: () => caught,

  /** Case 4: the last port but one still serves? */
  async oldPort() {
    const old = port.ports.at(-2);
    return new Promise((done) => {
      old.onmessage = (e) => done(e.data);
      old.postMessage({ type: "exec", id: 999_999, payload: { action: "ping", payload: {} } });
      setTimeout(() => done("dead"), 800);
    });
  },

  /** Case 6: leave for somewhere else. */
  go(to) {
    setTimeout(() => (location.href = to), 0);
    return true;
  },

  /** Case 9: the window's native door. */
  bridge() {
    let sent = 0;
    for (const message of ["Q", "BO:http://127.0.0.1/", 'C{"name":"x","args":[],"callbackID":"x"}', 'EE{"name":"x","data":[]}'])
      for (const door of [
        (m) => webkit.messageHandlers.external.postMessage(m),
        (m) => chrome.webview.postMessage(m),
        (m) => external.invoke(m),
        (m) => WailsInvoke(m),
      ])
        try {
          door(message);
          sent += 1;
        } catch {
          /* no such door */
        }
    return { has: native(), sent };
  },

  /** Cases 11 and 12: requests that leave the frame. */
  async reach(url) {
    const ws = await new Promise((done) => {
      try {
        const s = new WebSocket(url.replace("http", "ws"));
        s.onopen = () => done("open");
        s.onerror = () => done("refused");
        setTimeout(() => done("refused: silent"), 1500);
      } catch (e) {
        done(`refused: ${e.name}`);
      }
    });
    return {
      ws,
      get: await attempt(() => fetch(url, { mode: "no-cors" }).then(() => "sent")),
      post: await attempt(() => fetch(url, { mode: "no-cors", method: "POST", body: "x" }).then(() => "sent")),
      image: await new Promise((done) => {
        const i = new Image();
        i.onload = () => done("loaded");
        i.onerror = () => done("refused");
        i.src = url;
      }),
    };
  },

  /** Cases 15 and 16: anything that would outlive the page, or be shared with another app. */
  async storage() {
    return {
      local: await attempt(() => localStorage.setItem("a", "1")),
      session: await attempt(() => sessionStorage.setItem("a", "1")),
      cookie: await attempt(() => {
        document.cookie = "a=1";
        if (!document.cookie.includes("a=1")) throw new DOMException("", "SecurityError");
      }),
      idb: await attempt(() => new Promise((ok, no) => {
        const r = indexedDB.open("a");
        r.onsuccess = () => ok("done");
        r.onerror = () => no(r.error);
      })),
      caches: await attempt(() => caches.open("a").then(() => "done")),
      worker: await attempt(() => navigator.serviceWorker.register("./sw.js").then(() => "done")),
      shared: await attempt(() => {
        new SharedWorker("./sw.js");
      }),
    };
  },

  /** Case 22: out of the frame. */
  async escape(url) {
    const form = (target) => attempt(() => {
      const f = document.createElement("form");
      f.action = url;
      f.target = target;
      document.body.append(f);
      f.submit();
      return "submitted";
    });
    const link = (target) => attempt(() => {
      const a = document.createElement("a");
      a.href = url;
      a.target = target;
      document.body.append(a);
      a.click();
      return "clicked";
    });
    return {
      top: await attempt(() => {
        top.location = url;
      }),
      popup: await attempt(() => {
        if (!open(url)) throw new DOMException("", "NotAllowedError");
      }),
      formTop: await form("_top"),
      formBlank: await form("_blank"),
      linkTop: await link("_top"),
      linkBlank: await link("_blank"),
      opener: String(globalThis.opener),
      shellDom: await attempt(() => parent.document.title),
      shellHref: await attempt(() => parent.location.href),
    };
  },
};

port.knock();
await port.ready;
document.querySelector("#page").textContent = "connected";
