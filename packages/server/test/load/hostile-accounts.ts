import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { answersPath, hooksPath, workspaceFilePath, workspacePath } from "@sightline/contract";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { corpusAnswer, corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { heavyQuestions } from "./loaded-folder.ts";
import { pause } from "./three-accounts.ts";

/** Accounts that attack a service, each with a session that may do everything. */
export interface Hostile {
  readonly url: string;
  readonly tokens: readonly string[];
  /** Where webhooks lead whose receiver never replies. */
  readonly silentHook: string;
}

interface Call {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly type?: string;
  readonly body?: string | Buffer;
}

/** Between calls that were refused: the attacker's own process must not be what is measured. */
const refusedPauseMs = 25;
const ndjson = "application/x-ndjson";

/** What became of the attack's calls: replies by status, and what was left or closed. */
const ended: Record<string, number> = {};

function note(what: number | string): void {
  ended[what] = (ended[what] ?? 0) + 1;
}

/** Calls, and reads the reply. What is refused for now is tried again by the next round. */
async function call(hostile: Hostile, token: string, { type, body = "", ...where }: Call) {
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
  const sent = opened(hostile, token, { type, headers: length, ...where });
  sent.end(body);
  try {
    const [reply] = await once(sent, "response");
    let text = "";
    for await (const data of reply) if (text.length < 10_000) text += String(data);
    note(reply.statusCode);
    if (reply.statusCode === 429 || reply.statusCode === 503) await pause(refusedPauseMs);
    else if (reply.statusCode >= 400) throw new Error(`${where.path}: ${reply.statusCode} ${text}`);
    return text;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // else: the connection ended
    note("closed");
    await pause(refusedPauseMs);
    return "";
  }
}

function opened(
  { url }: Hostile,
  token: string,
  { method, path, type, headers = {} }: OpenedCall,
): ClientRequest {
  const named = type === undefined ? {} : { "content-type": type };
  const sent = request(new URL(path, url), {
    method,
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...named, ...headers },
  });
  sent.on("error", () => undefined);
  return sent;
}

interface OpenedCall extends Pick<Call, "method" | "path"> {
  readonly type?: string | undefined;
  readonly headers?: Readonly<Record<string, number>>;
}

/** A file of 100,000 prompts and some 31 MiB; another letter makes all of its prompts others. */
function largestWorkspace(letter: string): Buffer {
  const filler = "which of them is the best one of all? ".repeat(7).trim();
  const prompts = Array.from({ length: 100_000 }, (_, place) => `${letter} ${place} ${filler}`);
  return Buffer.from(JSON.stringify({ ...corpusWorkspace, account: "Large", topics: [], prompts }));
}

/** Answers with texts of nearly the most characters, some 60 MB. */
function largestAnswers(): Buffer {
  const text = "Take Acme, or Globex. ".repeat(40_000);
  const lines = Array.from({ length: 64 }, (_, number) =>
    JSON.stringify({ ...corpusAnswer(10_000_000 + number), text }),
  );
  return Buffer.from(`${lines.join("\n")}\n`);
}

const question: Call = {
  method: "POST",
  path: heavyQuestions[0]?.path ?? "",
  type: "application/json",
  body: JSON.stringify(heavyQuestions[0]?.body),
};
const small: Call = {
  method: "PUT",
  path: workspacePath,
  type: "application/json",
  body: JSON.stringify(corpusWorkspace),
};
const answers: Call = { method: "POST", path: answersPath, type: ndjson, body: corpusFile(500) };

/** Does the rounds of each of an account's clients one after another, for ever. */
function always(hostile: Hostile, clients: readonly ((token: string) => Promise<unknown>)[]) {
  for (const token of hostile.tokens) {
    for (const round of clients) {
      void (async () => {
        for (;;) await round(token);
      })();
    }
  }
}

interface PartOfCall extends Call {
  readonly bytes: number;
}

/** Sends so many bytes of a body, and leaves soon after. */
async function abandoned(hostile: Hostile, token: string, { bytes, ...sent }: PartOfCall) {
  const { method, path, type, body = "" } = sent;
  const headers = { "content-length": Buffer.byteLength(body) };
  const left = opened(hostile, token, { method, path, type, headers });
  left.write(Buffer.from(body).subarray(0, bytes));
  await pause(refusedPauseMs);
  left.destroy();
  note("left");
}

