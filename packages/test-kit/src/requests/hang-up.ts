import { connect } from "node:net";
import { serviceApp } from "../../../server/src/server.ts";
import type { Services } from "../../../server/src/services.ts";
import { type LogLine, recordedLog } from "../recorded-log.ts";
import type { AfterHook } from "../sample-account.ts";

/** A service that a client hung up on. */
export interface HungUp {
  /** It still listens here. */
  readonly url: string;
  readonly lines: readonly LogLine[];
}

/**
 * Sends bytes and hangs up, by a reset, as soon as the service has the request's head, or the
 * client the first bytes of the reply. Resolves when the service has noticed.
 */
export async function hangUp(
  t: AfterHook,
  services: Services,
  { bytes, at }: { readonly bytes: string; readonly at: "request" | "reply" },
): Promise<HungUp> {
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...services, logger });
  t.after(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const { hostname, port } = new URL(url);
  const hungUp = Promise.withResolvers<void>();
  app.server.once("connection", (socket) => socket.once("close", () => hungUp.resolve()));
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  if (at === "request") app.server.once("request", () => socket.resetAndDestroy());
  else socket.once("data", () => socket.resetAndDestroy());
  await hungUp.promise;
  return { url, lines };
}
