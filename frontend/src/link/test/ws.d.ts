// The two classes of the package that the link's tests use: a real server and a real client.
declare module "ws" {
  import type { EventEmitter } from "node:events";
  export class WebSocketServer extends EventEmitter {
    constructor(options: { port: number; host: string });
    address(): { port: number };
    close(done?: () => void): void;
    on(event: "listening", fn: () => void): this;
    on(event: "connection", fn: (socket: WebSocket & EventEmitter) => void): this;
  }
  const Client: { new (url: string): WebSocket };
  export { Client as WebSocket };
}
