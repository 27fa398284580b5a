// The process of command-host.ts: it runs the command lines that it is sent, one after the other.
import "@sightline/server/thread-pool"; // before all that may use the pool
import { processIo } from "../src/command-io.ts";
import { runSightline } from "../src/run-sightline.ts";
import type { HostedCommand } from "./command-host.ts";

/** As Node ends a process that waits for something when nothing can come any more. */
const unsettled = 13;

process.umask(0o077);
let mark: string | null = null;
let isSettled = false;

process.on("message", (command: HostedCommand) => {
  mark = command.mark;
  isSettled = false;
  process.exitCode = undefined;
  process.chdir(command.folder);
  setEnvironment(command.environment);
  // From here on only the command keeps this process alive, so its end shows as that of a process.
  process.channel?.unref();
  void runSightline(command.parameters, processIo).then((status) => {
    if (status !== 0) process.exitCode = status;
    isSettled = true;
  });
});

process.on("beforeExit", () => {
  if (mark === null) return; // told to end
  process.stdout.write(mark);
  process.stderr.write(mark);
  mark = null;
  process.channel?.ref();
  process.send?.({ status: isSettled ? (process.exitCode ?? 0) : unsettled });
});

function setEnvironment(environment: Readonly<Record<string, string>>): void {
  // What thread-pool.ts has set is of the process.
  const kept = { ...environment, UV_THREADPOOL_SIZE: process.env["UV_THREADPOOL_SIZE"] };
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
  Object.assign(process.env, kept);
}
