import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../../build/folders.ts";

const dockerfile = readFileSync(join(root, "deploy/Dockerfile"), "utf8");
const unit = readFileSync(join(root, "deploy/sightline.service"), "utf8");

/** The exit status of the image's health check. */
async function health(port: number): Promise<unknown> {
  const [, check = ""] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [, ...parameters] = JSON.parse(check) as readonly string[];
  const env = { SIGHTLINE_PORT: String(port) };
  const options = { env, stdio: "ignore", timeout: 20_000 } as const;
  const [status] = await once(spawn(process.execPath, parameters, options), "exit");
  return status;
}

test("the image's health check asks the port that SIGHTLINE_PORT names", async (t) => {
  const server = createServer((request, reply) => {
    reply.writeHead(request.url === "/healthz" ? 200 : 404).end();
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  assert.equal(await health(port), 0);
  assert.equal(await health(1), 1); // nothing listens there
});

test("the image holds production packages, and npm's cache is not left in it", () => {
  assert.match(dockerfile, /^RUN \.\/tasks\/setup --production && npm cache clean --force/m);
});

test("the unit bounds memory and refuses what the service does not need", () => {
  const settings = unit.split("\n").filter((line) => /^[A-Z]\w+=/.test(line));
  const wanted = [
    "MemoryMax=2G",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    "RestrictSUIDSGID=yes",
    "RestrictRealtime=yes",
    "ProtectClock=yes",
    "ProtectKernelLogs=yes",
    "ProtectHostname=yes",
    "ProtectProc=invisible",
    "PrivateUsers=yes",
    "RemoveIPC=yes",
  ];
  assert.deepEqual(
    wanted.filter((line) => !settings.includes(line)),
    [],
  );
  // V8 compiles at run time.
  assert.ok(!settings.some((line) => line.startsWith("MemoryDenyWriteExecute")));
});
