import { createHash } from "node:crypto";
import { parseJsonBody } from "./json-body.ts";
import type { AnalyticsRoute, AskedQuestion } from "./route.ts";

/** Bodies up to this size are remembered; those of dashboards are far smaller. */
const bodyBytesMax = 4_096;
/** Dashboards ask the same few questions again and again. */
const rememberedMax = 500;
/** Keys of more characters are hashed: a filter may name 10,000 prompts. */
const keyLengthMax = 400;

/** Reads bodies, and remembers what the last ones asked: equal bytes ask the same. */
export class AskedQuestions {
  /** By path and body, the least recently read first. */
  readonly #remembered = new Map<string, AskedQuestion>();

  /**
   * What a body asks of a route.
   * @throws ServiceError malformed_json or invalid_request.
   */
  read(route: AnalyticsRoute, body: unknown): AskedQuestion {
    if (!Buffer.isBuffer(body) || body.length > bodyBytesMax) return ask(route, body);
    const name = `${route.path}\n${body.toString("latin1")}`;
    const asked = this.#remembered.get(name) ?? ask(route, body);
    this.#remembered.delete(name);
    this.#remembered.set(name, asked);
    if (this.#remembered.size > rememberedMax) {
      const [oldest = name] = this.#remembered.keys();
      this.#remembered.delete(oldest);
    }
    return asked;
  }
}

function ask(route: AnalyticsRoute, body: unknown): AskedQuestion {
  const asked = route.read(parseJsonBody(body));
  const key = `${route.path}\n${asked.key}`;
  if (key.length <= keyLengthMax) return { ...asked, key };
  return { ...asked, key: createHash("sha256").update(key).digest("base64") };
}
