import type { Finding, Rule } from "./rule.ts";

/** Of a capability: routes/<operation>/<status>.test.ts, whatever kind of test it names before. */
const ofOperation = /^packages\/server\/src\/(?:[^/]+\/)+?routes\/([^/]+)\/([^/]+)$/;
const statusTest = /^([1-5]\d\d)(?:\.[a-z]+)?\.test\.ts$/;

/** The operations that a session is needed for and that take a body, with their capability. */
const analytics: Readonly<Record<string, string>> = {
  mentions: "questions",
  "overall-visibility": "questions",
  citations: "questions",
  rank: "questions",
  sources: "questions",
  exchange: "keys",
};

/** Each operation's folder shows what is guaranteed: tests are named after the status they get. */
export const statusTests: Rule = {
  name: "status-tests",
  remedy:
    "an operation's folder in routes/ holds a test per status (200.test.ts); those of analytics " +
    "and the exchange also 400.test.ts and 401.test.ts.",
  check: (tree) => {
    const held = new Map(Object.keys(analytics).map((operation) => [operation, new Set<string>()]));
    const findings: Finding[] = [];
    for (const path of tree.paths) {
      const [, operation = "", file = ""] = path.match(ofOperation) ?? [];
      if (operation === "") continue;
      const status = file.match(statusTest)?.[1];
      if (status !== undefined) held.get(operation)?.add(status);
      else findings.push({ path, line: 1, message: "is not a test named after a status" });
    }
    for (const [operation, statuses] of held) {
      const path = `packages/server/src/${analytics[operation]}/routes/${operation}/`;
      for (const status of ["200", "400", "401"].filter((each) => !statuses.has(each))) {
        findings.push({ path, line: 1, message: `lacks ${status}.test.ts` });
      }
    }
    return findings;
  },
  refuses: {
    "operations that do not exist": { "packages/server/src/http/app.ts": "" },
    "a test that is not named after a status": {
      ...complete(),
      "packages/server/src/operations/routes/healthz/route.test.ts": "",
    },
    "an analytics operation without its 401": complete("401.test.ts"),
    "an analytics operation without its 400": complete("400.test.ts"),
  },
  accepts: {
    "every operation with its tests": complete(),
    "another operation with one test": {
      ...complete(),
      "packages/server/src/keys/console/routes/sign-out/503.test.ts": "",
    },
    "a kind of test": {
      ...complete(),
      "packages/server/src/keys/routes/jwks/200.service.test.ts": "",
    },
  },
};

/** A sample of all analytics operations; without one of their files if it is named. */
function complete(except?: string): Readonly<Record<string, string>> {
  const files = ["200.test.ts", "400.test.ts", "401.test.ts"].filter((file) => file !== except);
  return Object.fromEntries(
    Object.entries(analytics).flatMap(([operation, folder]) =>
      files.map((file) => [`packages/server/src/${folder}/routes/${operation}/${file}`, ""]),
    ),
  );
}
