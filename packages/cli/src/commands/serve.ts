import { type GivenSettings, readConfig, settings } from "@sightline/server/config";
import { firstRunCode, isWithoutAccounts } from "@sightline/server/first-run-link";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { firstRunAddress, firstRunText } from "../first-run.ts";
import { printResult } from "../result.ts";
import { runServer } from "../run-server.ts";

type ServeOptions = GivenSettings & { readonly json?: boolean };

/** `sightline serve`: the HTTP service over a data folder. */
export function serveCommand(): Command {
  const command = new Command("serve");
  for (const { flag, name, description, default: standard, environment } of settings) {
    const from = standard === "" ? environment : `${environment}, else ${standard}`;
    command.option(`${flag} <${name}>`, `${description} (default: ${from})`);
  }
  command.option("--json", "print the ready line as JSON").action(serve);
  return withExamples(
    command,
    ["sightline serve", "the folder ./data on port 8080 of this machine"],
    ["sightline serve --host 0.0.0.0 --rate-limit 50/s", "to other machines, with a higher rate"],
  );
}

async function serve({ json, ...given }: ServeOptions): Promise<void> {
  const config = readConfig(given, process.env);
  await runServer(config, async ({ url, services }) => {
    const isFirstRun = config.console === "on" && (await isWithoutAccounts(services.control));
    if (!isFirstRun) return printResult(json === true, { url }, `listening on ${url}`);
    const link = firstRunAddress(url, firstRunCode(services.keyRing, services.clock.now()));
    const text = `listening on ${url}\n\n${firstRunText(link)}`;
    printResult(json === true, { url, console: link }, text);
  });
}
