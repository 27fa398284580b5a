import type { Provider } from "@sightline/client";
import {
  columnLetter,
  type DateOrder,
  guessColumns,
  type SheetField,
  type SheetMapping,
  type TableFormat,
} from "@sightline/sheets";
import type { Edits, OpenedSheet, SheetHead } from "@sightline/sheets/sheet-file";

/** What a file may leave open about its rows. */
export type Proposed = "sheet" | "encoding" | "separator" | "headerRow";

/** What was said so far about a table. */
export interface SheetDraft {
  /** What is proposed below and not proven by the file: its reader has to choose it. */
  readonly proposed: readonly Proposed[];
  readonly format: TableFormat;
  /** What is known of the tool whose export it is; null: of no tool. */
  readonly source: SheetMapping | null;
  readonly headerRow: number;
  /** What each column is, by its place; null: it is left out. */
  readonly fields: readonly (SheetField | null)[];
  readonly provider: Provider | null;
  readonly region: string;
  /** Null: the table leaves no doubt. */
  readonly rowIs: "answer" | "citation" | null;
  readonly dateOrder: DateOrder | null;
  readonly timeZone: string;
  readonly timeOfDay: string;
  readonly providers: Readonly<Record<string, Provider | null>>;
  readonly prompts: Readonly<Record<string, string>>;
  readonly edits: Edits;
}

/** What can be said before anything is known of the rows. */
export function formatOf({ sheets, encoding, separator }: OpenedSheet): TableFormat {
  const [sheet] = sheets;
  if (sheet !== undefined) return { sheet };
  if (encoding === null || separator === null) return {};
  return { encoding: encoding.value, separator: separator.value };
}

/** Of a file's format, what it does not prove. */
export function proposedOf({ sheets, encoding, separator }: OpenedSheet): readonly Proposed[] {
  return [
    ...(sheets.length > 1 ? (["sheet"] as const) : []),
    ...(encoding?.isCertain === false ? (["encoding"] as const) : []),
    ...(separator?.isCertain === false ? (["separator"] as const) : []),
  ];
}

/** The draft of a table whose first rows are there. What only the reader knows is left open. */
export function draftOf(
  format: TableFormat,
  head: SheetHead,
  proposed: readonly Proposed[],
): SheetDraft {
  const ofFormat = proposed.filter((each) => each !== "headerRow");
  return {
    proposed: head.header.isCertain ? ofFormat : [...ofFormat, "headerRow"],
    format,
    source: head.source?.mapping ?? null,
    headerRow: head.header.value,
    fields: head.source?.mapping == null ? fieldsOf(head) : head.source.fields,
    provider: providerSaid(head.source?.mapping ?? null),
    region: "",
    ...nothingAnswered,
  };
}

/** A tool of one provider has no column of it. */
function providerSaid(mapping: SheetMapping | null): Provider | null {
  return (mapping?.values?.provider as Provider | undefined) ?? null;
}

/** What was said of cells: of other columns it would be about other cells. */
export const nothingAnswered = {
  rowIs: null,
  dateOrder: null,
  timeZone: "",
  timeOfDay: "",
  providers: {},
  prompts: {},
  edits: new Map(),
} as const satisfies Partial<SheetDraft>;

/** How many columns the first rows have. */
export function widthOf({ rows }: SheetHead): number {
  return Math.max(0, ...rows.map(({ cells }) => cells.length));
}

/** What the columns are under another row of names. */
export function withHeader(
  head: SheetHead,
  headerRow: number,
  { proposed }: SheetDraft,
): Partial<SheetDraft> {
  const columns = guessColumns(head.rows, headerRow);
  return {
    headerRow,
    source: null,
    fields: fieldsOf({ ...head, columns }),
    proposed: proposed.filter((each) => each !== "headerRow"),
  };
}

function fieldsOf(head: SheetHead): readonly (SheetField | null)[] {
  const found = Object.entries(head.columns) as [SheetField, number][];
  return Array.from({ length: widthOf(head) }, (_, place) => {
    return found.find(([, at]) => at === place)?.[0] ?? null;
  });
}

