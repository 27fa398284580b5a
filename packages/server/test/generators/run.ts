import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sampleAnswers, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

// What tasks/generators runs: clients are generated from openapi.json in a folder of their own,
// type-checked, and asked of a service that runs. The generators want TypeScript 5 beside them,
// which this repository does not have.
const packages = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.99.0",
  "typescript@5.9.3",
  "@types/node@24",
];
const programs = ["with-openapi-fetch", "with-hey-api"];

const root = join(import.meta.dirname, "../../../..");
const folder = mkdtempSync(join(tmpdir(), "sightline-generators-"));
let service: TestService | null = null;
try {
  await generate();
  service = await TestService.start();
  const accountId = await service.apply(sampleWorkspace);
  await service.import(accountId, sampleAnswers);
  const [url, key] = [await service.listen(), await service.key(accountId)];
  for (const program of programs) {
    await run("node", [`out/${program}.js`, url, key]);
    process.stdout.write(`${program}: generated, type-checked and answered\n`);
  }
} finally {
  await service?.close();
  rmSync(folder, { recursive: true });
}

async function generate(): Promise<void> {
  cpSync(join(root, "openapi.json"), join(folder, "openapi.json"));
  cpSync(join(import.meta.dirname, "programs"), folder, { recursive: true });
  write("package.json", { private: true, type: "module" });
  write("tsconfig.json", {
    compilerOptions: {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noUncheckedIndexedAccess: true,
      types: ["node"],
      outDir: "out",
      skipLibCheck: true,
    },
    files: [...programs.map((program) => `${program}.ts`), ...guideSnippets()],
  });
  write("openapi-ts.config.json", {
    input: "openapi.json",
    output: { path: "sightline", module: { extension: ".js" } },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  });
  const quietly = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["install", ...quietly, ...packages]);
  const own = (tool: string) => join(folder, "node_modules", ".bin", tool);
  await run(own("openapi-typescript"), ["openapi.json", "-o", "openapi.ts"]);
  await run(own("openapi-ts"), ["--file", "openapi-ts.config.json", "--no-log-file"]);
  await run(own("tsc"), []);
}

/** Writes each snippet of the guide's page, to be type-checked. @returns their files. */
function guideSnippets(): readonly string[] {
  const page = readFileSync(join(root, "docs/guide/other-tools.md"), "utf8");
  const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  if (snippets.length !== 2) throw new Error(`the guide has ${snippets.length} snippets, not 2`);
  return snippets.map((code, index) => {
    const name = `guide-${index}.ts`;
    writeFileSync(join(folder, name), `declare const key: string;\n${code}`);
    return name;
  });
}

function write(name: string, content: object): void {
  writeFileSync(join(folder, name), JSON.stringify(content));
}

/** Runs a program in the folder; what it prints is shown. @throws when it fails. */
function run(program: string, parameters: readonly string[]): Promise<void> {
  // Node's own folder first: another npm or Node may be the machine's.
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
  const child = spawn(program, parameters, {
    cwd: folder,
    env: { ...process.env, PATH },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${program} ended with status ${status}`));
    });
  });
}
