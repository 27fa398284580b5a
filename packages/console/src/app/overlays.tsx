import { lazy, Suspense } from "react";
import { useView } from "../data/use-view.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));
const KeyList = lazy(async () => ({ default: (await import("./key-list.tsx")).KeyList }));
const Evidence = lazy(async () => ({
  default: (await import("../evidence/drawer.tsx")).EvidenceDrawer,
}));

/** What lies over a page. */
export type OverlayName = "palette" | "keys";

interface OverlaysProps {
  readonly open: OverlayName | null;
  readonly onClose: () => void;
}

/** The evidence, the palette and the list of keys, loaded when they are first wanted. */
export function Overlays({ open, onClose }: OverlaysProps) {
  const { evidence, answer } = useView();
  return (
    <Suspense>
      {evidence === null && answer === null ? null : <Evidence />}
      {open === "palette" ? <Palette onClose={onClose} /> : null}
      {open === "keys" ? <KeyList onClose={onClose} /> : null}
    </Suspense>
  );
}
