import type { Vendor } from "@sightline/contract";
import type { VendorReply, VendorRequest } from "../adapter.ts";
import { anthropicHost } from "../vendors/anthropic/request.ts";
import { defaultModels } from "../vendors/default-models.ts";
import { geminiHost } from "../vendors/gemini/request.ts";
import { openaiHost } from "../vendors/openai/request.ts";
import { isObject, type JsonObject } from "../vendors/read-json.ts";
import { xaiHost } from "../vendors/xai/request.ts";

/** What a vendor's list of models tells. */
export interface FreeCheck {
  /** Of HTTP; null: no reply came. */
  readonly status: number | null;
  /** Whether the credential is taken; null: unknown. */
  readonly isKeyValid: boolean | null;
  /** The model that is asked by default. */
  readonly model: string;
  /** Whether it is in the list; null: unknown. */
  readonly isListed: boolean | null;
  /** Whether it can search; null: the vendor does not say. */
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

/** The free request for a vendor's models; null: it has none. */
export function modelsRequest(vendor: Vendor): VendorRequest | null {
  const address = addresses[vendor];
  if (address === undefined) return null;
  const [host, path] = address;
  const headers = vendor === "anthropic" ? { "anthropic-version": "2023-06-01" } : {};
  return { method: "GET", host, path, headers, isPaid: false, withinMs: 30_000 };
}

/** What the reply to it says of the model that is asked by default. */
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

/** What is told where no reply came. */
export function noFreeCheck(vendor: Vendor, reason: string): FreeCheck {
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

/** Anthropic says which of its own tools a model takes. */
function searches({ capabilities }: JsonObject): boolean | null {
  const tools = isObject(capabilities) ? capabilities["server_tools"] : null;
  const search: unknown = isObject(tools) ? tools["web_search"] : null;
  const said: unknown = isObject(search) ? search["supported"] : search;
  return typeof said === "boolean" ? said : null;
}
