import type { FastifyInstance } from "fastify";
import { declaredPromptsOf } from "./accounts/account-store.ts";
import { applyWorkspace } from "./accounts/apply-workspace.ts";
import { readWorkspaceFile } from "./accounts/workspace-file/read-workspace-file.ts";
import { importAnswers } from "./answers/intake/import-answers.ts";
import { readConfig } from "./config.ts";
import type { AskFrozen } from "./operations/freeze/freeze.ts";
import { retryWhileLocked } from "./platform/retry-while-locked.ts";
import { serviceApp } from "./server.ts";
import { openServices, type Services } from "./services.ts";

/** Nothing is limited, nothing asks or is asked from outside, and nothing is logged. */
const settings = {
  logLevel: "fatal",
  rateLimit: "off",
  dailyQuota: "off",
  collect: "off",
  console: "off",
} as const;

/**
 * Starts a service in a folder of its own, in this process and without a socket, applies and
 * imports what is given, asks it, and stops it. It knows nothing of the environment's settings.
 */
export const askFrozenService: AskFrozen = async function* (frozen) {
  const { folder, workspace: text, answers, questions, onProgress } = frozen;
  const services = await openServices(readConfig({ dataDir: folder, ...settings }, {}));
  const app = serviceApp(services);
  try {
    const workspace = readWorkspaceFile(text);
    const { accountId } = workspace;
    const { control, clock, projection } = services;
    await retryWhileLocked(() =>
      applyWorkspace(control, accountId, workspace, { now: clock.now() }),
    );
    await imported(services, accountId, { answers, onProgress });
    onProgress("reading the answers");
    await projection.waitUntilCurrent(accountId);
    const token = await signedIn(services, app, accountId);
    for (const [place, { path, body }] of questions.entries()) {
      onProgress(`question ${place + 1} of ${questions.length}`);
      const payload = JSON.stringify(body);
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const reply = await app.inject({ method: "POST", url: path, headers, payload });
      if (reply.statusCode !== 200) throw new Error(`${path} replied ${reply.body}`);
      yield reply.rawPayload;
    }
  } finally {
    await app.close();
    await services.close();
  }
};

/** Records all answers, whatever their time. @throws on the first that is rejected. */
async function imported(
  { control, clock, answers: store }: Services,
  accountId: string,
  { answers, onProgress }: Pick<Parameters<AskFrozen>[0], "answers" | "onProgress">,
): Promise<void> {
  await importAnswers(answers, {
    source: "frozen",
    accountId,
    prompts: await declaredPromptsOf(control, accountId),
    now: () => Number.POSITIVE_INFINITY,
    store,
    control,
    clock,
    onRejected: async ([first]) => {
      throw new Error(`line ${first?.line} of the answers was rejected: ${first?.reason}`);
    },
    onProgress: ({ accepted }) => onProgress(`${accepted} answers imported`),
  });
}

async function signedIn(
  { keyRing }: Services,
  app: FastifyInstance,
  accountId: string,
): Promise<string> {
  const properties = { name: "frozen", expiresAt: null, scopes: ["read"] as const };
  const { key } = await retryWhileLocked(() => keyRing.create(accountId, properties));
  const url = "/v1/auth/accesskey/exchange";
  const reply = await app.inject({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${key}` },
  });
  return reply.json<{ sessionJwt: string }>().sessionJwt;
}
