import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual, promisify } from "node:util";
import { run } from "@sightline/cli/test/run-in-process.ts";
import type { InsightsSourcesResponse, WorkspaceResponse } from "@sightline/client";
import { startBrowser } from "@sightline/test-kit/browser.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import type { Request } from "playwright-core";
import { copiedText } from "./copied-text.ts";
import { type DemoService, nowMs, sharedDemo } from "./demo-service.ts";
import { startRecorder } from "./recorder.ts";
import { visitSignedIn } from "./visitor.ts";

/** What a shell takes a line for: it gives its `sightline` the address, and these parameters. */
const written = `#!/bin/sh\nprintf '%s\\0' "$SIGHTLINE_URL" "$@"\n`;

/** A list that can be copied: where it stands, its button, and the operation that gives it. */
type Copied = readonly [search: string, button: string, path: string];

const sources = "/v1/insights/sources";
const evidence = "/v1/evidence";

/** Every list that copies its question, each with filters that its question has to carry. */
async function listsOf(demo: DemoService): Promise<readonly Copied[]> {
  const token = await demo.service.session(demo.accountId);
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await demo.service.request("GET", "/v1/workspace", { headers });
  const { brand, competitors, topics, prompts } = JSON.parse(body) as WorkspaceResponse;
  const filters = { timeRange: { from: "2026-08-09T00:00:00Z", to: "2026-11-01T00:00:00Z" } };
  const asked = { groupBy: "url", filters, limit: 1, offset: 0 };
  const reply = await demo.service.post(sources, { token, body: asked });
  const [url] = reply.json<InsightsSourcesResponse>().sources.map(({ source }) => source);
  const some = `providers=OPENAI,GEMINI&topics=${topics[0]?.id}&branded=false`;
  const tarnfell = "_open=tarnfell.example";
  return [
    ["page=sources&compare=year-ago&not-providers=GROK&not-regions=US", "Copy as", sources],
    [`page=sources&_tab=gaps&_by=url&compare=none&${some}`, "Copy as", sources],
    [`page=sources&${tarnfell}&compare=2026-05-10`, "Copy the pages as", sources],
    [`page=sources&_tab=pages&_open=${encodeURIComponent(url ?? "")}`, answersButton, evidence],
    [`page=sources&_tab=gaps&_small=1&_side=brand&${tarnfell}`, answersButton, evidence],
    [
      `page=prompts&_of=${competitors[0]?.id}&${some}&not-prompts=${prompts[1]?.id}`,
      "Copy as",
      "/v1/insights/summary",
    ],
    [`evidence=notVisible~e.${brand.id}~p.${prompts[0]?.id}`, "Copy as", evidence],
    [`evidence=any&branded=true&not-topics=${topics[1]?.id}`, "Copy as", evidence],
  ];
}

const answersButton = "Copy the answers as";

/** The request's body in what was copied. */
function bodyIn(text: string, pattern: RegExp): object {
  const body = pattern.exec(text)?.[1];
  assert.ok(body !== undefined, `no request in ${JSON.stringify(text)}`);
  return JSON.parse(body) as object;
}

/** A request in one spelling: the page writes whole seconds, the command milliseconds. */
function spelled(body: object | null): object {
  const text = JSON.stringify(body).replaceAll(/(\d\d:\d\d:\d\d)(?:\.000)?Z/g, "$1.000Z");
  return JSON.parse(text) as object;
}

test("what is copied asks what the page asked: curl, TypeScript and a command", async (t) => {
  const browser = await startBrowser(t, undefined, "the console's copied questions");
  if (browser === null) return;
  const demo = await sharedDemo();
  const folder = temporaryFolder();
  writeFileSync(join(folder, "sightline"), written, { mode: 0o755 });
  const recorder = await startRecorder(t, demo.origin);
  const { page, go } = await visitSignedIn(browser, demo);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);

  for (const [search, button, path] of await listsOf(demo)) {
    const asked: (object | null)[] = [];
    const note = (request: Request) => {
      if (request.url().endsWith(path)) asked.push(request.postDataJSON() as object);
    };
    page.on("request", note);
    await go(`?${search}`);
    await page.getByRole("button", { name: button, exact: true }).waitFor();
    page.off("request", note);
    const pages = asked.map(spelled);
    const mustBeThePages = (body: object | null, form: string) =>
      assert.ok(
        pages.some((each) => isDeepStrictEqual(each, spelled(body))),
        `${form} of ${search} asks ${JSON.stringify(body)}, the page ${JSON.stringify(pages)}`,
      );
    const curl = await copiedText(page, button, "curl");
    assert.match(curl, new RegExp(`\\s\\S+${path} -H`));
    mustBeThePages(bodyIn(curl, / -d '(.*)'/), "curl");
    const sdk = await copiedText(page, button, "TypeScript");
    const call = path.replace("/v1/", "").replace("/", ".");
    mustBeThePages(bodyIn(sdk, new RegExp(`await sightline\\.${call}\\(([\\s\\S]*)\\);`)), "SDK");
    const line = (await copiedText(page, button, "command")).replace(demo.origin, recorder.url);
    recorder.calls.length = 0;
    const shell = await promisify(execFile)("sh", ["-c", line], {
      env: { PATH: `${folder}:${process.env["PATH"]}` },
    });
    const [url = "", ...parameters] = shell.stdout.split("\0").slice(0, -1);
    const ran = await run(parameters, {
      environment: { SIGHTLINE_URL: url, SIGHTLINE_KEY: demo.key, HOME: folder },
      now: new Date(nowMs).toISOString(),
    });
    assert.equal(ran.status, 0, ran.stderr);
    const calls = recorder.calls.filter((call) => call.path === path);
    assert.equal(calls.length, 1, line);
    mustBeThePages(calls[0]?.body ?? null, line);
  }
});
