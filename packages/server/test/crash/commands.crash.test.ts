import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import {
  type CrashCommandsOptions,
  crashBackup,
  crashFirstStart,
  crashMigration,
  crashRotation,
  type Kills,
} from "./crash-commands.ts";
import { crashCorrections } from "./crash-corrections.ts";
import { crashAccountDelete, crashPost, crashRetention } from "./crash-data.ts";
import { crashPeople } from "./crash-people.ts";
import { crashReports } from "./crash-reports.ts";

/** The long form is tasks/crash. */
function short(crash: (options: CrashCommandsOptions) => Promise<Kills>) {
  return async (t: TestContext) => {
    const folder = temporaryFolder();
    t.after(() => rmSync(folder, { recursive: true }));
    const report = await crash({ folder, rounds: 2, seed: 1 });
    t.diagnostic(JSON.stringify(report));
    assert.ok(report.kills > 0, "nothing was killed while it ran");
  };
}

test("kill -9 of backup: no file, or a whole one, and no folder stays", short(crashBackup));
test("kill -9 of the first start: applying again is enough", short(crashFirstStart));
test("kill -9 of several that migrate: the next one ends it", short(crashMigration));
test("kill -9 of invitations and roles: with their entries, or neither", short(crashPeople));
test("kill -9 while reports are made: each once, with entry and event", short(crashReports));
test("kill -9 of a rotation: the service starts and sessions work", short(crashRotation));
test(
  "kill -9 of a removal: all of it, or nothing; again, and no text is left",
  short(crashCorrections),
);
test("kill -9 of a server that takes a body: whole answers; again, and all", short(crashPost));
test(
  "kill -9 of retention: a text, or what it mentioned; again, and no text",
  short(crashRetention),
);
test("kill -9 of deleting an account: again, and nothing is left", short(crashAccountDelete));
