import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Block, nameOf, type Page, root } from "./blocks.ts";
import { notRunEntry } from "./not-run.ts";
import { environmentOf, writtenAddress } from "./page-shell.ts";
import type { AskedService } from "./served-pages.ts";

const run = promisify(execFile);

/** A program of a page, and the service that it asks. */
export interface Program {
  readonly block: Block;
  readonly service: AskedService;
}

/** What runs a program, by the language of its block. */
const runners: Readonly<Record<string, { readonly command: string; readonly ending: string }>> = {
  ts: { command: process.execPath, ending: "ts" },
  js: { command: process.execPath, ending: "mjs" },
  python: { command: "python3", ending: "py" },
};

/** The languages of programs. */
export const programLanguages: readonly string[] = Object.keys(runners);

/** The programs of a page: its blocks of one language follow each other, as in one file. */
export function programsOf({ blocks }: Page): readonly Block[] {
  return programLanguages.flatMap((language) => {
    const parts = blocks.filter(
      (block) => block.language === language && notRunEntry(block) === undefined,
    );
    const [first] = parts;
    if (first === undefined) return [];
    return [{ ...first, text: parts.map(({ text }) => text).join("\n") }];
  });
}

/**
 * Type-checks the TypeScript among programs in one run, and runs each of them: it must end with
 * status 0. They lie below the repository's root meanwhile, where its packages are found.
 */
export async function runPrograms(programs: readonly Program[]): Promise<void> {
  const folder = join(root, ".runs", `documents-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const files = programs.map(({ block, service }, index) => {
      const { command, ending } = runners[block.language] ?? assert.fail(nameOf(block));
      const file = join(folder, `program-${index}.${ending}`);
      writeFileSync(file, block.text.replaceAll(writtenAddress, new URL(service.url).host));
      return { block, service, command, file };
    });
    await checkTypes(
      folder,
      files.filter(({ file }) => file.endsWith(".ts")),
    );
    await Promise.all(files.map(runProgram));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface ProgramFile extends Program {
  readonly command: string;
  readonly file: string;
}

async function checkTypes(folder: string, files: readonly ProgramFile[]): Promise<void> {
  if (files.length === 0) return;
  const compilerOptions = { lib: ["es2024", "esnext.iterator", "dom"], noUnusedLocals: false };
  const config = { extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules/.bin/tsc");
  const { status, stdout } = spawnSync(tsc, ["--project", folder], { encoding: "utf8" });
  const names = files.map(({ block }, index) => `program-${index}.ts is ${nameOf(block)}`);
  assert.equal(status, 0, `${stdout}\n${names.join("\n")}`);
}

async function runProgram({ block, service, command, file }: ProgramFile): Promise<void> {
  const client = join(root, "packages/python/src");
  const own = { NODE_NO_WARNINGS: "1", PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: "1" };
  const env = { ...process.env, ...environmentOf(service), ...own };
  try {
    await run(command, [file], { env, timeout: 60_000 });
  } catch (error) {
    throw new Error(`${nameOf(block)}: ${(error as Error).message}`, { cause: error });
  }
}
