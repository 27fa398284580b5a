import { idOf } from "./ids.ts";
import type { Name, OracleEntity, OraclePrompt, OracleWorkspace } from "./model.ts";
import { namesOfEntities, phraseOf } from "./names.ts";
import { hasName } from "./oracle.ts";
import type { EntityDraft, PromptDraft, VersionDraft } from "./scenario.ts";

/** A workspace as a file (without its account) and as the oracle knows it. */
export interface DraftedWorkspace {
  readonly file: object;
  readonly workspace: OracleWorkspace;
}

/** What a version of a workspace means. The brand is always tracked. */
export function workspaceOf(
  version: VersionDraft,
  ids: (kind: "topic" | "prompt", index: number) => string,
): DraftedWorkspace {
  const declared = version.entities.map((draft, index) => entityOf(draft, index, version.brand));
  const brand = declared.find(({ isBrand }) => isBrand);
  if (brand === undefined) throw new Error("A version has a brand.");
  const competitors = declared.filter(
    ({ isBrand }, index) => !isBrand && version.entities[index]?.tracked === true,
  );
  const prompts = version.prompts.flatMap((draft, index) =>
    draft.tracked ? [promptOf({ draft, index, version, brand, ids })] : [],
  );
  const topics = version.topics.flatMap((tracked, index) =>
    tracked ? [{ id: ids("topic", index), name: topicName(index) }] : [],
  );
  return {
    file: {
      brand: entityFile(brand),
      competitors: competitors.map(entityFile),
      topics,
      prompts: prompts.map(({ file }) => file),
    },
    workspace: {
      entities: [brand, ...competitors],
      topics,
      prompts: prompts.map(({ prompt }) => prompt),
    },
  };
}

function entityOf(draft: EntityDraft, index: number, brand: number): OracleEntity {
  const all = namesOfEntities[index] ?? [];
  const names = draft.names.flatMap((each) => all[each] ?? []);
  return {
    id: idOf("entity", index),
    name: names[0]?.text ?? "",
    isBrand: index === brand,
    names,
    domains: draft.domains,
    except: draft.except.flatMap((each) => (all[each] === undefined ? [] : [phraseOf(all[each])])),
  };
}

function entityFile({ id, names, domains, except }: OracleEntity): object {
  const [own, ...aliases] = names;
  return {
    id,
    name: own?.text,
    ...(own?.caseSensitive === true ? { caseSensitive: true } : {}),
    aliases: aliases.map(({ text, caseSensitive }) =>
      caseSensitive ? { name: text, caseSensitive } : text,
    ),
    domains,
    ...(except.length === 0 ? {} : { except }),
  };
}

function topicName(index: number): string {
  return `Topic ${index}`;
}

interface PromptInput {
  readonly draft: PromptDraft;
  readonly index: number;
  readonly version: VersionDraft;
  readonly brand: OracleEntity;
  readonly ids: (kind: "topic" | "prompt", index: number) => string;
}

function promptOf({ draft, index, version, brand, ids }: PromptInput): {
  readonly file: object;
  readonly prompt: OraclePrompt;
} {
  const topic = draft.topic !== null && version.topics[draft.topic] === true ? draft.topic : null;
  const name: Name | undefined =
    draft.names === null ? undefined : namesOfEntities[draft.names]?.[0];
  const id = ids("prompt", index);
  const text = `Which is the best, ${name?.text ?? "anything"} or not?`;
  return {
    file: {
      id: index % 2 === 0 ? id : id.toUpperCase(),
      text,
      ...(topic === null ? {} : { topic: topicName(topic) }),
      ...(draft.branded === null ? {} : { branded: draft.branded }),
      paused: draft.paused,
      ...(draft.tags.length === 0 ? {} : { tags: draft.tags }),
    },
    prompt: {
      id,
      text,
      topicId: topic === null ? null : ids("topic", topic),
      branded: draft.branded ?? (name !== undefined && hasName(brand, name)),
      ...(draft.tags.length === 0 ? {} : { tags: draft.tags.toSorted() }),
    },
  };
}
