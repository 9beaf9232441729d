import type { Broker } from "../broker/signature";
import type { SheetGuard } from "../design/guardedSheet";
import type { Link } from "../link/signature";

/** createGuard joins what the broker does with frames and what the link brings of held keys. */
export function createGuard(link: Link, broker: Broker): SheetGuard {
  let open = 0;
  return {
    hold(dialog, refuse, onTheft, onKey) {
      if (++open === 1) broker.inert(true);
      const unwatch = broker.watchKeyboard(dialog, onTheft, refuse);
      const unhear = link.on("nativeKey", (k) => {
        if (!k.shortcut) onKey({ key: k.key, alt: k.alt, ctrl: k.ctrl, shift: k.shift, meta: k.meta, repeat: false });
      });
      return () => {
        unhear();
        unwatch();
        if (--open === 0) broker.inert(false);
      };
    },
  };
}
