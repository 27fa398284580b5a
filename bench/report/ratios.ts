import type { PeerName } from "../peers/peer.ts";
import type { QuestionResult } from "./results.ts";

/** How many times a peer takes as long, for each question that it was asked. */
export function ratiosOf(
  questions: readonly QuestionResult[],
  peer: PeerName,
): readonly { readonly name: string; readonly ratio: number }[] {
  return questions.flatMap(({ name, ours, peers }) => {
    const timing = peers[peer];
    return timing === undefined ? [] : [{ name, ratio: timing.medianMs / ours.medianMs }];
  });
}
