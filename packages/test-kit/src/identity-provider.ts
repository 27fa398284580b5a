import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** What the provider says of a person; the key is what the person types to sign in. */
export type ProvidedClaims = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A provider of OpenID Connect on this machine, with people who sign in without a password. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly close: () => Promise<void>;
}

/** Starts a provider that leads people back to an address. */
export async function startProvider(
  redirectUri: string,
  people: ProvidedClaims,
): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: "sightline", clientSecret: "a secret of the provider" };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...people[accountId] }),
    }),
    cookies: { keys: ["a key of a test"] },
  });
  server.on("request", provider.callback());
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { issuer, ...client, close };
}

/**
 * What a person does at the provider: follows it from an address, types a name, consents.
 * @returns the address that the provider leads back to.
 */
export async function signInAt(
  provider: IdentityProvider,
  start: string,
  login: string,
): Promise<string> {
  const cookies = new Map<string, string>();
  let [address, form] = [start, null as string | null];
  for (let step = 0; step < 12; step++) {
    const reply = await fetch(address, {
      method: form === null ? "GET" : "POST",
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(form === null ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form === null ? {} : { body: form }),
    });
    for (const field of reply.headers.getSetCookie()) {
      const [name = "", value = ""] = field.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get("location");
    form = null;
    if (location === null) {
      const prompt = /name="prompt" value="(\w+)"/.exec(await reply.text())?.[1] ?? "none";
      form = prompt === "login" ? `prompt=login&login=${login}` : `prompt=${prompt}`;
      continue;
    }
    address = new URL(location, address).href;
    if (!address.startsWith(provider.issuer)) return address;
  }
  throw new Error(`the provider leads nowhere: ${address}`);
}
