import { createHash } from "node:crypto";
import { nextTurn } from "../platform/turns.ts";
import { parseJsonBody } from "./json-body.ts";
import type { AnalyticsRoute, AskedQuestion } from "./route.ts";

/**
 * Bodies up to this size are remembered; those of dashboards are far smaller. To read one of
 * 10,000 ids takes some 10 ms: larger bodies are read in turns.
 */
const bodyBytesMax = 4_096;
/** Dashboards ask the same few questions again and again. */
const rememberedMax = 250;
/** Keys of more characters are hashed: a filter may name 10,000 prompts. */
const keyLengthMax = 400;

/** Reads bodies, and remembers what the last ones asked: equal bytes ask the same. */
export class AskedQuestions {
  readonly #route: AnalyticsRoute;
  /** By body. */
  #remembered = new Map<string, AskedQuestion>();
  /** The previous generation; entries not requested again in time are dropped with it. */
  #before: ReadonlyMap<string, AskedQuestion> = new Map();

  constructor(route: AnalyticsRoute) {
    this.#route = route;
  }

  /**
   * What a body asks of the route.
   * @throws ServiceError malformed_json or invalid_request.
   */
  read(body: unknown): AskedQuestion | Promise<AskedQuestion> {
    if (!Buffer.isBuffer(body)) return ask(this.#route, body);
    if (body.length > bodyBytesMax) return nextTurn().then(() => ask(this.#route, body));
    const text = body.toString("latin1");
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const asked = this.#before.get(text) ?? ask(this.#route, body);
    if (this.#remembered.size >= rememberedMax) {
      this.#before = this.#remembered;
      this.#remembered = new Map();
    }
    this.#remembered.set(text, asked);
    return asked;
  }
}

function ask(route: AnalyticsRoute, body: unknown): AskedQuestion {
  const asked = route.read(parseJsonBody(body));
  const key = `${route.path}\n${asked.key}`;
  if (key.length <= keyLengthMax) return { ...asked, key };
  return { ...asked, key: createHash("sha256").update(key).digest("base64") };
}
