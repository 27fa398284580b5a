import { parsedAddress } from "../platform/masked-address.ts";
import { readSecret, type SecretSetting } from "../platform/secret-setting.ts";

/** Where people sign in instead, by OpenID Connect. */
export interface ProviderConfig {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How people sign in. */
export interface PeopleConfig {
  /** Null: there is no provider. */
  readonly provider: ProviderConfig | null;
}

/** The settings of a provider, as they are given. */
interface ProviderSettings {
  readonly oidcIssuer?: string | undefined;
  readonly oidcClientId?: string | undefined;
  readonly publicUrl?: string | undefined;
}

/** The variables of the secret that the provider has given the service. */
export const clientSecretSetting: SecretSetting = {
  environment: "SIGHTLINE_OIDC_CLIENT_SECRET",
  fileEnvironment: "SIGHTLINE_OIDC_CLIENT_SECRET_FILE",
};

const secretCharactersMax = 4_096;

/** Reads how people sign in, and what is wrong with it: for people, without secrets. */
export function readPeopleConfig(
  { oidcIssuer = "", oidcClientId = "", publicUrl = "" }: ProviderSettings,
  environment: NodeJS.ProcessEnv,
): { readonly config: PeopleConfig; readonly faults: readonly string[] } {
  const { secret, source, fault } = readSecret(clientSecretSetting, environment);
  const given = {
    SIGHTLINE_OIDC_ISSUER: oidcIssuer,
    SIGHTLINE_OIDC_CLIENT_ID: oidcClientId,
    [source]: secret ?? "",
  };
  const none = { config: { provider: null }, faults: fault === null ? [] : [fault] };
  if (fault !== null || Object.values(given).every((text) => text === "")) return none;
  const absent = Object.entries(given).flatMap(([name, text]) => (text === "" ? [name] : []));
  const faults = absent.map((name) => `${name} is not set. A provider needs it.`);
  if (publicUrl === "") {
    faults.push("SIGHTLINE_PUBLIC_URL is not set. A provider leads people back to it.");
  }
  if ((secret?.length ?? 0) > secretCharactersMax) {
    faults.push(`${source}: the secret has more than ${secretCharactersMax} characters.`);
  }
  const issuer = parsedAddress(oidcIssuer);
  if (oidcIssuer !== "" && (issuer === null || !isSafe(issuer))) {
    faults.push("SIGHTLINE_OIDC_ISSUER: must be an https address, or http on this machine.");
  }
  if (faults.length > 0 || issuer === null || secret === null) {
    return { config: { provider: null }, faults };
  }
  const provider = { issuer, clientId: oidcClientId, clientSecret: secret };
  return { config: { provider }, faults: [] };
}

/** What it sends must not be read on the way. */
function isSafe({ protocol, hostname, username, password }: URL): boolean {
  if (username !== "" || password !== "") return false;
  const isHere = ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere);
}
