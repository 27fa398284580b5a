import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Sightline } from "@sightline/client";
import { runCommand, startCommand, stopped } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";

test("the demo prints its page and its year, and keeps a year that is there", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const started = async (lastDay: string, ...more: readonly string[]) => {
    const parameters = ["demo", "--port", "0", "--data-dir", join(folder, "d"), ...more];
    const environment = { SIGHTLINE_OPENAI_KEY: "sk-of-somebody-else" };
    const running = startCommand([...parameters, "--last-day", lastDay], { environment });
    let printed = "";
    const ready = new Promise<void>((resolve) => {
      running.process.stdout.on("data", (data: Buffer) => {
        printed += data.toString();
        if (printed.includes("Ctrl-C stops it")) resolve();
      });
    });
    await Promise.race([ready, running.finished]);
    const [, url = ""] = /^listening on (\S+)\n/.exec(printed) ?? [];
    const [, key = ""] = /^API key: (\S+)$/m.exec(printed) ?? [];
    const { providers } = await new Sightline({ baseUrl: url, key }).workspace();
    return { ...(await stopped(running)), url, providers };
  };
  // Live: a sweep asks a stand-in first, whatever keys there are.
  const first = await started("2026-11-22", "--collect");
  assert.equal(first.providers.length, 8);
  const [, asked, done] =
    /providers (\d+) questions, of a stand-in[^\n]+\n(\d+) of \1 questions were/.exec(
      first.stderr,
    ) ?? [];
  assert.ok(asked !== undefined && asked === done, first.stderr);
  assert.match(first.stdout, new RegExp(`to try: ${first.url}/docs\\n`));
  assert.match(first.stdout, new RegExp(`\n {2}${first.url}/#sign-in=[\\w-]{43}\\n`));
  assert.match(first.stdout, /query mentions --from 2025-11-23 --to 2026-11-23 --plot/);
  const again = await started("2026-11-24");
  for (const { stderr } of [first, again]) assert.doesNotMatch(stderr, /^\{/m, "prose, and no log");
  assert.match(again.stdout, /query mentions --from 2025-11-23 --to 2026-11-23 --plot/);
  assert.match(again.stderr, /holds a year that ends on 2026-11-22\. Delete the folder for one/);
});

test("the demo's last day is a date", async () => {
  const { status, stderr } = await runCommand(["demo", "--last-day", "2026-02-30"]);
  assert.equal(status, 2);
  assert.match(stderr, /Use a UTC date, such as 2026-10-31\./);
});
