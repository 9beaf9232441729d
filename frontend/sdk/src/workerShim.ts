/**
 * installWorkerShim lets an opaque frame start workers from its own files. Its origin is nobody's,
 * so `new Worker(url)` is refused everywhere and Chromium refuses module blobs too; a classic blob
 * that imports the file works in every engine. Messages that come before a module has loaded wait
 * for it. Blob and data addresses are left alone.
 */
export function installWorkerShim(scope: { Worker?: typeof Worker }): void {
  const Native = scope.Worker;
  if (Native === undefined) return;
  scope.Worker = class extends Native {
    constructor(url: string | URL, options: WorkerOptions = {}) {
      const address = new URL(url, location.href);
      if (!/^https?:$/.test(address.protocol)) {
        super(url, options);
        return;
      }
      const blob = new Blob([options.type === "module" ? moduleSource(address.href) : classicSource(address.href)], { type: "text/javascript" });
      const source = URL.createObjectURL(blob);
      super(source, options.name === undefined ? {} : { name: options.name });
    }
  };
}

/** classicSource is a script that runs a classic script. */
export function classicSource(href: string): string {
  return `importScripts(${JSON.stringify(href)})`;
}

/** moduleSource is a classic script that runs a module and keeps its messages until it runs. */
export function moduleSource(href: string): string {
  return [
    "const early=[],keep=e=>{early.push(e);e.stopImmediatePropagation()};addEventListener('message',keep);",
    `import(${JSON.stringify(href)}).then(()=>{removeEventListener('message',keep);`,
    "for(const e of early)dispatchEvent(new MessageEvent('message',{data:e.data,ports:[...e.ports]}))},",
    "e=>setTimeout(()=>{throw e}))",
  ].join("");
}
