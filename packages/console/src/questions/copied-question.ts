import type { AnalyticsExclude } from "@sightline/client";
import type { ViewFilters } from "../data/filters.ts";

/** Where what is copied finds its key, which is never copied along. */
function keyComment(mark: string): string {
  return (
    `${mark} SIGHTLINE_KEY: a key with the scope read, from the console (Setup, API keys) or by: ` +
    "sightline keys create"
  );
}

/** A question as a call of curl; the key is exchanged for a session first. */
export function curlText(path: string, body: object): string {
  const address = location.origin;
  return [
    keyComment("#"),
    `SESSION=$(curl -s -X POST ${address}/v1/auth/accesskey/exchange \\`,
    `  -H "Authorization: Bearer $SIGHTLINE_KEY" | sed 's/.*"sessionJwt":"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${address}${path} -H "Authorization: Bearer $SESSION" \\`,
    `  -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`,
    "",
  ].join("\n");
}

/** A question as a call of the client, such as of `insights.series`. */
export function sdkText(call: string, body: object): string {
  return `import { Sightline } from "@sightline/client";

${keyComment("//")}
const sightline = new Sightline({
  baseUrl: "${location.origin}",
  key: process.env.SIGHTLINE_KEY ?? "",
});
const reply = await sightline.${call}(${JSON.stringify(body, null, 2)});
`;
}

/** A question as `sightline query`, with what only it takes, such as ["--interval", "daily"]. */
export function commandText(
  name: string,
  { timeRange, branded, exclude, ...lists }: ViewFilters,
  own: readonly string[] = [],
): string {
  const words = [
    ...["--from", String(timeRange.from), "--to", String(timeRange.to), ...own],
    ...listWords("--", lists),
    ...(branded === undefined ? [] : [branded ? "--branded" : "--no-branded"]),
    ...listWords("--exclude-", exclude ?? {}),
  ];
  const line = ["sightline", "query", name, ...words].map(quoted).join(" ");
  return `${keyComment("#")}\nSIGHTLINE_URL=${location.origin} ${line}\n`;
}

/** Options with what is in lists of filters. */
function listWords(start: string, lists: AnalyticsExclude): readonly string[] {
  const { providers = [], topics = [], promptIds = [], regions = [] } = lists;
  const { models = [], surfaces = [], tags = [] } = lists;
  const list = (name: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [`${start}${name}`, value]);
  return [
    ...list("provider", providers),
    ...list(
      "topic",
      topics.map(({ id }) => id),
    ),
    ...list("prompt", promptIds),
    ...list(
      "region",
      regions.map(({ code }) => code),
    ),
    ...list("model", models),
    ...list("surface", surfaces),
    ...list("tag", tags),
  ];
}

/** A word of a shell's command line. */
function quoted(word: string): string {
  return /^[\w.:/@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
