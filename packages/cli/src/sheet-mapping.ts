import { readFile } from "node:fs/promises";
import { type FieldError, fieldErrors, providers, strictObject } from "@sightline/contract";
import type { ReadLines } from "@sightline/server/import-answers";
import { parseYaml, YamlFault } from "@sightline/server/parse-yaml";
import {
  type CellFault,
  type Columns,
  dateOrders,
  dayTimeOf,
  encodings,
  faultText,
  fixedFields,
  isTimeZone,
  type SheetMapping,
  separators,
  sheetFields,
} from "@sightline/sheets";
import { type MappedSheet, mapSheet } from "@sightline/sheets/read-sheet";
import { z } from "zod";
import { CommandError } from "./result.ts";

/** The largest file of a mapping: one with a name for each of 50 providers takes 4 KB. */
const mappingBytesMax = 256 * 1024;

const text = () => z.string().min(1).max(1_000);
/** An object whose fields are all optional, and alike. */
const optional = <Name extends string, Value extends z.ZodType>(
  names: readonly Name[],
  value: Value,
) =>
  strictObject(
    Object.fromEntries(names.map((name) => [name, value.optional()])) as Record<
      Name,
      z.ZodOptional<Value>
    >,
  );
const names = () => z.array(text()).min(1).max(100);

const mappingSchema = strictObject({
  sheet: text().optional(),
  encoding: z.enum(encodings).optional(),
  separator: z.enum(separators).optional(),
  headerRow: z.int().min(0).max(1_000).optional(),
  columns: optional(
    sheetFields,
    z.union([text(), names()], { error: "must be a string, or a list of columns" }),
  ),
  values: optional(fixedFields, text()).optional(),
  providers: z.record(text(), z.enum(providers).nullable()).optional(),
  prompts: z.record(z.string().min(1), z.string().min(1)).optional(),
  dateOrder: z.enum(dateOrders).optional(),
  timeZone: z
    .string()
    .refine(isTimeZone, {
      error: "must be a time zone, such as Europe/Berlin, UTC or +01:00",
    })
    .optional(),
  timeOfDay: z
    .string()
    .refine((time) => dayTimeOf(time) !== null, {
      error: 'must be a time of day in quotes, such as "12:00"',
    })
    .optional(),
  rowIs: z.enum(["answer", "citation"]).optional(),
  groupBy: names().optional(),
  idFrom: names().optional(),
  keep: names().optional(),
  textAt: names().optional(),
  citationKeys: strictObject({ url: text(), title: text().optional() }).optional(),
  queriesBy: z.enum(["lines", "signs"]).optional(),
});

/**
 * The mapping that a file says, YAML or JSON.
 * @throws CommandError with each fault's line.
 */
export async function readMapping(file: string): Promise<SheetMapping> {
  const text = await readFile(file).catch((error: Error) => {
    throw new CommandError(`--map ${file}: the file cannot be read: ${error.message}.`, 2);
  });
  if (text.length > mappingBytesMax) {
    throw new CommandError(`--map ${file}: the file is larger than ${mappingBytesMax} bytes.`, 2);
  }
  try {
    const { value, linesOf: linesAt } = parseYaml(new TextDecoder().decode(text));
    const read = mappingSchema.safeParse(value, { reportInput: true });
    // The same fields; zod writes an absent one as one that may be undefined.
    if (read.success) return read.data as SheetMapping;
    const faults = fieldErrors(read.error);
    const lines = linesAt(faults.map(({ path }) => path));
    throw invalid(
      file,
      faults.map((fault, place) => ({ line: lines[place] ?? 1, ...fault })),
    );
  } catch (error) {
    if (!(error instanceof YamlFault)) throw error;
    throw invalid(file, [{ line: error.line, path: "", message: error.message }]);
  }
}

/** Fields of answers that stand beside each other in a table, not in a list of columns. */
const listSettings = ["groupBy", "idFrom", "keep"] as const;

/**
 * What the command line says of a table: `--map prompt=Frage,text=Antwort`, `--set timeZone=UTC`
 * and `--group-by Run`.
 * @throws CommandError with the field that is not one.
 */
