import { z } from "zod";
import { type StandInAnswer, textOf } from "../answers.ts";
import { requestPrices } from "../prices.ts";
import {
  type AskContext,
  badReading,
  type Reading,
  type Refusal,
  type StandInReply,
  type StandInRequest,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const errors: Readonly<Record<Refusal, readonly [number, string]>> = {
  credential: [
    401,
    "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key",
  ],
  money: [429, "Your account has run out of searches."],
  limit: [429, "You are exceeding your hourly throughput limit."],
  server: [500, "We couldn't process your search. Please try again."],
  overloaded: [503, "The service is unavailable. Please try again."],
};

/** A token leads to its overview for four minutes. */
const tokenMs = 4 * 60_000;
const tokenSchema = z.strictObject({
  prompt: z.string(),
  region: z.string().nullable(),
  at: z.number(),
});
const charge = {
  inputTokens: 0,
  outputTokens: 0,
  searches: 1,
  micros: requestPrices.serpapi,
};

const engines = ["google", "google_ai_mode", "bing_copilot"];

/** SerpApi: Google's pages and overviews that load later, its AI Mode, and Copilot. */
export const serpapi: VendorStandIn = {
  vendor: "serpapi",
  hosts: ["serpapi.com"],
  credentialOf: ({ query }) => query.get("api_key"),
  refuse: (refusal) => {
    const [status, error] = errors[refusal];
    return { status, body: { error } };
  },
  read: (request) => {
    const isSearch = request.path === "/search" || request.path === "/search.json";
    if (request.method !== "GET" || !isSearch) return null;
    return readSearch(request);
  },
};

function readSearch({ query }: StandInRequest): Reading {
  const engine = query.get("engine") ?? "google";
  const region = query.get("gl")?.toUpperCase() ?? null;
  const prompt = query.get("q");
  const parameters = { engine, ...(prompt === null ? {} : { q: prompt }) };
  if (engine === "google_ai_overview") {
    const token = tokenOf(query.get("page_token") ?? "");
    if (token === null) return badReading(400, { error: "Unsupported `page_token`." });
    const reply = (context: AskContext) => laterOverview(token.at, { ...context, parameters });
    return { kind: "paid", ask: { ...token, model: engine, reply } };
  }
  if (prompt === null || !engines.includes(engine)) {
    return badReading(400, { error: "Missing query `q` parameter." });
  }
  const reply = (context: AskContext) => pageOf({ prompt, region }, { ...context, parameters });
  return { kind: "paid", ask: { prompt, region, model: engine, reply } };
}

interface Asked {
  readonly prompt: string;
  readonly region: string | null;
}

function pageOf(asked: Asked, context: Context): StandInReply {
  const { answer, parameters } = context;
  if (parameters.engine === "google") return googlePage(asked, context);
  const more =
    parameters.engine === "bing_copilot"
      ? { header: asked.prompt }
      : { reconstructed_markdown: textOf(answer.sentences) };
  return searched(context, { ...more, ...overviewOf(answer) });
}

type Context = AskContext & { readonly parameters: { readonly engine: string } };

/** The frame of each reply. A search that failed is not billed. */
function searched(context: Context, body: Readonly<Record<string, unknown>>): StandInReply {
  const isFailed = context.happens("incomplete");
  const at = new Date(context.now)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, " UTC");
  const search_metadata = {
    id: context.draws.hex("id", 24),
    status: isFailed ? "Error" : "Success",
    created_at: at,
    processed_at: at,
    total_time_taken: 2.5,
  };
  const frame = { search_metadata, search_parameters: context.parameters };
  if (isFailed) return { status: 200, body: { ...frame, error: "The search failed." } };
  const model = context.parameters.engine;
  return { status: 200, body: { ...frame, ...body }, charge: { ...charge, model } };
}

function googlePage({ prompt, region }: Asked, context: Context): StandInReply {
  const organic_results = context.answer.retrieved.map(
    ({ url, title, snippet, domain }, index) => ({
      position: index + 1,
      title,
      link: url,
      snippet,
      source: domain,
    }),
  );
  if (context.happens("absent")) return searched(context, { organic_results });
  const token = { prompt, region, at: context.now };
  const page_token = Buffer.from(JSON.stringify(token)).toString("base64url");
  const query = `engine=google_ai_overview&page_token=${page_token}`;
  const serpapi_link = `https://serpapi.com/search.json?${query}`;
  const ai_overview = context.happens("secondRequest")
    ? { page_token, serpapi_link }
    : overviewOf(context.answer);
  return searched(context, { organic_results, ai_overview });
}

function laterOverview(at: number, context: Context): StandInReply {
  if (context.now - at > tokenMs) {
    const error = "Google hasn't returned any results for this query.";
    return searched(context, { ai_overview: { error }, error });
  }
  return searched(context, { ai_overview: overviewOf(context.answer) });
}

function tokenOf(text: string): z.infer<typeof tokenSchema> | null {
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch {
    return null;
  }
}

/** Paragraphs before and after a list, as Google's overviews mostly have them. */
function overviewOf({ sentences, cited, retrieved }: StandInAnswer) {
  const pages = [...cited, ...retrieved.filter((page) => !cited.includes(page)).slice(0, 2)];
  const part = ({ text, pages: citing }: StandInAnswer["sentences"][number]) => ({
    snippet: text.replace(/^\d+\. /, "").replaceAll("**", ""),
    reference_indexes: citing.map((page) => pages.indexOf(page)),
  });
  const [opening, closing] = [sentences.slice(0, 1), sentences.slice(-1)];
  const paragraph = (each: StandInAnswer["sentences"][number]) => ({
    type: "paragraph",
    ...part(each),
  });
  const references = pages.map(({ url, title, snippet, domain }, index) => ({
    title,
    link: url,
    snippet,
    source: domain,
    index,
  }));
  const list = { type: "list", list: sentences.slice(1, -1).map(part) };
  return { text_blocks: [...opening.map(paragraph), list, ...closing.map(paragraph)], references };
}
