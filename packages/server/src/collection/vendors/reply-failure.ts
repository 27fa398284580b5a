import type { Exchange, Failure, FailureClass } from "../adapter.ts";
import { isObject, type JsonObject, UnknownShape } from "./read-json.ts";
import { quotasOf, waitAskedFor } from "./wait-asked-for.ts";

/** What a vendor documents of an error whose status alone does not tell what to do. */
export interface FailureRule {
  readonly status: number;
  /** Looked for in the error's codes and message. */
  readonly says: RegExp;
  readonly class: FailureClass;
  /** What to do about it, where the vendor's words do not tell; for people. */
  readonly remedy?: string;
}

/** What to do where a vendor does not know a model, or no longer. */
export const setModel = "Set `model` of this provider to one that the vendor offers.";

const reasonCharactersMax = 300;

/** What a status asks for, unless a rule of the vendor says otherwise. */
const classByStatus: Readonly<Record<number, FailureClass>> = {
  401: "stop-vendor", // the credential is missing or wrong
  402: "stop-vendor", // the balance is used up
  403: "stop-vendor", // the credential may not do this
  408: "retry",
  409: "retry", // conflicts are of a moment
  425: "retry",
  429: "wait",
  499: "retry", // Google's CANCELLED
};

/** What a reply without an answer asks for; null: its status is 200. */
export function replyFailure(exchange: Exchange, rules: readonly FailureRule[]): Failure | null {
  const { status, body } = exchange.reply;
  if (status === 200) return null;
  const error = errorOf(body);
  const words = wordsOf(error);
  const rule = rules.find((each) => each.status === status && each.says.test(words));
  const byStatus = status >= 500 ? "retry" : (classByStatus[status] ?? "give-up");
  return {
    class: rule?.class ?? byStatus,
    reason: reasonOf(
      `HTTP ${status}: ${words === "" ? "no reason is given" : words}`,
      rule?.remedy,
    ),
    afterMs: waitAskedFor(exchange, error),
  };
}

/** A failure that asking again would not mend. */
export function giveUp(reason: string): Failure {
  return { class: "give-up", reason: reasonOf(reason), afterMs: null };
}

/** A failure that a vendor tells of in a reply of status 200, by the class that it asks for. */
export function toldFailure(told: FailureClass, reason: string): Failure {
  return { class: told, reason: reasonOf(reason), afterMs: null };
}

/** A reply of status 200 that is not understood: it was paid for, so it is not asked for again. */
export function notUnderstood(error: unknown): Failure {
  const said = error instanceof UnknownShape ? error.message : "the reply could not be read";
  return giveUp(`not understood: ${said}`);
}

/** The error object of a body, whatever it holds. */
function errorOf(body: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {};
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return {};
  const error = first["error"];
  return isObject(error) ? error : { ...first, message: error ?? first["message"] };
}

/** The error's codes and its message, as far as they are texts. */
function wordsOf(error: JsonObject): string {
  const details = error["details"];
  const listed = Array.isArray(details) ? details.filter(isObject) : [details].filter(isObject);
  const codes = ["type", "code", "status"].map((field) => error[field]);
  const detailed = listed.flatMap((detail) => [
    ...[detail["error_code"], detail["reason"]],
    ...quotasOf(detail),
  ]);
  const message = error["message"] ?? error["detail"] ?? error["status_message"];
  return [...codes, ...detailed, message]
    .filter((word) => typeof word === "string" && word !== "")
    .join(" ");
}

/** A credential, or what is left of one that the vendor masked. */
const secretLike = /\b(?:sk|pplx|xai|AIza|key)[-_]?[\w*.-]{6,}|\S*\*{3}\S*|Bearer\s+\S+/g;
const controls = /\p{Cc}+/gu;

/** For people: short, in one line, without what looks like a credential. */
function reasonOf(text: string, remedy?: string): string {
  // Cut first: patterns over a body of megabytes take long.
  const plain = text.slice(0, 4 * reasonCharactersMax).replace(controls, " ");
  const end = remedy === undefined ? "" : ` ${remedy}`;
  const said = plain.replace(secretLike, "…").slice(0, reasonCharactersMax - end.length);
  return `${said}${end}`.toWellFormed();
}
