import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strictObject } from "@sightline/contract";
import { z } from "zod";
import { decompressed } from "../../answers/intake/decompress.ts";
import { readSignedText, type SignedText } from "../../keys/signed-text.ts";
import { boardPaths } from "./board.ts";
import { type AskFrozen, frozenVersions } from "./freeze.ts";
import {
  ArchiveReader,
  archiveName,
  FrozenArchiveError,
  type FrozenFault,
  type FrozenManifest,
  frozenNames,
  isOwnHeader,
  manifestName,
  parseFrozenManifest,
  signatureName,
  signatureType,
} from "./frozen-archive.ts";

/** What a check of an archive found. */
export interface Verification {
  /** Null: the archive has none that can be read. */
  readonly manifest: Pick<FrozenManifest, "account" | "createdAt" | "timeRange" | "compare"> | null;
  /** Of the key in the signature; null: the signature is damaged. */
  readonly thumbprint: string | null;
  /** Empty: no byte differs from what was written. */
  readonly faults: readonly FrozenFault[];
  /** What was computed again; nothing where there are faults. */
  readonly recomputed: { readonly replies: number; readonly numbers: number };
  readonly differences: readonly (JsonDifference & { readonly file: string })[];
  /** What has another version here than where it was frozen. */
  readonly versions: readonly string[];
  readonly ok: boolean;
}

/** How an archive is checked. */
interface VerifyOptions {
  readonly ask: AskFrozen;
  readonly onProgress: (step: string) => void;
}

/** Differences in one reply that are listed. */
const differencesMax = 20;

/**
 * Checks an archive that `freeze` wrote, without the service: its signature, each of its bytes, and
 * each number of its replies, which it computes again. An archive is untrusted input.
 */
