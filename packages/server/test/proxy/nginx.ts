import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

const program = "/usr/sbin/nginx";
const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] as const;

/**
 * Whether nginx is here; where it is not, the run's last lines say what was NOT TESTED.
 * @throws in CI, where nothing may be missing.
 */
export function hasNginx(t: TestContext): boolean {
  if (existsSync(program)) return true;
  const say = `NOT TESTED: configurations of nginx, since ${program} is missing`;
  if (process.env["CI"] === "true") throw new Error(say);
  t.diagnostic(say);
  return false;
}

/** A configuration with another text in a place that it must have. */
export function withInstead(text: string, was: string, is: string): string {
  if (!text.includes(was)) throw new Error(`the configuration has no ${was}`);
  return text.replaceAll(was, is);
}

/**
 * Runs nginx with what its `http` block is to hold, until the test has ended.
 * @param port where that listens.
 */
export async function startNginx(t: TestContext, http: string, port: number): Promise<void> {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "temporary"));
  const paths = temporary.map((each) => `${each}_temp_path ${folder}/temporary/${each};`);
  const main = [
    // Or its workers would be somebody who may not look into the folder.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    `pid ${folder}/pid;`,
    "events { worker_connections 256; }",
    `http {\n${paths.join("\n")}\n${http}\n}`,
  ];
  writeFileSync(join(folder, "nginx.conf"), `${main.join("\n")}\n`);
  const log = join(folder, "error.log");
  const options = ["-p", folder, "-c", "nginx.conf", "-e", log, "-g", "daemon off;"];
  const child = spawn(program, options, { stdio: ["ignore", "inherit", "inherit"] });
  const exited = once(child, "exit");
  t.after(async () => {
    child.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true });
  });
  await until("nginx listens", async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(log, "utf8"));
    return (await isOpen(port)) ? true : null;
  });
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
