import type { WorkspaceResponse } from "@sightline/client";
import { periodNames } from "@sightline/contract/period-names";
import { periodTexts } from "@sightline/contract/periods";
import type { KnownAccount } from "../data/accounts.ts";
import { metricOrder, metricTexts, providerName, regionName } from "../data/names.ts";
import { changeView, chooseItems, clearFilters, openSaved } from "../data/use-view.ts";
import { type PageName, plainView } from "../data/view.ts";
import { openPlan, planTitle } from "../questions/changes/open-plan.ts";
import { type Section, sections } from "../setup/sections.ts";
import { pageList } from "./pages.tsx";

/** Something that the palette can do. */
export interface Command {
  readonly text: string;
  /** What it is about, such as "Page". */
  readonly kind: string;
  /** Tells apart what has the same text. */
  readonly key?: string;
  readonly run: () => void;
}

/** What commands there are depends on. */
interface CommandsOf {
  /** Null: not there yet. */
  readonly workspace: WorkspaceResponse | null;
  readonly pages: readonly PageName[];
  /** Of Setup. */
  readonly sections: readonly Section[];
  /** The others that are signed in. */
  readonly accounts: readonly KnownAccount[];
}

/** All commands; without a workspace those that need none. */
export function commandsOf(of: CommandsOf): readonly Command[] {
  const { workspace, pages, accounts } = of;
  return [
    ...pages.map((page) => ({
      text: pageList[page].title,
      kind: "Page",
      run: () => changeView({ ...nothingOpen, page, own: plainView.own }),
    })),
    ...metricOrder.map((metric) => ({
      text: metricTexts[metric].title,
      kind: "Metric",
      run: () => changeView({ page: "overview", metric }),
    })),
    ...periodNames.map((period) => ({
      text: periodTexts[period],
      kind: "Period",
      run: () => changeView({ period }),
    })),
    // The page opens the first steps by itself, as long as one is to be done.
    ...commandsOfSetup(of.sections),
    {
      text: planTitle,
      kind: "Plan",
      run: () => openPlan({ metric: "mentions", entityId: null }),
    },
    { text: "Clear all filters", kind: "Filter", run: clearFilters },
    ...(workspace === null ? [] : commandsOfWorkspace(workspace)),
    ...accounts.map(({ id, name }) => ({
      text: name ?? id,
      kind: "Account",
      key: id,
      run: () => changeView({ ...plainView, account: id }),
    })),
    { text: "Guides", kind: "Page", run: () => location.assign("/docs/guide/README") },
    { text: "API", kind: "Page", run: () => location.assign("/docs") },
  ];
}

function commandsOfSetup(shown: readonly Section[]): readonly Command[] {
  const open = shown
    .filter((tab) => tab !== "start")
    .map((tab) => ({ text: sections[tab], kind: "Setup", run: () => openSetup({ tab }) }));
  const ask = {
    text: "Ask providers now",
    kind: "Setup",
    run: () => openSetup({ tab: "collection", ask: "now" }),
  };
  return shown.includes("collection") ? [...open, ask] : open;
}

const nothingOpen = { evidence: null, answer: null, why: null, plan: null } as const;

function openSetup(own: Readonly<Record<string, string>>): void {
  changeView({ ...nothingOpen, page: "setup", own });
}

function commandsOfWorkspace(workspace: WorkspaceResponse): readonly Command[] {
  const { brand, competitors, topics, prompts, providers, regions, views = [] } = workspace;
  return [
    ...views.map(({ name, view }) => ({
      text: name,
      kind: "View",
      run: () => openSaved(view),
    })),
    ...providers.map((provider) => ({
      text: providerName(provider),
      kind: "Provider",
      run: () => chooseItems("providers", [provider]),
    })),
    ...topics.map(({ id, name }) => ({
      text: name,
      kind: "Topic",
      key: id,
      run: () => chooseItems("topics", [id]),
    })),
    ...regions.map((code) => ({
      text: regionName(code),
      kind: "Region",
      run: () => chooseItems("regions", [code]),
    })),
    ...[brand, ...competitors].map(({ id, name }) => ({
      text: `Answers that mention ${name}`,
      kind: "Evidence",
      key: id,
      run: () =>
        changeView({
          evidence: { role: "mentioned", entityId: id, dates: null, promptId: null, part: null },
          answer: null,
        }),
    })),
    ...prompts.map(({ id, text }) => ({
      text,
      kind: "Prompt",
      key: id,
      run: () =>
        changeView({
          evidence: { role: "any", entityId: null, dates: null, promptId: id, part: null },
          answer: null,
        }),
    })),
  ];
}
