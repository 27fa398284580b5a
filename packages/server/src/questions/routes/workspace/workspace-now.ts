import { type WorkspaceResponse, workspacePath } from "@sightline/contract";
import { workspaceTag } from "../../../accounts/routes/apply-workspace/workspace-call.ts";
import type { SampleImport } from "../../../answers/import-store.ts";
import type { AppServices } from "../../../http/app-services.ts";
import type { ParsedRequest } from "../../../http/route.ts";
import type { DeclaredWorkspace } from "./declared-workspaces.ts";
import { type CoveredPart, coveredPart } from "./workspace-reply.ts";

/** The question of what an account tracks; its reply begins with the JSON that is kept. */
export async function parseWorkspaceRequest(
  services: AppServices,
  accountId: string,
): Promise<ParsedRequest> {
  const { key, revision, declared, covered } = await partsOf(services, accountId);
  return {
    key,
    ...(revision === null ? {} : { headers: { ETag: workspaceTag(revision) } }),
    reply: async ({ signal }) => {
      const rest = await covered(signal);
      const { json } = await declared();
      return Buffer.concat([json, Buffer.from(`,${JSON.stringify(rest).slice(1)}`)]);
    },
  };
}

/** What an account tracks, as values: for questions from within. They are shared, not copied. */
export async function workspaceNow(
  services: AppServices,
  accountId: string,
  signal: AbortSignal,
): Promise<WorkspaceResponse> {
  const { key, declared, covered } = await partsOf(services, accountId);
  const version = await services.facts.version(accountId, signal);
  // Those who ask at the same time share one question to the facts.
  const name = `${accountId}\n${version}\n${key}\ncovered`;
  const make = async (aborted: AbortSignal) => Buffer.from(JSON.stringify(await covered(aborted)));
  const json =
    version === null ? await make(signal) : await services.replyCache.reply(name, signal, make);
  return { ...(await declared()).part, ...(JSON.parse(json.toString()) as CoveredPart) };
}

function withSamples(covered: CoveredPart, imports: readonly SampleImport[]): CoveredPart {
  const count = imports.reduce((sum, { accepted }) => sum + accepted, 0);
  const samples = { count, importIds: imports.map(({ id }) => id) };
  return { ...covered, answers: { ...covered.answers, samples } };
}

interface WorkspaceParts {
  /** Together with the version of the facts, all that the reply depends on. */
  readonly key: string;
  /** Of what is declared, which may yet be newer. */
  readonly revision: number | null;
  readonly declared: () => Promise<DeclaredWorkspace>;
  readonly covered: (signal: AbortSignal) => Promise<CoveredPart>;
}

async function partsOf(
  { control, facts, workspaces }: AppServices,
  accountId: string,
): Promise<WorkspaceParts> {
  const [progress, samples] = await Promise.all([
    control.progress(accountId),
    control.sampleImports(accountId),
  ]);
  const revision = progress?.revision ?? null;
  const lastRecordedAt = progress?.recorded?.recordedAtMs ?? null;
  return {
    key: [workspacePath, revision, lastRecordedAt, JSON.stringify(samples)].join("\n"),
    revision,
    // What is read may be newer than the revision; then this revision is not asked for again.
    declared: () => workspaces.of(accountId, revision),
    covered: async (signal) => {
      const covered = coveredPart(await facts.coverage(accountId, signal), lastRecordedAt);
      return samples.length === 0 ? covered : withSamples(covered, samples);
    },
  };
}
