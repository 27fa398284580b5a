import {
  type WorkspaceResponse,
  workspacePath,
  workspacePreviewRequestSchema,
} from "@sightline/contract";
import type { DeclaredPart, DeclaredWorkspace } from "../accounts/declared-workspaces.ts";
import { progressOf } from "../accounts/progress-store.ts";
import { workspaceTag } from "../accounts/routes.ts";
import { type SampleImport, sampleImportsOf } from "../answers/import-store.ts";
import type { FactsCoverage } from "../facts/engine.ts";
import { validated } from "../http/body.ts";
import { declared, type ParsedQuestion, type Question } from "../http/operation.ts";
import type { QuestionServices } from "./question-services.ts";

/** GET /v1/workspace, an addition to the interface: what a client needs to offer filters. */
export const workspaceRoute: Question<QuestionServices> = {
  ...declared("workspace"),
  kind: "question",
  parse: (services, { caller }) => parseWorkspaceRequest(services, caller.accountId),
};

/** POST /v1/workspace/preview: how many answers other names and domains would find. */
export const workspacePreviewRoute: Question<QuestionServices> = {
  ...declared("workspacePreview"),
  kind: "question",
  parse: async ({ control, previews }, { body, caller: { accountId } }) => {
    const request = validated(workspacePreviewRequestSchema, body);
    const revision = (await progressOf(control, accountId))?.revision ?? null;
    return {
      key: JSON.stringify([request, revision]),
      reply: async ({ signal }) =>
        Buffer.from(JSON.stringify(await previews.of(accountId, request, signal))),
    };
  },
};

/** The question of what an account tracks; its reply begins with the JSON that is kept. */
async function parseWorkspaceRequest(
  services: QuestionServices,
  accountId: string,
): Promise<ParsedQuestion> {
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
  services: QuestionServices,
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
  { control, facts, workspaces }: QuestionServices,
  accountId: string,
): Promise<WorkspaceParts> {
  const [progress, samples] = await Promise.all([
    progressOf(control, accountId),
    sampleImportsOf(control, accountId),
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

/** What follows from the answers. */
type CoveredPart = Omit<WorkspaceResponse, keyof DeclaredPart>;

/**
 * What the facts and the record say.
 * @param lastRecordedAt milliseconds since 1970; null: nothing was recorded.
 */
function coveredPart(
  { providers, regions, answers, firstMs, lastMs }: FactsCoverage,
  lastRecordedAt: number | null,
): CoveredPart {
  return {
    providers: [...providers],
    regions: [...regions],
    answers: { count: answers, first: dateTime(firstMs), last: dateTime(lastMs) },
    lastImport: dateTime(lastRecordedAt),
  };
}

function dateTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
