import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Vendor } from "@sightline/contract";
import { z } from "zod";
import { type Draws, drawsOf, plausibleAnswer, type StandInBrand } from "./answers.ts";
import { Bill, type ReceivedAsk } from "./bill.ts";
import {
  changedReply,
  type Fault,
  modelFaults,
  OpenRequests,
  rateOf,
  type StandInFaults,
  waitAround,
} from "./faults.ts";
import {
  type FreeContext,
  type PaidAsk,
  type StandInReply,
  type StandInRequest,
  Tasks,
  type VendorStandIn,
} from "./vendor-stand-in.ts";
import { anthropic } from "./vendors/anthropic.ts";
import { cloro } from "./vendors/cloro.ts";
import { dataforseo } from "./vendors/dataforseo.ts";
import { gemini, redirected, redirectHost } from "./vendors/gemini.ts";
import { openai } from "./vendors/openai.ts";
import { perplexity } from "./vendors/perplexity.ts";
import { reader } from "./vendors/reader.ts";
import { serpapi } from "./vendors/serpapi.ts";
import { xai } from "./vendors/xai.ts";

const all: readonly VendorStandIn[] = [
  ...[openai, anthropic, gemini, perplexity, xai],
  ...[dataforseo, serpapi, cloro, reader],
];

/** Below this, compressing gains nothing. */
const gzipBytesMin = 1_024;

/** The source of time. */
export interface StandInClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never step. */
  readonly elapsed: () => number;
}

/** What the vendors are made with. */
interface StandInSetup {
  readonly seed: number;
  readonly brands: readonly StandInBrand[];
  readonly billFile: string | null;
  readonly faults: StandInFaults;
  readonly credentials: Readonly<Record<Vendor, string>>;
  readonly clock: StandInClock;
}

/** A request to the stand-in: the first part of its path is a host. */
interface ArrivedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What a bill says of a request. */
type About = Omit<ReceivedAsk, "kind" | "at" | "turnedAway">;

/** A paid request that was not turned away. */
interface Paid {
  readonly vendor: VendorStandIn;
  readonly ask: PaidAsk;
  readonly about: About;
  /** How many like it came before. */
  readonly number: number;
}

/** All vendors, and what they keep. */
export class StandInVendors {
  readonly #setup: StandInSetup;
  readonly #tasks = new Tasks();
  readonly #open = new Map<Vendor, OpenRequests>();
  readonly #stopped = new AbortController();
  readonly bill: Bill;
  #faults: StandInFaults;
  #polls = 0;

  constructor(setup: StandInSetup) {
    this.#setup = setup;
    this.#faults = setup.faults;
    this.bill = new Bill(setup.billFile, this.#tasks);
  }

  /** How they behave. */
  get faults(): StandInFaults {
    return this.#faults;
  }

  /** Behaves so from now on. */
  setFaults(faults: StandInFaults): void {
    this.#faults = faults;
  }

  /** Stops waiting, and closes the bill's file. */
  close(): void {
    this.#stopped.abort();
    this.bill.close();
  }

  /** Replies as the vendor of the request's host does. */
  async answer(arrived: ArrivedRequest, response: ServerResponse): Promise<void> {
    const [, host = "", path = ""] = arrived.url.pathname.match(/^\/([^/]+)(\/.*)?$/) ?? [];
    if (host === redirectHost) return sendReply(response, redirected(path));
    const vendor = all.find(({ hosts }) => hosts.includes(host));
    if (vendor === undefined) {
      return sendReply(response, { status: 404, body: { standIn: `No vendor has ${host}.` } });
    }
    const headers = Object.fromEntries(
      Object.entries(arrived.headers).map(([name, value]) => [name, value?.toString()]),
    );
    const { method, body } = arrived;
    const query = arrived.url.searchParams;
    await this.#reply(vendor, { method, host, path, query, headers, body }, response);
  }

  async #reply(
    vendor: VendorStandIn,
    request: StandInRequest,
    response: ServerResponse,
  ): Promise<void> {
    const reading = vendor.read(request);
    const isPaid = reading?.kind === "paid";
    const about = isPaid ? this.#aboutOf(vendor, reading.ask, request) : null;
    const refusal = this.#turnedAway(vendor, request);
    const at = this.#setup.clock.now();
    const number = about === null ? 0 : this.bill.numberOf(vendor.vendor, about.prompt);
    if (about !== null) {
      this.bill.add({ kind: "received", at, ...about, turnedAway: refusal !== null });
    }
    if (refusal !== null) return sendReply(response, refusal);
    try {
      if (reading === null) sendReply(response, { status: 404, body: { error: "Not found." } });
      else if (reading.kind === "bad") sendReply(response, reading.reply);
      else if (reading.kind === "free") this.#free(vendor, reading.reply, response);
      else if (about !== null) {
        await this.#paid({ vendor, ask: reading.ask, about, number }, response);
      }
    } finally {
      this.#openOf(vendor.vendor).end();
    }
  }

