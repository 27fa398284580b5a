import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";
import { corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";

const [promptId = ""] = corpusWorkspace.prompts.map(({ id }) => id);
const dayMs = 86_400_000;

/** Answers of so many days, each with a page of its own. */
function answersOf(days: number) {
  return Array.from({ length: days }, (_, day) => ({
    promptId,
    provider: day % 2 === 0 ? "OPENAI" : "GROK",
    answeredAt: new Date(Date.UTC(2026, 0, 1) + day * dayMs).toISOString(),
    text: day % 3 === 0 ? "Acme, then Globex." : "Globex.",
    citations: [{ url: `https://site${day % 7}.com/${day}` }],
  }));
}

// The engine plans by what the columns hold; a plan that is used again must not count by what they
// held before.
test("questions asked before get right replies when the facts have grown", async (t) => {
  const dataDir = join(temporaryFolder(), "data");
  t.after(() => rmSync(join(dataDir, ".."), { recursive: true }));
  const open = async () => {
    const service = await TestService.start({ dataDir, settings: { replyCache: "off" } });
    const accountId = await service.apply(corpusWorkspace);
    await service.settle(accountId);
    const token = await service.session(accountId);
    const replies = () => fiveReplies((path, body) => service.post(path, { token, body }));
    return { service, accountId, replies };
  };
  const growing = await open();
  const grown: (readonly string[] | null)[] = [];
  for (const days of [1, 3, 5, 9, 20, 40, 59]) {
    await growing.service.import(growing.accountId, answersOf(days));
    grown.push(await growing.replies());
  }
  await growing.service.close();
  const fresh = await open();
  assert.deepEqual(grown.at(-1), await fresh.replies());
  await fresh.service.close();
});
