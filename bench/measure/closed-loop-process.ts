import { connect } from "node:net";
import type { ClosedLoop, ClosedLoopResult } from "./closed-loop.ts";
import { onReplies, requestBytes } from "./http-replies.ts";

// The process behind closedLoop. It speaks to the sockets itself: with a whole HTTP client it
// would be the client that is measured.
process.once("message", (plan) => {
  run(plan as ClosedLoop).then(end, (error: unknown) => end({ failure: String(error) }));
});
process.once("disconnect", () => process.exit());

function end(result: ClosedLoopResult | { readonly failure: string }): void {
  process.send?.(result, () => process.disconnect());
}

async function run(plan: ClosedLoop): Promise<ClosedLoopResult> {
  const { hostname, port, host } = new URL(plan.url);
  const bytes = requestBytes(host, plan);
  const failed = Promise.withResolvers<never>();
  let replies = 0;
  const sockets = Array.from({ length: plan.connections }, () => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    onReplies(socket, {
      reply: ({ status }) => {
        if (status !== 200) failed.reject(new Error(`a reply with ${status}`));
        replies++;
        socket.write(bytes);
      },
      fail: (reason) => failed.reject(new Error(reason)),
    });
    socket.write(bytes);
    return socket;
  });
  const started = performance.now();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, plan.seconds * 1_000);
  await Promise.race([over, failed.promise]);
  const result = { replies, seconds: (performance.now() - started) / 1_000 };
  for (const socket of sockets) socket.destroy();
  return result;
}
