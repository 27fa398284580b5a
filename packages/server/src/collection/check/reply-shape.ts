import type { ReplyKeys } from "../vendors/reply-keys.ts";

/** How replies differ from what their parser reads. */
export interface ReplyShape {
  /** Keys that the parser reads and no reply has. */
  readonly missing: readonly string[];
  /** Keys that no recorded or documented reply has; without those below another new one. */
  readonly added: readonly string[];
}

/** Compares the keys of a question's replies with those that its vendor's parser knows. */
export function replyShape(replies: readonly unknown[], { read, known }: ReplyKeys): ReplyShape {
  const found = new Set(replies.flatMap((reply) => [...keyPaths(reply)]));
  const expected = new Set([...known].flatMap(withParents));
  const added = [...found].filter((path) => !expected.has(path)).toSorted();
  return {
    missing: read.filter((path) => !found.has(path)),
    added: added.filter((path) => !added.some((other) => isBelow(path, other))),
  };
}

/** Every path of keys in a JSON value, such as `output[].content[].text`. */
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

/** Fields whose values name an account or a request, or are only of use to the vendor. */
const redactedNames = new Set(
  (
    "id user safety_identifier prompt_cache_key signature billing account organization team " +
    "email page_token serpapi_link tag idempotencyKey"
  ).split(" "),
);
const redactedForms = /^(?:.*_id|.*Id|encrypted_.*)$/;

/** A reply without what names an account or a request, so that it can be sent to others. */
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
