import type { CommandIo } from "../command-io.ts";
import { csvOf, type Fields, type Format, ndjsonRecord } from "../output/records.ts";
import { safeJson } from "../output/safe-text.ts";
import { type Terminal, terminalOf } from "../output/terminal.ts";
import type { OutputOptions } from "./question-options.ts";

/** A reply in each of its formats, produced on demand. */
export interface Printable {
  readonly document: unknown;
  readonly table: (terminal: Terminal) => readonly string[];
  readonly fields: readonly string[];
  readonly records: () => Iterable<Fields>;
}

/** The form that options ask for; without any, people get a table and programs JSON. */
export function formatOf({ format, json }: OutputOptions, { stdout }: CommandIo): Format {
  return json === true ? "json" : (format ?? (stdout.isTTY === true ? "table" : "json"));
}

/** Prints a reply in a form on standard output. */
export function printReply(format: Format, reply: Printable, io: CommandIo): void {
  const { stdout, environment } = io;
  switch (format) {
    case "json":
      stdout.write(`${safeJson(reply.document)}\n`);
      return;
    case "csv":
      stdout.write([...csvOf(reply.fields, reply.records())].join(""));
      return;
    case "ndjson":
      stdout.write([...reply.records()].map(ndjsonRecord).join(""));
      return;
    case "table":
      stdout.write(`${reply.table(terminalOf(stdout, environment)).join("\n")}\n`);
  }
}
