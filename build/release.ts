import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sightlineVersion } from "@sightline/contract/version";
import { clientDist, commandDist, jsonFile, root } from "./folders.ts";

/** The part of the changelog about a version, without its heading; null: there is none. */
export function notesOf(changelog: string, version: string): string | null {
  const parts = changelog.split(/^## /m).slice(1);
  const part = parts.find((each) => each.startsWith(`[${version}]`));
  const notes = part?.slice(part.indexOf("\n")).trim() ?? "";
  return notes === "" ? null : notes;
}

/** server.json for the registry of MCP servers, under its owner's name. */
export function serverOf(text: string, repository: string, version: string): string {
  const server = JSON.parse(text) as { packages: readonly object[] };
  return jsonFile({
    ...server,
    name: mcpNameOf(repository),
    version,
    repository: { url: `https://github.com/${repository}`, source: "github" },
    packages: server.packages.map((each) => ({ ...each, version })),
  });
}

/** The name that the registry of MCP servers lets an owner on GitHub take. */
function mcpNameOf(repository: string): string {
  return `io.github.${repository.split("/")[0]}/sightline`;
}

/** Writes a release's files into a folder. @throws when the tag or the changelog does not fit. */
function writeRelease(tag: string, repository: string, folder: string): void {
  if (tag !== `v${sightlineVersion}`) {
    throw new Error(`The tag must be v${sightlineVersion}, the version in version.ts, got ${tag}.`);
  }
  const notes = notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), sightlineVersion);
  if (notes === null) {
    throw new Error(`CHANGELOG.md has no part "## [${sightlineVersion}]". Rename [Unreleased].`);
  }
  for (const dist of [clientDist, commandDist]) {
    if (!existsSync(dist)) throw new Error(`${dist} is missing. Run tasks/build first.`);
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const dist of [clientDist, commandDist]) pack(dist, repository, folder);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("notes.md", `${notes}\n`);
  write(
    "server.json",
    serverOf(readFileSync(join(root, "server.json"), "utf8"), repository, sightlineVersion),
  );
  write("sbom.cdx.json", run(root, "npm", "sbom", "--omit=dev", "--sbom-format=cyclonedx"));
  const files = readdirSync(folder).filter((name) => name !== "notes.md");
  const sums = files.map((name) => `${sha256(join(folder, name))}  ${name}\n`);
  write("SHA256SUMS", sums.join(""));
}

/** Packs a built package. npm compares its repository with the one that the provenance names. */
function pack(dist: string, repository: string, folder: string): void {
  const path = join(dist, "package.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { name: string };
  const url = `git+https://github.com/${repository}.git`;
  const named = { ...manifest, repository: { type: "git", url } };
  const isCommand = dist === commandDist;
  writeFileSync(path, jsonFile(isCommand ? { ...named, mcpName: mcpNameOf(repository) } : named));
  run(dist, "npm", "pack", "--loglevel=error", "--pack-destination", folder);
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function run(cwd: string, command: string, ...parameters: readonly string[]): string {
  return execFileSync(command, parameters, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

if (process.argv[1] === import.meta.filename) {
  const [tag, repository, folder] = process.argv.slice(2);
  if (tag === undefined || !/^[^/]+\/[^/]+$/.test(repository ?? "") || folder === undefined) {
    process.stderr.write("usage: tasks/release TAG OWNER/REPOSITORY FOLDER\n");
    process.exitCode = 2;
  } else {
    writeRelease(tag, repository ?? "", resolve(root, folder));
  }
}
