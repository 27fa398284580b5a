import assert from "node:assert/strict";
import { printedDocument, runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";

/** What a server on a data folder with one account replies to the five questions. */
export async function repliesOfFolder(dataDir: string): Promise<readonly string[]> {
  const made = await runCommand(["keys", "create", "--data-dir", dataDir, "--json"]);
  const { key } = printedDocument<{ key: string }>(made);
  const serving = await startServing(dataDir);
  try {
    const post = (path: string, token: string, body?: object) =>
      fetch(`${serving.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : json) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const exchange = await post("/v1/auth/accesskey/exchange", key);
    const { sessionJwt } = (await exchange.json()) as { sessionJwt: string };
    const replies = await fiveReplies(async (path, body) => {
      const reply = await post(path, sessionJwt, body);
      return { status: reply.status, body: await reply.text() };
    });
    assert.ok(replies !== null, "a reply was not 200");
    return replies;
  } finally {
    await stopped(serving);
  }
}

const json = { "content-type": "application/json" };
