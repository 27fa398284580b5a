/** What the page of console-session.browser.test.ts does: bundled, and run in a browser. */
import { Sightline, UnauthorizedError } from "../../src/index.ts";

const own = { "sightline-console": "1" };

/** Signs in with a key or a code. @returns the account's id. */
export async function signIn(secret: object): Promise<string> {
  const headers = { ...own, "content-type": "application/json" };
  const body = JSON.stringify(secret);
  const reply = await fetch("/console/sessions", { method: "POST", headers, body });
  if (!reply.ok) throw new Error(await reply.text());
  return ((await reply.json()) as { account: { id: string } }).account.id;
}

/** The account's name, by the SDK; "signed out" when the session has ended. */
export async function accountName(accountId: string): Promise<string> {
  const baseUrl = `/console/accounts/${accountId}`;
  const sightline = new Sightline({ baseUrl, session: "cookie", retriesMax: 0 });
  try {
    return (await sightline.workspace()).brand?.name ?? "nameless";
  } catch (error) {
    if (error instanceof UnauthorizedError) return "signed out";
    throw error;
  }
}

/** Signs out. */
export async function signOut(accountId: string): Promise<void> {
  const path = `/console/accounts/${accountId}/session`;
  await fetch(path, { method: "DELETE", headers: own });
}

/** What a page of another origin gets of an address, with whatever its browser adds. */
export async function askFromElsewhere(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const reply = await fetch(url, { headers, credentials: "include" });
    return `${reply.status} ${await reply.text()}`;
  } catch {
    return "hidden";
  }
}
