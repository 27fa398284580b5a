import assert from "node:assert/strict";
import { test } from "node:test";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { type Exception, exceptions } from "./exceptions.ts";
import { repository, type Sample, sampleTree, type Tree } from "./sources.ts";
import { descendants, lineAt } from "./syntax.ts";

/** One breach of a rule. */
export interface Finding {
  readonly path: string;
  /** Counted from 1; 1 when the whole file is meant. */
  readonly line: number;
  readonly message: string;
  /** What inside the file is meant (a function's name), so that an exception can name it. */
  readonly subject?: string;
  /** For a rule with a limit: the measured figure. */
  readonly size?: number;
}

/** A rule of the house, with the samples that prove that it can fail and can pass. */
export interface Rule {
  readonly name: string;
  /** What to do about a breach; ends each failing message. */
  readonly remedy: string;
  check(tree: Tree): readonly Finding[] | Promise<readonly Finding[]>;
  /** Trees with at least one breach, by what is wrong with them. */
  readonly refuses: Readonly<Record<string, Sample>>;
  /** Trees without any, by what is right about them. */
  readonly accepts: Readonly<Record<string, Sample>>;
}

let tree: Tree | undefined;

/** Registers a rule's tests: each of its samples, then the repository itself. */
export function assertRule(rule: Rule): void {
  for (const [title, sample] of Object.entries(rule.refuses)) {
    test(`${rule.name} refuses ${title}`, async () => {
      const findings = await rule.check(sampleTree(sample));
      assert.notEqual(findings.length, 0, "the rule found nothing wrong in this sample");
    });
  }
  for (const [title, sample] of Object.entries(rule.accepts)) {
    test(`${rule.name} accepts ${title}`, async () => {
      assert.deepEqual(await rule.check(sampleTree(sample)), []);
    });
  }
  test(`the repository keeps the rule ${rule.name}`, async () => {
    tree ??= repository();
    const faults = judge(rule, await rule.check(tree), exceptions);
    if (faults.length > 0) assert.fail(`\n${faults.join("\n")}\n\nRemedy: ${rule.remedy}\n`);
  });
}

/** The messages that remain when exceptions are taken out, and those of needless exceptions. */
export function judge(
  rule: Pick<Rule, "name">,
  findings: readonly Finding[],
  allowed: readonly Exception[],
): readonly string[] {
  const own = allowed.filter((exception) => exception.rule === rule.name);
  const needed = new Set<Exception>();
  const faults: string[] = [];
  for (const finding of findings) {
    const covering = own.filter((exception) => covers(exception, finding));
    for (const exception of covering) needed.add(exception);
    if (covering.some((exception) => (finding.size ?? 0) <= (exception.atMost ?? Infinity))) {
      continue;
    }
    faults.push(`${finding.path}:${finding.line} ${finding.message}`);
  }
  for (const exception of own.filter((each) => !needed.has(each))) {
    const subject = exception.subject === undefined ? "" : ` (${exception.subject})`;
    faults.push(`${exception.path}${subject} is fine now: take it out of tidy/exceptions.ts`);
  }
  return faults;
}

function covers(exception: Exception, finding: Finding): boolean {
  const sameSubject = exception.subject === undefined || exception.subject === finding.subject;
  return exception.path === finding.path && sameSubject;
}

/** What a judge of nodes or lines says of a breach; its place is added by the caller. */
export type Fault = Omit<Finding, "path" | "line">;

/** Breaches found by looking at each node of each TypeScript file whose path applies. */
export function findInNodes(
  tree: Tree,
  applies: (path: string) => boolean,
  fault: (node: Node, file: SourceFile) => Fault | undefined,
): readonly Finding[] {
  return [...tree.syntax()].flatMap(([path, file]) =>
    (applies(path) ? descendants(file) : []).flatMap((node) => {
      const found = fault(node, file);
      if (found === undefined) return [];
      return [{ path, line: lineAt(file.text, node.getStart(file)), ...found }];
    }),
  );
}

/** Breaches found by looking at each line of each text file whose path applies. */
export function findInLines(
  tree: Tree,
  applies: (path: string) => boolean,
  fault: (line: string) => Fault | undefined,
): readonly Finding[] {
  return tree.sources.flatMap(({ path, text }) =>
    (applies(path) ? text.split("\n") : []).flatMap((line, index) => {
      const found = fault(line);
      return found === undefined ? [] : [{ path, line: index + 1, ...found }];
    }),
  );
}
