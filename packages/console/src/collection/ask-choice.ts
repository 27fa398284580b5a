import type {
  CollectionRequest,
  DeclaredWorkspaceResponse,
  Provider,
  StartedCollection,
} from "@sightline/client";

/** What is to be asked now. What is empty or null is as the workspace file says. */
export interface AskChoice {
  /** Ids. Topics and prompts are never both chosen. */
  readonly topics: readonly string[];
  readonly prompts: readonly string[];
  readonly providers: readonly Provider[];
  /** Countries of ISO 3166-1. */
  readonly regions: readonly string[];
  readonly samples: number | null;
}

/** All that is declared. */
export const plainChoice: AskChoice = {
  topics: [],
  prompts: [],
  providers: [],
  regions: [],
  samples: null,
};

/** The choice as the service takes it: what is not chosen is left out. */
export function requestOf(choice: AskChoice): CollectionRequest {
  const { topics, prompts, providers, regions, samples } = choice;
  return {
    ...(topics.length === 0 ? {} : { topics: topics.map((id) => ({ id })) }),
    ...(prompts.length === 0 ? {} : { promptIds: [...prompts] }),
    ...(providers.length === 0 ? {} : { providers: [...providers] }),
    ...(regions.length === 0 ? {} : { regions: [...regions] }),
    ...(samples === null ? {} : { samples }),
  };
}

/** Whether nothing is chosen. */
export function isPlain(choice: AskChoice): boolean {
  return Object.keys(requestOf(choice)).length === 0;
}

/** What of an estimate would be asked: a dry run also counts vendors without credentials. */
export interface Askable {
  readonly jobs: number;
  readonly dollars: number;
}

/** The part whose vendors have credentials. */
export function askableOf({ estimates }: Pick<StartedCollection, "estimates">): Askable {
  const asked = estimates.filter(({ hasCredential }) => hasCredential);
  return {
    jobs: asked.reduce((sum, { jobs }) => sum + jobs, 0),
    dollars: asked.reduce((sum, { dollars }) => sum + dollars, 0),
  };
}

/** Whether the workspace file says of any prompt whom to ask. */
export function namesProviders(file: DeclaredWorkspaceResponse): boolean {
  const rules = [file, ...file.topics, ...file.prompts].map(({ collection }) => collection);
  return rules.some((rule) => rule?.providers !== undefined);
}
