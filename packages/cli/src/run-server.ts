import { type RunningServer, startServer } from "@sightline/server";
import type { Config } from "@sightline/server/config";
import { CommandError } from "./result.ts";

/** How long a stop may take before the process exits anyway. */
const stopDeadlineMs = 10_000;

/**
 * Serves until SIGTERM or SIGINT, then lets requests finish. `onReady` runs once the service is
 * ready.
 * @throws CommandError, after the same stop, when a file of the data folder was deleted or
 * replaced: the server would keep using the old file, and accept revoked keys.
 */
export async function runServer(
  config: Config,
  onReady: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(config);
  const { promise: told, resolve } = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  const lost = server.services.lost.then((file) => ({ file }));
  const ended = Promise.race([told, lost]);
  // A server that is stopped before it is ready never prints the ready line.
  const isReady = await Promise.race([ended.then(() => false), server.ready().then(() => true)]);
  if (isReady) {
    await onReady(server).catch(async (error: unknown) => {
      await server.stop("the command failed once ready"); // or the process would not end
      throw error;
    });
  }
  const end = await ended;
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  if (typeof end === "string") return server.stop(end);
  // A failure to close lost files is irrelevant.
  await server.stop(end.file).catch(() => undefined);
  throw new CommandError(`${end.file} while it was served. The server has stopped. ${whatToDo}`);
}

const whatToDo =
  "Put the files back or restore a backup, run `sightline doctor`, and start the server again.";
