// Speaks the port protocol by hand, so that a test can say what the SDK would never say.

const waiting = new Map();
const heard = []; // whatever came that nobody waited for
const strays = []; // window messages that did not come from the parent
let port = null;
let connections = 0;
export const ports = []; // every port it was ever given, the dead ones too
let next = 1;
let onExec = () => undefined;
let connected;
export const ready = new Promise((done) => (connected = done));

addEventListener("message", (e) => {
  if (e.source !== parent) {
    strays.push(e.data);
    return;
  }
  if (e.data?.type !== "neutron:msgbus:connect" || !e.ports[0]) return;
  connections += 1;
  port = e.ports[0];
  ports.push(port);
  port.onmessage = ({ data }) => {
    const settle = waiting.get(data?.id);
    if (data?.type === "response" && settle) {
      waiting.delete(data.id);
      settle(data);
    } else if (data?.type === "exec" && data.payload?.action === "ping") {
      port.postMessage({ type: "response", id: data.id, ok: {} });
    } else if (data?.type === "exec") {
      void Promise.resolve(onExec(data)).then((answer) => answer && port.postMessage(answer));
    } else {
      heard.push(data);
    }
  };
  connected(connections);
});

/** Says that the page is ready, as often as it likes. */
export const knock = () => parent.postMessage({ type: "neutron:msgbus:ready", version: 1 }, "*");

/** Posts any value. */
export const post = (value, transfer = []) => port.postMessage(value, transfer);

/** Posts an exec with anything in it and waits for its response; undefined when none came. */
export function exec(action, payload, { wait = 8000, context, extra = {}, id = next++ } = {}) {
  return new Promise((done) => {
    const timer = setTimeout(() => {
      waiting.delete(id);
      done(undefined);
    }, wait);
    waiting.set(id, (answer) => {
      clearTimeout(timer);
      done(answer);
    });
    post({ type: "exec", id, payload: { action, payload, ...(context ? { context } : {}) }, ...extra });
  });
}

export const answerExecs = (fn) => (onExec = fn);
export const counters = () => ({ connections, strays, heard: heard.splice(0) });
