import type { ReactNode } from "react";
import { t } from "./strings";

const ground = "#f2e6cf";
const inks = ["#c8553d", "#1f6f78", "#e0b65c", "#c8553d", "#2d3142", "#1f6f78", "#e0b65c", "#c8553d"] as const;

/** quarter draws one quarter disc in the 5 × 5 cell at x, y; the corner says where its centre is. */
function quarter(x: number, y: number, corner: number): string {
  const [r, b] = [x + 5, y + 5];
  switch (corner) {
    case 0:
      return `M${x} ${y}h5a5 5 0 0 1-5 5z`;
    case 1:
      return `M${r} ${y}v5a5 5 0 0 1-5-5z`;
    case 2:
      return `M${r} ${b}h-5a5 5 0 0 1 5-5z`;
    default:
      return `M${x} ${b}v-5a5 5 0 0 1 5 5z`;
  }
}

interface OwnerMarkProps {
  readonly words: string;
  /** seed has one byte a cell: two bits of corner, three of ink. */
  readonly seed: Uint8Array;
  readonly size?: number;
}

/** OwnerMark is the picture by which the owner knows a real question: 4 × 4 quarter discs. */
export function OwnerMark({ words, seed, size = 22 }: OwnerMarkProps): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" role="img" aria-label={t.question.mark(words)}>
      <rect width="20" height="20" fill={ground} />
      {Array.from({ length: 16 }, (_, i) => {
        const byte = seed[i] ?? 0;
        return <path key={i} d={quarter((i % 4) * 5, Math.floor(i / 4) * 5, byte & 3)} fill={inks[(byte >> 2) & 7]} />;
      })}
    </svg>
  );
}

/** NeutronMark is the product's own sign. */
export function NeutronMark({ size = 16 }: { readonly size?: number }): ReactNode {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden>
      <circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="8" cy="5.3" r="1.55" fill="currentColor" />
      <circle cx="5.5" cy="9.6" r="1.2" fill="none" stroke="currentColor" strokeWidth=".9" />
      <circle cx="10.5" cy="9.6" r="1.2" fill="none" stroke="currentColor" strokeWidth=".9" />
    </svg>
  );
}
