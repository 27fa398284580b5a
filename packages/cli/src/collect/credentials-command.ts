import { NotFoundError } from "@sightline/client";
import { type Vendor, type VendorCredential, vendors } from "@sightline/contract";
import { credentialFault } from "@sightline/server/vendor-config";
import { Command } from "commander";
import { ask } from "../ask.ts";
import { processIo } from "../command-io.ts";
import { firstLine } from "../commands/login.ts";
import { withExamples } from "../examples.ts";
import { choicesArgument } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { type PlaceOptions, withCollections } from "./collections-place.ts";

/** `sightline collect credentials list | set | remove`: the account's credentials of vendors. */
export function credentialsCommand(withPlace: (command: Command) => Command): Command {
  const credentials = new Command("credentials").description(
    "list, set and remove an account's credentials of vendors",
  );
  const vendor = () => choicesArgument("<vendor>", `one of ${vendors.join(", ")}`, vendors);
  const list = withPlace(credentials.command("list"))
    .description("list the vendors with a credential; never its value")
    .action(listCredentials);
  const set = withPlace(credentials.command("set"))
    .description("store a credential, read from standard input")
    .addArgument(vendor())
    .action(setCredential);
  const remove = withPlace(credentials.command("remove"))
    .description("remove a credential that was stored")
    .addArgument(vendor())
    .action(removeCredential);
  withExamples(list, ["sightline collect credentials list", "vendors, sources and times"]);
  withExamples(set, [
    "sightline collect credentials set openai",
    "reads it from standard input, or asks for it",
  ]);
  withExamples(remove, ["sightline collect credentials remove openai", "sweeps stop using it"]);
  return withExamples(credentials, ["sightline collect credentials list", "who has a credential"]);
}

// TRICKY: an option that `collect` has too is taken for its own, wherever it stands.
const optionsOf = (command: Command) => command.optsWithGlobals<PlaceOptions>();

async function listCredentials(_own: PlaceOptions, command: Command): Promise<void> {
  const options = optionsOf(command);
  const credentials = await withCollections(options, (place) => place.credentials());
  const text =
    credentials.length === 0
      ? "No vendor has a credential."
      : plainTable(
          ["vendor", "source", "stored"],
          credentials.map(({ vendor, source, storedAt }) => [vendor, source, storedAt]),
        );
  printResult(options.json === true, { credentials }, text);
}

async function setCredential(vendor: Vendor, _own: PlaceOptions, command: Command): Promise<void> {
  const options = optionsOf(command);
  const secret = await typedSecret(vendor);
  const fault = credentialFault(vendor, secret);
  if (fault !== null) throw new CommandError(`Standard input: ${fault}`, 2);
  const stored = await withCollections(options, (place) => place.storeCredential(vendor, secret));
  const beside =
    stored.source === "environment"
      ? "\nThe service has a credential of its own, which takes precedence."
      : "";
  printResult(options.json === true, stored, `The credential of ${vendor} was stored.${beside}`);
}

function typedSecret(vendor: Vendor): Promise<string> {
  const { stdin, stderr } = processIo;
  if (stdin.isTTY !== true || stderr.isTTY !== true) return firstLine(stdin);
  const message = `Credential of ${vendor} (not shown)`;
  return ask(processIo, { message, isSecret: true, read: (typed) => typed.trim() });
}

async function removeCredential(
  vendor: Vendor,
  _own: PlaceOptions,
  command: Command,
): Promise<void> {
  const options = optionsOf(command);
  const removed = await withCollections(options, (place) => place.deleteCredential(vendor)).catch(
    (error: unknown): VendorCredential | null => {
      if (error instanceof NotFoundError) return null;
      throw error;
    },
  );
  if (removed === null) {
    const message = `The account has stored no credential of ${vendor}.`;
    throw new CommandError(`${message} See: sightline collect credentials list`);
  }
  printResult(options.json === true, removed, `The credential of ${vendor} was removed.`);
}
