import { type Vendor, vendors } from "@sightline/contract";
import { type StandIn, standInCredentials } from "../src/stand-in.ts";

/** The vendors that answer prompts. The reader reads answers. */
export const askedVendors = vendors.filter((vendor) => vendor !== "reader");

/** A request that a vendor takes, as its documents have it, without what authorises it. */
export interface SampleRequest {
  readonly method: "GET" | "POST";
  /** With the host, and the query. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const userLocation = { type: "approximate", country: "DE" };

/** The request of each vendor that asks a prompt for an answer with a search. */
export function sampleRequest(vendor: Vendor, prompt: string): SampleRequest {
  const post = (address: string, body: unknown): SampleRequest => ({
    method: "POST",
    address,
    body,
  });
  const tools = [{ type: "web_search", user_location: userLocation }];
  switch (vendor) {
    case "openai":
      return post("api.openai.com/v1/responses", {
        model: "gpt-5-mini",
        input: prompt,
        tools,
        include: ["web_search_call.action.sources"],
      });
    case "anthropic":
      return {
        ...post("api.anthropic.com/v1/messages", {
          model: "claude-sonnet-4-6",
          max_tokens: 4_096,
          messages: [{ role: "user", content: prompt }],
          tools: [{ type: "web_search_20250305", name: "web_search", user_location: userLocation }],
        }),
        headers: { "anthropic-version": "2023-06-01" },
      };
    case "gemini":
      return post(
        "generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent",
        { contents: [{ role: "user", parts: [{ text: prompt }] }], tools: [{ googleSearch: {} }] },
      );
    case "perplexity":
      return post("api.perplexity.ai/v1/responses", {
        model: "perplexity/sonar",
        input: [{ role: "user", content: prompt }],
        tools,
      });
    case "xai":
      return post("api.x.ai/v1/responses", {
        model: "grok-4-fast",
        input: [{ role: "user", content: prompt }],
        tools,
      });
    case "dataforseo":
      return post("api.dataforseo.com/v3/serp/google/ai_mode/live/advanced", [
        { keyword: prompt, location_code: 2276, language_code: "de", tag: "job 1" },
      ]);
    case "serpapi":
      return {
        method: "GET",
        address: `serpapi.com/search.json?${new URLSearchParams({
          engine: "google_ai_mode",
          gl: "de",
          q: prompt,
        })}`,
      };
    case "cloro":
      return post("api.cloro.dev/v1/async/task", {
        taskType: "COPILOT",
        payload: { prompt, country: "DE", include: { markdown: true } },
      });
    case "reader":
      return post("reader.example/v1/chat/completions", {
        model: "reader-1",
        messages: [{ role: "user", content: prompt }],
      });
  }
}

/** What a stand-in replied. */
export interface StandInReplied {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request with a credential: the vendor's own, unless another is given. */
export async function askStandIn(
  { url }: Pick<StandIn, "url">,
  vendor: Vendor,
  asked: SampleRequest & { readonly credential?: string },
): Promise<StandInReplied> {
  const credential = asked.credential ?? standInCredentials[vendor];
  const address = new URL(`${url}/${asked.address}`);
  if (vendor === "serpapi") address.searchParams.set("api_key", credential);
  const response = await fetch(address, {
    method: asked.method,
    redirect: "manual",
    headers: {
      ...asked.headers,
      ...authorized(vendor, credential),
      ...(asked.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
  });
  const text = await response.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

function authorized(vendor: Vendor, credential: string): Readonly<Record<string, string>> {
  if (vendor === "anthropic") return { "x-api-key": credential };
  if (vendor === "gemini") return { "x-goog-api-key": credential };
  if (vendor === "serpapi") return {};
  if (vendor !== "dataforseo") return { authorization: `Bearer ${credential}` };
  return { authorization: `Basic ${Buffer.from(credential).toString("base64")}` };
}
