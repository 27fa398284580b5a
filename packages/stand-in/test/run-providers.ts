import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { vendors } from "@sightline/contract";
import { faultsSchema, type StandInFaults } from "../src/faults.ts";
import { standInCredentials, startStandIn } from "../src/stand-in.ts";

// tasks/providers: the stand-in of all vendors, until it is interrupted.
const usage =
  "usage: tasks/providers [--port N] [--seed N] [--bill FILE] [--latency MS] [--faults FILE]\n";

/** Says what is wrong, and ends. */
function fail(message: string): never {
  process.stderr.write(`${message}\n${usage}`);
  process.exit(2);
}

function optionsOf() {
  const text = { type: "string" } as const;
  try {
    const options = { port: text, seed: text, bill: text, latency: text, faults: text };
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

/** A whole number of a flag; undefined: the flag is absent. */
function wholeOf(flag: string, value: string | undefined, most: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  const isGood = /^\d+$/.test(value) && number <= most;
  return isGood ? number : fail(`--${flag} must be a whole number up to ${most}, got ${value}.`);
}

function faultsOf(file: string | undefined, latencyMs: number | undefined): StandInFaults {
  const latency = latencyMs === undefined ? {} : { latencyMs };
  if (file === undefined) return latency;
  try {
    return { ...faultsSchema.parse(JSON.parse(readFileSync(file, "utf8"))), ...latency };
  } catch (error) {
    return fail(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

const { port, seed, bill, latency, faults } = optionsOf();
const seedNumber = wholeOf("seed", seed, Number.MAX_SAFE_INTEGER);
const standIn = await startStandIn({
  port: wholeOf("port", port, 65_535) ?? 0,
  ...(seedNumber === undefined ? {} : { seed: seedNumber }),
  ...(bill === undefined ? {} : { billFile: bill }),
  faults: faultsOf(faults, wholeOf("latency", latency, 3_600_000)),
});
const settings = vendors.map((vendor) => {
  const name = vendor === "dataforseo" ? "DATAFORSEO_LOGIN" : `${vendor.toUpperCase()}_KEY`;
  return `SIGHTLINE_${name}=${standInCredentials[vendor]}`;
});
const lines = [`SIGHTLINE_VENDOR_STAND_IN=${standIn.url}`, ...settings];
process.stdout.write(`${lines.join("\n")}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void standIn.close();
  });
}
