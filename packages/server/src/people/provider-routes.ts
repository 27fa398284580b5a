import type { OpenOperation, Reply } from "../http/operation.ts";
import { cookiesNamed, givenCookie } from "../keys/console/session-cookie.ts";
import { ServiceError } from "../platform/service-error.ts";
import { admit } from "./admit.ts";
import type { PeopleServices } from "./people-services.ts";
import { callbackPath, type PersonProvider, type ProviderVisit } from "./person-provider.ts";

/** Keeps what belongs to a visit in the browser that began it, so that no other one ends it. */
const visitCookie = { name: "sightline-visit", path: "/console/person/provider" } as const;
const visitSeconds = 600;

/** Why nobody was signed in, as the page is told in its fragment. */
type Refusal = "provider-away" | "provider-refused" | "not-vouched" | "not-invited";

/** GET /console/person/provider: leads a browser to the provider's page. */
const beginRoute: OpenOperation<PeopleServices> = {
  kind: "open",
  method: "GET",
  path: "/console/person/provider",
  reply: async ({ personProvider, logger }, _parameters, _headers, { isSecure }) => {
    const { address, visit } = await requireProvider(personProvider)
      .begin()
      .catch((error: unknown) => {
        logger.warn({ error: String(error) }, "the provider that signs people in is away");
        return { address: refusalAddress("provider-away"), visit: null };
      });
    const token = visit === null ? "" : visitText(visit);
    return leadingTo(address, visitField(token, isSecure));
  },
};

/** GET /console/person/provider/callback: the provider leads the browser back. */
const endRoute: OpenOperation<PeopleServices> = {
  kind: "open",
  method: "GET",
  path: callbackPath,
  reply: async (services, _parameters, headers, { requestId, search, isSecure }) => {
    const { personProvider, logger, signedInPeople } = services;
    const provider = requireProvider(personProvider);
    const over = visitField("", isSecure);
    const refused = (why: Refusal) => leadingTo(refusalAddress(why), over);
    const visit = visitOf(cookiesNamed(headers, visitCookie.name));
    if (visit === null) return refused("provider-refused");
    try {
      const { subject, email, name } = await provider.end(search, visit);
      if (email === null) return refused("not-vouched");
      const person = await admit(services, { email, name, subject, requestId });
      if (person === null) return refused("not-invited");
      const session = await signedInPeople.begin(person.id, isSecure);
      if (session === null) return refused("not-invited");
      return leadingTo("/", [...over, session.cookie]);
    } catch (error) {
      logger.warn({ error: String(error) }, "the provider's reply was refused");
      return refused("provider-refused");
    }
  },
};

function requireProvider(provider: PersonProvider | null): PersonProvider {
  if (provider !== null) return provider;
  throw new ServiceError("not_found", "No provider is set that signs people in.");
}

function refusalAddress(why: Refusal): string {
  return `/#refused=${why}`;
}

function leadingTo(address: string, cookies: readonly string[]): Reply {
  const fields = { Location: address, "Cache-Control": "no-store" };
  const headers = { ...fields, "Set-Cookie": [...cookies] };
  return { status: 303, contentType: "text/plain", body: "", headers };
}

/** Lax: the browser comes back from another site. */
function visitField(token: string, isSecure: boolean): readonly string[] {
  const maxAgeSeconds = token === "" ? 0 : visitSeconds;
  return [givenCookie({ ...visitCookie, token, maxAgeSeconds, isSecure, sameSite: "Lax" })];
}

function visitText({ state, nonce, verifier }: ProviderVisit): string {
  return [state, nonce, verifier].join(".");
}

/** The visit of a browser; null: it began none. The parts are checked when they are used. */
function visitOf(tokens: readonly string[]): ProviderVisit | null {
  const [state, nonce, verifier, ...more] = tokens[0]?.split(".") ?? [];
  if (state === undefined || nonce === undefined || verifier === undefined) return null;
  return more.length === 0 ? { state, nonce, verifier } : null;
}

/** The operations with which people sign in elsewhere. */
export const providerOperations: readonly OpenOperation<PeopleServices>[] = [beginRoute, endRoute];
