import { Command } from "commander";
import { type CommandIo, processIo } from "../command-io.ts";
import { withExamples } from "../examples.ts";
import { askPlan } from "../questions/ask-plan.ts";
import { type PlanOptions, withPlanOptions } from "../questions/question-options.ts";

/** `sightline plan`: how many prompts and answers show a change, and what they cost. */
export function planCommand(io: CommandIo = processIo): Command {
  const command = withPlanOptions(new Command("plan"));
  command.action((options: PlanOptions) => askPlan(options, io));
  return withExamples(
    command,
    ["sightline plan", "what shows a change of the brand's mentions by 5 points"],
    ["sightline plan --from 7d --change 0.1", "what shows 10 points from one week to the next"],
    [
      "sightline plan --metric rank --entity Globex --change 0.25 --power 0.9",
      "a competitor's rank, a quarter of a place, with a probability of 90 %",
    ],
    ["sightline plan --rate 0.3 --answers-per-prompt 7 --format csv", "before there are answers"],
  );
}
