import { changeView } from "../data/use-view.ts";
import type { EvidenceAddress } from "../data/view.ts";

/** Opens the drawer with the answers behind a value. */
export function openEvidence(
  address: Pick<EvidenceAddress, "role" | "entityId"> & Partial<EvidenceAddress>,
): void {
  changeView({ evidence: { dates: null, promptId: null, part: null, ...address }, answer: null });
}
