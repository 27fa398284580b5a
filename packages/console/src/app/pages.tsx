import type { ComponentType } from "react";
import { later } from "../data/later.ts";
import type { PageName } from "../data/view.ts";
import { OverviewPage } from "../questions/overview/page.tsx";

/** A page of the bar. */
export interface Page {
  readonly title: string;
  /** The second of two keys, after g. */
  readonly key: string;
  readonly Content: ComponentType;
}

/** The pages. The first is part of the first load, the others are loaded when they are opened. */
export const pageList: Readonly<Record<PageName, Page>> = {
  overview: { title: "Overview", key: "o", Content: OverviewPage },
  portrayal: {
    title: "Portrayal",
    key: "r",
    Content: later(async () => (await import("../questions/portrayal/page.tsx")).PortrayalPage),
  },
  sources: {
    title: "Sources",
    key: "s",
    Content: later(async () => (await import("../questions/sources/page.tsx")).SourcesPage),
  },
  prompts: {
    title: "Prompts",
    key: "p",
    Content: later(async () => (await import("../questions/prompts/page.tsx")).PromptsPage),
  },
  setup: {
    title: "Setup",
    key: "u",
    Content: later(async () => (await import("../setup/page.tsx")).SetupPage),
  },
};
