import { absent, atTop, lacking, textOf } from "./named-in-pages.ts";
import type { Rule } from "./rule.ts";

const errorCodesPath = "packages/contract/src/error-codes.ts";
const settingsPath = "packages/server/src/config.ts";
const connectionSettingsPath = "packages/cli/src/connection/settings.ts";

const errorsPage = "docs/errors.md";
const errorPages: Rule = {
  name: "error-pages",
  remedy: `give each code of ${errorCodesPath} a line and a part in ${errorsPage}.`,
  check: async (tree) => {
    const table = (await tree.load(errorCodesPath))?.["errorCodes"];
    const codes = Object.entries(typeof table === "object" && table !== null ? table : {});
    if (codes.length === 0) return [absent(errorCodesPath, "errorCodes, by code")];
    const text = textOf(tree, errorsPage) ?? "";
    const parts = [...text.matchAll(/^### (\S+)$/gm)].map(([, name = ""]) => name);
    const names = codes.map(([code]) => code);
    const wanted = codes.map(([code, { status }]) => `| ${status} | [\`${code}\`](#${code}) |`);
    return [
      ...names.filter((code) => !parts.includes(code)).map((code) => `has no part ${code}`),
      ...parts.filter((part) => !names.includes(part)).map((part) => `explains no code: ${part}`),
      ...wanted.filter((line) => !text.includes(line)).map((line) => `has no line ${line}`),
    ].map((message) => atTop(errorsPage, message));
  },
  refuses: {
    "codes that do not exist": { [errorsPage]: "" },
    "a code without a part": {
      [errorCodesPath]: { errorCodes: { not_found: { status: 404 } } },
      [errorsPage]: "| 404 | [`not_found`](#not_found) |",
    },
    "a code without a line": {
      [errorCodesPath]: { errorCodes: { not_found: { status: 404 } } },
      [errorsPage]: "### not_found",
    },
    "a part without a code": {
      [errorCodesPath]: { errorCodes: { not_found: { status: 404 } } },
      [errorsPage]: "| 404 | [`not_found`](#not_found) |\n### not_found\n### gone",
    },
  },
  accepts: {
    "a line and a part for each code": {
      [errorCodesPath]: { errorCodes: { not_found: { status: 404 } } },
      [errorsPage]: "| 404 | [`not_found`](#not_found) |\n### not_found",
    },
  },
};

const settingsPage = "docs/guide/settings.md";
const documentedSettings: Rule = {
  name: "documented-settings",
  remedy: `write each setting's flag and variable into ${settingsPage}, and take old ones out.`,
  check: async (tree) => {
    const loaded = await tree.load(settingsPath);
    const [list, credentials = []] = [loaded?.["settings"], loaded?.["secretSettings"]];
    const settings: readonly unknown[] = Array.isArray(list) ? list : [];
    if (settings.length === 0) return [absent(settingsPath, "settings, a list")];
    const others = (await tree.load(connectionSettingsPath))?.["connectionSettings"];
    const lists = [settings, others ?? {}, credentials ?? {}];
    const wanted = lists
      .flatMap((all) => Object.values<unknown>({ ...all }))
      .flatMap((each) => {
        const { environment, fileEnvironment, flag } = each as Readonly<Record<string, unknown>>;
        return [environment, fileEnvironment, flag].filter((word) => typeof word === "string");
      });
    const written = textOf(tree, settingsPage)?.match(/\bSIGHTLINE_[A-Z_]*[A-Z]\b/g) ?? [];
    const stale = [...new Set(written)].filter((word) => !wanted.includes(word));
    return [
      ...lacking(tree, settingsPage, wanted),
      ...stale.map((word) => atTop(settingsPage, `names ${word}, which is not a setting`)),
    ];
  },
  refuses: {
    "settings that do not exist": { [settingsPage]: "" },
    "a page that does not exist": {
      [settingsPath]: { settings: [{ environment: "SIGHTLINE_A" }] },
    },
    "a variable that is only a part of another": {
      [settingsPath]: {
        settings: [{ environment: "SIGHTLINE_A" }, { environment: "SIGHTLINE_A_B" }],
      },
      [settingsPage]: "`SIGHTLINE_A_B`",
    },
    "a flag that is missing": {
      [settingsPath]: { settings: [{ environment: "SIGHTLINE_A", flag: "--a" }] },
      [settingsPage]: "SIGHTLINE_A",
    },
    "a setting of questions that is missing": {
      [settingsPath]: { settings: [{ environment: "SIGHTLINE_A" }] },
      [connectionSettingsPath]: { connectionSettings: { b: { environment: "SIGHTLINE_B" } } },
      [settingsPage]: "SIGHTLINE_A",
    },
    "a credential's file that is missing": {
      [settingsPath]: {
        settings: [{ environment: "SIGHTLINE_A" }],
        secretSettings: [{ environment: "SIGHTLINE_B", fileEnvironment: "SIGHTLINE_B_FILE" }],
      },
      [settingsPage]: "SIGHTLINE_A SIGHTLINE_B",
    },
    "a variable that is not a setting": {
      [settingsPath]: { settings: [{ environment: "SIGHTLINE_A" }] },
      [settingsPage]: "SIGHTLINE_A SIGHTLINE_B",
    },
  },
  accepts: {
    "every variable and flag": {
      [settingsPath]: { settings: [{ name: "a", environment: "SIGHTLINE_A", flag: "--a-b" }] },
      [settingsPage]: "| `SIGHTLINE_A` | `--a-b` |",
    },
    "credentials, which have no flags": {
      [settingsPath]: {
        settings: [{ environment: "SIGHTLINE_A" }],
        secretSettings: [{ environment: "SIGHTLINE_B", fileEnvironment: "SIGHTLINE_B_FILE" }],
      },
      [settingsPage]: "SIGHTLINE_A SIGHTLINE_B SIGHTLINE_B_FILE",
    },
    "the settings of questions as well": {
      [settingsPath]: { settings: [{ environment: "SIGHTLINE_A" }] },
      [connectionSettingsPath]: { connectionSettings: { b: { environment: "SIGHTLINE_B" } } },
      [settingsPage]: "SIGHTLINE_A SIGHTLINE_B",
    },
  },
};

/** The closed lists that callers and operators see, and the pages about them. */
export const documentedInterfaces: readonly Rule[] = [errorPages, documentedSettings];
