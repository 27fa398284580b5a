import { type MeasurementFacts, measurementSentences } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { csvOf, type Fields, type Format, ndjsonRecord } from "../output/records.ts";
import { safeJson, safeText } from "../output/safe-text.ts";
import { styled, type Terminal, terminalOf } from "../output/terminal.ts";
import type { OutputOptions } from "./question-options.ts";

/** A reply in each of its formats, produced on demand. */
export interface Printable {
  readonly document: unknown;
  readonly table: (terminal: Terminal) => readonly string[];
  readonly fields: readonly string[];
  readonly records: () => Iterable<Fields>;
  /** By what answers the reply was measured; undefined: it was not requested. */
  readonly facts?: MeasurementFacts | undefined;
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
    case "table": {
      const terminal = terminalOf(stdout, environment);
      const lines = [...reply.table(terminal), ...factsLines(reply.facts, terminal)];
      stdout.write(`${lines.join("\n")}\n`);
    }
  }
}

/** Facts of a measurement, a sentence a line. Names in them come from answers. */
function factsLines(facts: MeasurementFacts | undefined, terminal: Terminal): readonly string[] {
  if (facts === undefined) return [];
  const sentences = measurementSentences(facts).map((sentence) => `  ${safeText(sentence)}`);
  return ["", styled(terminal, "bold", "How this was measured"), ...sentences];
}
