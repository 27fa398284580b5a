import type { RecordedContent } from "../../answers/answer-store.ts";
import { compileExtractor, type Extraction } from "../../extraction/index.ts";
import type { SnapshotEntity } from "../snapshot.ts";

/** Reads one recorded answer. */
export type ContentExtractor = (
  content: Pick<RecordedContent, "text" | "citations" | "mentioned">,
) => Extraction;

/**
 * Compiles the rules of entities. An answer whose text was removed mentions those of them that it
 * was known to mention then, in the order of then (docs/decisions/removal.md).
 */
export function compileContentExtractor(entities: readonly SnapshotEntity[]): ContentExtractor {
  const extract = compileExtractor(entities);
  const placeOf = new Map(entities.map(({ id }, place) => [id, place]));
  return ({ mentioned, ...content }) => {
    const extraction = extract(content);
    if (mentioned === null) return extraction;
    return { ...extraction, mentions: mentioned.flatMap((id) => placeOf.get(id) ?? []) };
  };
}
