import type { ReactNode } from "react";
import { RiskRow } from "../design/riskRow";
import { t } from "../design/strings";
import type { Risk } from "../wire/neutron/link/v1/link_pb";

/** RiskList shows what a package may do, highest first whatever the order it came in. */
export function RiskList({ risks }: { readonly risks: readonly Risk[] }): ReactNode {
  const sorted = [...risks].sort((a, b) => b.level - a.level);
  return (
    <ul className="panel">
      {sorted.map((r) => (
        <RiskRow key={r.title + r.fact} level={r.level} title={r.title} consequence={r.consequence} fact={r.fact} />
      ))}
      {sorted.length === 0 && <RiskRow level={1} title={t.install.mayNothing} consequence="" fact="" />}
    </ul>
  );
}
