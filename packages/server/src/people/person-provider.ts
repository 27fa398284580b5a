import type { Configuration } from "openid-client";
import type { ProviderConfig } from "./people-config.ts";

/** What a browser keeps while its person is at the provider. */
export interface ProviderVisit {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** A person, as the provider names one. */
export interface ProvidedPerson {
  /** Unique and lasting: the issuer and its name of the person. */
  readonly subject: string;
  /** In lower case; null: the provider does not vouch for one. */
  readonly email: string | null;
  readonly name: string | null;
}

/** Nobody waits longer for the provider, in seconds. */
const timeoutSeconds = 10;

/** Where the provider leads people back to. */
export const callbackPath = "/console/person/provider/callback";

/** Signs people in elsewhere, by OpenID Connect: authorization code, PKCE, state and nonce. */
export class PersonProvider {
  readonly #config: ProviderConfig;
  readonly #callback: string;
  #discovered: Promise<Configuration> | null = null;

  constructor(config: ProviderConfig, publicUrl: string) {
    this.#config = config;
    this.#callback = `${publicUrl}${callbackPath}`;
  }

  /** The host of the provider, for people. */
  get name(): string {
    return this.#config.issuer.host;
  }

  /** Begins a visit. @returns the address of the provider's page. @throws when it is away. */
  async begin(): Promise<{ readonly address: string; readonly visit: ProviderVisit }> {
    const client = await import("openid-client");
    const configuration = await this.#configuration();
    const verifier = client.randomPKCECodeVerifier();
    const visit = { state: client.randomState(), nonce: client.randomNonce(), verifier };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#callback,
      scope: "openid email profile",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state: visit.state,
      nonce: visit.nonce,
    });
    return { address: address.href, visit };
  }

  /**
   * Ends a visit: verifies what the provider sent the browser back with.
   * @param query with which the browser came back. @throws when it is not from this visit.
   */
  async end(query: string, { state, nonce, verifier }: ProviderVisit): Promise<ProvidedPerson> {
    const client = await import("openid-client");
    const configuration = await this.#configuration();
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(`${this.#callback}${query}`),
      {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (claims === undefined) throw new Error("the provider sent no id token");
    const { iss, sub } = claims;
    // Many providers have the address in the reply about the person alone.
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, sub) : {};
    const said: Readonly<Record<string, unknown>> = { ...more, ...claims };
    const { email, email_verified: isVerified, name } = said;
    const isVouched = typeof email === "string" && isVerified === true;
    return {
      subject: `${iss} ${sub}`,
      email: isVouched ? email.trim().toLowerCase() : null,
      name: typeof name === "string" && name.trim() !== "" ? name.trim() : null,
    };
  }

  /** What the provider says of itself, which is asked once; again after a failure. */
  async #configuration(): Promise<Configuration> {
    this.#discovered ??= this.#discover();
    try {
      return await this.#discovered;
    } catch (error) {
      this.#discovered = null;
      throw error;
    }
  }

  async #discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery } = await import("openid-client");
    const { issuer, clientId, clientSecret } = this.#config;
    // The setting allows http on this machine alone.
    const execute = issuer.protocol === "http:" ? [allowInsecureRequests] : [];
    const options = { timeout: timeoutSeconds, execute };
    return discovery(issuer, clientId, clientSecret, undefined, options);
  }
}
