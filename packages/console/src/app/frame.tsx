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
import { AccountContext, clientOf, useAccount } from "../data/account.ts";
import { allAccounts, rememberAccount } from "../data/accounts.ts";
import { countOf, dateText } from "../data/format.ts";
import { later } from "../data/later.ts";
import { usePerson } from "../data/person.ts";
import { useWorkspace } from "../data/queries.ts";
import { addressOf, changeView, useView } from "../data/use-view.ts";
import { type PageName, plainView } from "../data/view.ts";
import { Icon } from "../parts/icon.tsx";
import { Popover } from "../parts/popover.tsx";
import { useChosenInside } from "../parts/sideways.ts";
import { Fault } from "./fault.tsx";
import css from "./frame.module.css";
import { Logo } from "./logo.tsx";
import { type OverlayName, Overlays } from "./overlays.tsx";
import { pageList, pagesFor } from "./pages.tsx";
import { useSession } from "./use-session.ts";
import { useShortcuts } from "./use-shortcuts.ts";

interface FrameProps {
  readonly accountId: string;
  /** The session is no longer valid. */
  readonly onEnded: () => void;
  readonly onAnother: () => void;
  /** Another account is to be created. */
  readonly onNew: () => void;
  /** Signs out: a person of all accounts, a key's session of this one. */
  readonly onLeave: (isPerson: boolean) => void;
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
  const pages = pagesFor(session, usePerson());
  const reached = useRef(pages);
  reached.current = pages;
  useShortcuts(setOverlay, reached);
  useEffect(() => {
    // Where somebody was last, they return to. Of a key, signing in says so.
    if (session?.person !== undefined) rememberAccount(session.account);
  }, [session]);
  const { title, Content } = pageList[page];
  return (
    <AccountContext value={account}>
      <Title of={title} />
      <a className="frame-skip" href="#content">
        Skip to the content
      </a>
      <header className="frame-bar">
        <div className="frame-inner">
          <Logo />
          <Navigation page={page} pages={pages} />
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
      <Overlays open={overlay} pages={pages} onClose={() => setOverlay(null)} />
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

interface NavigationProps {
  readonly page: PageName;
  readonly pages: readonly PageName[];
}

function Navigation({ page, pages }: NavigationProps) {
  const { evidence, answer, why, plan, own } = plainView;
  const nav = useChosenInside<HTMLElement>(`${page} ${pages.length}`);
  return (
    <nav ref={nav} className="frame-nav" aria-label="Pages">
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

interface AccountMenuProps extends Pick<FrameProps, "onAnother" | "onNew" | "onLeave"> {
  readonly onKeys: () => void;
}

const AccountList = later(async () => (await import("./account-list.tsx")).AccountList);

/** Lists with more accounts are searched, and no menu has a field. */
const unsearchedMax = 8;

/** The account, the others of this browser and of the person, and the way out. */
function AccountMenu(props: AccountMenuProps) {
  const { id, session } = useAccount();
  const accounts = allAccounts(usePerson()?.accounts ?? []);
  const name = session?.account.name ?? accounts.find((each) => each.id === id)?.name ?? "Account";
  const others = accounts.filter((each) => each.id !== id);
  const isSearched = others.length > unsearchedMax;
  return (
    <Popover
      label="Account"
      kind={isSearched ? "dialog" : "menu"}
      trigger={(trigger) => (
        <button type="button" className={css["account"]} {...trigger}>
          <Icon name="person" />
          <span className={css["accountName"]}>{name}</span>
          <Icon name="down" />
        </button>
      )}
    >
      {(close) => (
        <Passing>
          <AccountList {...{ ...props, name, others, isSearched, close }} />
        </Passing>
      )}
    </Popover>
  );
}

/** The tab says whose page it holds. */
function Title({ of }: { readonly of: string }) {
  const brand = useWorkspace().data?.brand.name;
  useEffect(() => {
    document.title = [of, brand, "Sightline"].filter(Boolean).join(" – ");
  }, [of, brand]);
  return null;
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