  #aboutOf({ vendor }: VendorStandIn, { prompt, region }: PaidAsk, request: StandInRequest): About {
    return { vendor, prompt, region, reference: referenceOf(request) };
  }

  /** Null: the request counts as under way, until `end` is called. */
  #turnedAway(vendor: VendorStandIn, request: StandInRequest): StandInReply | null {
    const { clock, credentials } = this.#setup;
    if (vendor.credentialOf(request) !== credentials[vendor.vendor]) {
      return vendor.refuse("credential");
    }
    const limits = this.#faults.vendors?.[vendor.vendor]?.limits ?? {};
    const afterMs = this.#openOf(vendor.vendor).begin(limits, clock.elapsed());
    return afterMs === null ? null : limited(vendor, Math.ceil(afterMs / 1_000));
  }

  #free(
    { vendor, refuse }: VendorStandIn,
    reply: (context: FreeContext) => StandInReply,
    response: ServerResponse,
  ): void {
    const { seed, clock } = this.#setup;
    this.#polls += 1;
    const draws = drawsOf(seed, vendor, "poll", this.#polls);
    const isFailed = draws.of("fault pollError") < rateOf(this.#faults, vendor, "pollError");
    const context = { tasks: this.#tasks, now: clock.now() };
    sendReply(response, isFailed ? refuse("server") : reply(context));
  }

  async #paid({ vendor, ask, about, number }: Paid, response: ServerResponse): Promise<void> {
    const { seed, brands, clock } = this.#setup;
    const { prompt, region } = ask;
    const draws = drawsOf(seed, vendor.vendor, prompt, region, number);
    const faults = this.#faults;
    const happens = (fault: Fault) =>
      draws.of(`fault ${fault}`) < rateOf(faults, vendor.vendor, fault);
    const refusal = this.#refusalOf(vendor, happens);
    if (refusal !== null) return sendReply(response, refusal);
    if (happens("resetBefore")) return resetConnection(response);
    const latencyMs = waitAround(faults.latencyMs ?? 0, draws);
    if (latencyMs > 0) await wait(latencyMs, null, { signal: this.#stopped.signal });
    const answer = plausibleAnswer({ prompt, region, brands, seed }, draws);
    const taskTimes = () => this.#taskTimes(draws);
    const now = clock.now();
    const made = ask.reply({ answer, draws, happens, now, tasks: this.#tasks, taskTimes });
    const { charge } = made;
    const changed = <Part>(part: Part) => changedReply(part, vendor.vendor, happens) as Part;
    const reply = { ...made, body: changed(made.body) };
    const task = changed(made.task);
    this.bill.add(
      ...(charge === undefined ? [] : [{ kind: "billed" as const, at: now, ...about, ...charge }]),
      ...(task === undefined ? [] : [{ kind: "task" as const, task }]),
    );
    if (happens("resetAfter")) return resetConnection(response);
    if (happens("cutBody")) return cutReply(response, reply);
    if (!happens("malformed")) return sendReply(response, reply);
    response.writeHead(200, { "content-type": "application/json" }).end('{"id": "broken", ');
  }

  #refusalOf(vendor: VendorStandIn, happens: (fault: Fault) => boolean): StandInReply | null {
    if (this.#faults.vendors?.[vendor.vendor]?.outOfMoney === true) return vendor.refuse("money");
    for (const fault of modelFaults) {
      const error = vendor.modelErrors?.[fault];
      if (error !== undefined && happens(fault)) return error;
    }
    if (happens("limited")) return limited(vendor, this.#faults.retryAfterSeconds ?? 1);
    if (happens("serverError")) return vendor.refuse("server");
    return happens("overloaded") ? vendor.refuse("overloaded") : null;
  }

  #taskTimes(draws: Draws): { readonly queueMs: number; readonly runMs: number } {
    const { queueMs = 0, runMs = 0 } = this.#faults.tasks ?? {};
    const around = (name: string, medianMs: number) =>
      waitAround(medianMs, { ...draws, of: (inner) => draws.of(`${name} ${inner}`) });
    return { queueMs: around("queue", queueMs), runMs: around("run", runMs) };
  }

  #openOf(vendor: Vendor): OpenRequests {
    const open = this.#open.get(vendor) ?? new OpenRequests();
    this.#open.set(vendor, open);
    return open;
  }
}

function limited(vendor: VendorStandIn, afterSeconds: number): StandInReply {
  const { status, body } = vendor.refuse("limit");
  return { status, body, headers: { "retry-after": `${afterSeconds}` } };
}

/** Sends a reply as JSON, compressed where the request takes that. */
export function sendReply(response: ServerResponse, reply: Omit<StandInReply, "charge">): void {
  const { status, headers = {}, body } = reply;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  const accepted = response.req.headers["accept-encoding"] ?? "";
  const type = { ...headers, "content-type": "application/json" };
  if (bytes.length < gzipBytesMin || !/\bgzip\b/.test(String(accepted))) {
    response.writeHead(status, { ...type, "content-length": bytes.length }).end(bytes);
    return;
  }
  const packed = gzipSync(bytes);
  const length = { "content-encoding": "gzip", "content-length": packed.length };
  response.writeHead(status, { ...type, ...length }).end(packed);
}

/** Sends the first half of a reply, and then loses the connection. */
function cutReply(response: ServerResponse, { status, body }: StandInReply): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const head = { "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(status, head);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  response.write(half, () => response.destroy());
}

/** Loses the connection before any reply: the caller sees a reset. */
function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Where a request may name itself, by vendor: OpenAI and Anthropic, Cloro; and DataForSEO. */
const named = z.looseObject({
  metadata: z.record(z.string(), z.unknown()).optional().catch(undefined),
  idempotencyKey: z.string().optional().catch(undefined),
});
const tagged = z.tuple([z.looseObject({ tag: z.string() })]);
const fields = ["idempotency-key", "x-client-request-id", "x-request-id"];

/** What a request names itself by, such as a job's id; null: nothing. */
function referenceOf({ body, headers }: StandInRequest): string | null {
  const { metadata, idempotencyKey } = named.safeParse(body).data ?? {};
  const [task] = tagged.safeParse(body).data ?? [];
  const [ofMetadata] = Object.values(metadata ?? {}).filter((value) => typeof value === "string");
  const ofHeaders = fields.map((name) => headers[name]).find((value) => value !== undefined);
  return idempotencyKey ?? task?.tag ?? ofMetadata ?? ofHeaders ?? null;
}
