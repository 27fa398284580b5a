import { catalogueOf } from "../generator/catalogue.ts";
import { type GeneratedAnswer, generate } from "../generator/generate.ts";
import type { Workload } from "../generator/workload.ts";
import { clickHouseInstant, clickHouseMerges, clickHouseTables } from "../peers/clickhouse-sql.ts";
import type { ClickHouseSession } from "../peers/peer-packages.ts";

/** Answers per insert: parts large enough to be merged in one pass. */
const batchAnswers = 100_000;

/** Fills ClickHouse's tables with a workload and merges what it wrote. */
export async function fillClickHouse(
  session: ClickHouseSession,
  workload: Workload,
): Promise<void> {
  for (const table of clickHouseTables) session.query(table, "CSV");
  const lines = linesOf(workload);
  for (const batch of generate(workload, batchAnswers)) {
    const insert = (table: string, rows: readonly string[]) =>
      session.insert({ table, values: Buffer.from(rows.join("")), format: "TSV" });
    await insert("answers", batch.map(lines.answer));
    await insert("mention_entries", batch.map(lines.mentions));
    await insert("citations", batch.map(lines.citations));
  }
  for (const merge of clickHouseMerges) session.query(merge, "CSV");
}

/** An answer's rows in each table, tab-separated; no value has anything to escape. */
function linesOf(workload: Workload) {
  const { prompts } = catalogueOf(workload);
  const answerValues = ({ answeredAt, prompt, provider, region }: GeneratedAnswer): string => {
    const { topic, branded } = prompts[prompt] ?? { topic: 0, branded: false };
    const instant = clickHouseInstant(answeredAt);
    return [1, instant, prompt, topic, provider, region ?? "", branded].join("\t");
  };
  return {
    answer: (answer: GeneratedAnswer) => `${answerValues(answer)}\n`,
    mentions: (answer: GeneratedAnswer) => {
      const { mentions, citedEntities } = answer;
      const start = answerValues(answer);
      const onlyCited = citedEntities.filter((entity) => !mentions.includes(entity));
      return [
        ...mentions.map((entity, place) => {
          return `${start}\t${entity}\ttrue\t${citedEntities.includes(entity)}\t${place + 1}\n`;
        }),
        ...onlyCited.map((entity) => `${start}\t${entity}\tfalse\ttrue\t0\n`),
      ].join("");
    },
    citations: (answer: GeneratedAnswer) => {
      const start = answerValues(answer);
      return answer.citations.map(({ domain, url }) => `${start}\t${domain}\t${url}\n`).join("");
    },
  };
}
