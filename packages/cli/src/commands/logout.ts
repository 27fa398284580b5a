import { Command } from "commander";
import { type CommandIo, processIo } from "../command-io.ts";
import { given } from "../connection/connection.ts";
import { noProfile, removeProfile } from "../connection/profile-file.ts";
import { connectionSettings, profileUnlessSaid } from "../connection/settings.ts";
import { withExamples } from "../examples.ts";

interface LogoutOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** `sightline logout`: removes a profile, and with it the key from this machine. */
export function logoutCommand(io: CommandIo = processIo): Command {
  const { flag, environment } = connectionSettings.profile;
  const standard = `${environment}, else ${profileUnlessSaid}`;
  const command = new Command("logout")
    .option(`${flag} <name>`, `the profile to remove (default: ${standard})`)
    .option("--json", "print one JSON document")
    .action((options: LogoutOptions) => logout(options, io));
  return withExamples(
    command,
    ["sightline logout", "removes the default profile"],
    ["sightline logout --profile work", "removes another"],
  );
}

async function logout(options: LogoutOptions, io: CommandIo): Promise<void> {
  const { environment, stdout } = io;
  const name = given(options, environment, "profile")?.text ?? profileUnlessSaid;
  const file = await removeProfile(name, environment);
  if (file === null) throw await noProfile(name, environment);
  const advice = "The key stays valid until it is revoked: sightline keys revoke";
  const said = `${file} was removed. ${advice}`;
  stdout.write(`${options.json === true ? JSON.stringify({ profile: name, file }) : said}\n`);
}