/** What hostile accounts do, without an end. */
export const attacks = {
  "silent bodies": async (hostile) => {
    const silent = async (token: string, { method, path, type }: Call) => {
      const sent = opened(hostile, token, { method, path, type });
      sent.write("{");
      note("silent");
      await once(sent, "close");
    };
    always(
      hostile,
      [answers, answers, small, small].map((each) => (token: string) => silent(token, each)),
    );
  },
  "floods within the limits": async (hostile) =>
    always(
      hostile,
      [question, question, answers, answers, small].map(
        (each) => (token: string) => call(hostile, token, each),
      ),
    ),
  "webhooks with a silent receiver": async (hostile) => {
    const hooks = new Map<string, string>();
    for (const token of hostile.tokens) {
      const body = JSON.stringify({ url: hostile.silentHook, events: ["moved"] });
      const type = "application/json";
      const made = await call(hostile, token, { method: "POST", path: hooksPath, type, body });
      hooks.set(token, (JSON.parse(made) as { id: string }).id);
    }
    const tried = (token: string) =>
      call(hostile, token, { method: "POST", path: `${hooksPath}/${hooks.get(token)}/test` });
    always(
      hostile,
      Array.from({ length: 6 }, () => tried),
    );
  },
  "the largest workspace": async (hostile) => {
    const files = [largestWorkspace("a"), largestWorkspace("b")] as const;
    for (const token of hostile.tokens) await call(hostile, token, { ...small, body: files[1] });
    let round = 0;
    always(hostile, [
      (token) => {
        const body = files[round++ % 2 === 0 ? 0 : 1];
        return call(hostile, token, { ...small, body });
      },
      (token) => call(hostile, token, { method: "GET", path: workspaceFilePath }),
      (token) => call(hostile, token, { method: "GET", path: workspacePath }),
    ]);
  },
  "the largest file of answers": async (hostile) => {
    const body = largestAnswers();
    always(hostile, [
      (token) => call(hostile, token, { ...answers, body }),
      (token) => call(hostile, token, { ...answers, body: corpusFile(20_000) }),
    ]);
  },
  "largest replies that nobody reads": async (hostile) => {
    const body = largestWorkspace("a");
    for (const token of hostile.tokens) await call(hostile, token, { ...small, body });
    const unread = async (token: string) => {
      const sent = opened(hostile, token, { method: "GET", path: workspacePath });
      sent.on("response", (reply) => {
        note(`unread ${reply.statusCode}`);
        reply.pause();
        if (reply.statusCode !== 200) sent.destroy();
      });
      sent.end();
      await once(sent, "close");
      await pause(refusedPauseMs);
    };
    always(
      hostile,
      Array.from({ length: 4 }, () => unread),
    );
  },
  "clients that leave in mid-call": async (hostile) => {
    const [file, many] = [largestWorkspace("a"), largestAnswers()];
    const left = (sent: Call, bytes: number) => (token: string) =>
      abandoned(hostile, token, { ...sent, bytes });
    always(hostile, [
      left(question, 10_000),
      left({ ...small, body: file }, file.length / 2),
      left({ ...small, body: file }, file.length),
      left({ ...answers, body: many }, many.length / 2),
    ]);
  },
} satisfies Readonly<Record<string, (hostile: Hostile) => Promise<void>>>;

/**
 * Starts an attack in a thread of its own, so that it and its watcher share none. Resolves when it
 * is under way. What goes wrong in it ends the process.
 * @returns what ends it, and tells what became of its calls.
 */
export async function startAttack(t: AfterHook, name: keyof typeof attacks, hostile: Hostile) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { name, hostile } });
  t.after(async () => void (await worker.terminate()));
  await once(worker, "message");
  return async (): Promise<Readonly<Record<string, number>>> => {
    worker.postMessage("end");
    const [became] = await once(worker, "message");
    await worker.terminate();
    return became;
  };
}

if (!isMainThread && workerData?.name in attacks) {
  const { name, hostile } = workerData as { name: keyof typeof attacks; hostile: Hostile };
  parentPort?.on("message", () => parentPort?.postMessage(ended));
  await attacks[name](hostile);
  parentPort?.postMessage("started");
}
