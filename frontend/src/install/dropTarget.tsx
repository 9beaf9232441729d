import { useEffect, useState, type ReactNode } from "react";
import { t } from "../design/strings";
import { toast } from "../design/toast";

interface DropTargetProps {
  readonly onFile: (file: File) => void;
}

/** DropTarget takes a .neutron file dropped anywhere on the shell's own pixels. */
export function DropTarget({ onFile }: DropTargetProps): ReactNode {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const carries = (e: DragEvent): boolean => e.dataTransfer?.types.includes("Files") ?? false;
    const enter = (e: DragEvent): void => {
      if (!carries(e)) return;
      depth++;
      setOver(true);
    };
    const leave = (e: DragEvent): void => {
      if (!carries(e)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const hover = (e: DragEvent): void => {
      if (carries(e)) e.preventDefault();
    };
    const drop = (e: DragEvent): void => {
      if (!carries(e)) return;
      e.preventDefault();
      depth = 0;
      setOver(false);
      const file = e.dataTransfer?.files[0];
      if (file === undefined || !e.isTrusted) return;
      if (file.name.endsWith(".neutron")) onFile(file);
      else toast(t.install.notPackage);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", hover);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", hover);
      removeEventListener("drop", drop);
    };
  }, [onFile]);
  return over ? (
    <div className="dropping">
      <p className="h-md">{t.install.drop}</p>
    </div>
  ) : null;
}

/** pickFile opens the browser's file chooser. It must run in a click or key of the owner. */
export function pickFile(onFile: (file: File) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".neutron";
  input.hidden = true;
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.remove();
    if (file !== undefined) onFile(file);
  });
  input.addEventListener("cancel", () => input.remove());
  // In the page while the chooser is open: a loose element may be collected before its answer comes.
  document.body.append(input);
  input.click();
}
