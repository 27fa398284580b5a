import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { errorCodes } from "@sightline/contract";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import { type Block, nameOf, type Page } from "./blocks.ts";
import { checkAnswer, checkProblem, repliesTo, shapeOf } from "./json-shapes.ts";
import { notRunEntry } from "./not-run.ts";
import { type Printed, runShell, serviceOf } from "./page-shell.ts";
import { programLanguages } from "./run-programs.ts";
import type { SharedServices } from "./served-pages.ts";

/** Where a page's snippets run. */
export interface CommandIo {
  /** An empty folder of the page's own. */
  readonly folder: string;
  readonly shared: SharedServices;
}

/** What the snippets of a page showed so far. */
interface Seen extends CommandIo {
  readonly page: Page;
  readonly printed: Printed;
  /** Replies to requests that the page shows as JSON. */
  readonly replies: unknown[];
}

/** Runs the shell blocks of a page, and checks its data and its output. */
export async function checkPage(page: Page, io: CommandIo): Promise<void> {
  const blocks = page.blocks.filter((block) => notRunEntry(block) === undefined);
  const shell = blocks.filter(({ language }) => language === "sh");
  const printed = await runShell(shell, io);
  const seen: Seen = { ...io, page, printed, replies: [] };
  for (const block of blocks) {
    if (block.language === "sh" || programLanguages.includes(block.language)) continue;
    try {
      await checkBlock(block, seen);
    } catch (error) {
      throw new Error(`${nameOf(block)}: ${(error as Error).message}`, { cause: error });
    }
  }
}

async function checkBlock(block: Block, seen: Seen): Promise<void> {
  switch (block.language) {
    case "json":
      return checkJson(block, seen);
    case "yaml":
      readWorkspaceFile(block.text);
      return;
    case "http":
      return checkHttp(block);
    case "":
      return assert.ok(isPrinted(block, seen), "no shell block before it prints this");
    default:
      assert.fail("no check knows this language; add one to check-page.ts, or list it in not-run");
  }
}

async function checkJson(block: Block, seen: Seen): Promise<void> {
  if (isPrinted(block, seen)) return;
  const value: unknown = JSON.parse(block.text);
  const service = serviceOf(seen.page, seen.shared);
  const shape = shapeOf(value);
  if (shape === undefined) {
    assert.ok(isAnswer(value), "it has no known shape; add it to json-shapes.ts");
    const copy = join(seen.folder, `data-${block.line}`);
    cpSync(join(seen.shared.template, "data"), copy, { recursive: true });
    return checkAnswer(block.text, copy);
  }
  shape.check(value);
  if (shape.asks !== undefined) {
    // A metric's page is about that metric alone.
    const metric = /^docs\/metrics\/(.+)\.md$/.exec(seen.page.path)?.[1];
    const own = shape.asks.filter((path) => path.endsWith(`/${metric}`));
    seen.replies.push(...(await repliesTo(value, own.length > 0 ? own : shape.asks, service)));
  }
  if (shape.replies) {
    const isReply = seen.replies.some((reply) => JSON.stringify(reply) === JSON.stringify(value));
    assert.ok(isReply, "no request of the page gets this reply");
  }
}

function isAnswer(value: unknown): boolean {
  return typeof value === "object" && value !== null && "promptId" in value;
}

/** Whether a shell block before it in the page prints a block, spaces and a cut end apart. */
function isPrinted(block: Block, { page, printed }: Seen): boolean {
  const wanted = condensed(block.text).replace(/…$/, "");
  const before = page.blocks.slice(0, page.blocks.indexOf(block));
  return before.some((each) => condensed(printed.get(each) ?? "").includes(wanted));
}

function condensed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** A reply as it goes over the wire: the status line, the fields, and a problem for a body. */
function checkHttp({ text }: Block): void {
  const [head = "", body] = text.split(/\n\n([\s\S]*)/);
  const [first = "", ...fields] = head.split("\n");
  const status = /^HTTP\/1\.1 (\d{3}) .+$/.exec(first)?.[1];
  for (const field of status === undefined ? [first, ...fields] : fields) {
    if (field !== "") assert.match(field, /^[A-Z][A-Za-z-]+: \S.*$/);
  }
  if (status === undefined || body === undefined) return;
  const problem = JSON.parse(body) as { code: keyof typeof errorCodes };
  checkProblem(problem);
  assert.equal(Number(status), errorCodes[problem.code].status);
}
