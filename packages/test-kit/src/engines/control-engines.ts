import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type ControlOptions, openControl } from "../../../server/src/control/control.ts";
import type { ControlAddress, ControlEngine } from "../../../server/src/control/control-engine.ts";
import type { HeldClock } from "../held-clock.ts";
import { temporaryFolder } from "../test-service.ts";
import { migratedPostgresUrl } from "./migrated-postgres.ts";

/** An engine that holds control. */
export type ControlEngineName = "sqlite" | "postgres";

const engineNames: readonly ControlEngineName[] = ["sqlite", "postgres"];

/** A test of control, once on each engine. */
export function testOnEachEngine(
  name: string,
  run: (t: TestContext, engine: ControlEngineName) => Promise<void>,
): void {
  for (const engine of engineNames) {
    test(`${name} (${engine})`, (t) => run(t, engine));
  }
}

/** Where a test finds an empty control: a file of its own, or a database. */
export async function controlAddress(
  t: TestContext,
  engine: ControlEngineName,
): Promise<ControlAddress> {
  if (engine === "postgres") return { postgres: await migratedPostgresUrl() };
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return { sqlite: join(folder, "control.sqlite") };
}

/** Two nodes with one empty control. */
export async function openNodes(
  t: TestContext,
  engine: ControlEngineName,
  clock: HeldClock,
  options: ControlOptions = {},
): Promise<readonly [ControlEngine, ControlEngine]> {
  const address = await controlAddress(t, engine);
  const open = () => openControl(address, clock, options);
  const nodes = [await open(), await open()] as const;
  t.after(() => Promise.all(nodes.map((node) => node.close())));
  return nodes;
}
