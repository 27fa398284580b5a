import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Provider, Vendor } from "@sightline/contract";
import type {
  Adapter,
  CollectedAnswer,
  Exchange,
  VendorQuestion,
  VendorReply,
  VendorRequest,
} from "./adapter.ts";
import type { CollectionConfig } from "./config.ts";
import { sendVendorRequest } from "./send.ts";
import { anthropicHost } from "./vendors/anthropic.ts";
import { defaultModels } from "./vendors/default-models.ts";
import { geminiHost } from "./vendors/gemini.ts";
import { adapters } from "./vendors/index.ts";
import { openaiHost } from "./vendors/openai.ts";
import { isObject, type JsonObject } from "./vendors/read-json.ts";
import { type ReplyKeys, replyKeys } from "./vendors/reply-keys.ts";
import { xaiHost } from "./vendors/xai.ts";

/** A vendor to check, and the provider and surface to ask for. */
export interface CheckedAsk {
  readonly adapter: Adapter;
  readonly provider: Provider;
  readonly surface: VendorQuestion["surface"];
}

/** The result of a paid check. */
export interface PaidCheck extends ReplyShape {
  /** The HTTP status of the last paid reply; null: there was none. */
  readonly status: number | null;
  /** As the reply names it; null: not named. */
  readonly model: string | null;
  readonly cited: number;
  readonly retrieved: number;
  /** The requested country; null: none. */
  readonly region: string | null;
  /** Dollars, as the vendor reports; null: not reported. */
  readonly costTold: number | null;
  /** Dollars, by the price list; null: the reply does not report its usage. */
  readonly costComputed: number | null;
  /** What is wrong, for people; null: nothing. */
  readonly fault: string | null;
  /** The exchanges, redacted, to be stored as a sample. */
  readonly sample: unknown;
}

type CheckTools = Pick<CollectionConfig, "credentials" | "standIn" | "prices">;

const prompt =
  "Which running shoes are recommended for beginners this year? Name some, with your sources.";
const region = "US";
const stepsMax = 60;
const withinMs = 5 * 60_000;

/**
 * The asks to check: one for each vendor with a credential; for named providers, all of their asks.
 */
export function checkedAsks(
  credentials: CheckTools["credentials"],
  providers?: readonly Provider[],
): readonly CheckedAsk[] {
  return adapters.flatMap((adapter) => {
    if (credentials.of(adapter.vendor) === null) return [];
    const asks = adapter.asks.filter(({ provider }) => providers?.includes(provider) ?? true);
    return asks
      .slice(0, providers === undefined ? 1 : asks.length)
      .map((ask) => ({ adapter, ...ask }));
  });
}

/** The expected and the highest cost of one question, in millionths of a dollar. */
export function checkCost({ prices }: CheckTools, { adapter, provider }: CheckedAsk, at: number) {
  const asked = { vendor: adapter.vendor, provider, model: null, at };
  return { expected: prices.expectedMicrosOf(asked), most: prices.reserveMicrosOf(asked) };
}

/** Queries a vendor's list of models, which is free; null: it has no such list. */
export async function checkFree(tools: CheckTools, adapter: Adapter): Promise<FreeCheck | null> {
  const { vendor } = adapter;
  const request = modelsRequest(vendor);
  if (request === null) return null;
  const sent = await send(tools, adapter, request);
  return sent.kind === "reply" ? freeCheckOf(vendor, sent.reply) : noFreeCheck(vendor, sent.reason);
}

/** Asks one question as a sweep would, and compares the replies with what the parser expects. */
export async function checkPaid(tools: CheckTools, asked: CheckedAsk): Promise<PaidCheck> {
  const { adapter, provider, surface } = asked;
  const plain = { id: randomUUID(), prompt, provider, surface, model: null };
  const isRefused = adapter.refusal({ ...plain, region }) !== null;
  const question = { ...plain, region: isRefused ? null : region };
  const { answer, exchanges, fault } = await ask(tools, adapter, question);
  const paid = exchanges.filter(({ request }) => request.host !== redirectsOf(adapter));
  const { missing, added } = replyShape(paid.map(bodyOf), replyKeys[adapter.vendor]);
  const cited = answer?.citations.filter((each) => each.cited).length ?? 0;
  const faults = [
    fault,
    missing.length === 0 ? null : "Keys that are read are missing.",
    answer === null || cited > 0 ? null : "The answer cites nothing.",
  ].filter((each) => each !== null);
  return {
    missing,
    added,
    cited,
    region: question.region,
    status: exchanges.findLast(({ request }) => request.isPaid)?.reply.status ?? null,
    model: answer?.model ?? null,
    retrieved: (answer?.citations.length ?? 0) - cited,
    ...costsOf(tools, { vendor: adapter.vendor, provider }, answer),
    fault: faults.length === 0 ? null : faults.join(" "),
    sample: paid.map(({ request: { isPaid: _isPaid, ...request }, reply }, index) => ({
      request: redactedReply(request),
      reply: { status: reply.status, body: redactedReply(bodyOf(paid[index])) },
    })),
  };
}

