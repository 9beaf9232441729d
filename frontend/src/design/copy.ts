import { t } from "./strings";
import { toast } from "./toast";

/** copyText writes to the clipboard and says so; without the right to, it says that. */
export function copyText(text: string, said: string = t.copied): void {
  const write = globalThis.navigator?.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
  write.then(
    () => toast(said),
    () => toast(t.copyFailed),
  );
}
