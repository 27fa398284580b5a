import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand, startCommand, stopped } from "@sightline/server/test/command.ts";
import { temporaryFolder } from "@sightline/server/test/test-service.ts";

test("the demo prints its page and its year; a year that is there is kept", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const started = async (lastDay: string) => {
    const parameters = ["demo", "--port", "0", "--data-dir", join(folder, "d")];
    const running = startCommand([...parameters, "--last-day", lastDay]);
    let printed = "";
    const ready = new Promise<void>((resolve) => {
      running.process.stdout.on("data", (data: Buffer) => {
        printed += data.toString();
        if (printed.includes("Ctrl-C stops it")) resolve();
      });
    });
    await Promise.race([ready, running.finished]);
    return stopped(running);
  };
  const first = await started("2026-11-22");
  const [, url] = /^listening on (\S+)\n/.exec(first.stdout) ?? [];
  assert.match(first.stdout, new RegExp(`to try: ${url}/docs\\n`));
  assert.match(first.stdout, new RegExp(`\n {2}${url}/#sign-in=[\\w-]{43}\n`));
  assert.match(first.stdout, /query mentions --from 2025-11-23 --to 2026-11-23 --plot/);
  const again = await started("2026-11-24");
  assert.match(again.stdout, /query mentions --from 2025-11-23 --to 2026-11-23 --plot/);
  assert.match(again.stderr, /holds a year that ends on 2026-11-22\. Delete the folder for one/);
});

test("the demo's last day is a date", async () => {
  const { status, stderr } = await runCommand(["demo", "--last-day", "2026-02-30"]);
  assert.equal(status, 2);
  assert.match(stderr, /Use a UTC date, such as 2026-10-31\./);
});
