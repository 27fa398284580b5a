/**
 * The known name most likely meant by a mistyped one, or null when none is near: at most two edits
 * (insert, delete, replace, swap of neighbours) and fewer than half of the name's letters; case,
 * `_` and `-` are ignored. Of equally near names the first wins.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  const name = plain(given);
  if (name.length > nameCharactersMax) return null;
  let best: string | null = null;
  let bestEdits = editsMax + 1;
  for (const candidate of known) {
    // Each additional letter is an additional edit: most candidates need no table.
    const other = plain(candidate);
    if (Math.abs(other.length - name.length) > editsMax) continue;
    const edits = editDistance(name, other);
    if (edits === 0) return candidate;
    if (edits < bestEdits && edits * 2 < Math.max(candidate.length, 2)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

const editsMax = 2;
/** A longer name is not a typing error; the bound keeps hostile input cheap. */
const nameCharactersMax = 64;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}

/** Optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replace = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let least = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replace);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1);
      }
      current.push(least);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
