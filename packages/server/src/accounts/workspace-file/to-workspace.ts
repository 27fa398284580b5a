import {
  type CollectionRule,
  type DeclaredReport,
  type FieldError,
  foldedTag,
  jsonPointer,
  logoBytesMax,
  type Note,
  nameCharactersMax,
  nearestName,
  quoted,
  workspaceNamesMax,
  workspaceTagsMax,
} from "@sightline/contract";
import { comparableName, compileExtractor, nameKey } from "../../extraction/index.ts";
import { byCodeUnit } from "../../platform/by-code-unit.ts";
import { sightlineNamespace, uuidV5 } from "../../platform/uuid.ts";
import { cronFault } from "../cadence.ts";
import {
  type Entity,
  exceptOf,
  inSeriesOrder,
  namesOf,
  type Topic,
  tagsOf,
  toRule,
  type Workspace,
} from "../workspace.ts";
import { checkCollection } from "./check-collection.ts";
import { Faults, type Path, type Use } from "./faults.ts";
import type { EntityDeclaration, WorkspaceFile } from "./file-schema.ts";

/** A workspace, or the reasons against it when `errors` is not empty. */
export interface DeclaredWorkspace {
  readonly workspace: Workspace;
  readonly errors: readonly FieldError[];
}

/**
 * The workspace that a valid file declares. Omitted ids are derived: a UUIDv5 of the name or the
 * prompt's text in the account's namespace (the account's own id in Sightline's).
 * @param accountId the account's id, where it is known.
 */
export function toWorkspace(
  file: WorkspaceFile,
  accountId: string = file.account.id ?? uuidV5(sightlineNamespace, file.account.name),
): DeclaredWorkspace {
  const faults = new Faults();
  const declared: readonly (readonly [EntityDeclaration, Entity["kind"], Path])[] = [
    [file.brand, "brand", ["brand"]],
    ...(file.competitors ?? []).map((entity, index) => {
      return [entity, "competitor", ["competitors", index]] as const;
    }),
  ];
  const entities = declared.map(([entity, kind]) => toEntity(accountId, entity, kind));
  refuseTooMany(entities, faults);
  const isTooMuch = faults.found.length > 0; // then nothing is compiled
  if (!isTooMuch) {
    for (const [entity, , path] of declared) refuseNames(entity, path, faults);
  }
  const topics = (file.topics ?? []).map((topic) => ({
    id: topic.id ?? uuidV5(accountId, topic.name),
    name: topic.name,
    ...ruleOf(topic),
  }));
  const prompts = isTooMuch ? [] : toPrompts({ accountId, file, topics, entities, faults });
  refuseTags(file, faults);

  const paths = declared.map(([, , path]) => path);
  faults.refuseTwice("name", nameUses(entities, paths));
  faults.refuseTwice("name", topics.map(useOf("topics", ({ name }) => name)));
  // A prompt without an id is identified by its text, so the fault names the text.
  const texts = prompts.map(useOf("prompts", ({ text }) => text));
  faults.refuseTwice(
    "text",
    texts.filter(([text], index) => prompts[index]?.id === uuidV5(accountId, text)),
  );
  faults.refuseTwice(
    "id",
    entities.map(({ id }, index) => [id, paths[index] ?? []]),
  );
  faults.refuseTwice("id", topics.map(useOf("topics", ({ id }) => id)));
  faults.refuseTwice("id", prompts.map(useOf("prompts", ({ id }) => id)));
  faults.refuseTwice("name", (file.views ?? []).map(useOf("views", ({ name }) => name)));
  faults.refuseTwice("domain", (file.sources ?? []).map(useOf("sources", ({ domain }) => domain)));
  refuseFacts(file, faults);
  checkCollection(file, faults);
  checkReports(file, faults);
  const workspace = {
    accountId,
    accountName: file.account.name,
    ...(file.collection === undefined ? {} : { collection: file.collection }),
    entities: inSeriesOrder(entities),
    topics,
    prompts,
    ...(file.views === undefined ? {} : { views: file.views }),
    ...(file.notes === undefined ? {} : { notes: notesByDate(file.notes) }),
    ...(file.sources === undefined ? {} : { sources: file.sources }),
    ...(file.facts === undefined ? {} : { facts: file.facts }),
    ...(file.ignoredNames === undefined ? {} : { ignoredNames: ignoredOf(file.ignoredNames) }),
    ...(file.reports === undefined ? {} : { reports: file.reports }),
    ...(file.accountTags === undefined ? {} : { accountTags: [...new Set(file.accountTags)] }),
  };
  return { workspace, errors: faults.found };
}

