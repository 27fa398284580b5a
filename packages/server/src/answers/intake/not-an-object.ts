/**
 * Why a line that does not begin with an object is rejected, with advice: files come as CSV, as one
 * array, and pretty-printed. Null when it begins with an object.
 */
export function notAnObject(line: string): string | null {
  const [first = ""] = line.trimStart();
  if (first === "{") return null;
  const begins = `The line is not a JSON object: it begins with ${JSON.stringify(first)}.`;
  if (first === "[") {
    return `${begins} Write each answer on its own line; \`jq -c '.[]'\` converts an array.`;
  }
  if (/[\]}"]/.test(first)) return `${begins} ${onOneLine}`;
  if (line.includes(",")) return `${begins} ${asCsv}`;
  return `${begins} Import reads NDJSON: one JSON object on each line.`;
}

/** Why a line that begins with an object is rejected. */
export function notJson(fault: string): string {
  return `The line is not JSON: ${fault}. ${onOneLine}`;
}

const asCsv =
  "The line looks like CSV, which has the format csv in an import and the type text/csv over HTTP.";
const onOneLine = "Write each answer on one line; `jq -c .` converts pretty-printed JSON.";
