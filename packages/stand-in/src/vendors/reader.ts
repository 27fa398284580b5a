import { createHash } from "node:crypto";
import { z } from "zod";
import { microsOf } from "../prices.ts";
import { refusalText } from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  bearerOf,
  modelsReading,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const errors: Readonly<Record<Refusal, readonly [status: number, message: string, code: string]>> =
  {
    credential: [401, "Incorrect API key provided.", "invalid_api_key"],
    money: [429, "You exceeded your current quota.", "insufficient_quota"],
    limit: [429, "Rate limit reached for requests.", "rate_limit_exceeded"],
    server: [500, "Internal server error.", "internal_error"],
    overloaded: [503, "The server is overloaded.", "overloaded"],
  };

const errorOf = (message: string, code: string) => ({
  error: { message, type: "invalid_request_error", param: null, code },
});

const chatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).min(1),
});

/** A model that reads answers, at an endpoint that speaks Chat Completions: any that a user has. */
export const reader: VendorStandIn = {
  vendor: "reader",
  hosts: ["reader.example"],
  credentialOf: bearerOf,
  refuse: (refusal) => {
    const [status, message, code] = errors[refusal];
    return { status, body: errorOf(message, code) };
  },
  modelErrors: {
    retiredModel: { status: 404, body: errorOf("The model does not exist.", "model_not_found") },
  },
  read: (request) => {
    const data = [{ id: "reader-1", object: "model", created: 1_763_000_000, owned_by: "system" }];
    const models = modelsReading(request, "/v1/models", { object: "list", data });
    if (models !== null) return models;
    if (request.method !== "POST" || request.path !== "/v1/chat/completions") return null;
    const chat = chatRequest.safeParse(request.body).data;
    if (chat === undefined) return badReading(400, errorOf("Invalid request.", "invalid_request"));
    const { model } = chat;
    const prompt = chat.messages.at(-1)?.content ?? "";
    const ask = { prompt, region: null, model };
    const reply = (context: AskContext) => replyOf(prompt, { ...context, model });
    return { kind: "paid", ask: { ...ask, reply } };
  },
};

type Context = AskContext & { readonly model: string };

function replyOf(prompt: string, context: Context): StandInReply {
  const { happens, draws, model, now } = context;
  const isRefused = happens("refused");
  const isCut = happens("incomplete");
  const json = JSON.stringify({ [listName(context)]: findingsIn(prompt, context) });
  const half = json.slice(0, Math.ceil(json.length / 2));
  const content = isCut || happens("cutJson") ? half : json;
  const usage = {
    // Whole hundreds, as of every vendor.
    inputTokens: Math.ceil(prompt.length / 400) * 100 + 500,
    outputTokens: Math.ceil(json.length / 400) * 100,
  };
  const consumed = { ...usage, searches: 0, model };
  return {
    status: 200,
    charge: { ...consumed, micros: microsOf("reader", consumed) },
    body: {
      id: `chatcmpl-${draws.hex("id", 24)}`,
      object: "chat.completion",
      created: Math.floor(now / 1_000),
      model: `${model}-2026-10-01`,
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: isRefused ? null : content,
            refusal: isRefused ? refusalText : null,
          },
          logprobs: null,
          finish_reason: isCut && !isRefused ? "length" : "stop",
        },
      ],
      usage: {
        prompt_tokens: usage.inputTokens,
        completion_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
        prompt_tokens_details: { cached_tokens: 0 },
      },
    },
  };
}

const listName = ({ happens }: Context) => (happens("renamedFinding") ? "results" : "findings");
const kinds = ["recommended", "praised", "criticized", "claim"] as const;
const aspects = ["price", "quality", "support"] as const;
const quoteCharactersMax = 120;

/** Something of each name, in the words of the first line that names it. */
function findingsIn(prompt: string, { draws, happens }: Context): readonly unknown[] {
  const [, names = "", text = ""] = /^Names:\n([\s\S]*?)\n\nAnswer:\n([\s\S]*)$/.exec(prompt) ?? [];
  const lines = text.split("\n");
  return names.split("\n").flatMap((item) => {
    const entity = item.replace(/^- /, "");
    const line = lines.find((each) => each.includes(entity)) ?? "";
    const at = line.indexOf(entity);
    const quote = line.slice(Math.max(0, at), at + quoteCharactersMax).toWellFormed();
    if (at < 0 || quote.length <= entity.length + 2) return [];
    // The same at each request, but for a tenth of them.
    const chance = draws.of(`kind ${entity}`);
    const drawn = chance < 0.1 ? chance * 10 : evenOf(quote);
    return [
      {
        entity,
        kind: kinds[Math.floor(drawn * kinds.length)],
        aspect: aspects[Math.floor(evenOf(`aspect ${quote}`) * aspects.length)],
        quote: happens("wrongQuote") ? `${quote}, they say` : quote,
      },
    ];
  });
}

/** A number from 0 to below 1 that depends on a text alone. */
function evenOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}
