import { type Query, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { forgetAccount, knownAccounts, rememberAccount } from "../data/accounts.ts";
import {
  dropFragment,
  firstRunCode,
  type OpenedLink,
  returnToPage,
  takeLink,
} from "../data/address.ts";
import { later } from "../data/later.ts";
import { nobody, personQuery, type SignedIn, signOutPerson, usePerson } from "../data/person.ts";
import { type Session, SessionError, signOut } from "../data/session.ts";
import { changeView, useView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { announce } from "../parts/save.ts";
import { Fault } from "./fault.tsx";
import { Frame } from "./frame.tsx";
import type { SignInReason } from "./sign-in.tsx";

returnToPage();
// Taken when the script runs: the code must not stay in the address until the page is drawn.
const openedLink = takeLink();

interface Asked {
  /** Null: it is not known yet whether somebody has to be asked. */
  readonly reason: SignInReason | null;
  readonly accountId: string | null;
}

/** Most visits are signed in already: the form is fetched by those who are not. */
const SignIn = later(async () => (await import("./sign-in.tsx")).SignIn);

const NewAccountPage = later(async () => (await import("./new-account.tsx")).NewAccountPage);

/** The console: the pages of an account, or the page that signs in. */
export function App() {
  const { account } = useView();
  const [link, setLink] = useOpenedLink();
  // Why the link signed nobody in, for those who have no session either.
  const [refused, setRefused] = useState<OpenedLink | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const person = usePerson();
  const accountId = account ?? knownAccounts()[0]?.id ?? person?.accounts[0]?.id ?? null;
  const creation = useCreation(accountId);
  const entry = useEntry(() => {
    setLink(null);
    setRefused(null);
    setAsked(null);
  });
  const ended = useEnd(setAsked, entry.asPerson);

  useEffect(() => {
    if (account !== null || accountId === null || link !== null || creation.by !== null) return;
    changeView({ account: accountId }, { replace: true });
  }, [account, accountId, link, creation.by]);

  // An address that names another account is not held by a question for this one.
  const question = asked !== null && asked.accountId === accountId ? asked : null;
  if (creation.by !== null) {
    const done = (session: Session) => entry.withKey(session);
    return <Creation {...creation} by={creation.by} isFirst={accountId === null} onDone={done} />;
  }
  const isKnown = accountId !== null || person !== undefined;
  if (link === null && (question === null ? !isKnown : question.reason === null)) {
    return <main aria-busy="true" />;
  }
  if (link !== null || accountId === null || question !== null) {
    const reason = question?.reason ?? "first";
    const isOver = reason === "another" || (link !== null && question === null);
    const close = () => {
      setLink(null);
      setAsked(null);
    };
    return (
      <Fault>
        <Suspense fallback={<main aria-busy="true" />}>
          <SignIn
            link={link ?? refused}
            reason={reason}
            onSession={entry.withKey}
            onPerson={entry.asPerson}
            onBack={isOver && accountId !== null ? close : null}
            onCodeRefused={(fault) => {
              setLink(null);
              setRefused({ kind: "refused", code: "", fault });
            }}
            onDropped={() => setLink(null)}
          />
        </Suspense>
      </Fault>
    );
  }
  return (
    <Frame
      key={accountId}
      accountId={accountId}
      onEnded={() => void ended(accountId)}
      onAnother={() => setAsked({ reason: "another", accountId })}
      onNew={creation.begin}
      onLeave={(isPerson) =>
        void (isPerson ? entry.leaveAll() : entry.leave(accountId)).then(() => setAsked(null))
      }
    />
  );
}

/** The ways into accounts and out of them. */
function useEntry(onIn: () => void) {
  const queries = useQueryClient();
  const entered = useRef(onIn);
  entered.current = onIn;
  return useMemo(() => {
    const open = (id: string) => {
      // What failed with the session that ended would say of this one too that it has; and another
      // key may do other things.
      const isOfBefore = ({ state, queryKey: [, name] }: Query) =>
        state.error !== null || name === "session";
      queries.removeQueries({ queryKey: [id], predicate: isOfBefore });
      entered.current();
      // Filters are ids of one account: another begins with plain pages.
      const isSame = id === new URLSearchParams(location.search).get("account");
      changeView({ ...(isSame ? {} : plainView), account: id }, { replace: true });
    };
    /** What one person was told, the next is not; who is signed in, all parts of the page ask. */
    const forgetReplies = () =>
      queries.removeQueries({ predicate: ({ queryKey: [, name] }) => name !== undefined });
    const show = (id: string | null) =>
      changeView({ ...plainView, account: id }, { replace: true });
    return {
      withKey: ({ account }: Session) => {
        rememberAccount(account);
        open(account.id);
      },
      /** @param wanted the account to show; one of theirs is shown where it is not. */
      asPerson: (signedIn: SignedIn, wanted?: string | null) => {
        const { person } = queries.getQueryData<SignedIn>(personQuery.queryKey) ?? nobody;
        if (person !== null && person.id !== signedIn.person?.id) forgetReplies();
        queries.setQueryData(personQuery.queryKey, signedIn);
        const last = wanted ?? new URLSearchParams(location.search).get("account");
        const { accounts } = signedIn;
        const found = accounts.find(({ id }) => id === last) ?? accounts[0];
        if (found !== undefined) open(found.id);
      },
      leave: async (id: string) => {
        if (!(await isDone(signOut(id)))) return;
        queries.removeQueries({ queryKey: [id] });
        forgetAccount(id);
        show(knownAccounts()[0]?.id ?? null);
      },
      /** Of a person: nothing of theirs stays in the browser, sessions of keys neither. */
      leaveAll: async () => {
        const known = knownAccounts();
        if (!(await isDone(signOutPerson()))) return;
        for (const { id } of known) {
          if (!(await isDone(signOut(id)))) return;
          forgetAccount(id);
        }
        queries.setQueryData(personQuery.queryKey, nobody);
        show(null);
        forgetReplies();
      },
    };
  }, [queries]);
}

/**
 * What the end of a session leads to. Somebody whom a proxy names, or who signed in elsewhere,
 * may have the account all the same.
 */
function useEnd(
  setAsked: (asked: Asked) => void,
  enter: (signedIn: SignedIn, accountId: string) => void,
) {
  const queries = useQueryClient();
  const tried = useRef({ isRunning: false, accountId: "" });
  return async (accountId: string) => {
    if (tried.current.isRunning) return;
    const isAgain = tried.current.accountId === accountId;
    tried.current = { isRunning: true, accountId };
    setAsked({ reason: null, accountId });
    const found = await queries.fetchQuery({ ...personQuery, staleTime: 0 }).catch(() => nobody);
    tried.current.isRunning = false;
    // Once: what the service says of both would go round for ever.
    if (!isAgain && found.accounts.some(({ id }) => id === accountId)) {
      enter(found, accountId);
      return;
    }
    setAsked({ reason: endOf(accountId), accountId });
    // A person who was removed from it begins with another account the next time.
    if (found.person !== null) forgetAccount(accountId);
  };
}

type NewBy = ComponentProps<typeof NewAccountPage>["by"];

/** An account that is to be created: by a link, or by the session of an account. */
interface AccountCreation {
  /** Null: none is. */
  readonly by: NewBy | null;
  readonly begin: () => void;
  readonly end: () => void;
}

function useCreation(accountId: string | null): AccountCreation {
  const [code, setCode] = useState(firstRunCode);
  const [isBegun, setBegun] = useState(false);
  useEffect(() => {
    const opened = () => setCode(firstRunCode());
    addEventListener("hashchange", opened);
    return () => removeEventListener("hashchange", opened);
  }, []);
  const end = () => {
    dropFragment();
    setCode(null);
    setBegun(false);
  };
  const by = code !== null ? { code } : isBegun && accountId !== null ? { accountId } : null;
  return { by, begin: () => setBegun(true), end };
}

interface CreationProps extends Pick<AccountCreation, "end"> {
  readonly by: NewBy;
  /** There are no pages of an account to return to. */
  readonly isFirst: boolean;
  readonly onDone: (session: Session) => void;
}

/** The page that creates an account, which few ever see. */
function Creation({ by, isFirst, end, onDone }: CreationProps) {
  return (
    <Fault>
      <Suspense fallback={<main aria-busy="true" />}>
        <NewAccountPage
          by={by}
          onDone={(session) => {
            end();
            onDone(session);
          }}
          onBack={isFirst ? null : end}
          onSignIn={end}
        />
      </Suspense>
    </Fault>
  );
}

/** Without a session: it has ended, or a link of an account that was never seen here was opened. */
function endOf(accountId: string): SignInReason {
  return knownAccounts().some(({ id }) => id === accountId) ? "ended" : "shared";
}

/** The link that was opened; null: none, or it was used. */
function useOpenedLink() {
  const [link, setLink] = useState(openedLink);
  // A link that is opened in this tab may change nothing but the code, and then loads no page.
  useEffect(() => {
    const opened = () => {
      const given = takeLink();
      if (given !== null) setLink(given);
    };
    addEventListener("hashchange", opened);
    return () => removeEventListener("hashchange", opened);
  }, []);
  return [link, setLink] as const;
}

/** Waits for the end of a session. A person leaving a shared machine must know if not. */
async function isDone(end: Promise<void>): Promise<boolean> {
  try {
    await end;
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    if (error.status === 401) return true; // it had before
    announce(`You are still signed in. ${error.message}`);
    return false;
  }
  return true;
}
