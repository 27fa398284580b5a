import type { AskedQuestion, AuthorizedRequest, VendorRequest } from "../../adapter.ts";
import { googleRegion, regionRefusal } from "../google-regions.ts";

/** The host of DataForSEO's API. */
export const dataforseoHost = "api.dataforseo.com";

/** What a question's `model` may name: whether to wait for the page, or to queue for a third. */
export const dataforseoMethods = ["live", "standard"] as const;

/** A page takes some 6 seconds, and 120 at most. */
const withinMs = 150_000;
/** A look at a task is a look-up. */
const lookMs = 30_000;
const promptCharactersMax = 700;

/** Why a question cannot be asked of DataForSEO; null: it can. */
export function dataforseoRefusal({ prompt, region, model }: AskedQuestion): string | null {
  if (model !== null && !dataforseoMethods.some((method) => method === model)) {
    return `DataForSEO has the methods ${dataforseoMethods.join(" and ")}, got ${model}`;
  }
  if (keywordOf(prompt).length > promptCharactersMax) {
    return `DataForSEO takes prompts of at most ${promptCharactersMax} characters`;
  }
  return regionRefusal(region, "DataForSEO");
}

/** The request that is billed: for the page, or for a task. */
export function dataforseoRequest(question: AskedQuestion): VendorRequest {
  const { prompt, region, model, provider, id } = question;
  const { locationCode = 2_840, language = "en" } = googleRegion(region) ?? {};
  const isOverview = provider === "GOOGLE_AI_OVERVIEW";
  const task = {
    keyword: keywordOf(prompt),
    location_code: locationCode,
    language_code: language,
    device: "desktop",
    tag: id,
    // An overview that the page loads later is loaded, and paid for only when there is one.
    ...(isOverview ? { depth: 10, load_async_ai_overview: true } : {}),
  };
  return {
    method: "POST",
    host: dataforseoHost,
    path: `${basePath(question)}/${model === "standard" ? "task_post" : "live/advanced"}`,
    body: [task],
    isPaid: true,
    withinMs,
  };
}

/** The request for a task's page, which costs nothing. */
export function dataforseoLook(question: AskedQuestion, taskId: string): VendorRequest {
  const path = `${basePath(question)}/task_get/advanced/${taskId}`;
  return { method: "GET", host: dataforseoHost, path, isPaid: false, withinMs: lookMs };
}

/** The login and the password, as HTTP's Basic authentication (RFC 7617). */
export function dataforseoAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  const basic = Buffer.from(credential).toString("base64");
  return { path, headers: { ...headers, authorization: `Basic ${basic}` } };
}

function basePath({ provider }: AskedQuestion): string {
  return `/v3/serp/google/${provider === "GOOGLE_AI_MODE" ? "ai_mode" : "organic"}`;
}

/** DataForSEO decodes keywords: a plus would become a space. */
function keywordOf(prompt: string): string {
  return prompt.replaceAll("%", "%25").replaceAll("+", "%2B");
}
