import { type ConsoleRoute, jsonReply, type RouteParameters } from "../../../http/route.ts";
import { consoleAccountPath, consoleCaller, sessionEnded } from "../../console/console-caller.ts";
import { givenCookie, sessionCookies } from "../../console/session-cookie.ts";
import { givenSessionReply, sessionReply } from "../../console/session-reply.ts";

const common = {
  access: "console",
  path: `${consoleAccountPath}/session`,
  hasBody: false,
} as const;

/** GET /console/accounts/{accountId}/session: who is signed in, and until when. */
const currentSessionRoute: ConsoleRoute = {
  ...common,
  method: "GET",
  reply: async (services, { request }) => {
    const session = await consoleCaller(services, request);
    const limitFields = await services.limits.take(session.key);
    const reply = await sessionReply(services, session);
    return { ...reply, headers: limitFields };
  },
};

/** POST /console/accounts/{accountId}/session: renews the session of an open page. */
const renewedSessionRoute: ConsoleRoute = {
  ...common,
  method: "POST",
  reply: async (services, { request, isSecure }) => {
    const { accountId, token, key } = await consoleCaller(services, request);
    const limitFields = await services.limits.take(key);
    const session = await services.consoleSessions.renew(accountId, token);
    if (session === null) throw sessionEnded();
    const reply = await givenSessionReply(services, session, isSecure);
    return { ...reply, headers: { ...reply.headers, ...limitFields } };
  },
};

/** DELETE /console/accounts/{accountId}/session: signs out, whatever the browser has. */
const endedSessionRoute: ConsoleRoute = {
  ...common,
  method: "DELETE",
  reply: async ({ consoleSessions }, { request, isSecure }) => {
    const { accountId = "" } = request.params as RouteParameters;
    const tokens = sessionCookies(request.headers, accountId);
    if (tokens.length === 0) return jsonReply({});
    for (const token of tokens) await consoleSessions.end(accountId, token);
    const cookie = { accountId, token: "", maxAgeSeconds: 0, isSecure };
    return { ...jsonReply({}), headers: { "Set-Cookie": givenCookie(cookie) } };
  },
};

/** What a page does with its session. */
export const consoleSessionRoutes: readonly ConsoleRoute[] = [
  currentSessionRoute,
  renewedSessionRoute,
  endedSessionRoute,
];