export function saidMapping(
  map: readonly string[],
  set: readonly string[],
  groupBy: readonly string[],
): Partial<SheetMapping> {
  const columns = new Map<string, string | readonly string[]>();
  for (const [field, column] of map.flatMap((each) => pairsOf("--map", each))) {
    const before = columns.get(field);
    columns.set(field, before === undefined ? column : [before, column].flat());
  }
  const fixed = new Set<string>(fixedFields);
  const settings = set.flatMap((each) => pairsOf("--set", each));
  const values = settings.filter(([name]) => fixed.has(name));
  const others = settings.filter(([name]) => !fixed.has(name));
  const lists = new Set<string>(listSettings);
  const said = {
    columns: Object.fromEntries(columns),
    ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }),
    ...(groupBy.length === 0 ? {} : { groupBy: groupBy.flatMap((each) => each.split(",")) }),
    ...Object.fromEntries(
      others.map(([name, value]) => [
        name,
        name === "headerRow" ? Number(value) : lists.has(name) ? value.split(",") : value,
      ]),
    ),
  };
  const read = mappingSchema.safeParse(said, { reportInput: true });
  if (read.success) return read.data as SheetMapping;
  const faults = fieldErrors(read.error).map(({ path, message }) => `  ${path}: ${message}`);
  throw new CommandError(
    `--map and --set do not say a mapping; nothing was imported.\n${faults.join("\n")}`,
    2,
  );
}

/** Whether a value of `--map` names columns; otherwise it is a file. */
export function isInline(map: string): boolean {
  const fields: ReadonlySet<string> = new Set(sheetFields);
  return fields.has(map.slice(0, Math.max(0, map.indexOf("="))));
}

/** `a=B,c=D` as pairs; a comma in a value is one that no name with `=` follows. */
function pairsOf(option: string, text: string): readonly (readonly [string, string])[] {
  return text.split(/,(?=[A-Za-z]+=)/).map((pair) => {
    const at = pair.indexOf("=");
    if (at > 0 && at < pair.length - 1) return [pair.slice(0, at).trim(), pair.slice(at + 1)];
    const message = `${option} ${text}: write names and values, such as prompt=Question.`;
    throw new CommandError(message, 2);
  });
}

type MappingFault = Pick<FieldError, "path" | "message"> & { readonly line: number };

function invalid(file: string, faults: readonly MappingFault[]): CommandError {
  const lines = faults
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, path, message }) => `  line ${line}: ${path || "/"}: ${message}`);
  return new CommandError(
    `--map ${file}: the mapping is not valid; nothing was imported.\n${lines.join("\n")}`,
    2,
  );
}

/** Reads tables as lines of answers, whose numbers are those of rows. */
export function mappedLines(mapping: SheetMapping): ReadLines {
  return async function* lines(chunks) {
    yield* linesOf(await mapSheet(chunks, mapping));
  };
}

/** Answers of a table as lines, whose numbers are those of rows. */
export async function* linesOf({
  columns,
  answers,
}: Pick<MappedSheet, "columns" | "answers">): ReturnType<ReadLines> {
  let endByte = 0;
  for await (const { rows, line, faults } of answers) {
    const [first] = rows;
    const said = line ?? JSON.stringify(first?.cells ?? []);
    const bytes = Buffer.from(said);
    endByte += bytes.length;
    const read = { number: first?.number ?? 0, bytes, endByte };
    yield line === null ? { ...read, rejection: rejectionOf(faults, columns) } : read;
  }
}

/** Why an answer is rejected, with its columns. */
export function rejectionOf(faults: readonly CellFault[], columns: Columns) {
  const [first] = faults;
  const said = faults.map((fault) => {
    const text = faultText(fault, columns);
    const message = fault.row === first?.row ? text : `Row ${fault.row}: ${text}`;
    return { path: fault.path, code: "wrong_format", message } as const;
  });
  return {
    reason: said.map(({ message }) => message).join(" "),
    errors: said.filter(({ path }) => path !== ""),
  };
}
