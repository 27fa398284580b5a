import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { crashBackup, crashFirstStart, crashMigration, crashRotation } from "./crash-commands.ts";
import { crashCorrections } from "./crash-corrections.ts";
import { crashAccountDelete, crashPost, crashRetention } from "./crash-data.ts";
import { crashPeople } from "./crash-people.ts";
import { crashReports } from "./crash-reports.ts";
import { crashRounds } from "./crash-rounds.ts";

// tasks/crash [ROUNDS] [SEED]: the long form of rounds.crash.test.ts and commands.crash.test.ts.
const [rounds = "50", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const folder = temporaryFolder();
const say = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
say(`${rounds} rounds with seed ${seed} in ${folder}`);
// The folder of a run that found something stays, to be looked at.
const report = await crashRounds({
  folder,
  rounds: Number(rounds),
  seed: Number(seed),
  answersEachRound: 6_000,
  onRound: say,
});
const commands = [
  ...[crashBackup, crashFirstStart, crashMigration, crashRotation, crashCorrections],
  crashPeople,
  crashReports,
  ...[crashPost, crashRetention, crashAccountDelete],
];
for (const crash of commands) {
  const own = join(folder, crash.name);
  mkdirSync(own);
  const { kills } = await crash({ folder: own, rounds: Number(rounds), seed: Number(seed) });
  say(`${crash.name}: ${kills} killed at work`);
}
rmSync(folder, { recursive: true });
const seconds = Math.round((performance.now() - started) / 1_000);
say(`nothing lost, torn or doubled: ${JSON.stringify({ ...report, seconds })}`);
