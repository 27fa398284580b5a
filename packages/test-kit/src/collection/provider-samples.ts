import { existsSync, readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { Vendor } from "@sightline/contract";
import type { Adapter, Exchange, VendorQuestion } from "../../../server/src/collection/adapter.ts";
import { adapters } from "../../../server/src/collection/vendors/index.ts";

// Kept beside the repository, never in it: recorded replies, with their licences.
const folder = new URL(
  "../../../../../shared/data/provider-samples/", // from the root: ../shared/data
  import.meta.url,
);

/** What recorded replies say, read from them by hand and by another program than the adapters. */
export interface ExpectedReply {
  readonly vendor: Vendor;
  /** The recorded replies of one question, in order. */
  readonly files: readonly string[];
  readonly model: string;
  /** In UTF-16 code units. */
  readonly textCharacters: number;
  /** In order of first citing. */
  readonly cited: readonly string[];
  /** How many pages were retrieved and not cited. */
  readonly retrieved: number;
  readonly searchQueries: readonly string[];
}

/** The lists written beside the recorded replies. */
export const expectedReplies: readonly ExpectedReply[] = JSON.parse(
  readFileSync(new URL("./expected-replies.json", import.meta.url), "utf8"),
);

/** Whether the recorded replies are there; says plainly what was not checked when they are not. */
export function haveSamples(t: TestContext): boolean {
  if (existsSync(folder)) return true;
  const where = process.env["CI"] === "true" ? "in this CI run" : "on this machine";
  t.diagnostic(`NOTHING WAS CHECKED ${where}: there are no recorded replies at ${folder.pathname}`);
  return false;
}

/** The body of a recorded reply. Some recordings hold the request as well. */
export function sampleBody(file: string): string {
  const recorded = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return JSON.stringify(recorded.response ?? recorded);
}

/** A recorded reply as a text, whatever it holds. */
export function sampleText(file: string): string {
  return readFileSync(new URL(file, folder), "utf8");
}

/** The adapter of a vendor. */
export function adapterOf(vendor: Vendor): Adapter {
  const found = adapters.find((adapter) => adapter.vendor === vendor);
  if (found === undefined) throw new Error(`${vendor} has no adapter`);
  return found;
}

/** A question to a vendor. */
export function questionTo(vendor: Vendor, fields: Partial<VendorQuestion> = {}): VendorQuestion {
  const [asks = { provider: "OPENAI", surface: "api" }] = adapterOf(vendor).asks;
  return {
    id: "0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0",
    prompt: "Which phone is best?",
    ...asks,
    region: null,
    model: null,
    ...fields,
  };
}

/** When replies come in these tests. */
export const repliedAt = Date.parse("2026-06-01T12:00:00.000Z");

/** A paid request with its reply. */
export function paidExchange(
  vendor: Vendor,
  body: string,
  reply: Partial<Exchange["reply"]> = {},
): Exchange {
  const [host = ""] = adapterOf(vendor).hosts;
  return {
    request: { method: "POST", host, path: "/", isPaid: true },
    reply: { status: 200, headers: {}, body, ...reply },
    at: repliedAt,
  };
}
