import type { EvidenceAnswer, PortrayalFlag } from "@sightline/client";
import type { Cued, Located } from "../evidence/marked-text.ts";

/** A sentence that says something of an entity, with what is marked in it. */
export interface SaidSentence {
  /** Where it begins in the answer. */
  readonly start: number;
  readonly text: string;
  /** In the text of the sentence. */
  readonly mentions: readonly Located[];
  readonly cues: readonly Cued[];
  /** The pages behind it: places in the answer's citations. */
  readonly citations: readonly number[];
}

/** Sentences of an answer that are shown. */
const sentencesMax = 3;
/** The name is shown with its sentence where it stands so near before it. */
const nameBefore = 160;
/** Lines without stops are long, such as rows of tables. */
const charactersMax = 600;

type Said = Pick<EvidenceAnswer, "text" | "mentions">;

/** The sentences on which a flag of an entity rests, in order, and how many more there are. */
export function saidSentences({ text, mentions }: Said, entityId: string, flag: PortrayalFlag) {
  const cued = mentions
    .filter((mention) => mention.entityId === entityId)
    .flatMap((mention) => mention.cues.map((cue) => ({ mention, cue })))
    .filter(({ cue }) => cue.flag === flag)
    .sort((a, b) => a.cue.start - b.cue.start);
  const bySentence = Map.groupBy(cued, ({ cue }) => cue.sentence.join(" "));
  const all = [...bySentence.values()].flatMap((own): readonly SaidSentence[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { cue, mention } = first;
    const [begin, finish] = cue.sentence;
    const isNear = mention.end <= begin && begin - mention.end <= nameBefore;
    const start = isNear ? mention.start : begin;
    const end = Math.min(finish, Math.max(start + charactersMax, cue.end));
    const within = <T extends { readonly start: number; readonly end: number }>(each: T) =>
      each.start >= start && each.end <= end;
    const placed = (each: { readonly start: number; readonly end: number }) => {
      return { start: each.start - start, end: each.end - start };
    };
    return [
      {
        start,
        text: text.slice(start, end),
        mentions: mentions
          .filter(within)
          .map((each) => ({ entityId: each.entityId, ...placed(each) })),
        cues: own
          .map((each) => each.cue)
          .filter(within)
          .map((each) => ({ flags: [flag], ...placed(each) })),
        citations: [...new Set(own.flatMap((each) => each.cue.citations))],
      },
    ];
  });
  return { shown: all.slice(0, sentencesMax), left: Math.max(0, all.length - sentencesMax) };
}
