import { readdir, readFile } from "node:fs/promises";
import { STATUS_CODES } from "node:http";
import { join } from "node:path";
import { type ErrorCode, errorCodes, errorExamples, problemType } from "@sightline/contract";
import { problemContentType } from "../http/problems.ts";
import { ifThere } from "../http/static-files.ts";
import { titleOf } from "./markdown-to-html.ts";

/** A page as Markdown. */
export interface SourcePage {
  /** Where it is served, such as /docs/guide/start. */
  readonly path: string;
  readonly title: string;
  /** Its links lead to what is served. */
  readonly markdown: string;
}

/** The pages of a folder such as this project's docs/: guides, metrics, errors and each code. */
export async function readSourcePages(folder: string): Promise<readonly SourcePage[]> {
  const pages: SourcePage[] = [];
  for (const section of ["guide", "metrics"]) {
    const files = (await ifThere(readdir(join(folder, section)))) ?? [];
    for (const file of files.filter((each) => each.endsWith(".md")).toSorted()) {
      const text = await readFile(join(folder, section, file), "utf8");
      pages.push(sourcePage(`/docs/${section}/${file.slice(0, -".md".length)}`, text));
    }
  }
  const errors = await ifThere(readFile(join(folder, "errors.md"), "utf8"));
  if (errors === null) return pages;
  const file = "/docs/errors";
  const codes = codeTexts(errors).map(([code, text]) => sourcePage(problemType(code), text, file));
  return [...pages, sourcePage("/docs/errors/README", errors, file), ...codes];
}

/** A page, of a file below docs/: of the page's own name, unless said otherwise. */
function sourcePage(path: string, text: string, file: string = path): SourcePage {
  return { path, title: titleOf(text), markdown: withServedLinks(text, `http://a${file}.md`) };
}

/** Each code's page: what the catalogue knows of it, and its part of errors.md. */
function codeTexts(errors: string): readonly (readonly [ErrorCode, string])[] {
  const parts = new Map(
    errors.split(/^### /m).map((part) => [part.slice(0, part.indexOf("\n")), part] as const),
  );
  return (Object.keys(errorCodes) as ErrorCode[]).map((code) => {
    const part = (parts.get(code) ?? "").slice(code.length).trim();
    const [cause = "", remedy = ""] = part.split(/^\*\*What to do:\*\*$/m);
    const { status, title } = errorCodes[code];
    const name = title.charAt(0).toLowerCase() + title.slice(1);
    const text =
      `# ${code}\n\nStatus ${status}: ${name}.\n\n## When it comes\n\n${cause.trim()}\n\n` +
      `## Example\n\n${exampleOf(code)}\n\n## What to do\n\n${remedy.trim()}\n`;
    return [code, text.replaceAll("](#", "](errors.md#")];
  });
}

function exampleOf(code: ErrorCode): string {
  const { status, title } = errorCodes[code];
  const { detail, fields = {}, errors } = errorExamples[code];
  const requestId = "req_6a9d9b0e-8a0f-4c53-9d0e-3c1a3d7f9b11";
  const body = { type: problemType(code), title, status, detail, code, requestId, errors };
  const head = Object.entries({ "Content-Type": problemContentType, ...fields });
  const lines = head.map(([name, value]) => `${name}: ${value}`).join("\n");
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  return `\`\`\`http\n${first}\n${lines}\n\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

const fenceOrLink = /^ *```[\s\S]*?^ *```|(?<!!)\[((?:[^[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/gm;

/** Markdown whose links lead to pages; of a link to a file that is not served the text is left. */
function withServedLinks(markdown: string, base: string): string {
  return markdown.replaceAll(fenceOrLink, (found, label?: string, target = "") => {
    if (label === undefined || /^([a-z][a-z+.-]*:|\/\/|#)/i.test(target)) return found;
    const { pathname, hash } = new URL(target, base);
    if (pathname === "/docs/errors.md") {
      const isCode = Object.hasOwn(errorCodes, hash.slice(1));
      return `[${label}](/docs/errors/${isCode ? hash.slice(1) : `README${hash}`})`;
    }
    const page = /^(\/docs\/(?:guide|metrics)\/[\w-]+)\.md$/.exec(pathname)?.[1];
    return page === undefined ? label : `[${label}](${page}${hash})`;
  });
}
