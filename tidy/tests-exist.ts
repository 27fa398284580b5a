import type { Finding, Rule } from "./rule.ts";

const routes = "packages/server/src/http/routes/";

/** The operations that a session is needed for and that take a body. */
const analytics = [
  "mentions",
  "overall-visibility",
  "citations",
  "rank",
  "sources",
  "exchange",
] as const;

/** Each operation's folder shows what is guaranteed: tests are named after the status they get. */
export const statusTests: Rule = {
  name: "status-tests",
  remedy:
    "an operation's folder holds route.ts and a test per status (200.test.ts); those of " +
    "analytics and the exchange also 400.test.ts and 401.test.ts.",
  check: (tree) => {
    const files = new Map<string, string[]>(analytics.map((operation) => [operation, []]));
    for (const path of tree.paths) {
      const [operation, file, deeper] = path.startsWith(routes)
        ? path.slice(routes.length).split("/")
        : [];
      if (operation === undefined || file === undefined || deeper !== undefined) continue;
      files.set(operation, [...(files.get(operation) ?? []), file]);
    }
    return [...files].flatMap(([operation, held]) => lacking(operation, held));
  },
  refuses: {
    "operations that do not exist": { "packages/server/src/http/app.ts": "" },
    "an operation without a route": { ...complete(), [`${routes}health/200.test.ts`]: "" },
    "an operation without a test": { ...complete(), [`${routes}health/route.ts`]: "" },
    "a test that is not named after a status": {
      ...complete(),
      [`${routes}health/route.ts`]: "",
      [`${routes}health/route.test.ts`]: "",
    },
    "an analytics operation without its 401": complete("401.test.ts"),
    "an analytics operation without its 400": complete("400.test.ts"),
  },
  accepts: {
    "every operation with its tests": complete(),
    "another operation with one test": {
      ...complete(),
      [`${routes}health/route.ts`]: "",
      [`${routes}health/503.test.ts`]: "",
    },
  },
};

function lacking(operation: string, held: readonly string[]): readonly Finding[] {
  const path = `${routes}${operation}/`;
  if (held.length === 0) return [{ path, line: 1, message: "does not exist yet" }];
  const isAnalytics = analytics.some((each) => each === operation);
  const wanted = isAnalytics ? ["200.test.ts", "400.test.ts", "401.test.ts"] : [];
  const missing = ["route.ts", ...wanted].filter((file) => !held.includes(file));
  if (!held.some((file) => /^[1-5]\d\d\.test\.ts$/.test(file))) missing.push("<status>.test.ts");
  return missing.map((file) => ({ path, line: 1, message: `lacks ${file}` }));
}

/** A sample of all analytics operations; without one of their files if it is named. */
function complete(except?: string): Readonly<Record<string, string>> {
  const held = ["route.ts", "200.test.ts", "400.test.ts", "401.test.ts"];
  return Object.fromEntries(
    analytics.flatMap((operation) =>
      held
        .filter((file) => file !== except)
        .map((file) => [`${routes}${operation}/${file}`, ""] as const),
    ),
  );
}
