import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { sightlineVersion } from "@sightline/contract/version";
import { load, loadAll } from "js-yaml";
import { root } from "../../../build/folders.ts";
import { notesOf, serverOf } from "../../../build/release.ts";

const dockerfile = readFileSync(join(root, "deploy/Dockerfile"), "utf8");
const unit = readFileSync(join(root, "deploy/sightline.service"), "utf8");

interface Service {
  readonly ports: readonly string[];
  readonly read_only: boolean;
  readonly volumes: readonly string[];
  readonly mem_limit: string;
}

function file(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function lineName(path: string): string {
  return path.replace(/\W/g, "");
}

/** What the compiler says of one file. */
function compiled(source: string): { status: number | null; output: string } {
  const compiler = join(root, "node_modules/.bin/tsc");
  const flags = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
  ];
  const { status, stdout } = spawnSync(compiler, [...flags, source], { encoding: "utf8" });
  return { status, output: stdout };
}

/** The exit status of the image's health check. */
async function health(port: number): Promise<unknown> {
  const [, check = ""] = /^HEALTHCHECK [\s\S]*?CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [, ...parameters] = JSON.parse(check) as readonly string[];
  const env = { SIGHTLINE_PORT: String(port) };
  const options = { env, stdio: "ignore", timeout: 20_000 } as const;
  const [status] = await once(spawn(process.execPath, parameters, options), "exit");
  return status;
}

test("the image's health check asks the port that SIGHTLINE_PORT names", async (t) => {
  const server = createServer((request, reply) => {
    reply.writeHead(request.url === "/healthz" ? 200 : 404).end();
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  assert.equal(await health(port), 0);
  assert.equal(await health(1), 1); // nothing listens there
});

test("the image has production packages and its digest, and the build stays behind", () => {
  assert.match(dockerfile, /^RUN \.\/tasks\/setup --production && npm cache clean --force/m);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base ?? "");
  assert.equal(bases.length, 2);
  assert.match(bases[0] ?? "", /@sha256:[0-9a-f]{64}$/);
  assert.equal(bases[1], bases[0]);
  for (const label of ["title", "licenses", "version", "revision", "source"]) {
    assert.match(dockerfile, new RegExp(`org\\.opencontainers\\.image\\.${label}=`));
  }
});

test("a container is published to this machine alone, and writes to its volume alone", () => {
  const { services } = load(file("deploy/compose.yaml")) as { services: { sightline: Service } };
  const { ports, read_only, volumes, mem_limit } = services.sightline;
  assert.deepEqual(
    { ports, read_only, volumes, mem_limit },
    {
      ports: ["127.0.0.1:8080:8080"],
      read_only: true,
      volumes: ["sightline:/data"],
      mem_limit: "2g",
    },
  );
});

test("the manifests of Kubernetes have the names and types that its API takes", (t) => {
  // Kubernetes' own schemas allow unknown names; the compiler refuses them in a literal.
  const folder = mkdtempSync(join(tmpdir(), "sightline-manifests-"));
  t.after(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const { resources } = load(file("deploy/kubernetes/kustomization.yaml")) as {
    resources: readonly string[];
  };
  const lines = resources.flatMap((name) => {
    return loadAll(file(`deploy/kubernetes/${name}`)).map((manifest, index) => {
      const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
      const type = `import("kubernetes-models/${apiVersion}").I${kind}`;
      return `export const x${lineName(name)}${index}: ${type} = ${JSON.stringify(manifest)};\n`;
    });
  });
  assert.equal(lines.length, 3);
  const source = join(folder, "manifests.ts");
  writeFileSync(source, lines.join(""));
  const checked = compiled(source);
  assert.equal(checked.output, "");
  assert.equal(checked.status, 0);
  writeFileSync(source, lines.join("").replace('"replicas"', '"replica"'));
  assert.match(compiled(source).output, /'"replica"' does not exist/);
});

test("workflows name each action by its commit, and take no right that they do not need", () => {
  const paths = globSync(".github/workflows/*.yml", { cwd: root });
  assert.deepEqual(paths.map((path) => basename(path)).sort(), ["ci.yml", "release.yml"]);
  for (const path of paths) {
    const { permissions } = load(file(path)) as { permissions: unknown };
    assert.deepEqual(permissions, { contents: "read" }, path);
    for (const [, action = ""] of file(path).matchAll(/uses: (\S+)/g)) {
      assert.match(action, /^\.\/|@[0-9a-f]{40}$/, path);
    }
  }
});

test("the forms for issues and the settings of tools can be read", () => {
  for (const path of globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root })) {
    assert.ok(load(file(path)), path);
  }
  for (const path of ["renovate.json", ".devcontainer/devcontainer.json", "server.json"]) {
    assert.ok(JSON.parse(file(path)), path);
  }
});

test("every file that names the version names the same", () => {
  const named = [
    /^ARG VERSION=(.*)$/m.exec(dockerfile)?.[1],
    /newTag: (.*)$/m.exec(file("deploy/kubernetes/kustomization.yaml"))?.[1],
    ...[...file("server.json").matchAll(/"version": "(.*)"/g)].map(([, version]) => version),
  ];
  assert.deepEqual(named, [sightlineVersion, sightlineVersion, sightlineVersion, sightlineVersion]);
});

test("a release takes its notes from the changelog, and its owner's name for assistants", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- One.\n";
  assert.equal(notesOf(changelog, "1.2.0"), "### Added\n\n- One.");
  assert.equal(notesOf(changelog, "1.2"), null);
  assert.equal(notesOf(changelog, "Unreleased"), null);
  const server = JSON.parse(serverOf(file("server.json"), "acme/brand-counts", "1.2.0"));
  assert.equal(server.name, "io.github.acme/sightline");
  assert.equal(server.packages[0].version, "1.2.0");
  assert.deepEqual(server.repository, {
    url: "https://github.com/acme/brand-counts",
    source: "github",
  });
});

test("the unit bounds memory and refuses what the service does not need", () => {
  const settings = unit.split("\n").filter((line) => /^[A-Z]\w+=/.test(line));
  const wanted = [
    "MemoryMax=2G",
    "SystemCallFilter=@system-service",
    "SystemCallErrorNumber=EPERM",
    "RestrictSUIDSGID=yes",
    "RestrictRealtime=yes",
    "ProtectClock=yes",
    "ProtectKernelLogs=yes",
    "ProtectHostname=yes",
    "ProtectProc=invisible",
    "PrivateUsers=yes",
    "RemoveIPC=yes",
  ];
  assert.deepEqual(
    wanted.filter((line) => !settings.includes(line)),
    [],
  );
  // V8 compiles at run time.
  assert.ok(!settings.some((line) => line.startsWith("MemoryDenyWriteExecute")));
});
