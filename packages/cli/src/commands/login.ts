import { Command } from "commander";
import { ask } from "../ask.ts";
import { type CommandIo, processIo } from "../command-io.ts";
import { addressOf, isReadableOnTheWay, keyOf } from "../connection/address.ts";
import { type ConnectionOptions, given, withConnectionOptions } from "../connection/connection.ts";
import { profilePath, readProfile, writeProfile } from "../connection/profile-file.ts";
import { profileUnlessSaid, urlUnlessSaid } from "../connection/settings.ts";
import { withClient } from "../connection/with-client.ts";
import { withExamples } from "../examples.ts";
import { safeText } from "../output/safe-text.ts";

interface LoginOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** `sightline login`: stores a service's address and key, once the service has accepted the key. */
export function loginCommand(io: CommandIo = processIo): Command {
  const command = new Command("login");
  const help = { keyFrom: "the prompt or standard input", profile: "the profile to write" };
  withExamples(
    withConnectionOptions(command, help).option("--json", "print one JSON document"),
    ["sightline login", "prompts for the address and the key, which is not shown"],
    ["sightline login --profile work --url https://sightline.example", "a second profile"],
    ["sightline keys create | sightline login", "reads the key from standard input"],
  );
  return command.action((options: LoginOptions) => login(options, io));
}

async function login(options: LoginOptions, io: CommandIo): Promise<void> {
  const { environment, stdin, stdout, stderr } = io;
  const name = given(options, environment, "profile")?.text ?? profileUnlessSaid;
  profilePath(name, environment); // reports an invalid name before a key is typed
  // An invalid one is replaced.
  const before = await readProfile(name, environment).catch(() => null);
  const isAsking = stdin.isTTY === true && stderr.isTTY === true;
  const [givenUrl, givenKey] = [
    given(options, environment, "url"),
    given(options, environment, "key"),
  ];
  const proposed = before?.url ?? urlUnlessSaid;
  const url =
    givenUrl !== undefined
      ? addressOf(givenUrl.text, givenUrl.source)
      : isAsking
        ? await askUrl(proposed, io)
        : proposed;
  const key =
    givenKey !== undefined
      ? keyOf(givenKey.text, givenKey.source)
      : isAsking
        ? await askKey(io)
        : keyOf(await firstLine(stdin), "standard input");
  if (isReadableOnTheWay(url)) {
    stderr.write(`sightline: ${url} is plain HTTP: the key is sent unencrypted.\n`);
  }
  const { brand } = await withClient({ url, key }, (client) => client.workspace());
  const file = await writeProfile(name, { url, key }, environment);
  const document = { profile: name, url, file, brand: brand.name };
  const whose = `The brand is ${safeText(brand.name)}.`;
  const said = `${url} accepted the key; it is stored in ${file}. ${whose}`;
  stdout.write(`${options.json === true ? JSON.stringify(document) : said}\n`);
}

function askUrl(proposed: string, io: CommandIo): Promise<string> {
  const read = (typed: string) => addressOf(typed.trim(), "The address");
  return ask(io, { message: "Address of the service", proposed, read });
}

function askKey(io: CommandIo): Promise<string> {
  const read = (typed: string) => keyOf(typed.trim(), "The key");
  return ask(io, { message: "API key (not shown)", isSecret: true, read });
}

/** The first non-empty line: `keys create` prints the key there, and more text after it. */
export async function firstLine(stdin: CommandIo["stdin"]): Promise<string> {
  let read = "";
  for await (const chunk of stdin) {
    read = (read + String(chunk)).trimStart();
    const [line, rest] = read.split("\n");
    if (rest !== undefined || read.length > lineCharactersMax) return (line ?? "").trim();
  }
  return read.trim();
}

const lineCharactersMax = 4_096;
