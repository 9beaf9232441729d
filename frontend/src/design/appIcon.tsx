import { Box, Cpu } from "lucide-react";
import { useMemo, type CSSProperties, type ReactNode } from "react";
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

const decoder = new TextDecoder();

/** pictureOf makes an address of the picture that is there at once: a later one would flash. As an image it runs no script. */
function pictureOf(svg: Uint8Array | undefined): string {
  return svg === undefined || svg.length === 0 ? "" : `data:image/svg+xml,${encodeURIComponent(decoder.decode(svg))}`;
}

/** AppIcon is an app's picture on our plate. The kernel has a plate of its own. */
export function AppIcon({ id, svg, size = 20 }: AppIconProps): ReactNode {
  const src = useMemo(() => pictureOf(svg), [svg]);
  const kernel = id === "" || id === "kernel";
  const style = { "--h": hueOf(id) } as CSSProperties;
  const Glyph = kernel ? Cpu : Box;
  return (
    <span className={cx("app", size !== 20 && `s${size}`, kernel && "kernel")} style={style} aria-hidden>
      {src === "" ? <Glyph className="i" /> : <img src={src} alt="" />}
    </span>
  );
}
