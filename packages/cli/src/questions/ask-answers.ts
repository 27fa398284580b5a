import type { EvidenceAnswer, EvidenceResponse } from "@sightline/client";
import { type EvidenceRole, pageAnswersMax, pageAnswersUnlessSaid } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { answerTexts } from "../output/answer-texts.ts";
import type { Fields } from "../output/records.ts";
import type { Terminal } from "../output/terminal.ts";
import { CommandError } from "../result.ts";
import { noAnswersHint } from "./empty-hint.ts";
import { chosenOf, citedOf } from "./filters.ts";
import { entityKind, idOf, isId } from "./names.ts";
import { printPages } from "./print-pages.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { AnswersOptions } from "./question-options.ts";
import { timeRangeOf } from "./time-range.ts";

/** Asks for the answers behind a value, a page or all, and prints them. */
export async function askAnswers(options: AnswersOptions, io: CommandIo): Promise<void> {
  const timeRange = timeRangeOf(options, io.now());
  const format = formatOf(options, io);
  if (options.all === true && format !== "csv" && format !== "ndjson") {
    throw new CommandError("--all prints lines as they come: add --format ndjson or csv.", 2);
  }
  const connection = await connectionOf(options, io);
  await withClient(connection, async (client) => {
    const chosen = await chosenOf(options, timeRange, () => client.workspace());
    const { entity, cursor } = options;
    const isNamed = entity !== undefined && !isId(entity);
    const workspace = isNamed || format === "table" ? await client.workspace() : null;
    const entities = workspace === null ? [] : [workspace.brand, ...workspace.competitors];
    const entityId = entity === undefined ? undefined : idOf(entity, entityKind, entities);
    const limit = options.all === true ? pageAnswersMax : (options.limit ?? pageAnswersUnlessSaid);
    const asked = client.evidence({
      ...chosen,
      entityId,
      role: roleOf(options),
      limit,
      cursor,
      ...citedOf(options),
    });
    if (options.all === true) {
      const recordsOf = ({ answers }: EvidenceResponse) => answers.map(answerRecord);
      const printable = { fields: answerFields, pages: asked.pages(), recordsOf };
      return printPages(format, printable, io);
    }
    const reply: EvidenceResponse = await asked;
    const prompts = new Map(workspace?.prompts.map(({ id, text }) => [id, text]));
    const printable = {
      document: reply,
      table: (terminal: Terminal) => answerTexts(reply, prompts, terminal),
      fields: answerFields,
      records: () => reply.answers.values().map(answerRecord),
    };
    printReply(format, printable, io);
    if (format === "table" && reply.total === 0) {
      io.stderr.write(await noAnswersHint(client));
    }
  });
}

/** Of an entity its mentions, else all answers, unless it is said. */
function roleOf({ role, entity }: AnswersOptions): EvidenceRole {
  if (role === undefined) return entity === undefined ? "any" : "mentioned";
  switch (role) {
    case "not-visible":
      return "notVisible";
    case "mentioned-only":
      return "mentionedOnly";
    case "cited-only":
      return "citedOnly";
    case "not-found":
      return "notFound";
    default:
      return role;
  }
}

/** The columns of answers' records. */
const answerFields = [
  ...["id", "answeredAt", "provider", "region", "promptId", "model", "surface"],
  ...["names", "sources", "text", "textRemoved"],
] as const;

/** An answer's record; names that matched and counted URLs are separated by spaces and commas. */
function answerRecord(answer: EvidenceAnswer): Fields {
  const { id, answeredAt, provider, region, promptId, model, surface, text } = answer;
  const names = new Set(answer.mentions.map(({ name }) => name));
  const counted = answer.citations.filter(({ counted: counts }) => counts);
  return {
    id,
    answeredAt,
    provider,
    region,
    promptId,
    model,
    surface,
    names: [...names].join(", "),
    sources: counted.map(({ canonicalUrl }) => canonicalUrl).join(" "),
    text,
    textRemoved: answer.textRemoved,
  };
}
