import { fiveReplies } from "@sightline/test-kit/requests/five-questions.ts";

/** A reply of a node. */
export interface NodeReply {
  readonly status: number;
  readonly body: string;
}

/** Sends one request to a node; 0: it could not be reached. */
export async function ask(
  url: string,
  path: string,
  { token, body, type = "application/json" }: { token: string; body?: string; type?: string },
): Promise<NodeReply> {
  try {
    const reply = await fetch(`${url}${path}`, {
      method: body === undefined && path === "/v1/workspace" ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status: reply.status, body: await reply.text() };
  } catch {
    return { status: 0, body: "" };
  }
}

/** A session of a key, from one node: the others take it too. */
export async function sessionOf(url: string, key: string): Promise<string> {
  const reply = await ask(url, "/v1/auth/accesskey/exchange", { token: key });
  if (reply.status !== 200) throw new Error(`the exchange gave ${reply.status}: ${reply.body}`);
  return (JSON.parse(reply.body) as { sessionJwt: string }).sessionJwt;
}

/** The five replies of a node; null when any was not 200. */
export function repliesOf(url: string, token: string): Promise<readonly string[] | null> {
  return fiveReplies((path, body) => ask(url, path, { token, body: JSON.stringify(body) }));
}

/** How many answers count at a node; null: it cannot say now. */
export async function answersAt(url: string, token: string): Promise<number | null> {
  const { status, body } = await ask(url, "/v1/workspace", { token });
  if (status !== 200) return null;
  return (JSON.parse(body) as { answers: { count: number } }).answers.count;
}
