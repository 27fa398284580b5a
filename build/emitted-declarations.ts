import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { importsOf, parse } from "../tidy/syntax.ts";
import { root } from "./folders.ts";

/** A declaration file. */
export interface Declarations {
  /** Relative to the package's `src`, such as `index.ts`. */
  readonly path: string;
  readonly text: string;
}

/**
 * What the compiler declares of a package's entry file and of every file of the package that it
 * imports; a file stands after those that it imports, the entry file last.
 */
export function emittedDeclarations(name: string): readonly Declarations[] {
  const folder = mkdtempSync(join(tmpdir(), "sightline-build-"));
  try {
    const configuration = join(folder, "tsconfig.json");
    const settings = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rootDir: root,
        outDir: join(folder, "types"),
        typeRoots: [join(root, "node_modules/@types")],
      },
      include: [],
      files: [join(root, `packages/${name}/src/index.ts`)],
    };
    writeFileSync(configuration, JSON.stringify(settings));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", configuration], { stdio: "inherit" });
    const source = join(folder, `types/packages/${name}/src`);
    const files = globSync("**/*.d.ts", { cwd: source }).map((path) => ({
      path: path.replace(/\.d\.ts$/, ".ts"), // as imports name it
      text: readFileSync(join(source, path), "utf8"),
    }));
    return inOrder("index.ts", files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inOrder(entry: string, files: readonly Declarations[]): readonly Declarations[] {
  const syntax = parse(files);
  const found = new Map<string, Declarations>();
  const visit = (path: string): void => {
    const [file, tree] = [files.find((each) => each.path === path), syntax.get(path)];
    if (file === undefined || tree === undefined) throw new Error(`${path} was not emitted`);
    for (const { specifier } of importsOf(tree)) {
      const next = join(dirname(path), specifier);
      if (specifier.startsWith(".") && !found.has(next)) visit(next);
    }
    found.set(path, file);
  };
  visit(entry);
  return [...found.values()];
}
