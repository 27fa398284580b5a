import { Suspense } from "react";
import { later } from "../data/later.ts";
import { changeView, useView } from "../data/use-view.ts";
import type { PageName } from "../data/view.ts";
import { Fault } from "./fault.tsx";

const Palette = later(async () => (await import("./palette.tsx")).Palette);
const Why = later(async () => (await import("../questions/changes/drawer.tsx")).WhyDrawer);
const Plan = later(async () => (await import("../questions/changes/plan-drawer.tsx")).PlanDrawer);
const KeyList = later(async () => (await import("./key-list.tsx")).KeyList);
const Evidence = later(
  async () => (await import("../questions/evidence/drawer.tsx")).EvidenceDrawer,
);

/** What lies over a page. */
export type OverlayName = "palette" | "keys";

interface OverlaysProps {
  readonly open: OverlayName | null;
  readonly pages: readonly PageName[];
  readonly onClose: () => void;
}

/**
 * The evidence, a plan, a change explained, the palette and the list of keys, loaded when they are
 * first wanted.
 */
export function Overlays({ open, pages, onClose }: OverlaysProps) {
  const { evidence, answer, why, plan } = useView();
  const hasEvidence = evidence !== null || answer !== null;
  const close = () => {
    onClose();
    changeView({ evidence: null, answer: null, why: null, plan: null }, { replace: true });
  };
  return (
    <Fault onPassing={close}>
      <Suspense>
        {hasEvidence ? <Evidence /> : null}
        {why === null || plan !== null || hasEvidence ? null : <Why />}
        {plan === null || hasEvidence ? null : <Plan />}
        {open === "palette" ? <Palette pages={pages} onClose={onClose} /> : null}
        {open === "keys" ? <KeyList pages={pages} onClose={onClose} /> : null}
      </Suspense>
    </Fault>
  );
}
