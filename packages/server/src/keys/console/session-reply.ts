import type { AppServices } from "../../http/app-services.ts";
import { jsonReply, type Reply } from "../../http/route.ts";
import type { GivenConsoleSession } from "./console-sessions.ts";
import { givenCookie } from "./session-cookie.ts";

/** What the page is told of a session. */
interface SignedIn {
  readonly account: { readonly id: string; readonly name: string | null };
  readonly scopes: readonly string[];
  readonly expiresAt: string;
}

type Shown = Omit<GivenConsoleSession, "token">;

/** The reply about a session. */
export async function sessionReply(
  { control }: Pick<AppServices, "control">,
  { key, expiresAt }: Shown,
): Promise<Reply> {
  const { accountId, scopes } = key;
  const account = { id: accountId, name: await control.accountName(accountId) };
  const end = new Date(expiresAt).toISOString();
  return jsonReply({ account, scopes, expiresAt: end } satisfies SignedIn);
}

/** The reply with a new or renewed session, which gives the browser its cookie. */
export async function givenSessionReply(
  services: Pick<AppServices, "control" | "clock">,
  session: GivenConsoleSession,
  isSecure: boolean,
): Promise<Reply> {
  const { token, key, expiresAt } = session;
  const maxAgeSeconds = Math.floor((expiresAt - services.clock.now()) / 1_000);
  const cookie = { accountId: key.accountId, token, maxAgeSeconds, isSecure };
  const reply = await sessionReply(services, session);
  return { ...reply, headers: { "Set-Cookie": givenCookie(cookie) } };
}
