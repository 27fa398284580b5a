/** Between two URLs: spaces, or one of the signs that lists of other tools have. */
const beforeUrl = /\s+|[,;|](?=https?:\/\/)/i;

/**
 * The URLs in a cell of a table, which are separated by spaces, line breaks, or `,` `;` `|` where a
 * URL follows; such a sign at the end of a URL is cut. CSV and spreadsheets share this rule.
 */
export function urlsOf(cell: string): readonly string[] {
  return cell
    .split(beforeUrl)
    .map(withoutSeparators)
    .filter((url) => url !== "");
}

/** Cuts such signs at the end of a URL. No pattern: one would be quadratic in a cell of commas. */
function withoutSeparators(url: string): string {
  let end = url.length;
  while (end > 0 && ",;|".includes(url.charAt(end - 1))) end -= 1;
  return url.slice(0, end);
}