function costsOf(
  { prices }: CheckTools,
  asked: { readonly vendor: Vendor; readonly provider: Provider },
  answer: CollectedAnswer | null,
): Pick<PaidCheck, "costTold" | "costComputed"> {
  if (answer === null) return { costTold: null, costComputed: null };
  const { usage, model } = answer;
  const computed = prices.costOf({ ...usage, cost: null }, { ...asked, model, at: Date.now() });
  return {
    costTold: usage.cost?.amount ?? null,
    costComputed: usage.isReported ? computed.amountMicros / 1_000_000 : null,
  };
}

interface Asked {
  readonly answer: CollectedAnswer | null;
  readonly exchanges: readonly Exchange[];
  readonly fault: string | null;
}

async function ask(tools: CheckTools, adapter: Adapter, question: VendorQuestion): Promise<Asked> {
  let exchanges: readonly Exchange[] = [];
  const endsAt = Date.now() + withinMs;
  for (let steps = 0; steps < stepsMax && Date.now() < endsAt; steps++) {
    const step = adapter.step(question, exchanges);
    switch (step.kind) {
      case "answered":
        return { answer: step.answer, exchanges, fault: null };
      case "failed":
        return { answer: null, exchanges, fault: step.failure.reason };
      case "pending":
        exchanges = exchanges.slice(0, -1);
        await pause(step.afterMs);
        break;
      case "send": {
        const sent = await send(tools, adapter, step.request);
        if (sent.kind !== "reply") return { answer: null, exchanges, fault: sent.reason };
        exchanges = [...exchanges, { request: step.request, reply: sent.reply, at: Date.now() }];
      }
    }
  }
  return { answer: null, exchanges, fault: "It did not end in time." };
}

function send(
  { credentials, standIn }: CheckTools,
  { vendor, hosts, authorize }: Adapter,
  request: Parameters<typeof sendVendorRequest>[0],
) {
  const authorized = authorize(request, credentials.of(vendor) ?? "");
  const hideSecrets = (text: string) => credentials.hideSecrets(text);
  const signal = AbortSignal.timeout(withinMs);
  return sendVendorRequest(request, authorized, { hosts, standIn, signal, hideSecrets });
}

/** The host of redirects, whose replies are not the vendor's own. */
function redirectsOf({ hosts }: Adapter): string | undefined {
  return hosts[1];
}

function bodyOf(exchange: Exchange | undefined): unknown {
  try {
    return JSON.parse(exchange?.reply.body ?? "null");
  } catch {
    return exchange?.reply.body ?? null;
  }
}

/** The result of a free check. */
export interface FreeCheck {
  /** The HTTP status; null: there was no reply. */
  readonly status: number | null;
  /** Whether the credential is valid; null: unknown. */
  readonly isKeyValid: boolean | null;
  /** The default model. */
  readonly model: string;
  /** Whether the vendor lists it; null: unknown. */
  readonly isListed: boolean | null;
  /** Whether it can search the web; null: the vendor does not report it. */
  readonly canSearch: boolean | null;
  /** What is wrong, for people; null: nothing. */
  readonly fault: string | null;
}

const addresses: Readonly<Partial<Record<Vendor, readonly [host: string, path: string]>>> = {
  openai: [openaiHost, "/v1/models"],
  anthropic: [anthropicHost, "/v1/models?limit=1000"],
  gemini: [geminiHost, "/v1beta/models?pageSize=1000"],
  xai: [xaiHost, "/v1/models"],
};

/** The request for a vendor's list of models; null: it has none. */
function modelsRequest(vendor: Vendor): VendorRequest | null {
  const address = addresses[vendor];
  if (address === undefined) return null;
  const [host, path] = address;
  const headers = vendor === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
  return { method: "GET", host, path, headers, isPaid: false, withinMs: 30_000 };
}

