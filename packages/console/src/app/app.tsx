import { type Query, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, Suspense, useCallback, useEffect, useState } from "react";
import { forgetAccount, knownAccounts, rememberAccount } from "../data/accounts.ts";
import { dropFragment, firstRunCode, takeSignInCode } from "../data/address.ts";
import { later } from "../data/later.ts";
import { type Session, SessionError, signOut } from "../data/session.ts";
import { changeView, useView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { announce } from "../parts/save.ts";
import { Fault } from "./fault.tsx";
import { Frame } from "./frame.tsx";
import type { SignInReason } from "./sign-in.tsx";

// Taken when the script runs: the code must not stay in the address until the page is drawn.
const linkCode = takeSignInCode();

interface Asked {
  readonly reason: SignInReason;
  readonly accountId: string | null;
}

/** Most visits are signed in already: the form is fetched by those who are not. */
const SignIn = later(async () => (await import("./sign-in.tsx")).SignIn);

const NewAccountPage = later(async () => (await import("./new-account.tsx")).NewAccountPage);

/** The console: the pages of an account, or the page that signs in. */
export function App() {
  const { account } = useView();
  const [code, setCode] = useLinkCode();
  const [asked, setAsked] = useState<Asked | null>(null);
  const queries = useQueryClient();
  const accountId = account ?? knownAccounts()[0]?.id ?? null;
  const creation = useCreation(accountId);

  const enter = useCallback(
    ({ account }: Session) => {
      // What failed with the session that ended would say of this one too that it has; and another
      // key may do other things.
      const isOfBefore = ({ state, queryKey: [, name] }: Query) =>
        state.error !== null || name === "session";
      queries.removeQueries({ queryKey: [account.id], predicate: isOfBefore });
      rememberAccount(account);
      setCode(null);
      setAsked(null);
      // Filters are ids of one account: another begins with plain pages.
      const isSame = account.id === new URLSearchParams(location.search).get("account");
      changeView({ ...(isSame ? {} : plainView), account: account.id }, { replace: true });
    },
    [queries, setCode],
  );

  const leave = useCallback(
    async (id: string) => {
      if (!(await hasEnded(id))) return;
      queries.removeQueries({ queryKey: [id] });
      forgetAccount(id);
      const next = knownAccounts()[0]?.id ?? null;
      changeView({ ...plainView, account: next }, { replace: true });
      setAsked(null);
    },
    [queries],
  );

  useEffect(() => {
    if (account !== null || accountId === null || code !== null || creation.by !== null) return;
    changeView({ account: accountId }, { replace: true });
  }, [account, accountId, code, creation.by]);

  // An address that names another account is not held by a question for this one.
  const question = asked !== null && asked.accountId === accountId ? asked : null;
  if (creation.by !== null) {
    return <Creation {...creation} by={creation.by} isFirst={accountId === null} onDone={enter} />;
  }
  if (code !== null || accountId === null || question !== null) {
    const reason = question?.reason ?? "first";
    return (
      <Fault>
        <Suspense fallback={<main aria-busy="true" />}>
          <SignIn
            code={code}
            reason={reason}
            onSession={enter}
            onBack={reason === "another" && accountId !== null ? () => setAsked(null) : null}
            onCodeRefused={() => setCode(null)}
          />
        </Suspense>
      </Fault>
    );
  }
  return (
    <Frame
      key={accountId}
      accountId={accountId}
      onEnded={() => setAsked({ reason: endOf(accountId), accountId })}
      onAnother={() => setAsked({ reason: "another", accountId })}
      onNew={creation.begin}
      onLeave={() => void leave(accountId)}
    />
  );
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

/** The code of the one-time link that was opened; null: none, or it was used. */
function useLinkCode() {
  const [code, setCode] = useState(linkCode);
  // A link that is opened in this tab may change nothing but the code, and then loads no page.
  useEffect(() => {
    const opened = () => {
      const given = takeSignInCode();
      if (given !== null) setCode(given);
    };
    addEventListener("hashchange", opened);
    return () => removeEventListener("hashchange", opened);
  }, []);
  return [code, setCode] as const;
}

/** Ends a session. A person who leaves a shared machine must know when it has not ended. */
async function hasEnded(accountId: string): Promise<boolean> {
  try {
    await signOut(accountId);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    if (error.status === 401) return true; // it had before
    announce(`You are still signed in. ${error.message}`);
    return false;
  }
  return true;
}
