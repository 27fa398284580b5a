import type { InsightsSourcesResponse, SourceClass } from "@sightline/contract";
import { domainOf } from "../extraction/index.ts";
import type { SourceClassifier } from "../facts/kinds/source-kinds.ts";
import { type Selection, tooManySums } from "../facts/plan/question.ts";
import {
  type CitedName,
  type CitedNamesPlan,
  type ListedNames,
  planCitedNames,
} from "../facts/plan/source-plans.ts";
import type { SourceGapsQuestion } from "../facts/plan/source-questions.ts";
import type { Reading } from "./reading.ts";

/** The citations of a class of sources. */
export type ClassShare = NonNullable<InsightsSourcesResponse["classes"]>[number];

/** What classes come to, and the sources of those that are wanted. */
interface Classes {
  /** Null: they were not asked for. */
  readonly classes: readonly ClassShare[] | null;
  /** Null: sources of every class are listed. */
  readonly named: ListedNames | null;
}

/**
 * Reads the classes of the cited sources. A class is a matter of names: domains are some thousands,
 * and pages are read of those domains alone whose pages rules tell apart.
 */
export async function readClasses(
  reading: Reading,
  { selection, sourceClasses, withClasses }: SourceGapsQuestion,
  classifier: SourceClassifier,
): Promise<Classes> {
  if (sourceClasses === null && !withClasses) return { classes: null, named: null };
  const all = await readNames(reading, selection, { groupBy: "domain", domains: null });
  const whole = all.filter(({ name }) => !classifier.splits(name));
  const domains = all.filter(({ name }) => classifier.splits(name)).map(({ name }) => name);
  const pages =
    domains.length === 0 ? [] : await readNames(reading, selection, { groupBy: "url", domains });
  const classed = [
    ...whole.map((each): Classed => ({ ...each, of: classifier.ofDomain(each.name), page: false })),
    ...pages.map((each): Classed => {
      const of = classifier.ofPage(each.name, domainOf(each.name));
      return { ...each, of, page: true };
    }),
  ];
  return {
    classes: withClasses ? sharesOf(classed) : null,
    named: sourceClasses && namesOf(classed, sourceClasses),
  };
}

interface Classed extends CitedName {
  readonly of: SourceClass;
  /** Whether it is a page, and not a domain. */
  readonly page: boolean;
}

async function readNames(
  { engine, accountId, view: { facts }, signal }: Reading,
  selection: Selection,
  of: Pick<CitedNamesPlan, "groupBy" | "domains">,
): Promise<readonly CitedName[]> {
  const plan = facts && planCitedNames(selection, of, facts.codes);
  if (facts === null || plan === null) return [];
  const names = await engine.citedNames(accountId, { generation: facts.generation, plan }, signal);
  if (names.length > plan.rowsMax) throw tooManySums(plan.rowsMax);
  return names;
}

function sharesOf(classed: readonly Classed[]): readonly ClassShare[] {
  const all = classed.reduce((sum, { citations }) => sum + citations, 0);
  return [...Map.groupBy(classed, ({ of }) => of)]
    .map(([sourceClass, own]): ClassShare => {
      const citations = own.reduce((sum, each) => sum + each.citations, 0);
      const domains = new Set(own.map(({ name, page }) => (page ? domainOf(name) : name))).size;
      return { sourceClass, domains, citations, share: citations / all };
    })
    .toSorted((a, b) => b.citations - a.citations || (a.sourceClass < b.sourceClass ? -1 : 1));
}

/** The domains of some classes, or all but the others: whichever are fewer; and single pages. */
function namesOf(classed: readonly Classed[], wanted: readonly SourceClass[]): ListedNames {
  const namesIn = (isPage: boolean, isWanted: boolean) =>
    classed
      .filter(({ of, page }) => page === isPage && wanted.includes(of) === isWanted)
      .map(({ name }) => name);
  const [domains, others] = [namesIn(false, true), namesIn(false, false)];
  const pages = namesIn(true, true);
  const split = [...new Set(namesIn(true, true).concat(namesIn(true, false)).map(domainOf))];
  const not = [...others, ...split];
  if (not.length < domains.length) return { domains: not, isNegated: true, pages };
  return { domains, isNegated: false, pages };
}
