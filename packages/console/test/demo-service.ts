import { createReadStream, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { decompressed } from "@sightline/server/decompress";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { atProcessEnd } from "@sightline/test-kit/process-end.ts";
import {
  TestService,
  type TestServiceOptions,
  temporaryFolder,
} from "@sightline/test-kit/test-service.ts";
import { buildConsole, type ConsoleSizes } from "../build.ts";

const demo = fileURLToPath(new URL("../../cli/demo", import.meta.url));

/** The answers of the demo that are imported: of its last 24 weeks, every third unless said. */
const firstDay = "2026-05-17";
const usualNth = 3;

/** When the tests take place: four days after the last answer. */
export const nowMs: number = Date.parse("2026-11-04T12:00:00Z");

/** A service with a part of the demo's answers, and the console as it is now. */
export interface DemoService {
  readonly service: TestService;
  readonly accountId: string;
  readonly origin: string;
  /** May do everything. */
  readonly key: string;
  readonly sizes: ConsoleSizes;
}

/**
 * Builds the console, and starts a service that serves it, with every n-th answer. The caller
 * closes the service.
 */
export async function startDemo(everyNth: number = usualNth): Promise<DemoService> {
  const { service, sizes } = await startConsole();
  const accountId = await service.apply(readFileSync(join(demo, "workspace.yaml"), "utf8"));
  await service.import(accountId, await demoAnswers(everyNth));
  const key = await service.key(accountId, ["read", "import", "manage"]);
  return { service, accountId, origin: await service.listen(), key, sizes };
}

let shared: Promise<DemoService> | null = null;

/**
 * The service of `startDemo` that this process's tests have in common, for those that ask, and
 * change neither its account nor its clock.
 */
export async function sharedDemo(): Promise<DemoService> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<DemoService> {
  const demo = await startDemo();
  atProcessEnd(() => demo.service.close());
  return demo;
}

let built: Promise<{ readonly console: string; readonly sizes: ConsoleSizes }> | null = null;

/** Builds the console, once in a process. */
async function builtConsole() {
  const folder = temporaryFolder();
  atProcessEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const console = join(folder, "console");
  return { console, sizes: await buildConsole(console) };
}

interface ConsoleSurroundings {
  readonly clock?: HeldClock;
  readonly environment?: NonNullable<TestServiceOptions["environment"]>;
}

/** The console as it is now, and a service that serves it. The caller closes the service. */
export async function startConsole(
  settings: TestServiceOptions["settings"] = {},
  { clock = new HeldClock(nowMs), environment = {} }: ConsoleSurroundings = {},
) {
  built ??= builtConsole();
  const { console, sizes } = await built;
  const service = await TestService.start({ clock, documents: { console }, settings, environment });
  return { service, sizes };
}

async function demoAnswers(everyNth: number): Promise<readonly object[]> {
  const file = Readable.from(decompressed(createReadStream(join(demo, "answers.ndjson.zst"))));
  const answers: object[] = [];
  let number = 0;
  for await (const line of createInterface({ input: file })) {
    number += 1;
    if (number % everyNth !== 0) continue;
    const answer = JSON.parse(line) as { readonly answeredAt: string };
    if (answer.answeredAt >= firstDay) answers.push(answer);
  }
  return answers;
}
