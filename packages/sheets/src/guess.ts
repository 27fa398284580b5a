import { type Encoding, RowReader, type Separator, separators } from "./delimited-text.ts";
import { writtenDate } from "./local-time.ts";
import { headerRowsMax, type SheetField } from "./mapping.ts";
import { plainName, providerOf } from "./provider-names.ts";
import type { SheetRow } from "./rows.ts";

/** What a file seems to be, and whether anything else is possible. */
export interface Guess<Value> {
  readonly value: Value;
  /** False: somebody must be asked. */
  readonly isCertain: boolean;
}

/** As many bytes tell the encoding and the separator of a file. */
export const headBytesMax = 256 * 1024;

/**
 * The encoding of a text by its first bytes. UTF-16 is told by its mark, or by the zeros of most of
 * its letters; UTF-8 by being it. Anything else is most likely windows-1252, and is to be asked.
 */
export function guessEncoding(head: Uint8Array): Guess<Encoding> {
  const [a, b] = head;
  if (a === 0xff && b === 0xfe) return { value: "utf-16le", isCertain: true };
  if (a === 0xfe && b === 0xff) return { value: "utf-16be", isCertain: true };
  const zeros = [0, 0];
  const first = head.subarray(0, 4_096);
  for (const [at, byte] of first.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  const isMost = even + odd > first.length / 4;
  if (odd > 0 && even === 0) return { value: "utf-16le", isCertain: isMost };
  if (even > 0 && odd === 0) return { value: "utf-16be", isCertain: isMost };
  if (isUtf8(head)) return { value: "utf-8", isCertain: true };
  return { value: "windows-1252", isCertain: false };
}

/** Whether bytes are UTF-8; the last character may be cut off. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** So many rows are compared. */
const comparedRows = 50;

/**
 * What separates cells: the sign with which every row has as many cells as the others, or with
 * which the first rows name columns that are known. Two such signs, or none, are to be asked.
 */
export function guessSeparator(text: string, isWhole: boolean): Guess<Separator> {
  const noted = /^"?sep=(.)"?\r?\n/i.exec(text)?.[1];
  const fromNote = separators.find((each) => each === noted);
  if (fromNote !== undefined) return { value: fromNote, isCertain: true };
  const tried = separators.map((separator) => {
    const rows = rowsOf(text, separator, isWhole);
    const widths = rows.map(({ cells }) => cells.length).filter((width) => width > 1);
    const same = widths.filter((width) => width === widths[0]).length;
    return {
      separator,
      known: Math.max(0, ...rows.slice(0, headerRowsMax).map(knownColumns)),
      isEven: rows.length > 0 && same === rows.length,
      share: rows.length === 0 ? 0 : same / rows.length,
    };
  });
  const best = tried.toSorted((a, b) => b.known - a.known || b.share - a.share)[0];
  const value = best?.separator ?? ",";
  const rivals = tried.filter(({ known }) => known === best?.known);
  if (best !== undefined && best.known > 1 && rivals.length === 1)
    return { value, isCertain: true };
  const even = tried.filter(({ isEven }) => isEven);
  return { value: even[0]?.separator ?? value, isCertain: even.length === 1 };
}

function rowsOf(text: string, separator: Separator, isWhole: boolean): readonly SheetRow[] {
  const reader = new RowReader(separator);
  const rows = [...reader.read(text), ...(isWhole ? reader.end() : [])];
  return rows.filter(({ cells }) => cells.some((cell) => cell !== "")).slice(0, comparedRows);
}

/** What people call the columns, as `plainName` leaves it: English, German, French, Spanish. */
const columnNames: Readonly<Record<SheetField, readonly string[]>> = {
  prompt: [
    ...["prompt", "prompttext", "question", "query", "keyword", "search"],
    ...["frage", "suchanfrage", "anfrage", "eingabe", "requete", "pregunta", "consulta"],
  ],
  promptId: ["promptid"],
  provider: [
    ...["provider", "assistant", "engine", "aiengine", "llm", "platform", "chatbot", "aimodel"],
    ...["anbieter", "assistent", "plattform", "ki", "fournisseur", "plateforme", "proveedor"],
    ...["plataforma", "motor", "asistente"],
  ],
  answeredAt: [
    ...["answeredat", "date", "datetime", "timestamp", "createdat", "runat", "askedat", "day"],
    ...["datum", "zeitpunkt", "zeitstempel", "datumuhrzeit", "tag", "fecha", "jour"],
    ...["dateheure", "fechahora", "datumzeit", "collectedat", "datetimeutc"],
  ],
  time: ["time", "timeofday", "uhrzeit", "zeit", "heure", "hora"],
  text: [
    ...["text", "answer", "answertext", "response", "responsetext", "reply", "output", "content"],
    ...["antwort", "antworttext", "ausgabe", "inhalt", "reponse", "respuesta", "texto", "texte"],
  ],
  citations: [
    ...["citations", "citation", "sources", "source", "urls", "url", "links", "link", "references"],
    ...["citedurls", "citedurl", "sourceurl", "citationurl", "quellen", "quelle", "verweise"],
    ...["fuentes", "fuente", "liens", "lien"],
  ],
  retrieved: ["retrieved", "foundbutnotcited"],
  citationTitle: ["citationtitle", "sourcetitle", "titleofsource", "quellentitel", "seitentitel"],
  topic: [
    ...["topic", "topics", "theme", "category", "cluster", "thema", "themen", "kategorie"],
    ...["sujet", "categorie", "tema", "categoria"],
  ],
  // Not the German "Tag", which is a day.
  tags: ["tags", "prompttags", "schlagworte", "schlagwoerter", "etiquettes", "etiquetas"],
  region: [
    ...["region", "country", "countrycode", "market", "location", "geo"],
    ...["land", "markt", "pays", "pais", "laendercode"],
  ],
  model: ["model", "modelname", "modelversion", "modell", "modele", "modelo"],
  outcome: ["outcome", "ergebnis"],
  surface: ["surface"],
  sample: ["sample", "run", "repetition", "stichprobe", "durchlauf"],
  id: ["id", "answerid"],
  searchQueries: ["searchqueries", "suchanfragen", "fanoutqueries"],
  cost: ["cost"],
  vendor: ["vendor"],
  requestedRegion: ["requestedregion"],
  metadata: ["metadata"],
};

const fieldsByName: ReadonlyMap<string, SheetField> = new Map(
  (Object.entries(columnNames) as [SheetField, readonly string[]][]).flatMap(([field, names]) =>
    names.map((name) => [name, field] as const),
  ),
);

function fieldNamed(cell: string): SheetField | null {
  return fieldsByName.get(plainName(cell)) ?? null;
}

function knownColumns({ cells }: SheetRow): number {
  return new Set(cells.map(fieldNamed).filter((field) => field !== null)).size;
}

/** The row that names the columns, 0 for none, by the columns that are known. */
export function guessHeader(rows: readonly SheetRow[]): Guess<number> {
  const first = rows.slice(0, headerRowsMax);
  const [best, rival] = first.toSorted((a, b) => knownColumns(b) - knownColumns(a));
  if (best !== undefined && knownColumns(best) > 1) {
    const isAlone = rival === undefined || knownColumns(rival) < knownColumns(best);
    return { value: best.number, isCertain: isAlone };
  }
  const [top] = first;
  const isData = top?.cells.some((cell) => looksLike("any", cell)) ?? true;
  return { value: isData ? 0 : (top?.number ?? 0), isCertain: false };
}

type Kind = "answeredAt" | "citations" | "provider" | "any";

function looksLike(kind: Kind, cell: string): boolean {
  if (cell.trim() === "") return false;
  const isDate = kind !== "citations" && kind !== "provider" && writtenDate(cell) !== null;
  const isUrl = (kind === "citations" || kind === "any") && /^https?:\/\//i.test(cell.trim());
  const isProvider = (kind === "provider" || kind === "any") && providerOf(cell) !== null;
  return isDate || isUrl || isProvider;
}

/**
 * Which columns have which fields: by their names, then dates, URLs and providers by what the cells
 * are. A field that two columns could have goes to the first.
 */
export function guessColumns(
  rows: readonly SheetRow[],
  headerRow: number,
): Readonly<Partial<Record<SheetField, number>>> {
  const found: Partial<Record<SheetField, number>> = {};
  const taken = new Set<number>();
  const take = (field: SheetField, place: number) => {
    if (found[field] !== undefined || taken.has(place)) return;
    found[field] = place;
    taken.add(place);
  };
  const header = rows.find(({ number }) => number === headerRow);
  for (const [place, cell] of header?.cells.entries() ?? []) {
    const field = fieldNamed(cell);
    if (field !== null) take(field, place);
  }
  const below = rows.filter(({ number }) => number > headerRow).slice(0, comparedRows);
  const width = Math.max(0, ...below.map(({ cells }) => cells.length));
  for (const kind of ["answeredAt", "citations", "provider"] as const) {
    for (let place = 0; place < width; place++) {
      const cells = below.map(({ cells: all }) => all[place] ?? "").filter((cell) => cell !== "");
      if (cells.length === 0 || !cells.every((cell) => looksLike(kind, cell))) continue;
      take(kind, place);
    }
  }
  return found;
}
