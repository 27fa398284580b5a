/** One request to each of the five operations, over all of the sample corpus. */
export const fiveQuestions: readonly { readonly path: string; readonly body: object }[] = [
  ...["mentions", "overall-visibility", "citations", "rank"].map((operation) => ({
    path: `/v1/analytics/brands/${operation}`,
    body: { interval: "daily", filters: filters() },
  })),
  {
    path: "/v1/analytics/sources",
    body: { groupBy: "url", limit: 100, offset: 0, filters: filters() },
  },
];

function filters() {
  return { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-03-01T00:00:00Z" } };
}

/** Sends one request with a body. */
export type Ask = (
  path: string,
  body: object,
) => Promise<{ readonly status: number; readonly body: string }>;

/**
 * The bodies of the replies to the five questions, byte for byte; null when any was not 200, as
 * while the facts are being repaired.
 */
export async function fiveReplies(ask: Ask): Promise<readonly string[] | null> {
  const bodies: string[] = [];
  for (const { path, body } of fiveQuestions) {
    const reply = await ask(path, body);
    if (reply.status !== 200) return null;
    bodies.push(reply.body);
  }
  return bodies;
}