function notesByDate(notes: readonly Note[]): readonly Note[] {
  return notes.toSorted((a, b) => byCodeUnit(a.date, b.date));
}

function ruleOf({ collection }: { readonly collection?: CollectionRule | undefined }) {
  return collection === undefined ? {} : { collection };
}

function toEntity(accountId: string, entity: EntityDeclaration, kind: Entity["kind"]): Entity {
  return {
    id: entity.id ?? uuidV5(accountId, entity.name),
    kind,
    name: entity.name,
    caseSensitive: entity.caseSensitive ?? false,
    aliases: (entity.aliases ?? []).map((alias) =>
      typeof alias === "string"
        ? { name: alias, caseSensitive: false }
        : { name: alias.name, caseSensitive: alias.caseSensitive ?? false },
    ),
    domains: [...new Set(entity.domains ?? [])],
    ...exceptOf(entity),
  };
}

/** Why no workspace file could declare these entities; null: one could. */
export function entitiesFault(entities: readonly Entity[]): string | null {
  const faults = new Faults();
  refuseTooMany(entities, faults);
  const paths = entities.map(({ id }): Path => ["entities", id]);
  if (faults.found.length === 0) faults.refuseTwice("name", nameUses(entities, paths));
  return faults.found[0]?.message ?? null;
}

/** What all entities have together: the bounds of one entity alone allow a million names. */
function refuseTooMany(entities: readonly Entity[], faults: Faults): void {
  const names = entities.flatMap((entity) => [
    ...namesOf(entity).map(({ name }) => name),
    ...(entity.except ?? []),
  ]);
  const refuse = (what: string, found: number, most: number) => {
    if (found <= most) return;
    faults.add([], "too_large", `The entities must have at most ${most} ${what}, got ${found}.`);
  };
  refuse("names, aliases and phrases together", names.length, workspaceNamesMax);
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  refuse("characters of names, aliases and phrases together", characters, nameCharactersMax);
  const domains = entities.reduce((sum, entity) => sum + entity.domains.length, 0);
  refuse("domains together", domains, workspaceNamesMax);
}

/** A phrase that is a name would be one at each place where it stands: nothing is inside it. */
function refuseNames(entity: EntityDeclaration, path: Path, faults: Faults): void {
  const { name, aliases = [], except = [] } = entity;
  if (except.length === 0) return;
  const texts = [name, ...aliases.map((alias) => (typeof alias === "string" ? alias : alias.name))];
  const names = new Set(texts.map(comparableName));
  for (const [place, phrase] of except.entries()) {
    if (!names.has(comparableName(phrase))) continue;
    const message = `${quoted(phrase)} is a name of the entity. Write a longer phrase.`;
    faults.add([...path, "except", place], "not_allowed", message);
  }
}

function useOf<Item>(list: string, value: (item: Item) => string) {
  return (item: Item, index: number): Use => [value(item), [list, index]];
}

/**
 * Which entity uses which name: a text that names two entities would silently count for one of
 * them. A duplicate name on one entity is harmless.
 */
function nameUses(entities: readonly Entity[], paths: readonly Path[]): readonly Use[] {
  return entities.flatMap((entity, index) =>
    [
      ...new Set(
        namesOf(entity).map(({ name, caseSensitive }) =>
          caseSensitive ? name : comparableName(name),
        ),
      ),
    ].map((name): Use => [name, paths[index] ?? []]),
  );
}

interface PromptsInput {
  readonly accountId: string;
  readonly file: WorkspaceFile;
  readonly topics: readonly Topic[];
  /** In the file's order: the brand first. */
  readonly entities: readonly Entity[];
  readonly faults: Faults;
}

function toPrompts({ accountId, file, topics, entities, faults }: PromptsInput) {
  const topicIds = new Map(topics.map((topic) => [topic.name, topic.id]));
  const mentionsBrand = brandTest(entities);
  return (file.prompts ?? []).map((prompt, index) => {
    const topicId = prompt.topic === undefined ? null : (topicIds.get(prompt.topic) ?? null);
    if (prompt.topic !== undefined && topicId === null && !faults.isFull) {
      const message = unknownTopic(prompt.topic, topics);
      faults.add(["prompts", index, "topic"], "not_allowed", message);
    }
    return {
      id: prompt.id ?? uuidV5(accountId, prompt.text),
      text: prompt.text,
      topicId,
      branded: prompt.branded ?? mentionsBrand(prompt.text),
      paused: prompt.paused ?? false,
      ...tagsOf(prompt),
      ...ruleOf(prompt),
    };
  });
}

