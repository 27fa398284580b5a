import { SheetFile } from "@sightline/sheets/sheet-file";
import type { SheetAsked, SheetReplied } from "./sheet-thread.ts";

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
    case "open":
      sheet = new SheetFile(call.file);
      return sheet.open();
    case "head":
      return sheet.head(call.format);
    case "read":
      return sheet.read(call.mapping, call.edits, call.prompts);
  }
}
