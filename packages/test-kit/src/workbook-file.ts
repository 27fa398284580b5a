import { crc32, deflateRawSync } from "node:zlib";

/** A part of an archive: its path, its text, and the size that the archive says it has. */
export interface ArchivePart {
  readonly path: string;
  readonly text: string;
  /** Omitted: the true one. */
  readonly declaredBytes?: number;
}

/** A ZIP archive as spreadsheet programs write it: each part deflated, then the list of parts. */
export function archive(parts: readonly ArchivePart[]): Uint8Array<ArrayBuffer> {
  const pieces: Buffer[] = [];
  const listed: Buffer[] = [];
  let at = 0;
  for (const { path, text, declaredBytes } of parts) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const name = Buffer.from(path);
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(declaredBytes ?? content.length, 8);
    sizes.writeUInt16LE(name.length, 12);
    const local = Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
    const central = Buffer.from([0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0, 8, 0, 0, 0, 0, 0]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    listed.push(Buffer.concat([central, sizes, place, name]));
    const piece = Buffer.concat([local, sizes, name, packed]);
    pieces.push(piece);
    at += piece.length;
  }
  const list = Buffer.concat(listed);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...pieces, list, end]));
}

/** What a cell has: a text, a number, or a number that is shown as a date. */
type Cell = string | number | { readonly serial: number } | null;

/** Excel's serial number of a time on a clock, days since 1899-12-30. */
export function serialOf(iso: string): number {
  return (Date.parse(`${iso}Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;
}

/** A sheet as it is written. */
export interface WrittenSheet {
  readonly name: string;
  readonly rows: readonly (readonly Cell[])[];
  readonly isHidden?: boolean;
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";

/**
 * A workbook in the form in which Excel writes one: texts are shared, dates are numbers with a
 * style, and the shared texts come last.
 */
export function workbook(sheets: readonly WrittenSheet[]): Uint8Array<ArrayBuffer> {
  const shared: string[] = [];
  const written = sheets.map(({ rows }, place) => ({
    path: `xl/worksheets/sheet${place + 1}.xml`,
    text: sheetXml(rows, shared),
  }));
  return archive([...frame(sheets), ...written, styles, sharedStrings(shared)]);
}

function frame(sheets: readonly WrittenSheet[]): readonly ArchivePart[] {
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const override = (path: string, kind: string) =>
    `<Override PartName="/xl/${path}" ContentType="${type}.${kind}+xml"/>`;
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const relations = (list: readonly string[]) =>
    `${xml}<Relationships xmlns="${packages}/relationships">${list.join("")}</Relationships>`;
  const names = sheets.map((_, place) => `worksheets/sheet${place + 1}.xml`);
  const listed = sheets.map(
    ({ name, isHidden }, place) =>
      `<sheet name="${escaped(name)}" sheetId="${place + 1}"` +
      `${isHidden === true ? ' state="hidden"' : ""} r:id="rId${place + 1}"/>`,
  );
  const count = sheets.length;
  return [
    {
      path: "[Content_Types].xml",
      text:
        `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ` +
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        override("workbook.xml", "sheet.main") +
        names.map((name) => override(name, "worksheet")).join("") +
        `${override("styles.xml", "styles")}` +
        `${override("sharedStrings.xml", "sharedStrings")}</Types>`,
    },
    { path: "_rels/.rels", text: relations([relation(1, "officeDocument", "xl/workbook.xml")]) },
    {
      path: "xl/workbook.xml",
      text:
        `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr defaultThemeVersion=` +
        `"166925"/><sheets>${listed.join("")}</sheets></workbook>`,
    },
    {
      path: "xl/_rels/workbook.xml.rels",
      text: relations([
        ...names.map((name, place) => relation(place + 1, "worksheet", name)),
        relation(count + 1, "styles", "styles.xml"),
        relation(count + 2, "sharedStrings", "sharedStrings.xml"),
      ]),
    },
  ];
}

/** Style 1 is `dd.mm.yyyy hh:mm`, as a German Excel shows it. */
const styles: ArchivePart = {
  path: "xl/styles.xml",
  text:
    `${xml}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode=` +
    '"dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/>' +
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>' +
    "</styleSheet>",
};

function sheetXml(rows: readonly (readonly Cell[])[], shared: string[]): string {
  const written = rows.map((cells, row) => {
    const inside = cells.map((cell, place) => cellXml(cell, `${letter(place)}${row + 1}`, shared));
    return `<row r="${row + 1}" spans="1:${cells.length}">${inside.join("")}</row>`;
  });
  return `${xml}<worksheet xmlns="${main}"><sheetData>${written.join("")}</sheetData></worksheet>`;
}

const letter = (place: number) => String.fromCharCode(65 + place);

function cellXml(cell: Cell, at: string, shared: string[]): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell !== "string") return `<c r="${at}" s="1"><v>${cell.serial}</v></c>`;
  shared.push(cell);
  return `<c r="${at}" t="s"><v>${shared.length - 1}</v></c>`;
}

function sharedStrings(texts: readonly string[]): ArchivePart {
  const items = texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  const count = texts.length;
  const open = `<sst xmlns="${main}" count="${count}" uniqueCount="${count}">`;
  return { path: "xl/sharedStrings.xml", text: `${xml}${open}${items.join("")}</sst>` };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
