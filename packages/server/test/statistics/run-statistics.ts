import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { changeOf, wrongMax } from "../../src/questions/statistics/change.ts";
import { estimate, type Interval } from "../../src/questions/statistics/estimates.ts";
import { rectified } from "../../src/questions/statistics/rectified.ts";
import type { LabelledScenario, StatisticsScenario } from "./scenarios.ts";
import { gridScenarios, labelledScenarios, tableScenarios } from "./statistics-table.ts";

// Draws the scenarios of the guide's table, and random ones: tasks/soak statistics [SEED [GRID]].
const [seed = 1, gridSize = 60] = process.argv.slice(2).map(Number);
const thresholds = { rate: 0.02, rank: 0.1 } as const;

/** How often the outcome was seen, of the runs that had one. */
function shareOf(scenario: StatisticsScenario, random: () => number): readonly [number, number] {
  let [seen, runs] = [0, 0];
  for (let run = 0; run < scenario.runs; run += 1) {
    const { before, after, truth } = scenario.draw(random);
    if (scenario.outcome === "coverage") {
      const { interval } = estimate([...after.clusters.values()], scenario.scale);
      if (interval === null) continue;
      runs += 1;
      seen += Number(interval.low <= truth && truth <= interval.high);
      continue;
    }
    const change = changeOf(before, after);
    if (scenario.outcome !== "untested" && change?.p == null) continue;
    runs += 1;
    const size = Math.abs(change?.parts?.likeForLike ?? 0);
    const isMoved = (change?.p ?? 1) <= wrongMax && size >= thresholds[scenario.scale];
    seen += Number(isMoved);
  }
  return [seen, runs];
}

/** How often the interval by labels held the value, and how often the plain one did. */
function coveredBy({ runs, truth, draw }: LabelledScenario, random: () => number) {
  let [held, plain] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const prompts = draw(random);
    const covers = (interval: Interval | null) =>
      Number(interval !== null && interval.low <= truth && truth <= interval.high);
    held += covers(rectified(prompts).interval);
    const clusters = prompts.map(({ answers, hits }) => {
      return { numerator: hits, denominator: answers };
    });
    plain += covers(estimate(clusters, "rate").interval);
  }
  return { held: held / runs, plain: plain / runs };
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

let failed = 0;
for (const [place, scenario] of [...tableScenarios, ...gridScenarios(seed, gridSize)].entries()) {
  const [seen, runs] = shareOf(scenario, seededRandom(seed * 1_000 + place));
  const share = runs === 0 ? 0 : seen / runs;
  const error = runs === 0 ? 0 : Math.sqrt((share * (1 - share)) / runs);
  const isMost = scenario.outcome === "errors" || scenario.outcome === "untested";
  // A bound is missed when chance alone does not explain it, by two standard errors.
  const isHeld = isMost
    ? share - 2 * error <= scenario.allowed
    : share + 2 * error >= scenario.allowed;
  failed += Number(!isHeld);
  process.stdout.write(
    `${isHeld ? "holds " : "MISSES"} ${scenario.outcome} ${percent(share)} ± ${percent(error)}, ` +
      `${isMost ? "at most" : "at least"} ${percent(scenario.allowed)}, ${runs} runs: ` +
      `${scenario.name}\n`,
  );
}
for (const [place, scenario] of labelledScenarios.entries()) {
  const { held, plain } = coveredBy(scenario, seededRandom(seed * 1_000 + 500 + place));
  const { runs, allowed, plainMost, name } = scenario;
  const error = Math.sqrt((held * (1 - held)) / runs);
  const isHeld = held + 2 * error >= allowed && plain <= plainMost;
  failed += Number(!isHeld);
  process.stdout.write(
    `${isHeld ? "holds " : "MISSES"} coverage by labels ${percent(held)} ± ${percent(error)}, ` +
      `at least ${percent(allowed)}; the plain interval ${percent(plain)}, at most ` +
      `${percent(plainMost)}, ${runs} runs: ${name}\n`,
  );
}
process.stdout.write(failed === 0 ? "all hold\n" : `${failed} miss\n`);
process.exitCode = failed === 0 ? 0 : 1;