/** A field has one column: the one that had it before has none. Sources may have several. */
export function withField(
  { fields }: SheetDraft,
  place: number,
  field: SheetField | null,
): readonly (SheetField | null)[] {
  const isList = field === "citations" || field === "retrieved";
  const others = fields.map((each) => (field !== null && !isList && each === field ? null : each));
  return others.with(place, field);
}

/** What is said, as the command takes it. Columns have letters, which no header makes twice. */
export function mappingOf(draft: SheetDraft): SheetMapping {
  const columns = new Map<SheetField, string | readonly string[]>();
  for (const [place, field] of draft.fields.entries()) {
    if (field === null) continue;
    const before = columns.get(field);
    const letter = columnLetter(place);
    columns.set(field, before === undefined ? letter : [before, letter].flat());
  }
  const { values: _, ...known } = draft.source ?? {};
  const has = (field: SheetField) => draft.fields.includes(field);
  const values = {
    ...(draft.provider === null || has("provider") ? {} : { provider: draft.provider }),
    ...(draft.region.trim() === "" || has("region") ? {} : { region: draft.region.trim() }),
  };
  return {
    ...known,
    ...draft.format,
    headerRow: draft.headerRow,
    columns: Object.fromEntries(columns),
    ...(Object.keys(values).length === 0 ? {} : { values }),
    ...(Object.keys(draft.providers).length === 0 ? {} : { providers: draft.providers }),
    ...(Object.keys(draft.prompts).length === 0 ? {} : { prompts: draft.prompts }),
    ...(draft.dateOrder === null ? {} : { dateOrder: draft.dateOrder }),
    ...(draft.timeZone === "" ? {} : { timeZone: draft.timeZone }),
    ...(draft.timeOfDay === "" ? {} : { timeOfDay: draft.timeOfDay }),
    ...(draft.rowIs === null ? {} : { rowIs: draft.rowIs }),
  };
}

/** A cell that was mended; its old text takes the mending back. */
export function withEdit(
  { edits }: SheetDraft,
  { row, place }: { readonly row: number; readonly place: number },
  text: string,
): Edits {
  const cells = new Map(edits.get(row)).set(place, text);
  return new Map(edits).set(row, cells);
}

/** What the fields of an answer are called, in the order in which they are offered. */
export const fieldTexts: Readonly<Record<SheetField, string>> = {
  prompt: "Prompt",
  provider: "Provider",
  answeredAt: "Date (and time)",
  time: "Time of day",
  text: "Answer",
  citations: "Sources (URLs)",
  citationTitle: "Title of the source",
  retrieved: "Pages found, not cited (URLs)",
  region: "Country code",
  model: "Model",
  outcome: "Outcome",
  surface: "Surface",
  sample: "Sample",
  searchQueries: "Search queries",
  vendor: "Vendor",
  cost: "Cost (JSON)",
  metadata: "Metadata (JSON)",
  requestedRegion: "Requested country",
  id: "Answer id",
  promptId: "Prompt id",
  topic: "Topic of a new prompt",
  tags: "Tags of a new prompt",
};

/** The encodings by the names that programs show. */
export const encodingTexts = {
  "utf-8": "UTF-8",
  "windows-1252": "Western European (Windows-1252)",
  "utf-16le": "UTF-16 LE (Unicode text)",
  "utf-16be": "UTF-16 BE",
} as const;

/** What separates cells, in words. */
export const separatorTexts = { ";": "Semicolon ;", ",": "Comma ,", "\t": "Tab", "|": "Bar |" };

const proposedTexts: Readonly<Record<Proposed, string>> = {
  sheet: "the sheet",
  encoding: "the encoding",
  separator: "the separator",
  headerRow: "the row that names the columns",
};

/** What an answer needs and nobody said yet, in words; empty: nothing. */
export function missingOf(draft: SheetDraft): readonly string[] {
  const has = (...fields: readonly SheetField[]) =>
    fields.some((each) => draft.fields.includes(each));
  return [
    ...draft.proposed.map((each) => proposedTexts[each]),
    has("prompt", "promptId") ? "" : "the prompt",
    has("provider") || draft.provider !== null ? "" : "the provider",
    has("answeredAt") ? "" : "the date",
    has("text", "outcome") ? "" : "the answer",
  ].filter((each) => each !== "");
}
