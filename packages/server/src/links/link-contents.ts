import type { WorkspaceResponse } from "@sightline/contract";
import { workspaceNow } from "../questions/workspace.ts";
import { type AskingServices, InnerAsking } from "./inner-asking.ts";
import { askSeries, csvOfView } from "./link-csv.ts";
import { imageOfCourse } from "./link-image.ts";
import { failurePage } from "./link-pages.ts";
import type { LinkRecord } from "./link-store.ts";
import { metricOf, shownView, viewSentences } from "./shown-view.ts";

/** When something is made, in milliseconds since 1970, and what ends it. */
interface Making {
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What a link of the kind csv gives. */
export async function csvOfLink(
  services: AskingServices,
  { accountId, view }: LinkRecord,
  { now, signal }: Making,
): Promise<string> {
  const { answers } = await workspaceNow(services, accountId, signal);
  const asking = new InnerAsking(services, accountId, signal);
  return csvOfView(asking, view, shownView(view, answers, now).range);
}

/** What a link of the kind image gives. */
export async function imageOfLink(
  services: AskingServices,
  { accountId, view, name }: LinkRecord,
  { now, signal }: Making,
): Promise<string> {
  const workspace = await workspaceNow(services, accountId, signal);
  const shown = { ...shownView(view, workspace.answers, now), compared: null };
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

/** What a link of the kind view gives. */
export async function pageOfLink(
  services: AskingServices,
  { accountId, view, name }: LinkRecord,
  { now, signal }: Making,
): Promise<string> {
  const workspace = await workspaceNow(services, accountId, signal);
  const shown = shownView(view, workspace.answers, now);
  const said = [...viewSentences(view, shown, workspace), liveSentence(workspace)];
  return failurePage({ title: `${name}: ${workspace.brand.name}`, text: said.join(" ") });
}

/** Until when answers count. */
function liveSentence({ answers: { last } }: Pick<WorkspaceResponse, "answers">): string {
  if (last === null) return "Live: there are no answers yet.";
  return `Live: answers up to ${last.slice(0, 16).replace("T", " ")} UTC.`;
}
