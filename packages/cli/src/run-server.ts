import { type RunningServer, startServer } from "@sightline/server";
import type { Config } from "@sightline/server/config";

/** How long a stop may take before the process ends all the same. */
const stopDeadlineMs = 10_000;

/**
 * Serves until SIGTERM or SIGINT, then lets requests finish. `onReady` runs once it may be asked.
 */
export async function runServer(
  config: Config,
  onReady: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startServer(config);
  const { promise: told, resolve } = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  // A server that is told to stop before it is ready never says that it is.
  const isTold = await Promise.race([told, server.ready().then(() => null)]);
  if (isTold === null) await onReady(server);
  const signal = await told;
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  await server.stop(signal);
}
