import {
  createElement,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { AccountContext, clientOf, useAccount, useScope } from "../data/account.ts";
import { knownAccounts } from "../data/accounts.ts";
import { countOf, dateText } from "../data/format.ts";
import { later } from "../data/later.ts";
import { useWorkspace } from "../data/queries.ts";
import { addressOf, changeView, useView } from "../data/use-view.ts";
import { type PageName, pages, plainView } from "../data/view.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/popover.tsx";
import { Fault } from "./fault.tsx";
import css from "./frame.module.css";
import { Logo } from "./logo.tsx";
import { type OverlayName, Overlays } from "./overlays.tsx";
import { pageList } from "./pages.tsx";
import { useSession } from "./use-session.ts";
import { useShortcuts } from "./use-shortcuts.ts";

interface FrameProps {
  readonly accountId: string;
  /** The session is no longer valid. */
  readonly onEnded: () => void;
  readonly onAnother: () => void;
  /** Another account is to be created. */
  readonly onNew: () => void;
  readonly onLeave: () => void;
}

/** What stands around every page: the bar, the keys, the account whose pages these are. */
export function Frame({ accountId, onEnded, onAnother, onNew, onLeave }: FrameProps) {
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
      <a className="frame-skip" href="#content">
        Skip to the content
      </a>
      <header className="frame-bar">
        <div className="frame-inner">
          <Logo />
          <Navigation page={page} />
          <div className="frame-tools">
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
            {createElement("theme-switch")}
            <AccountMenu
              onAnother={onAnother}
              onNew={onNew}
              onLeave={onLeave}
              onKeys={() => setOverlay("keys")}
            />
          </div>
        </div>
      </header>
      <main className={css["main"]} id="content" tabIndex={-1}>
        <Passing>
          <NewVersion />
        </Passing>
        <Samples />
        <Fault key={page}>
          <Suspense fallback={<div aria-busy="true" />}>
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
    <Passing>
      <SampleNotice samples={samples} />
    </Passing>
  );
}

const NewVersion = later(async () => (await import("./new-version.tsx")).NewVersion);

/** What is fetched later, and missed by nobody when that fails. */
function Passing({ children }: { readonly children: ReactNode }) {
  return (
    <Fault onPassing={() => undefined}>
      <Suspense>{children}</Suspense>
    </Fault>
  );
}

function Navigation({ page }: { readonly page: PageName }) {
  const { evidence, answer, why, plan, own } = plainView;
  return (
    <nav className="frame-nav" aria-label="Pages">
      {pages.map((each) => {
        const change = { page: each, evidence, answer, why, plan, own };
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

interface AccountMenuProps {
  readonly onAnother: () => void;
  readonly onNew: () => void;
  readonly onLeave: () => void;
  readonly onKeys: () => void;
}

/** The account, the others of this browser, and the way out. */
function AccountMenu({ onAnother, onNew, onLeave, onKeys }: AccountMenuProps) {
  const { id, session } = useAccount();
  const mayCreate = useScope("accounts");
  const known = knownAccounts();
  const name = session?.account.name ?? known.find((each) => each.id === id)?.name ?? "Account";
  const others = known.filter((each) => each.id !== id);
  return (
    <Menu
      label="Account"
      trigger={(props) => (
        <button type="button" className={css["account"]} {...props}>
          <Icon name="person" />
          <span className={css["accountName"]}>{name}</span>
          <Icon name="down" />
        </button>
      )}
      groups={[
        ...(others.length === 0
          ? []
          : [
              others.map((other) => ({
                text: other.name ?? other.id,
                onSelect: () => changeView({ ...plainView, account: other.id }),
              })),
            ]),
        [
          { text: "Add an account", onSelect: onAnother },
          ...(mayCreate ? [{ text: "Create an account", onSelect: onNew }] : []),
          { text: "Keyboard shortcuts", onSelect: onKeys },
          { text: "Guides", onSelect: () => location.assign("/docs/guide/README") },
          { text: "API", onSelect: () => location.assign("/docs") },
        ],
        [{ text: `Sign out of ${name}`, onSelect: onLeave }],
      ]}
    />
  );
}

/** How new the numbers are, and that their days are UTC's. */
function Freshness({ className }: { readonly className: string | undefined }) {
  const { data } = useWorkspace();
  const { answers, lastImport } = data ?? {};
  return (
    <footer className={className}>
      <span>All times and days are UTC.</span>
      {answers?.last == null ? null : (
        <span>
          {countOf(answers.count, "answer")}, the newest of {dateText(answers.last, "instant")}
        </span>
      )}
      {lastImport == null ? null : <span>Last import {dateText(lastImport, "instant")}</span>}
    </footer>
  );
}