/** A tag is its spelling: with two of them, one tag would be two groups. */
function refuseTags({ prompts = [] }: WorkspaceFile, faults: Faults): void {
  const spellings = new Map<string, { readonly tag: string; readonly path: Path }>();
  for (const [place, { tags = [] }] of prompts.entries()) {
    const own = new Set<string>();
    for (const [index, tag] of tags.entries()) {
      const [folded, path] = [foldedTag(tag), ["prompts", place, "tags", index]];
      const known = spellings.get(folded);
      if (known === undefined) spellings.set(folded, { tag, path });
      if (own.has(folded)) {
        faults.add(path, "excluded", `${quoted(tag)} is already a tag of this prompt.`);
      } else if (known !== undefined && known.tag !== tag) {
        const other = `${quoted(known.tag)} at ${jsonPointer(known.path)}`;
        faults.add(path, "not_allowed", `${quoted(tag)} is written ${other}. Use one spelling.`);
      }
      own.add(folded);
    }
  }
  if (spellings.size <= workspaceTagsMax) return;
  const message = `The prompts must have at most ${workspaceTagsMax} different tags`;
  faults.add(["prompts"], "too_large", `${message}, got ${spellings.size}.`);
}

/** On each day one fact of an aspect holds: the one that ends first. */
function refuseFacts({ facts = [] }: WorkspaceFile, faults: Faults): void {
  const first = new Map<string, number>();
  for (const [place, { aspect, until = null }] of facts.entries()) {
    const key = JSON.stringify([aspect, until]);
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, place);
      continue;
    }
    const other = `${jsonPointer(["facts", earlier])} is about ${quoted(aspect)} too`;
    const ends = until === null ? "has no end either" : `ends on ${until} too`;
    const remedy = "Give one of them another `until`.";
    faults.add(["facts", place], "excluded", `${other}, and ${ends}. ${remedy}`);
  }
}

/** The nearest name is searched among this many topics: each costs a comparison of letters. */
const topicsComparedMax = 1_000;

function unknownTopic(given: string, topics: readonly Topic[]): string {
  const names = topics.slice(0, topicsComparedMax).map(({ name }) => name);
  const nearest = nearestName(given, names);
  const advice = nearest === null ? "Declare it under topics." : `Did you mean ${quoted(nearest)}?`;
  return `The file declares no topic ${quoted(given)}. ${advice}`;
}

/**
 * If the file does not say, a prompt is branded when its text mentions the brand.
 * @param entities the brand first.
 */
export function brandTest(entities: readonly Entity[]): (text: string) => boolean {
  const extract = compileExtractor(entities.map(toRule));
  return (text) => extract({ text, citations: [] }).mentions.includes(0);
}

/** Each name once, as it was first written: case, spaces and signs make no difference. */
function ignoredOf(names: readonly string[]): readonly string[] {
  return [...new Map(names.toReversed().map((name) => [nameKey(name), name])).values()].reverse();
}

/** A schedule comes once a day or less: its minute and its hour are one number each. */
const dailyPattern = /^\s*\d{1,2}\s+\d{1,2}\s+\S+\s+\S+\s+\S+\s*$/;

/** Adds what is wrong with the reports of a file beyond their shape. */
function checkReports({ reports = [], topics = [] }: WorkspaceFile, faults: Faults): void {
  const known = new Set(topics.map(({ name }) => name));
  faults.refuseTwice(
    "name",
    reports.map(({ name }, index) => [name, ["reports", index]]),
  );
  for (const [index, report] of reports.entries()) {
    const path = ["reports", index];
    const add = (field: Path, message: string | null) => {
      if (message !== null) faults.add([...path, ...field], "not_allowed", message);
    };
    add(["schedule"], scheduleFault(report));
    add(["logo"], logoFault(report));
    for (const [place, topic] of (report.filters?.topics ?? []).entries()) {
      if (known.has(topic)) continue;
      const message = `The file declares no topic ${quoted(topic)}. Declare it under topics.`;
      add(["filters", "topics", place], message);
    }
  }
}

function scheduleFault({ schedule }: DeclaredReport): string | null {
  if (schedule === undefined) return null;
  const fault = cronFault(schedule);
  if (fault !== null || dailyPattern.test(schedule)) return fault;
  return (
    "must come at most once a day, with one number each as minute and hour, such as 0 6 * * 1, " +
    `got ${quoted(schedule)}.`
  );
}

function logoFault({ logo }: DeclaredReport): string | null {
  if (logo === undefined) return null;
  const bytes = Buffer.from(logo.slice(logo.indexOf(",") + 1), "base64").length;
  return bytes <= logoBytesMax ? null : `must have at most ${logoBytesMax} bytes, got ${bytes}.`;
}
