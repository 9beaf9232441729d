import type { Frame as FrameRow } from "../wire/neutron/link/v1/link_pb";
import { Peer } from "../port/peer";
import type { Bucket } from "./bucket";
import { Hints } from "./hints";
import type { FrameEnd, Rect } from "./signature";

// Every powerful feature, denied by name: WebKit ignores the header and reads only this attribute.
const denied =
  "accelerometer autoplay camera clipboard-read clipboard-write display-capture encrypted-media fullscreen gamepad " +
  "geolocation gyroscope hid idle-detection local-fonts magnetometer microphone midi payment picture-in-picture publickey-credentials-get " +
  "screen-wake-lock serial storage-access usb web-share window-management xr-spatial-tracking";

/** createIframe makes the cage: an opaque document that may run scripts and nothing else. It is not yet in the page. */
export function createIframe(row: FrameRow, label: string): HTMLIFrameElement {
  const iframe = document.createElement("iframe");
  iframe.setAttribute("sandbox", "allow-scripts");
  iframe.setAttribute("allow", denied.split(" ").map((name) => `${name} 'none'`).join("; "));
  iframe.setAttribute("referrerpolicy", "no-referrer");
  iframe.title = label;
  iframe.className = "frame";
  iframe.style.position = "absolute";
  iframe.style.border = "0";
  iframe.style.display = "none";
  // It is painted once its page knows the theme (rule T4).
  iframe.style.visibility = "hidden";
  iframe.src = row.url;
  return iframe;
}

/** Frame is one iframe of the registry and the life of its port. */
export class Frame {
  /** connection counts handshakes; 0 before the first. */
  connection = 0;
  peer: Peer | null = null;
  loads = 0;
  thefts = 0;
  readonly hints = new Hints(performance.now());
  readonly ended: Promise<FrameEnd>;
  #settle: (end: FrameEnd) => void = () => {};
  #over = false;

  constructor(
    readonly row: FrameRow,
    readonly iframe: HTMLIFrameElement,
    readonly bucket: Bucket,
  ) {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get id(): string {
    return this.row.frameId;
  }

  /** over says that the frame is gone. */
  get over(): boolean {
    return this.#over;
  }

  /** place moves the iframe. It is never taken out of its parent: that would load it anew. */
  place(rect: Rect | null): void {
    const { style } = this.iframe;
    if (rect === null) {
      style.display = "none";
      return;
    }
    style.left = `${rect.x}px`;
    style.top = `${rect.y}px`;
    style.width = `${Math.max(0, rect.width)}px`;
    style.height = `${Math.max(0, rect.height)}px`;
    style.display = "";
  }

  /** reveal lets the frame be painted where it is placed. */
  reveal(): void {
    this.iframe.style.visibility = "";
  }

  /** end closes the port and removes the iframe. Only the first call has an effect; it says whether it was that one. */
  end(end: FrameEnd): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.peer?.close();
    this.peer = null;
    this.iframe.remove();
    this.#settle(end);
    return true;
  }
}
