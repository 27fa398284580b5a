import type { InsightsPlanQuestion, InsightsPlanResponse } from "@sightline/client";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { planFields, planRecords } from "../output/insight-records.ts";
import { planTable } from "../output/plan-table.ts";
import type { Terminal } from "../output/terminal.ts";
import { CommandError } from "../result.ts";
import { emptyHint } from "./empty-hint.ts";
import { chosenOf } from "./filters.ts";
import { entityOf } from "./names.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { PlanOptions } from "./question-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for how many prompts and answers show a change, and prints it. */
export async function askPlan(options: PlanOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const sizes = sizesOf(options);
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const entity = await entityOf(options.entity, client);
    const { metric } = options;
    const question = { entityId: entity.id, metric, ...sizes, ...chosen };
    const reply: InsightsPlanResponse = await client.insights.plan(question);
    const printable = {
      document: reply,
      table: (terminal: Terminal) => planTable(reply, entity.name, terminal),
      fields: planFields,
      records: () => planRecords(reply),
    };
    const format = formatOf(options, io);
    printReply(format, printable, io);
    if (format === "table") io.stderr.write(emptyHint(reply.empty));
  });
}

type Sizes = Omit<InsightsPlanQuestion, "entityId" | "metric" | "filters">;

/** What is planned for. @throws CommandError for a change in points, which is a fraction here. */
function sizesOf({ metric, ...given }: PlanOptions): Sizes {
  const { change, power, answersPerPrompt, rate, correlation } = given;
  if (change !== undefined && change > 1 && metric !== "rank") {
    const fraction = `For ${change} points use --change ${Number((change / 100).toPrecision(6))}.`;
    throw new CommandError(`--change: of a rate it is a fraction from 0 to 1. ${fraction}`, 2);
  }
  if ((rate ?? correlation) !== undefined && (metric === "rank" || metric === "shareOfVoice")) {
    const option = rate === undefined ? "--correlation" : "--rate";
    const allowed = "mentions, visibility or citations";
    throw new CommandError(`${option}: is about answers that count or do not: ${allowed}.`, 2);
  }
  return {
    ...(change === undefined ? {} : { change }),
    ...(power === undefined ? {} : { power }),
    ...(answersPerPrompt === undefined ? {} : { answersPerPrompt }),
    ...(rate === undefined ? {} : { rate }),
    ...(correlation === undefined ? {} : { correlation }),
  };
}
