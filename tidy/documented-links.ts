import { dirname, join } from "node:path/posix";
import { readMarkdown } from "./markdown.ts";
import { commandNames } from "./named-in-pages.ts";
import type { Rule } from "./rule.ts";
import type { Tree } from "./sources.ts";

const isMarkdown = (path: string): boolean => path.endsWith(".md");
/** Addresses of other systems, which are not looked up here. */
const elsewhere = /^([a-z][a-z+.-]*:|\/\/)/i;

const links: Rule = {
  name: "links",
  remedy: "correct the path or the anchor; a link is relative to the file that it stands in.",
  check: (tree) => {
    const folders = foldersOf(tree);
    const pages = new Map(
      tree.sources
        .filter(({ path }) => isMarkdown(path))
        .map(({ path, text }) => [path, readMarkdown(text)] as const),
    );
    return [...pages].flatMap(([path, page]) =>
      page.links.flatMap(({ target, line }) => {
        if (elsewhere.test(target)) return [];
        const [file = "", anchor] = unescaped(target).split("#");
        const aim = file === "" ? path : join(dirname(path), file).replace(/\/$/, "");
        if (!tree.paths.has(aim) && !folders.has(aim)) {
          return [{ path, line, message: `links to ${target}, which does not exist` }];
        }
        const known = pages.get(aim)?.anchors;
        if (anchor === undefined || known === undefined || known.has(anchor)) return [];
        return [{ path, line, message: `links to ${target}, which has no such heading` }];
      }),
    );
  },
  refuses: {
    "a file that is not there": { "docs/a.md": "[b](b.md)", "b.md": "" },
    "an absolute path": { "docs/a.md": "[b](/docs/a.md)" },
    "an image that is not there": { "a.md": "![b](b.png)" },
    "a definition": { "a.md": "[b][1]\n\n[1]: b.md" },
    "an attribute": { "a.md": '<img alt="b" src="b.png">' },
    "a heading that is not there": { "a.md": "[b](b.md#two)", "b.md": "# One" },
    "a heading of its own that is not there": { "a.md": "# One\n[b](#two)" },
    "a heading inside a fence": { "a.md": "[b](#two)\n```\n# Two\n```" },
  },
  accepts: {
    "files, folders and images": {
      "docs/a.md": "[b](../b.md) [c](./c/) ![d](d.png) [e](../docs) [f](<../b.md>)",
      "b.md": "",
      "docs/c/a.ts": "",
      "docs/d.png": {},
    },
    headings: {
      "a.md": "[b](b.md#what-it-does-and-isnt) [d](b.md#one-1) [e](b.md#e) [f](b.ts#L1)",
      "b.md": '## What it *does*, and `isn\'t`\n## One\n## One\n<a id="e"></a>',
      "b.ts": "",
    },
    "its own heading": { "a.md": "# One\n[b](#one)" },
    "other systems": { "a.md": "[b](https://example.com/b) [c](mailto:c@example.com)" },
    code: { "a.md": "`[b](c.md)` and ``[`b`](c.md)``\n```\n[b](c.md)\n```" },
  },
};

const commandsInDocuments: Rule = {
  name: "commands-in-documents",
  remedy: "correct the command, or add it to packages/cli/src/commands/.",
  check: (tree) => {
    const commands = new Set(commandNames(tree));
    return tree.sources.flatMap(({ path, text }) => {
      if (!isMarkdown(path)) return [];
      return readMarkdown(text).fenced.flatMap((each) =>
        [...each.text.matchAll(/(?:^|[\s;&|(])\.\/sightline\s+([\w-]+)/g)].flatMap(
          ([, name = ""]) =>
            name.startsWith("-") || commands.has(name)
              ? []
              : [
                  {
                    path,
                    line: each.line,
                    message: `names the command ${name}, which is not there`,
                  },
                ],
        ),
      );
    });
  },
  refuses: {
    "a command that is not there": {
      "README.md": "```sh\n./sightline sever\n```",
      "packages/cli/src/commands/serve.ts": "",
    },
    "one further on in a line": { "docs/a.md": "```\nA=1 && ./sightline serve\n```" },
  },
  accepts: {
    "commands and options": {
      "README.md": "```sh\n./sightline serve --port 1\n$ ./sightline --help\n```",
      "packages/cli/src/commands/serve.ts": "",
    },
    "a command outside a fence": { "a.md": "There is no `./sightline sever`." },
  },
};

/** What documents point at exists. */
export const documentedLinks: readonly Rule[] = [links, commandsInDocuments];

/** A target with its escapes taken out; as it is written when they are malformed. */
function unescaped(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

function foldersOf(tree: Tree): ReadonlySet<string> {
  const folders = new Set(["."]);
  for (const path of tree.paths) {
    for (let at = dirname(path); at !== "."; at = dirname(at)) folders.add(at);
  }
  return folders;
}
