import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startAskedService } from "./asked-service.ts";
import { run } from "./run-in-process.ts";

const asked = await startAskedService();
after(() => asked.service.close());

/** What is said of a reply without values. */
async function said(...parameters: readonly string[]): Promise<string> {
  const environment = { SIGHTLINE_URL: asked.url, SIGHTLINE_KEY: asked.key };
  const { status, stderr } = await run(["query", ...parameters], { environment, terminal: 80 });
  assert.equal(status, 0);
  return stderr;
}

test("where answers pass that name and cite nobody, it is not said that none passes", async () => {
  // One answer lies on this day: it counts, without a mention and without a citation.
  const day = ["--from", "2026-01-07", "--to", "2026-01-08"];
  assert.equal(await said("mentions", ...day), "");
  const dates = "The account has answers in --from 2026-01-05 --to 2026-02-02.\n";
  const passing = "sightline: No answer that passes these filters";
  assert.equal(await said("rank", ...day), `${passing} mentions any of these. ${dates}`);
  assert.equal(await said("sources", ...day), `${passing} cites a page. ${dates}`);
});
