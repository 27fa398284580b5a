import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresUrl, sharedPostgres } from "@sightline/test-kit/engines/postgres-database.ts";
import { systemClock } from "../../platform/clock.ts";
import { openControl } from "../control.ts";

test("a refused connection is reported with its server and the reason", async () => {
  const url = new URL(await postgresUrl());
  const open = (changed: Partial<URL>) =>
    openControl({ postgres: Object.assign(new URL(url), changed).toString() }, systemClock);
  const nobody = /^PostgreSQL refuses: role "nobody" does not exist$/;
  await assert.rejects(() => open({ username: "nobody" }), { message: nobody });
  const nowhere = /^PostgreSQL refuses: database "nowhere" does not exist$/;
  await assert.rejects(() => open({ pathname: "/nowhere" }), { message: nowhere });
  const client = await (await sharedPostgres()).connect(url.pathname.slice(1));
  await client.query("create role reader login");
  const reader = /^PostgreSQL refuses: permission denied for schema public$/;
  await assert.rejects(() => open({ username: "reader" }), { message: reader });
});
