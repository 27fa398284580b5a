/** The folders of docs/ whose pages are served. */
export const documentSections = ["guide", "metrics", "errors"] as const;

/** One of the folders of docs/ whose pages are served. */
export type DocumentSection = (typeof documentSections)[number];

/** Whether a text names a folder that is served. */
export function isDocumentSection(name: string): name is DocumentSection {
  return (documentSections as readonly string[]).includes(name);
}

const elsewhere = /^([a-z][a-z+.-]*:|\/\/)/i;

/**
 * Where a link of a page leads once the page is served: to the served page of the file that it
 * names. Null when that file is not served.
 */
export function servedLink(target: string, section: DocumentSection): string | null {
  if (elsewhere.test(target) || target.startsWith("#")) return target;
  const { pathname, hash } = new URL(target, `http://a/docs/${section}/`);
  const [, folder = "", page] = /^\/docs\/([^/]+)\/([\w-]+)\.md$/.exec(pathname) ?? [];
  if (page === undefined || !isDocumentSection(folder)) return null;
  return `/docs/${folder}/${page}${hash}`;
}

const inlineLink = /(?<!!)\[((?:[^[\]`]|`[^`]*`)+)\]\(([^)\s]+)\)/g;

/** Markdown whose links lead to pages; of a link to a file that is not served the text is left. */
export function withServedLinks(markdown: string, section: DocumentSection): string {
  return outsideFences(markdown, (line) =>
    line.replace(inlineLink, (_, label: string, target: string) => {
      const link = servedLink(target, section);
      return link === null ? label : `[${label}](${link})`;
    }),
  );
}

function outsideFences(markdown: string, change: (line: string) => string): string {
  let inside = false;
  return markdown
    .split("\n")
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) inside = !inside;
      return inside || isFence ? line : change(line);
    })
    .join("\n");
}
