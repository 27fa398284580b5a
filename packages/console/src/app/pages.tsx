import type { ComponentType } from "react";
import { later } from "../data/later.ts";
import type { SignedIn } from "../data/person.ts";
import type { Session } from "../data/session.ts";
import { type PageName, pages } from "../data/view.ts";
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
  accounts: {
    title: "Accounts",
    key: "a",
    Content: later(async () => (await import("../board/page.tsx")).AccountsPage),
  },
};

/**
 * The pages that somebody has: a viewer has no Setup, and a table of accounts is for a person with
 * several. Both are last, so that nothing moves when it is known who asks.
 */
export function pagesFor(session: Session | null, person: SignedIn | undefined) {
  return pages.filter((page) => {
    if (page === "accounts") return (person?.accounts.length ?? 0) > 1;
    return page !== "setup" || (session !== null && session.person?.role !== "viewer");
  });
}
