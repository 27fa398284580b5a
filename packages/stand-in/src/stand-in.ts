import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Vendor } from "@sightline/contract";
import { type StandInBrand, standInBrands } from "./answers.ts";
import type { BillSummary } from "./bill.ts";
import { faultsSchema, type StandInFaults } from "./faults.ts";
import { type StandInClock, StandInVendors, sendReply } from "./vendors.ts";

const bodyBytesMax = 4 * 1024 * 1024;

/** How a stand-in is started. */
export interface StandInOptions {
  /** 0, unless another is given: any that is free. */
  readonly port?: number;
  /** What chance depends on: the same requests with the same seed have the same replies. 1. */
  readonly seed?: number;
  /** Those that answers name: `standInBrands`, unless others are given. */
  readonly brands?: readonly StandInBrand[];
  /**
   * A file for the bill: every line is appended before its reply is sent. One that is there is read
   * first, and the bill, the tasks and the numbers of requests go on from it.
   */
  readonly billFile?: string;
  readonly faults?: StandInFaults;
  /** What each vendor takes, in place of `standInCredentials`. */
  readonly credentials?: Readonly<Partial<Record<Vendor, string>>>;
  /** The machine's, unless another is given. */
  readonly clock?: StandInClock;
}

/** What each vendor takes as a credential, unless other ones are given. DataForSEO's is a pair. */
export const standInCredentials: Readonly<Record<Vendor, string>> = {
  openai: "stand-in-openai",
  anthropic: "stand-in-anthropic",
  gemini: "stand-in-gemini",
  perplexity: "stand-in-perplexity",
  xai: "stand-in-xai",
  dataforseo: "stand-in:stand-in-dataforseo",
  serpapi: "stand-in-serpapi",
  cloro: "stand-in-cloro",
  reader: "stand-in-reader",
};

const machineClock: StandInClock = { now: Date.now, elapsed: () => performance.now() };

/** A stand-in of all vendors, at work. */
export interface StandIn {
  /** Such as `http://127.0.0.1:8123`; vendors are at `URL/HOST/PATH`. */
  readonly url: string;
  readonly bill: () => BillSummary;
  /** Behaves so from now on; what is omitted is at its default. */
  readonly setFaults: (faults: StandInFaults) => void;
  /** Cuts what is under way, and ends. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a server that speaks as every vendor does, at `URL/HOST/PATH` for what is
 * `https://HOST/PATH` of the real one. Also: `GET /bill` (totals by vendor, and by prompt),
 * `GET /bill/requests` (every billed request), `GET /faults` and `POST /faults`, which replaces how
 * it behaves. Nobody but this machine reaches it.
 */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const vendors = new StandInVendors({
    seed: options.seed ?? 1,
    brands: options.brands ?? standInBrands,
    billFile: options.billFile ?? null,
    faults: options.faults ?? {},
    credentials: { ...standInCredentials, ...options.credentials },
    clock: options.clock ?? machineClock,
  });
  const server = createServer((request, response) => {
    handle(vendors, { request, response }).catch((error: unknown) => {
      // A caller that went away, mostly; otherwise a mistake of ours, which a test has to see.
      if (response.headersSent || response.destroyed) response.destroy();
      else sendReply(response, { status: 500, body: { standIn: String(error) } });
    });
  });
  // A connection that ends while it is reused looks like a reset, which is a fault of its own.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(options.port ?? 0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bill: () => vendors.bill.summary(),
    setFaults: (faults) => vendors.setFaults(faults),
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
      vendors.close();
    },
  };
}

async function handle(
  vendors: StandInVendors,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const { request, response } = exchange;
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = await readBody(request);
  if (url.pathname.startsWith("/bill") || url.pathname === "/faults") {
    return sendReply(response, ownReply(vendors, { method: request.method, url, body }));
  }
  await vendors.answer(
    { url, method: request.method ?? "GET", headers: request.headers, body },
    response,
  );
}

function ownReply(
  vendors: StandInVendors,
  request: { readonly method: string | undefined; readonly url: URL; readonly body: unknown },
) {
  const address = `${request.method} ${request.url.pathname}`;
  if (address === "POST /faults") {
    const faults = faultsSchema.safeParse(request.body);
    if (!faults.success) return { status: 400, body: { issues: faults.error.issues } };
    vendors.setFaults(faults.data);
    return { status: 200, body: vendors.faults };
  }
  if (address === "GET /faults") return { status: 200, body: vendors.faults };
  const { totals, prompts, requests } = vendors.bill.summary();
  if (address === "GET /bill") return { status: 200, body: { totals, prompts } };
  if (address === "GET /bill/requests") return { status: 200, body: requests };
  return { status: 404, body: { standIn: "There is nothing at this address." } };
}

/** A request's JSON; undefined: there is none, or it is not valid. Throws above 4 MiB. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > bodyBytesMax) throw new RangeError("the body has more than 4 MiB");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}
