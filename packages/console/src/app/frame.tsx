import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { AccountContext, clientOf } from "../data/account.ts";
import { later } from "../data/later.ts";
import { useWorkspace } from "../data/queries.ts";
import { addressOf, changeView, useView } from "../data/use-view.ts";
import { type PageName, pages, plainView } from "../data/view.ts";
import { Icon } from "../parts/icon.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Fault } from "./fault.tsx";
import css from "./frame.module.css";
import { Freshness } from "./freshness.tsx";
import { Logo } from "./logo.tsx";
import { type OverlayName, Overlays } from "./overlays.tsx";
import { pageList } from "./pages.tsx";
import { ThemeButton } from "./theme-button.tsx";
import { useSession } from "./use-session.ts";
import { useShortcuts } from "./use-shortcuts.ts";

interface FrameProps {
  readonly accountId: string;
  /** The session is no longer valid. */
  readonly onEnded: () => void;
  readonly onAnother: () => void;
  readonly onLeave: () => void;
}

/** What stands around every page: the bar, the keys, the account whose pages these are. */
export function Frame({ accountId, onEnded, onAnother, onLeave }: FrameProps) {
  const ended = useRef(onEnded);
  ended.current = onEnded;
  const session = useSession(
    accountId,
    useCallback(() => ended.current(), []),
  );
  const client = useMemo(() => clientOf(accountId), [accountId]);
  const account = useMemo(() => ({ id: accountId, client, session }), [accountId, client, session]);
  const { page } = useView();
  const [overlay, setOverlay] = useState<OverlayName | null>(null);
  useShortcuts(setOverlay);
  const { title, Content } = pageList[page];
  useEffect(() => {
    document.title = `${title} – Sightline`;
  }, [title]);
  return (
    <AccountContext value={account}>
      <a className={css["skip"]} href="#content">
        Skip to the content
      </a>
      <header className={css["bar"]}>
        <div className={css["inner"]}>
          <Logo />
          <Navigation page={page} />
          <div className={css["tools"]}>
            <button
              type="button"
              className={css["command"]}
              aria-keyshortcuts="Control+K"
              onClick={() => setOverlay("palette")}
            >
              <Icon name="search" />
              <span className={css["commandText"]}>Search</span>
              <kbd>Ctrl K</kbd>
            </button>
            <ThemeButton />
            <AccountMenu
              onAnother={onAnother}
              onLeave={onLeave}
              onKeys={() => setOverlay("keys")}
            />
          </div>
        </div>
      </header>
      <main className={css["main"]} id="content" tabIndex={-1}>
        <Samples />
        <Fault key={page}>
          <Suspense fallback={<div className={css["waiting"]} aria-busy="true" />}>
            <Content />
          </Suspense>
        </Fault>
      </main>
      <Freshness className={css["foot"]} />
      <Overlays open={overlay} onClose={() => setOverlay(null)} />
    </AccountContext>
  );
}

const SampleNotice = later(async () => (await import("../answers/sample-notice.tsx")).SampleNotice);

/** What an account with sample answers is told above each page. */
function Samples() {
  const samples = useWorkspace().data?.answers.samples;
  if (samples === undefined) return null;
  return (
    <Fault onPassing={() => undefined}>
      <Suspense>
        <SampleNotice samples={samples} />
      </Suspense>
    </Fault>
  );
}

function Navigation({ page }: { readonly page: PageName }) {
  return (
    <nav className={css["nav"]} aria-label="Pages">
      {pages.map((each) => {
        const change = { page: each, evidence: null, answer: null, own: plainView.own };
        return (
          <a
            key={each}
            href={addressOf(change)}
            aria-current={each === page ? "page" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              changeView(change);
            }}
          >
            {pageList[each].title}
          </a>
        );
      })}
    </nav>
  );
}
