import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { type Catalogue, catalogueOf } from "../generator/catalogue.ts";
import { type GeneratedAnswer, generate } from "../generator/generate.ts";
import type { Workload } from "../generator/workload.ts";
import { startPostgres } from "../peers/postgres-server.ts";
import { postgresAccountId, postgresIndexes, postgresTables } from "../peers/postgres-sql.ts";

/** Makes a PostgreSQL cluster with a workload: rows by COPY, then the indexes. */
export async function fillPostgres(folder: string, workload: Workload): Promise<object> {
  rmSync(folder, { recursive: true, force: true });
  const server = await startPostgres(folder);
  const run = (text: string) => server.client.query({ text, rowMode: "array" });
  try {
    for (const table of postgresTables) await run(table);
    const catalogue = catalogueOf(workload);
    const prompts = new Copy(server.copyInto("prompts"));
    for (const { id, topic, branded } of catalogue.prompts) {
      await prompts.write(line([id, postgresAccountId, catalogue.topics[topic] ?? "", branded]));
    }
    await prompts.end();
    await copyAnswers(workload, {
      answers: new Copy(server.copyInto("answers")),
      mentions: new Copy(server.copyInto("mention_entries")),
      citations: new Copy(server.copyInto("citations")),
    });
    for (const statement of postgresIndexes) await run(statement);
    await run("checkpoint");
  } finally {
    await server.stop();
  }
  return {};
}

async function copyAnswers(
  workload: Workload,
  { answers, mentions, citations }: Readonly<Record<"answers" | "mentions" | "citations", Copy>>,
): Promise<void> {
  const lines = linesOf(catalogueOf(workload));
  for (const batch of generate(workload)) {
    await Promise.all([
      answers.write(batch.map(lines.answer).join("")),
      mentions.write(batch.map(lines.mentions).join("")),
      citations.write(batch.map(lines.citations).join("")),
    ]);
  }
  await Promise.all([answers.end(), mentions.end(), citations.end()]);
}

/** An answer's rows in each table. */
function linesOf({ prompts, entities }: Catalogue) {
  const entityId = (number: number) => entities[number]?.id ?? "";
  return {
    answer: ({ number, prompt, provider, region, answeredAt }: GeneratedAnswer) => {
      const promptId = prompts[prompt]?.id ?? "";
      const instant = new Date(answeredAt).toISOString();
      return line([answerId(number), postgresAccountId, promptId, provider, region, instant]);
    },
    mentions: ({ number, mentions, citedEntities }: GeneratedAnswer) => {
      const id = answerId(number);
      const onlyCited = citedEntities.filter((entity) => !mentions.includes(entity));
      return [
        ...mentions.map((entity, place) => {
          return line([id, entityId(entity), true, citedEntities.includes(entity), place + 1]);
        }),
        ...onlyCited.map((entity) => line([id, entityId(entity), false, true, null])),
      ].join("");
    },
    citations: ({ number, answeredAt, citations }: GeneratedAnswer) => {
      const start = [answerId(number), postgresAccountId, new Date(answeredAt).toISOString()];
      return citations.map(({ domain, url }) => line([...start, domain, url])).join("");
    },
  };
}

/** An id that is as random as such ids are: in no order, and always the same of a number. */
function answerId(number: number): string {
  const [a = "", b = "", c = "", d = ""] = [1, 2, 3, 4].map((salt) =>
    mixed(number, salt).toString(16).padStart(8, "0"),
  );
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
}

/** 32 bits of a number, stirred (the finalizer of MurmurHash3). */
function mixed(number: number, salt: number): number {
  let bits = (number + Math.imul(salt, 0x9e3779b9)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** COPY's text format; no value has anything to escape. */
function line(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map((value) => (value === null ? "\\N" : String(value))).join("\t")}\n`;
}

/** A COPY that is under way; it takes no more than it can write. */
class Copy {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown[]>;

  constructor(process: ChildProcess) {
    this.#process = process;
    this.#exited = once(process, "exit");
    process.stdin?.on("error", () => undefined); // its exit status tells more
  }

  async write(text: string): Promise<void> {
    const { stdin } = this.#process;
    if (stdin === null || this.#process.exitCode !== null) throw new Error("psql ended early");
    if (!stdin.write(text)) await Promise.race([once(stdin, "drain"), this.#exited]);
  }

  async end(): Promise<void> {
    this.#process.stdin?.end();
    const [status] = await this.#exited;
    if (status !== 0) throw new Error(`psql ended with status ${status}`);
  }
}
