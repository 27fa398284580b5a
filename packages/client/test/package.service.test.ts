import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { buildClient } from "../../../build/client-package.ts";
import { root } from "../../../build/folders.ts";
import * as source from "../src/index.ts";

/** What a browser must fetch at the most, minified and compressed. */
const gzippedBytesMax = 8 * 1_024;

let dist = "";
before(async () => {
  // Below the repository, where the compiler finds the contract to compare with.
  mkdirSync(join(root, ".runs"), { recursive: true });
  dist = mkdtempSync(join(root, ".runs/client-"));
  await buildClient(dist);
});
after(() => rmSync(dist, { recursive: true }));

test("the package is one module, its types, and papers", async () => {
  assert.deepEqual(readdirSync(dist).sort(), [
    "LICENSE",
    "README.md",
    "index.d.ts",
    "index.js",
    "package.json",
  ]);
  const built: object = await import(pathToFileURL(join(dist, "index.js")).href);
  assert.deepEqual(Object.keys(built), Object.keys(source));
  const [code, types] = ["index.js", "index.d.ts"].map((file) =>
    readFileSync(join(dist, file), "utf8"),
  );
  assert.doesNotMatch(code ?? "", /(?<!async )\b(import|require)\b\s*[({"']|\bprocess\b|\bzod\b/);
  assert.doesNotMatch(
    types ?? "",
    /^import\b|\bimport\(["']|\bzod\b|@sightline\/contract|: any\b/m,
  );
});

test("for a browser it is smaller than 8 KB, and depends on nothing", async () => {
  const bundled = await build({
    entryPoints: [join(dist, "index.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
  });
  const bytes = gzipSync(bundled.outputFiles[0]?.contents ?? "", { level: 9 }).byteLength;

  assert.ok(bytes > 1_000 && bytes < gzippedBytesMax, `${bytes} bytes`);
  assert.equal(Object.keys(bundled.metafile.inputs).length, 1);
  const manifest = JSON.parse(readFileSync(join(dist, "package.json"), "utf8")) as object;
  assert.ok(!("dependencies" in manifest || "peerDependencies" in manifest));
});

test("the published types are the contract's own, and stand alone", () => {
  const names = ["TimeSeriesResponse", "SourceAnalysisResponse", "WorkspaceResponse"];
  names.push("InsightsSeriesResponse", "WorkspaceFile", "AppliedWorkspace");
  names.push("DeclaredWorkspaceResponse");
  names.push("KeyRequest", "CreatedKeyResponse", "ListedKey");
  names.push("HookRequest", "CreatedHookResponse", "ListedHook", "ListedDelivery", "WebhookEvent");
  names.push("CollectionRequest", "StartedCollection", "ListedCollection", "CollectionsResponse");
  names.push("VendorCredential", "CredentialTest", "CredentialTestRequest");
  names.push("ListedImport", "UndoneImportResponse");
  names.push("DeleteAnswersRequest", "DeleteAnswersResponse");
  names.push("EvidenceResponse", "EvidenceAnswer", "RecordedAnswerResponse");
  const unions = ["Interval", "Provider", "Grouping", "MetricName", "Scope", "ErrorCode"];
  names.push("InsightsSummaryResponse", "InsightsSourcesResponse");
  unions.push("EvidenceRole", "SummaryGrouping", "HookEvent", "Vendor");
  const checks = [...names, ...unions].map(
    (name) => `export const same${name}: Same<Built.${name}, Contract.${name}> = true;`,
  );
  const lines = [
    'import type * as Contract from "@sightline/contract";',
    'import type * as Built from "./index.js";',
    "type Is<A> = <T>() => T extends A ? 1 : 2;",
    "type Same<A, B> = Is<A> extends Is<B> ? true : false;",
    ...checks,
  ];
  writeFileSync(join(dist, "check.ts"), lines.join("\n"));
  const options = { types: ["node"] };
  const settings = { extends: join(root, "tsconfig.json"), compilerOptions: options };
  const configuration = join(dist, "tsconfig.json");
  writeFileSync(configuration, JSON.stringify({ ...settings, files: ["check.ts"], include: [] }));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  try {
    const printed = execFileSync(process.execPath, [compiler, "-p", configuration]);
    assert.equal(printed.toString(), "");
  } finally {
    for (const file of ["check.ts", "tsconfig.json"]) rmSync(join(dist, file));
  }
});

test("publint has nothing to say", async () => {
  const { messages, pkg } = await publint({ pkgDir: dist, pack: false, strict: true });

  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});
