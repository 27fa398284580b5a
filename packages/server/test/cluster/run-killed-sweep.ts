import { rmSync } from "node:fs";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { checkKilledSweep } from "../collection/check-killed-sweep.ts";
import { killedClusterSweep } from "./killed-cluster-sweep.ts";

// tasks/crash cluster-sweep [KILLS] [SEED] [JOBS]: the long form of killed-sweep.crash.test.ts.
const [kills = "50", seed = String(Date.now() % 1_000_000), jobs = "1000"] = process.argv.slice(2);
const prompts = Math.ceil(Number(jobs) / 4);
const folder = temporaryFolder();
const say = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
say(`a sweep of ${4 * prompts} jobs, ${kills} kills with seed ${seed} in ${folder}`);
const ends: (() => unknown)[] = [];
try {
  const sweep = await killedClusterSweep(
    { after: (hook) => void ends.unshift(hook as () => unknown) },
    { folder, prompts, kills: Number(kills), seed: Number(seed), onKill: say },
  );
  const report = await checkKilledSweep(sweep, 4 * prompts);
  const seconds = Math.round((performance.now() - started) / 1_000);
  say(`each paid once, none lost: ${JSON.stringify({ ...report, kills: sweep.kills, seconds })}`);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
} finally {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true });
}
// The servers that tests share end with this process, and keep it from ending by itself.
process.exit();
