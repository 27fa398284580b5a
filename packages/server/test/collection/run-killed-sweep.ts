import { rmSync } from "node:fs";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { checkKilledSweep } from "./check-killed-sweep.ts";
import { killedSweep } from "./killed-sweep.ts";

// tasks/crash sweep [KILLS] [SEED]: the long form of killed-sweep.crash.test.ts.
const [kills = "100", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const folder = temporaryFolder();
const say = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
const prompts = 500;
say(`a sweep of ${4 * prompts} jobs, ${kills} kills with seed ${seed} in ${folder}`);
// The folder of a run that found something stays, to be looked at.
const options = { folder, prompts, kills: Number(kills), seed: Number(seed) };
const sweep = await killedSweep({ ...options, onKill: say });
const report = await checkKilledSweep(sweep, 4 * prompts);
rmSync(folder, { recursive: true });
const seconds = Math.round((performance.now() - started) / 1_000);
say(`each paid once, none lost: ${JSON.stringify({ ...report, kills: sweep.kills, seconds })}`);
