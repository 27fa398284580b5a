import { hash } from "node:crypto";
import { sessionExchangeResponseSchema } from "@sightline/contract";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { callerAddress } from "../http/callers.ts";
import { authenticate } from "../keys/authenticate.ts";
import { bearerToken } from "../keys/bearer.ts";
import type { KeyServices } from "../keys/key-services.ts";
import type { KeyRecord } from "../keys/key-store.ts";
import { exchangeRoute } from "../keys/routes.ts";
import { looksLikeKey } from "../keys/static-key.ts";
import { ServiceError } from "../platform/service-error.ts";

/** The caller of a tool, and the session for what the tool asks. */
export interface McpCaller {
  readonly caller: KeyRecord;
  readonly session: string;
}

/** Keys whose session is remembered; the oldest go first. */
const rememberedMax = 10_000;
/** The part of a session's life for which it is used, as the client does it. */
const usedShareOfLife = 0.8;

function credentialRequired(): ServiceError {
  return new ServiceError(
    "session_required",
    "Send `Authorization: Bearer <API key or session token>`; `sightline keys create` makes a key.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

interface Remembered {
  readonly session: Promise<string>;
  /** Milliseconds since 1970; infinite while the exchange is on its way. */
  usedUntilMs: number;
}

/**
 * Knows callers by a session, as questions do, or by a static key, since an assistant that is set
 * up once cannot exchange. A key is exchanged by the exchange itself, and its session used for as
 * long as a client would.
 */
export class McpCallers {
  readonly #services: KeyServices;
  /** By the key's SHA-256, so that no key stays in memory. */
  readonly #sessions = new Map<string, Remembered>();

  constructor(services: KeyServices) {
    this.#services = services;
  }

  /** @throws ServiceError session_required, session_invalid, or what the exchange refuses with. */
  async of(request: FastifyRequest): Promise<McpCaller> {
    const { authorization } = request.headers;
    const token = bearerToken(authorization);
    if (token === null) throw credentialRequired();
    if (!token || !looksLikeKey(token)) {
      const caller = await authenticate(this.#services, authorization);
      return { caller, session: token ?? "" };
    }
    const place = hash("sha256", token, "base64");
    const known = this.#sessions.get(place);
    if (known !== undefined && this.#services.clock.now() < known.usedUntilMs) {
      const caller = await this.#goodCaller(await known.session);
      if (caller !== null) return caller;
    }
    // A key that was revoked is told so by the exchange, in its own words.
    if (this.#sessions.get(place) === known) this.#sessions.delete(place);
    const session = await this.#exchanged(place, token, request);
    return this.#caller(session);
  }

  async #caller(session: string): Promise<McpCaller> {
    return { caller: await authenticate(this.#services, `Bearer ${session}`), session };
  }

  async #goodCaller(session: string): Promise<McpCaller | null> {
    try {
      return await this.#caller(session);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "session_invalid") return null;
      throw error;
    }
  }

  /** Concurrent calls of one key share an exchange. */
  async #exchanged(place: string, key: string, request: FastifyRequest): Promise<string> {
    const flying = this.#sessions.get(place);
    if (flying !== undefined) return flying.session;
    const session = exchange(this.#services, key, callerAddress(request));
    const entry = { session, usedUntilMs: Number.POSITIVE_INFINITY };
    this.#sessions.set(place, entry);
    try {
      entry.usedUntilMs = usedUntilMs(await session);
    } catch (error) {
      this.#sessions.delete(place);
      throw error;
    }
    const [oldest = place] = this.#sessions.keys();
    if (this.#sessions.size > rememberedMax) this.#sessions.delete(oldest);
    return session;
  }
}

const lifeSchema = z.object({ iat: z.number(), exp: z.number() });

/** Until when a session of ours is used; it was issued a moment ago and needs no check. */
function usedUntilMs(session: string): number {
  const payload = Buffer.from(session.split(".")[1] ?? "", "base64url").toString();
  const { iat, exp } = lifeSchema.parse(JSON.parse(payload));
  return (iat + (exp - iat) * usedShareOfLife) * 1_000;
}

/** @throws ServiceError what the exchange refuses with. */
async function exchange(services: KeyServices, key: string, address: string): Promise<string> {
  const { body } = await exchangeRoute.reply(services, { authorization: `Bearer ${key}`, address });
  return sessionExchangeResponseSchema.parse(JSON.parse(body.toString())).sessionJwt;
}
