import { useCallback, useEffect, useRef, useState } from "react";
import { KernelError } from "../link/kernelError";

/** Read is where a question to the kernel stands. The last good answer stays while a newer one is under way. */
export type Read<T> =
  | { readonly is: "loading" }
  | { readonly is: "ready"; readonly value: T }
  | { readonly is: "failed"; readonly code: string; readonly message: string };

/** useRead asks when the page opens and whenever `key` changes. A late answer to an old key is dropped. */
export function useRead<T>(ask: () => Promise<T>, key: string): readonly [Read<T>, () => void] {
  const [read, setRead] = useState<Read<T>>({ is: "loading" });
  const asking = useRef(ask);
  const turn = useRef(0);
  useEffect(() => {
    asking.current = ask;
  });
  const again = useCallback(() => {
    const mine = ++turn.current;
    asking.current().then(
      (value) => {
        if (mine === turn.current) setRead({ is: "ready", value });
      },
      (err: unknown) => {
        if (mine !== turn.current) return;
        const known = err instanceof KernelError;
        setRead((was) => (was.is === "ready" ? was : { is: "failed", code: known ? err.code : "INTERNAL", message: known ? err.message : String(err) }));
      },
    );
  }, []);
  useEffect(() => {
    setRead({ is: "loading" });
    again();
    return () => {
      turn.current++;
    };
  }, [again, key]);
  return [read, again];
}
