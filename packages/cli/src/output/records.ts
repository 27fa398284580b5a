import type {
  SourceAnalysisResponse,
  TimeSeriesResponse,
  WorkspaceResponse,
} from "@sightline/contract";
import { spreadsheetText } from "@sightline/contract/spreadsheet-text";
import { safeJson, safeText } from "./safe-text.ts";

/** A value of a record: a text of the service, a number, a flag; null is an empty cell. */
type CsvValue = string | number | boolean | null;

/**
 * A line of CSV (RFC 4180) ending in CRLF. Texts have no control characters or line breaks, are
 * quoted, and get a `'` prefix when a spreadsheet would evaluate them (OWASP, CSV injection).
 * Numbers are written unchanged, since they are ours.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  return `"${spreadsheetText(safeText(value)).replaceAll('"', '""')}"`;
}

/** The forms in which a reply can be printed. */
export const formats = ["table", "json", "csv", "ndjson"] as const;

/** One of the forms of a reply. */
export type Format = (typeof formats)[number];

/** A line of CSV or NDJSON by the names of its columns. */
export type Fields = Readonly<Record<string, CsvValue>>;

/** Records as lines of CSV, the first the names of the columns. */
export function* csvOf(names: readonly string[], records: Iterable<Fields>): Generator<string> {
  yield csvLine(names);
  for (const record of records) yield csvRecord(names, record);
}

/** One record as a line of CSV. */
export function csvRecord(names: readonly string[], record: Fields): string {
  return csvLine(names.map((name) => record[name] ?? null));
}

/** One record as a line of NDJSON. */
export function ndjsonRecord(record: Fields): string {
  return `${safeJson(record)}\n`;
}

/** The columns of a time series' records. */
export const pointFields = ["timestamp", "id", "name", "value"] as const;

/** A record for each point: by series, then by time. */
export function* pointRecords({ series }: TimeSeriesResponse): Generator<Fields> {
  for (const { id, name, data } of series) {
    for (const { timestamp, value } of data) yield { timestamp, id, name, value };
  }
}

/** The columns of sources' records. */
export const sourceFields = ["source", "citations", "share"] as const;

/** A source's record. */
export function sourceRecord(source: SourceAnalysisResponse["sources"][number]): Fields {
  return { source: source.source, citations: source.citations, share: source.share };
}

/** The columns of a workspace's records. */
export const workspaceFields = ["kind", "id", "name", "topicId", "branded", "tags"] as const;

/** A record for each item that can be queried; providers and regions are their own ids. */
export function* workspaceRecords(workspace: WorkspaceResponse): Generator<Fields> {
  const { brand, competitors, topics, prompts, providers, regions } = workspace;
  const none = { topicId: null, branded: null, tags: null };
  yield { kind: "brand", ...brand, ...none };
  for (const competitor of competitors) yield { kind: "competitor", ...competitor, ...none };
  for (const topic of topics) yield { kind: "topic", ...topic, ...none };
  for (const { text, tags, ...prompt } of prompts) {
    yield { kind: "prompt", name: text, ...prompt, tags: tags?.join("; ") ?? null };
  }
  for (const provider of providers) yield { kind: "provider", id: provider, name: null, ...none };
  for (const region of regions) yield { kind: "region", id: region, name: null, ...none };
}
