import type { Command } from "commander";
import type { CommandIo } from "../command-io.ts";
import { CommandError } from "../result.ts";
import { addressOf, keyOf } from "./address.ts";
import { noProfile, type Profile, readProfile } from "./profile-file.ts";
import { connectionSettings, profileUnlessSaid, urlUnlessSaid } from "./settings.ts";

/** The options of every command that calls a service. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
}

/** What the help says of the key and of the profile. */
interface ConnectionHelp {
  /** Where a key is given that nobody else should see. */
  readonly keyFrom: string;
  readonly profile: string;
}

const ofCalls: ConnectionHelp = {
  keyFrom: `${connectionSettings.key.environment} or sightline login`,
  profile: "the profile that login wrote",
};

/** Adds the options for the service and the key. */
export function withConnectionOptions(command: Command, help: ConnectionHelp = ofCalls): Command {
  const { url, key, profile } = connectionSettings;
  return command
    .option(
      `${url.flag} <url>`,
      `the service (default: ${url.environment}, else the profile's, else ${urlUnlessSaid})`,
    )
    .option(
      `${key.flag} <key>`,
      `the API key; visible in the process list, so prefer ${help.keyFrom}`,
    )
    .option(
      `${profile.flag} <name>`,
      `${help.profile} (default: ${profile.environment}, else ${profileUnlessSaid})`,
    );
}

/**
 * Service and key: from flags, else the environment, else the profile. A profile named by a flag
 * takes precedence over the environment. A profile's key is sent only to the profile's service.
 * @throws CommandError when there is no key, or an invalid setting.
 */
export async function connectionOf(
  options: ConnectionOptions,
  { environment }: CommandIo,
): Promise<Profile> {
  const outside = options.profile === undefined ? environment : {};
  const url = given(options, outside, "url");
  const key = given(options, outside, "key");
  const address = url === undefined ? undefined : addressOf(url.text, url.source);
  const secret = key === undefined ? undefined : keyOf(key.text, key.source);
  if (address !== undefined && secret !== undefined) return { url: address, key: secret };

  const named = given(options, outside, "profile")?.text;
  const profile = await readProfile(named ?? profileUnlessSaid, environment);
  if (profile === null && named !== undefined) throw await noProfile(named, environment);
  if (secret !== undefined) return { url: profile?.url ?? urlUnlessSaid, key: secret };
  if (profile === null) throw noKey();
  if (address !== undefined && new URL(address).origin !== new URL(profile.url).origin) {
    throw new CommandError(
      `The profile's key is for ${profile.url} and is not sent to ${address}. ` +
        `Give that service's key in ${connectionSettings.key.environment}, or create a profile: ` +
        `sightline login --profile NAME --url ${address}`,
      2,
    );
  }
  return { url: address ?? profile.url, key: profile.key };
}

/** A setting's text and where it came from: the flag, else the variable. */
export function given(
  options: ConnectionOptions,
  environment: CommandIo["environment"],
  name: keyof typeof connectionSettings,
): { readonly text: string; readonly source: string } | undefined {
  const { flag, environment: variable } = connectionSettings[name];
  const [byFlag, byVariable] = [options[name], environment[variable]];
  if (byFlag !== undefined) return { text: byFlag, source: flag };
  return byVariable === undefined ? undefined : { text: byVariable, source: variable };
}

function noKey(): CommandError {
  return new CommandError(
    "No API key is set. Store one with: sightline login. Or set " +
      `${connectionSettings.key.environment}. The operator creates keys with: ` +
      "sightline keys create",
    2,
  );
}
