import { Box, Cpu } from "lucide-react";
import { useEffect, useState, type CSSProperties, type ReactNode } from "react";
import { cx } from "./classes";

interface AppIconProps {
  readonly id: string;
  /** svg is the package's picture. It is shown as an image and never becomes part of the page. */
  readonly svg?: Uint8Array | undefined;
  readonly size?: 16 | 20 | 24 | 28 | 36 | 44;
}

/** hueOf gives every app id its own plate colour, the same on every computer. */
export function hueOf(id: string): number {
  let h = 2166136261;
  for (let i = 0; i < id.length; i++) h = Math.imul(h ^ id.charCodeAt(i), 16777619) >>> 0;
  return h % 360;
}

/** AppIcon is an app's picture on our plate. The kernel has a plate of its own. */
export function AppIcon({ id, svg, size = 20 }: AppIconProps): ReactNode {
  const [src, setSrc] = useState("");
  useEffect(() => {
    if (svg === undefined || svg.length === 0) return setSrc("");
    const url = URL.createObjectURL(new Blob([new Uint8Array(svg)], { type: "image/svg+xml" }));
    setSrc(url);
    return () => URL.revokeObjectURL(url);
  }, [svg]);
  const kernel = id === "" || id === "kernel";
  const style = { "--h": hueOf(id) } as CSSProperties;
  const Glyph = kernel ? Cpu : Box;
  return (
    <span className={cx("app", size !== 20 && `s${size}`, kernel && "kernel")} style={style} aria-hidden>
      {src === "" ? <Glyph className="i" /> : <img src={src} alt="" />}
    </span>
  );
}