/** Reads a vendor's list of models for the given model, its default one when omitted. */
export function freeCheckOf(
  vendor: Vendor,
  reply: VendorReply,
  model: string = modelOf(vendor),
): FreeCheck {
  const { status } = reply;
  const unknown = { status, model, isKeyValid: null, isListed: null, canSearch: null };
  if (status !== 200) {
    const isRefused = status === 400 || status === 401 || status === 403;
    const fault = `HTTP ${status}: ${reply.body.slice(0, 200)}`;
    return { ...unknown, isKeyValid: isRefused ? false : null, fault };
  }
  const models = modelsOf(reply.body);
  if (models === null)
    return { ...unknown, isKeyValid: true, fault: "The list is not understood." };
  const found = models.find((each) => nameOf(each) === model);
  const canSearch = found === undefined ? null : searches(found);
  const fault =
    found === undefined
      ? `The model ${model} is not listed. Set \`model\` in the workspace file.`
      : canSearch === false
        ? `The model ${model} cannot search the web with this credential.`
        : null;
  return { ...unknown, isKeyValid: true, isListed: found !== undefined, canSearch, fault };
}

/** The result without a reply. */
function noFreeCheck(vendor: Vendor, reason: string): FreeCheck {
  const nothing = { status: null, isKeyValid: null, isListed: null, canSearch: null };
  return { ...nothing, model: modelOf(vendor), fault: reason };
}

function modelOf(vendor: Vendor): string {
  return (defaultModels as Readonly<Partial<Record<Vendor, string>>>)[vendor] ?? "";
}

function modelsOf(body: string): readonly JsonObject[] | null {
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch {
    return null;
  }
  if (!isObject(list)) return null;
  const models: unknown = list["data"] ?? list["models"];
  return Array.isArray(models) ? models.filter(isObject) : null;
}

function nameOf({ id, name }: JsonObject): string {
  // Gemini's names begin with `models/`.
  return String(id ?? name ?? "").replace(/^models\//, "");
}

/** Only Anthropic lists the tools that a model supports. */
function searches({ capabilities }: JsonObject): boolean | null {
  const tools = isObject(capabilities) ? capabilities["server_tools"] : null;
  const search: unknown = isObject(tools) ? tools["web_search"] : null;
  const said: unknown = isObject(search) ? search["supported"] : search;
  return typeof said === "boolean" ? said : null;
}

/** The difference between replies and what their parser knows. */
interface ReplyShape {
  /** Keys that the parser reads and no reply contains. */
  readonly missing: readonly string[];
  /** Keys that no recorded or documented reply contains; keys below a new one are left out. */
  readonly added: readonly string[];
}

/** Compares the keys of replies with those that the vendor's parser knows. */
export function replyShape(replies: readonly unknown[], { read, known }: ReplyKeys): ReplyShape {
  const found = new Set(replies.flatMap((reply) => [...keyPaths(reply)]));
  const expected = new Set([...known].flatMap(withParents));
  const added = [...found].filter((path) => !expected.has(path)).toSorted();
  return {
    missing: read.filter((path) => !found.has(path)),
    added: added.filter((path) => !added.some((other) => isBelow(path, other))),
  };
}

/** All key paths in a JSON value, such as `output[].content[].text`. */
function keyPaths(value: unknown): ReadonlySet<string> {
  const paths = new Set<string>();
  const visit = (each: unknown, path: string): void => {
    if (Array.isArray(each)) {
      for (const item of each) visit(item, `${path}[]`);
    } else if (typeof each === "object" && each !== null) {
      for (const [key, inner] of Object.entries(each)) {
        const below = path === "" ? key : `${path}.${key}`;
        paths.add(below);
        visit(inner, below);
      }
    }
  };
  visit(value, "");
  return paths;
}

/** `a[].b.c`, `a[].b` and `a`. */
function withParents(path: string): readonly string[] {
  const at = path.lastIndexOf(".");
  return at === -1 ? [path] : [path, ...withParents(path.slice(0, at).replace(/(\[\])+$/, ""))];
}

function isBelow(path: string, other: string): boolean {
  return path.startsWith(`${other}.`) || path.startsWith(`${other}[]`);
}

/** Fields whose values identify an account or a request, or are of use to the vendor alone. */
const redactedNames = new Set(
  (
    "id user safety_identifier prompt_cache_key signature billing account organization team " +
    "email page_token serpapi_link tag idempotencyKey"
  ).split(" "),
);
const redactedForms = /^(?:.*_id|.*Id|encrypted_.*)$/;

/** A reply without values that identify an account or a request, so that it can be shared. */
export function redactedReply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactedReply);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isNamed = redactedNames.has(key) || redactedForms.test(key);
      const isHidden = isNamed && inner !== null;
      return [key, isHidden ? "redacted" : redactedReply(inner)];
    }),
  );
}
