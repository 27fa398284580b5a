import type { EvidenceRole } from "@sightline/contract";
import type { CitedSource } from "./cited-source.ts";
import type { Selection } from "./question.ts";

/** Where an answer stands in a list: newest first, then the one recorded last. */
export interface AnswerPlace {
  /** Its place in the record. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly answeredAtMs: number;
}

/** A question for a page of the answers behind a value. */
export interface EvidenceQuestion {
  readonly selection: Selection;
  /** In lower case; null: any entity. */
  readonly entityId: string | null;
  readonly role: EvidenceRole;
  /** What the answers cite; null: whatever they cite. */
  readonly cites: CitedSource | null;
  readonly limit: number;
  /** Only answers after it; null: from the first. */
  readonly after: AnswerPlace | null;
}
