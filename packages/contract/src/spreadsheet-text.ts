/**
 * What a spreadsheet reads as the beginning of a formula, with or without leading spaces, control
 * or invisible characters: OWASP's list with the full-width forms, and `|`, with which old DDE
 * calls began. A tab and a carriage return are on that list themselves.
 */
const formula = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]*[=+\-@|＝＋－＠])/u;

/**
 * A text for a cell of CSV, with a `'` prefix when a spreadsheet would evaluate it (OWASP, CSV
 * injection): names, URLs and answers come from outside. Quoting it is the caller's part. The
 * console and the command share this rule, so it imports nothing.
 */
export function spreadsheetText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
