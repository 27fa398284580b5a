import { type ExportFile, exportGroups, joinedExport } from "@sightline/sheets/export-files";
import { SheetFile } from "@sightline/sheets/sheet-file";
import type { OpenedFiles, SheetAsked, SheetReplied } from "./sheet-thread.ts";

/**
 * Reads a table beside the page, which goes on while 60,000 rows are read. It is built by itself,
 * and ends with the dialog.
 */
let sheet = new SheetFile(new Blob());

addEventListener("message", ({ data }: MessageEvent<SheetAsked>) => {
  void replyTo(data).then((reply) => postMessage(reply));
});

async function replyTo({ id, call }: SheetAsked): Promise<SheetReplied> {
  try {
    return { id, reply: await answered(call) };
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) };
  }
}

function answered(call: SheetAsked["call"]): Promise<unknown> {
  switch (call.name) {
    case "groups":
      return exportGroups(call.files);
    case "open":
      return opened(call.files);
    case "head":
      return sheet.head(call.format);
    case "read":
      return sheet.read(call.mapping, call.edits, call.prompts);
  }
}

/** Opens a table, or the export that several files are together. */
async function opened(files: readonly ExportFile[]): Promise<OpenedFiles> {
  const joined = await joinedExport(files);
  const [first] = files;
  sheet = new SheetFile(joined?.content ?? first?.content ?? new Blob());
  if (joined === null) return { ...(await sheet.open()), source: null };
  const { title, content, prompts } = joined;
  const source = {
    title,
    hasAnswers: content !== null,
    prompts: prompts.map(({ text, topic, tags, isPaused }) => {
      return { text, topics: topic === null ? [] : [topic], tags, isPaused };
    }),
  };
  // What was joined here is known to be written so.
  const encoding = { value: "utf-8", isCertain: true } as const;
  const separator = { value: ",", isCertain: true } as const;
  if (content !== null) return { kind: "text", sheets: [], encoding, separator, source };
  return { ...(await sheet.open()), source };
}
