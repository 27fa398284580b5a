import type { WorkspaceResponse } from "@sightline/contract";
import type { CommandIo } from "../command-io.ts";
import { connectionOf } from "../connection/connection.ts";
import { withClient } from "../connection/with-client.ts";
import { workspaceFields, workspaceRecords } from "../output/records.ts";
import { safeText } from "../output/safe-text.ts";
import { type Column, tableLines } from "../output/table.ts";
import { styled, type Terminal } from "../output/terminal.ts";
import { padded, textWidth } from "../output/text-width.ts";
import { formatOf, printReply } from "./print-reply.ts";
import type { WorkspaceOptions } from "./question-options.ts";

/** Requests what the account tracks and what can be queried, and prints it. */
export async function askWorkspace(options: WorkspaceOptions, io: CommandIo): Promise<void> {
  const connection = await connectionOf(options, io);
  const reply = await withClient(connection, (client) => client.workspace());
  const printable = {
    document: reply,
    table: (terminal: Terminal) => workspaceTable(reply, terminal),
    fields: workspaceFields,
    records: () => workspaceRecords(reply),
  };
  printReply(formatOf(options, io), printable, io);
}

const labelWidth = 13;

const topicColumns: readonly Column[] = [
  { heading: "topic", align: "left", widthMin: 12 },
  { heading: "prompts", align: "right" },
];

const promptColumns: readonly Column[] = [
  { heading: "prompt", align: "left", widthMin: 20 },
  { heading: "topic", align: "left", widthMin: 8 },
  { heading: "branded", align: "left" },
];

/** What is tracked and what can be queried, for people. */
export function workspaceTable(workspace: WorkspaceResponse, terminal: Terminal) {
  const { brand, competitors, topics, prompts, providers, regions, answers } = workspace;
  const topicNames = new Map(topics.map(({ id, name }) => [id, safeText(name)]));
  const promptsByTopic = new Map<string | null, number>();
  for (const { topicId } of prompts) {
    promptsByTopic.set(topicId, (promptsByTopic.get(topicId) ?? 0) + 1);
  }
  const names = competitors.map(({ name }) => safeText(name));
  const facts: readonly (readonly [string, string])[] = [
    ["competitors", names.join(", ")],
    ["providers", providers.join(", ")],
    ["regions", regions.join(", ")],
    ["answers", answersText(answers)],
    ["imported", workspace.lastImport ?? "never"],
  ];
  return [
    styled(terminal, "bold", safeText(brand.name)),
    ...facts.flatMap(([label, text]) => factLines(label, text, terminal)),
    "",
    ...tableLines(
      terminal,
      topicColumns,
      topics.map(({ id }) => [
        { text: topicNames.get(id) ?? "" },
        { text: String(promptsByTopic.get(id) ?? 0) },
      ]),
    ),
    "",
    ...tableLines(
      terminal,
      promptColumns,
      prompts.map(({ text, topicId, branded }) => [
        { text: safeText(text) },
        { text: topicNames.get(topicId ?? "") ?? "–" },
        { text: branded ? "yes" : "no" },
      ]),
    ),
  ];
}

function answersText({ count, first, last }: WorkspaceResponse["answers"]): string {
  const number = count.toLocaleString("en-GB");
  return first === null || last === null ? number : `${number}, from ${first} to ${last}`;
}

/** A label and its text, broken between words where the line is full. */
function factLines(label: string, text: string, terminal: Terminal): readonly string[] {
  const room = Math.max(20, terminal.width - labelWidth);
  const lines = [""];
  for (const word of (text === "" ? "–" : text).split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && textWidth(`${line} ${word}`) > room) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.map((line, row) => padded(row === 0 ? label : "", labelWidth) + line);
}
