/** A part of a text: [start, end) in UTF-16 units. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A sentence of a text, and the citations that stand behind it, by their places in a list. */
export interface Statement extends Place {
  readonly citations: readonly number[];
}

/** A citation with the parts of the text that its provider says it stands behind. */
interface Spanned {
  readonly spans?: readonly (readonly [number, number])[] | undefined;
}

/** Links with their labels, marks of sources such as 【7†source】 and [3], and bare addresses. */
const marks =
  /!?\[[^[\]]*\]\([^()[\s]*(?:\([^()[\s]*\)[^()[\s]*)?\)|【[^【】]*】|\[\^?\d+\]|https?:\/\/[^\s)]+/g;

/** A sign of no script, which stands in the place of marks: their words belong to no sentence. */
const hidden = "\uE000";

/** Where a sentence may end: at a line's end, or at a stop, with what closes it and its marks. */
const ends =
  /\n|(?:[.!?]["'”’)\]*_]*[^\S\n]+|[。！？]["'”’)\]*_」』]*[^\S\n]*)(?:\(*\uE000+[)\].,; ]*)*/gu;

/** The number of an item of a list, whose stop ends nothing: "1. Acme". */
const itemNumber = /^[^\p{L}]{0,8}$/u;

/**
 * The sentences of a text, in order and disjoint, without the space around them. A link or the mark
 * of a source after a sentence is a part of it, as providers write them: "It lasts. [3]". A line
 * is a sentence where it ends without a stop, and so is a row of a table. Linear in the text.
 */
export function sentencesOf(text: string): readonly Place[] {
  const read = text.replace(marks, (mark) => hidden.repeat(mark.length));
  const found: { start: number; end: number }[] = [];
  const add = (from: number, to: number): void => {
    const part = read.slice(from, to);
    const start = from + (part.length - part.trimStart().length);
    const end = from + part.trimEnd().length;
    const last = found.at(-1);
    if (/[\p{L}\p{N}]/u.test(part)) found.push({ start, end });
    else if (part.includes(hidden) && last !== undefined) last.end = end;
    else if (part.includes(hidden)) found.push({ start, end });
  };
  let from = 0;
  for (const { index, 0: stop } of read.matchAll(ends)) {
    const to = index + stop.length;
    // "e.g. a file": what goes on in lower case is the same sentence.
    const goesOn = /^\p{Ll}/u.test(read.slice(to, to + 2));
    if (stop !== "\n" && (goesOn || itemNumber.test(read.slice(from, index)))) continue;
    add(from, to);
    from = to;
  }
  add(from, text.length);
  return found;
}

/** The sentences that a part of a text touches: the first and the one after the last. */
function touched(sentences: readonly Place[], { start, end }: Place): readonly [number, number] {
  const firstWhere = (isBehind: (sentence: Place) => boolean): number => {
    let [low, high] = [0, sentences.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const sentence = sentences[middle];
      if (sentence === undefined || isBehind(sentence)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return [firstWhere((each) => each.end > start), firstWhere((each) => each.start >= end)];
}

/**
 * The sentences that citations stand behind, in the order of the text, by the spans that providers
 * give: a span is the passage, or only the link after it, which is a part of its sentence.
 *
 * @param pairsMax of sentences and citations: a hostile answer has spans over all of its text.
 */
export function statementsOf(
  sentences: readonly Place[],
  citations: readonly Spanned[],
  pairsMax: number,
): readonly Statement[] {
  const behind = new Map<number, Set<number>>();
  let pairs = 0;
  for (const [citation, { spans = [] }] of citations.entries()) {
    for (const [start, end] of spans) {
      const [first, after] = touched(sentences, { start, end });
      for (let at = first; at < after && pairs < pairsMax; at += 1) {
        const own = behind.get(at) ?? new Set<number>();
        behind.set(at, own);
        if (!own.has(citation)) pairs += 1;
        own.add(citation);
      }
    }
  }
  return [...behind]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, own]) => {
      const sentence = sentences[at];
      if (sentence === undefined) return [];
      return [{ start: sentence.start, end: sentence.end, citations: [...own] }];
    });
}

/** The sentence, or the sentences, that words stand in, with the citations behind them. */
export function statementAt(
  sentences: readonly Place[],
  statements: readonly Statement[],
  words: Place,
): Statement {
  const [first, after] = touched(sentences, words);
  const start = Math.min(sentences[first]?.start ?? words.start, words.start);
  const end = Math.max(sentences[after - 1]?.end ?? words.end, words.end);
  const [from, to] = touched(statements, { start, end });
  const citations = statements.slice(from, to).flatMap((each) => each.citations);
  return { start, end, citations: [...new Set(citations)].sort((a, b) => a - b) };
}
