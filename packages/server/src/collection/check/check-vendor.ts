import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Provider, Vendor } from "@sightline/contract";
import type { Adapter, AskedQuestion, CollectedAnswer, Exchange } from "../adapter.ts";
import type { CollectionConfig } from "../collection-config.ts";
import { sendVendorRequest } from "../transport/send-vendor-request.ts";
import { adapters } from "../vendors/index.ts";
import { replyKeys } from "../vendors/reply-keys.ts";
import { type FreeCheck, freeCheckOf, modelsRequest, noFreeCheck } from "./free-check.ts";
import { type ReplyShape, redactedReply, replyShape } from "./reply-shape.ts";

export type { FreeCheck };

/** A vendor to check, and what of it. */
export interface CheckedAsk {
  readonly adapter: Adapter;
  readonly provider: Provider;
  readonly surface: AskedQuestion["surface"];
}

/** What a paid question tells. */
export interface PaidCheck extends ReplyShape {
  /** Of HTTP, of the last paid reply; null: none came. */
  readonly status: number | null;
  /** As the reply names it; null: it does not. */
  readonly model: string | null;
  readonly cited: number;
  readonly retrieved: number;
  /** Country that was asked for; null: none. */
  readonly region: string | null;
  /** Dollars, as the vendor says; null: it does not. */
  readonly costTold: number | null;
  /** Dollars, by the price list; null: the reply does not say what it used. */
  readonly costComputed: number | null;
  /** What is wrong, for people; null: nothing. */
  readonly fault: string | null;
  /** The exchanges without what names an account, to be kept as a sample. */
  readonly sample: unknown;
}

type CheckTools = Pick<CollectionConfig, "credentials" | "standIn" | "prices">;

const prompt =
  "Which running shoes are recommended for beginners this year? Name some, with your sources.";
const region = "US";
const stepsMax = 60;
const withinMs = 5 * 60_000;

/** Those with a credential, once for each vendor; of a provider all that can be asked for it. */
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

/** What one question is expected to cost, and the most that it may; millionths of a dollar. */
export function checkCost({ prices }: CheckTools, { adapter, provider }: CheckedAsk, at: number) {
  const asked = { vendor: adapter.vendor, provider, model: null, at };
  return { expected: prices.expectedMicrosOf(asked), most: prices.reserveMicrosOf(asked) };
}

/** Asks a vendor for its models, which is free; null: it has no such list. */
export async function checkFree(tools: CheckTools, adapter: Adapter): Promise<FreeCheck | null> {
  const { vendor } = adapter;
  const request = modelsRequest(vendor);
  if (request === null) return null;
  const sent = await send(tools, adapter, request);
  return sent.kind === "reply" ? freeCheckOf(vendor, sent.reply) : noFreeCheck(vendor, sent.reason);
}

/** Asks one question, as a sweep would, and compares the replies with what is expected of them. */
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
    ...{ missing, added, cited, region: question.region },
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
    costComputed: usage.isTold ? computed.amountMicros / 1_000_000 : null,
  };
}

interface Asked {
  readonly answer: CollectedAnswer | null;
  readonly exchanges: readonly Exchange[];
  readonly fault: string | null;
}

async function ask(tools: CheckTools, adapter: Adapter, question: AskedQuestion): Promise<Asked> {
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

/** The host of links, whose pages are not replies of the vendor. */
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
