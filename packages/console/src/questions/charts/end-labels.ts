/** A name at the end of a line. */
export interface EndLabel {
  readonly id: string;
  /** Where the line ends, in px from the top. */
  readonly wantedY: number;
}

/** Where labels may stand, in px from the top, and how far apart. */
interface LabelPlace {
  readonly top: number;
  readonly bottom: number;
  readonly gap: number;
}

/**
 * Places for labels near the ends of their lines, in the order of these, all between `top` and
 * `bottom`, and none closer than `gap` px to the next as far as all fit there. By id.
 */
export function placeLabels(
  labels: readonly EndLabel[],
  { top, bottom, gap: wanted }: LabelPlace,
): ReadonlyMap<string, number> {
  const sorted = [...labels].sort((a, b) => a.wantedY - b.wantedY);
  const gap = Math.min(wanted, (bottom - top) / Math.max(1, labels.length - 1));
  // Labels that would touch form a block around the middle of what they want.
  const blocks: { readonly ids: string[]; sum: number; y: number }[] = [];
  const yOf = (sum: number, count: number): number => {
    const height = (count - 1) * gap;
    const first = sum / count - height / 2;
    return Math.max(top, Math.min(first, bottom - height));
  };
  for (const { id, wantedY } of sorted) {
    let block = { ids: [id], sum: wantedY, y: yOf(wantedY, 1) };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (before.y + before.ids.length * gap <= block.y) break;
      blocks.pop();
      const ids = [...before.ids, ...block.ids];
      const sum = before.sum + block.sum;
      block = { ids, sum, y: yOf(sum, ids.length) };
    }
    blocks.push(block);
  }
  return new Map(
    blocks.flatMap(({ ids, y }) => ids.map((id, index) => [id, y + index * gap] as const)),
  );
}

/** A point of a picture, in px. */
export type Point = readonly [x: number, y: number];

interface Leader {
  /** Where the line ends. */
  readonly from: Point;
  /** Where its label begins. */
  readonly to: Point;
  /** From where leaders turn towards their labels, right of the ends of all lines. */
  readonly bendX: number;
}

/**
 * The points of a leader from the end of a line to its label. It is level up to where all leaders
 * turn: a line that ends before the others would cross theirs otherwise.
 */
export function leaderPoints({ from, to, bendX }: Leader): readonly Point[] {
  const [x, y] = from;
  return [from, [Math.max(x, bendX), y], to];
}

/** A name as it stands at a line's end: as much of it as fits. No letter is cut into halves. */
export function shortName(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  const letters = [...name];
  const cut = (count: number): string => `${letters.slice(0, count).join("")}…`;
  let [least, most] = [0, letters.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cut(middle))) least = middle;
    else most = middle - 1;
  }
  return cut(least);
}