export async function verifyArchive(file: string, options: VerifyOptions): Promise<Verification> {
  const folder = mkdtempSync(join(tmpdir(), "sightline-verify-"));
  try {
    return await verified(file, folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function verified(
  file: string,
  folder: string,
  { ask, onProgress }: VerifyOptions,
): Promise<Verification> {
  onProgress("checking the files");
  const { manifest, signed, faults } = await checkedFiles(file, folder);
  const nothing = { recomputed: { replies: 0, numbers: 0 }, differences: [], versions: [] };
  const thumbprint = signed?.thumbprint ?? null;
  if (manifest === null || faults.length > 0) {
    return { manifest: shown(manifest), thumbprint, faults, ...nothing, ok: false };
  }
  const versions = versionsThatDiffer(readFileSync(join(folder, frozenNames.versions), "utf8"));
  try {
    const found = await recompute(folder, manifest, { ask, onProgress });
    const ok = found.differences.length === 0;
    return { manifest: shown(manifest), thumbprint, faults, ...found, versions, ok };
  } catch (error) {
    const fault = `cannot be computed again: ${error instanceof Error ? error.message : error}`;
    const all = [{ file: archiveName, fault }];
    return { manifest: shown(manifest), thumbprint, ...nothing, faults: all, versions, ok: false };
  }
}

function shown(manifest: FrozenManifest | null): Verification["manifest"] {
  if (manifest === null) return null;
  const { account, createdAt, timeRange, compare } = manifest;
  return { account, createdAt, timeRange, compare };
}

interface CheckedFiles {
  readonly manifest: FrozenManifest | null;
  /** Null: the signature is damaged. */
  readonly signed: SignedText | null;
  readonly faults: readonly FrozenFault[];
}

/** Unpacks an archive, and looks at each of its bytes. */
async function checkedFiles(file: string, folder: string): Promise<CheckedFiles> {
  const faults: FrozenFault[] = [];
  const found: { manifest: FrozenManifest | null; signed: SignedText | null } = {
    manifest: null,
    signed: null,
  };
  const reader = await ArchiveReader.open(file);
  const check = (isGood: boolean, path: string, fault: string) => {
    if (!isGood) faults.push({ file: path, fault });
  };
  try {
    const first = await reader.text(manifestName);
    const second = await reader.text(signatureName);
    const signed = await readSignedText(second.text, signatureType);
    check(signed !== null, signatureName, "the signature is damaged");
    check(signed === null || signed.text === first.text, manifestName, "is not what was signed");
    const manifest = parseFrozenManifest(signed?.text ?? first.text);
    Object.assign(found, { signed, manifest });
    if (manifest === null) throw new FrozenArchiveError(`its ${manifestName} cannot be read`);
    const { createdAt, files } = manifest;
    for (const each of [first, second]) {
      const isGood = isOwnHeader(each, createdAt);
      check(isGood, archiveName, `the tar header of ${each.path} is damaged`);
      check(each.isPadded, archiveName, `there are bytes behind ${each.path}`);
    }
    for (const { path, bytes, sha256 } of files) {
      const hasHeader = await reader.hasHeader(path, bytes, createdAt);
      check(hasHeader, archiveName, `the tar header of ${path} is damaged`);
      const hash = await reader.copy(bytes, join(folder, path));
      check(hash === sha256, path, "is not as it was written");
      const isPadded = await reader.isPadded(bytes);
      check(isPadded, archiveName, `there are bytes behind ${path}`);
    }
    check(await reader.isAtEnd(), archiveName, "there are bytes behind its end");
  } catch (error) {
    if (!(error instanceof FrozenArchiveError)) throw error;
    faults.push({ file: archiveName, fault: error.message });
  } finally {
    await reader.close();
  }
  return { ...found, faults };
}

const questionSchema = strictObject({
  path: z.string().refine((path) => boardPaths.includes(path)),
  body: z.looseObject({}),
});

async function recompute(
  folder: string,
  { files }: FrozenManifest,
  { ask, onProgress }: VerifyOptions,
): Promise<Pick<Verification, "recomputed" | "differences">> {
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const asked = files.flatMap(({ path }) =>
    path.endsWith(".request.json") ? path.replace(/\.request\.json$/, "") : [],
  );
  const questions = asked.map((name) =>
    questionSchema.parse(JSON.parse(read(`${name}.request.json`))),
  );
  const service = join(folder, "service");
  mkdirSync(service, { mode: 0o700 });
  const answers = decompressed(createReadStream(join(folder, frozenNames.answers)));
  const workspace = read(frozenNames.workspace);
  const differences: (JsonDifference & { readonly file: string })[] = [];
  const recomputed = { replies: 0, numbers: 0 };
  for await (const reply of ask({ folder: service, workspace, answers, questions, onProgress })) {
    const path = `${asked[recomputed.replies]}.reply.json`;
    recomputed.replies += 1;
    if (!existsSync(join(folder, path))) throw new Error(`there is no ${path}`);
    const [frozen, again] = [read(path), reply.toString()];
    const document: unknown = JSON.parse(frozen);
    recomputed.numbers += numbersIn(document);
    if (frozen === again) continue;
    const found = differencesOf(document, JSON.parse(again)).slice(0, differencesMax);
    differences.push(...found.map((difference) => ({ file: path, ...difference })));
  }
  return { recomputed, differences };
}

/** Another version may compute another number, and be right. */
function versionsThatDiffer(text: string): readonly string[] {
  const frozen = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return Object.entries(frozenVersions()).flatMap(([name, here]) =>
    frozen[name] === here ? [] : `${name}: frozen with ${frozen[name]}, checked with ${here}`,
  );
}

/** Where two JSON documents differ. */
interface JsonDifference {
  /** A JSON Pointer (RFC 6901). */
  readonly at: string;
  readonly frozen: unknown;
  readonly recomputed: unknown;
}

/** Numbers that are computed otherwise differ by their rounding. */
const tolerance = 1e-12;

/** The places where two documents differ, but for the rounding of numbers. */
function differencesOf(frozen: unknown, recomputed: unknown, at = ""): JsonDifference[] {
  if (frozen === recomputed || isNear(frozen, recomputed)) return [];
  if (!isComposed(frozen) || !isComposed(recomputed)) return [{ at, frozen, recomputed }];
  if (Array.isArray(frozen) !== Array.isArray(recomputed)) return [{ at, frozen, recomputed }];
  const names = new Set([...Object.keys(frozen), ...Object.keys(recomputed)]);
  return [...names].flatMap((name) => {
    const place = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return differencesOf(frozen[name], recomputed[name], `${at}/${place}`);
  });
}

function isNear(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number") return false;
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one));
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** How many numbers a document has. */
function numbersIn(document: unknown): number {
  if (typeof document === "number") return 1;
  if (!isComposed(document)) return 0;
  return Object.values(document).reduce((sum: number, each) => sum + numbersIn(each), 0);
}
