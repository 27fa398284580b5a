import { standInCredentials } from "@sightline/stand-in";
import { credentialSettings } from "../../../server/src/collection/config.ts";

/** The environment of a process that asks a stand-in for every vendor. */
export function vendorEnvironment(standIn: string): Readonly<Record<string, string>> {
  const secrets = credentialSettings.map(({ vendor, environment }) => {
    return [environment, standInCredentials[vendor]];
  });
  return { ...Object.fromEntries(secrets), SIGHTLINE_VENDOR_STAND_IN: standIn };
}
