import { printedDocument, runCommand } from "../command.ts";

/** A session of a new key, for a service in a process of its own. */
export async function sessionOf(url: string, dataDir: string, accountId: string): Promise<string> {
  const options = ["--account", accountId, "--data-dir", dataDir, "--json"];
  const created = await runCommand(["keys", "create", ...options]);
  const { key } = printedDocument<{ key: string }>(created);
  const exchange = `${url}/v1/auth/accesskey/exchange`;
  const reply = await fetch(exchange, { method: "POST", headers: bearer(key) });
  return ((await reply.json()) as { sessionJwt: string }).sessionJwt;
}

/** The header field that shows a token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
