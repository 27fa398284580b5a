import { crashCluster } from "./crash-cluster.ts";

// tasks/crash cluster [ROUNDS] [SEED]: the long form of rounds.crash.test.ts.
const [rounds = "50", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const started = performance.now();
say(`${rounds} rounds with seed ${seed}`);
const ends: (() => unknown)[] = [];
try {
  const report = await crashCluster(
    { after: (hook) => void ends.unshift(hook as () => unknown) },
    { rounds: Number(rounds), seed: Number(seed), answersEachRound: 1_500, onRound: say },
  );
  const seconds = Math.round((performance.now() - started) / 1_000);
  say(JSON.stringify({ ...report, seconds }));
  if (report.lost + report.torn + report.doubled > 0) process.exitCode = 1;
} finally {
  for (const end of ends) await end();
}
// The servers that tests share end with this process, and keep it from ending by itself.
process.exit();
