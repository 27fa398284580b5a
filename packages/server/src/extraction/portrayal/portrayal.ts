/** What an answer may say of an entity that it mentions; several of these may hold. */
export const portrayalFlags = [
  "recommended",
  "praised",
  "criticized",
  "discouraged",
  "notFound",
] as const;

/** One of the flags. */
export type PortrayalFlag = (typeof portrayalFlags)[number];

/**
 * A flag of an entity and the text that it rests on: UTF-16 offsets into the text as recorded, end
 * exclusive.
 */
export interface Cue {
  readonly flag: PortrayalFlag;
  readonly start: number;
  readonly end: number;
}

/** How a text speaks of the entities that it names. */
export interface Portrayal {
  /** BCP 47 primary subtag, such as `en`. Null: no table reads the text's language. */
  readonly language: string | null;
  /** By entity, in the order of the text. */
  readonly cues: ReadonlyMap<number, readonly Cue[]>;
}

/** A place at which an entity is named: UTF-16 offsets into the text as recorded. */
export interface NamedPlace {
  /** The index of the entity. */
  readonly entity: number;
  readonly start: number;
  readonly end: number;
}

/** Incremented with every change of a cue or a rule: every stored answer is then read again. */
export const portrayalVersion: number = 1;

/** How often a flag is right in texts of a language, by labelled answers. */
export interface FlagAccuracy {
  readonly precision: number;
  readonly recall: number;
  /** Pairs of an answer and an entity that were labelled. */
  readonly labelled: number;
}

/** By language and flag; a flag that is missing was not measured. */
export const portrayalAccuracy: Readonly<
  Record<string, Readonly<Partial<Record<PortrayalFlag, FlagAccuracy>>>>
> = {};

const cuesOfEnglish: Readonly<Record<PortrayalFlag, RegExp>> = {
  recommended: /\b(?:i(?:'d| would)? recommend|best overall|my pick|go with|top pick)\b/gi,
  praised: /\b(?:excellent|reliable|great|easy to use|praised)\b/gi,
  criticized: /\b(?:drawback|downside|expensive|slow|criticized)\b/gi,
  discouraged: /\b(?:avoid|stay away from|would not recommend|steer clear of)\b/gi,
  notFound: /\b(?:could not find|found nothing about|does not (?:seem|appear) to exist)\b/gi,
};

const sentence = /[^.!?\n]+/g;
const englishWords = /\b(?:the|and|is|of|to|for|with|are|in)\b/gi;
const wordsMin = 2;

/**
 * Reads how a text speaks of the entities that are named in it: each cue is of the entity that is
 * named nearest in its sentence. Pure; never throws, on any text.
 * @param places in the order of the text.
 */
export function portray(text: string, places: readonly NamedPlace[]): Portrayal {
  const words = text.match(englishWords)?.length ?? 0;
  if (words < wordsMin) return { language: null, cues: new Map() };
  const cues = new Map<number, Cue[]>();
  let next = 0;
  for (const { 0: whole, index } of text.matchAll(sentence)) {
    const end = index + whole.length;
    const named: NamedPlace[] = [];
    for (; next < places.length; next += 1) {
      const place = places[next];
      if (place === undefined || place.start >= end) break;
      named.push(place);
    }
    if (named.length > 0) for (const each of found(whole, index, named)) add(cues, each);
  }
  return { language: "en", cues };
}

interface FoundCue {
  readonly entity: number;
  readonly cue: Cue;
}

function found(whole: string, index: number, named: readonly NamedPlace[]): readonly FoundCue[] {
  const cues = portrayalFlags.flatMap((flag) =>
    Array.from(whole.matchAll(cuesOfEnglish[flag]), (match): FoundCue => {
      const start = index + match.index;
      const distance = (place: NamedPlace) => Math.abs(place.start - start);
      const nearest = named.reduce((best, each) => (distance(each) < distance(best) ? each : best));
      return { entity: nearest.entity, cue: { flag, start, end: start + match[0].length } };
    }),
  );
  return cues.sort((a, b) => a.cue.start - b.cue.start);
}

function add(cues: Map<number, Cue[]>, { entity, cue }: FoundCue): void {
  const own = cues.get(entity) ?? [];
  cues.set(entity, own);
  own.push(cue);
}
