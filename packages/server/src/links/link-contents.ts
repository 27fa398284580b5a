import type {
  LinkPage,
  LinkView,
  ReportSection,
  ViewLinkKind,
  WorkspaceResponse,
} from "@sightline/contract";
import { type AskingServices, InnerAsking } from "../questions/inner-asking.ts";
import { workspaceNow } from "../questions/workspace.ts";
import { writeReport } from "../reports/write-report.ts";
import { askSeries, csvOfView } from "./link-csv.ts";
import { imageOfCourse } from "./link-image.ts";
import type { LinkRecord } from "./link-store.ts";
import { daysOf, metricOf, type ShownView, shownView, viewSentences } from "./shown-view.ts";

/** A link that shows a view. */
export type ViewLink = LinkRecord & { readonly kind: ViewLinkKind; readonly view: LinkView };

/** Whether a link shows a view. */
export function isOfView(link: LinkRecord): link is ViewLink {
  return link.kind !== "report" && link.view !== null;
}

/** When something is made, in milliseconds since 1970, and what ends it. */
interface Making {
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What a page of the console shows, without what people noted for themselves. */
const sectionsOf: Readonly<Record<LinkPage, readonly ReportSection[]>> = {
  overview: ["summary", "course", "changes", "measurement"],
  portrayal: ["portrayal", "measurement"],
  sources: ["sources", "measurement"],
  prompts: ["prompts", "measurement"],
};

/** What a link of the kind view gives: the page of a report, of today. */
export async function pageOfLink(
  services: AskingServices,
  { accountId, view, name, showsEvidence }: ViewLink,
  { now, signal }: Making,
): Promise<string> {
  const workspace = await workspaceNow(services, accountId, signal);
  const shown = shownView(view, workspace.answers, now);
  const { compared } = shown;
  const isCompared = compared !== null && !("refused" in compared);
  const { html } = await writeReport(
    services,
    accountId,
    {
      ...daysOf(shown.range),
      title: name,
      subtitle: workspace.brand.name,
      sections: sectionsOf[view.page],
      compareWith: isCompared ? daysOf(compared) : null,
      filters: filtersOf(view),
      showsEvidence,
      language: "en",
      logo: null,
      colour: null,
      note: noteOf(shown, workspace),
      madeAt: now,
    },
    signal,
  );
  return html;
}

function filtersOf({ filters = {}, exclude }: LinkView) {
  return exclude === undefined ? filters : { ...filters, exclude };
}

/** What a reader must know of a page that goes on, and why nothing is compared. */
function noteOf({ compared }: ShownView, workspace: WorkspaceResponse): string {
  const refused = compared !== null && "refused" in compared ? ` ${compared.refused}` : "";
  return `${liveSentence(workspace)}${refused}`;
}

/** What a link of the kind csv gives. */
export async function csvOfLink(
  services: AskingServices,
  { accountId, view }: ViewLink,
  { now, signal }: Making,
): Promise<string> {
  const { answers } = await workspaceNow(services, accountId, signal);
  const asking = new InnerAsking(services, accountId, signal);
  return csvOfView(asking, view, shownView(view, answers, now).range);
}

/** What a link of the kind image gives. */
export async function imageOfLink(
  services: AskingServices,
  { accountId, view, name }: ViewLink,
  { now, signal }: Making,
): Promise<string> {
  const workspace = await workspaceNow(services, accountId, signal);
  const shown = shownView(view, workspace.answers, now);
  const asking = new InnerAsking(services, accountId, signal);
  const { series } = await askSeries(asking, view, shown.range);
  return imageOfCourse({
    title: name,
    sentences: viewSentences(view, shown, workspace),
    foot: liveSentence(workspace),
    metric: metricOf(view),
    series,
  });
}

/** Until when answers count. */
function liveSentence({ answers: { last } }: Pick<WorkspaceResponse, "answers">): string {
  if (last === null) return "Live: there are no answers yet.";
  return `Live: answers up to ${last.slice(0, 16).replace("T", " ")} UTC.`;
}
