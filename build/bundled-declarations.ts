import {
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isNamedExports,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { descendants, parse } from "../tidy/syntax.ts";
import type { Declarations } from "./emitted-declarations.ts";

/** One declaration at a file's top, without its `export`. */
interface Declared {
  readonly text: string;
  /** What it may refer to. */
  readonly words: ReadonlySet<string>;
}

/**
 * One declaration file out of many: the last one's exports, and whatever they refer to, by name.
 * Nothing is imported. @throws when two files declare one name, or an exported name nowhere is.
 */
export function bundledDeclarations(files: readonly Declarations[]): string {
  const entry = files.at(-1);
  const syntax = parse(files);
  const declared = new Map<string, Declared>();
  for (const { path } of files) {
    const file = syntax.get(path);
    for (const statement of file?.statements ?? []) {
      if (file === undefined || isImportDeclaration(statement)) continue;
      const name = nameOf(statement, file);
      if (name === undefined) continue;
      if (declared.has(name)) throw new Error(`${path} declares ${name}, as another file does`);
      declared.set(name, declaredBy(statement, file));
    }
  }
  const entryFile = entry === undefined ? undefined : syntax.get(entry.path);
  const exported = entryFile === undefined ? [] : exportsOf(entryFile);
  const names = exported.map(({ name }) => name);
  const absent = names.find((name) => !declared.has(name));
  if (absent !== undefined) throw new Error(`the exported ${absent} is declared nowhere`);
  const needed = reachable(names, declared);
  const texts = [...declared].filter(([name]) => needed.has(name)).map(([, { text }]) => text);
  const list = exported.map(({ name, typeOnly }) => (typeOnly ? `type ${name}` : name));
  return `${texts.join("\n")}\nexport { ${list.join(", ")} };\n`;
}

function nameOf(statement: Node, file: SourceFile): string | undefined {
  if (isExportDeclaration(statement)) return undefined;
  // `export declare const a: …` keeps its name further down than the others.
  const { name } = statement as { readonly name?: Node };
  if (name !== undefined) return name.getText(file);
  return /^(?:export )?declare const (\w+)/.exec(statement.getText(file))?.[1];
}

function declaredBy(statement: Node, file: SourceFile): Declared {
  const above = file.text.slice(statement.pos, statement.getStart(file)).trim();
  const text = statement.getText(file).replace(/^export (?=declare|interface|type)/, "");
  const words = descendants(statement).filter(isIdentifier);
  return {
    text: `${above === "" ? "" : `${above}\n`}${text}\n`,
    words: new Set(words.map((each) => each.text)),
  };
}

/** An exported name, and whether only its type is: then no class can be made by it. */
interface Exported {
  readonly name: string;
  readonly typeOnly: boolean;
}

function exportsOf(file: SourceFile): readonly Exported[] {
  return file.statements.flatMap((statement) => {
    if (!isExportDeclaration(statement)) return [];
    const list = statement.exportClause;
    if (list === undefined || !isNamedExports(list)) return [];
    return list.elements.map((each) => ({
      name: each.name.getText(file),
      typeOnly: statement.isTypeOnly || each.isTypeOnly,
    }));
  });
}

function reachable(
  from: readonly string[],
  declared: ReadonlyMap<string, Declared>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [...from];
  for (const name of queue) {
    if (found.has(name)) continue;
    found.add(name);
    queue.push(...[...(declared.get(name)?.words ?? [])].filter((word) => declared.has(word)));
  }
  return found;
}
