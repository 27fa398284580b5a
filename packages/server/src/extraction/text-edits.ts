/** A range of a text, [start, end) in UTF-16 units, and its replacement. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A range of a text, [start, end) in UTF-16 units; not empty. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A text with its edits, which are ascending and disjoint. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, replacement } of edits) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

/** Maps a range of an edited text to the text before the edits. */
export type EditTrace = (span: TextSpan) => TextSpan;

/** Maps ranges back: a replacement stands for everything that it replaced. */
export function traceOf(edits: readonly TextEdit[]): EditTrace {
  let grown = 0;
  const written = edits.map(({ start, end, replacement }) => {
    const at = start + grown;
    grown += replacement.length - (end - start);
    return at;
  });
  const unitBefore = (at: number): TextSpan => {
    const last = lastUpTo(written, at);
    const edit = edits[last];
    if (edit === undefined) return { start: at, end: at + 1 };
    const behind = at - (written[last] ?? 0) - edit.replacement.length;
    if (behind < 0) return edit;
    return { start: edit.end + behind, end: edit.end + behind + 1 };
  };
  return ({ start, end }) => ({ start: unitBefore(start).start, end: unitBefore(end - 1).end });
}

/** The index of the last of ascending numbers that is at most `most`; -1 when there is none. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
