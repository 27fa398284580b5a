import type { WorkspaceFile } from "@sightline/client";
import { useEffect, useState } from "react";
import { NewAccount } from "../accounts/new-account.tsx";
import { clientOf } from "../data/account.ts";
import { rememberAccount } from "../data/accounts.ts";
import { dropFragment } from "../data/address.ts";
import { checkFirstRun, createFirstAccount, type NewSession, signIn } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { Worded } from "../parts/worded.tsx";
import { Logo } from "./logo.tsx";
import css from "./sign-in.module.css";

interface NewAccountPageProps {
  /** What allows another account: the code of a link for the first, or an account's session. */
  readonly by: { readonly code: string } | { readonly accountId: string };
  readonly onDone: (session: NewSession) => void;
  readonly onBack: (() => void) | null;
  /** Goes to the form that takes a key, when a link is no longer valid. */
  readonly onSignIn: () => void;
}

/** The page that creates an account. */
export function NewAccountPage({ by, onDone, onBack, onSignIn }: NewAccountPageProps) {
  const fault = useLinkFault("code" in by ? by.code : null);
  const create = async (file: WorkspaceFile): Promise<NewSession> => {
    const session = await ("code" in by ? createFirstAccount(by.code, file) : another(by, file));
    // From here on a reload leads to the account's pages.
    dropFragment();
    rememberAccount(session.account);
    return session;
  };
  return (
    <main className={css["page"]}>
      <div className={`${css["card"]} ${css["wide"]}`} aria-busy={fault === undefined}>
        <Logo />
        {fault === undefined ? null : fault === null ? (
          <NewAccount create={create} onDone={onDone} onBack={onBack} />
        ) : (
          <>
            <h1>This link no longer works</h1>
            <p>
              <Worded text={fault} />
            </p>
            <Button kind="primary" className={css["way"]} onClick={onSignIn}>
              Sign in with a key
            </Button>
          </>
        )}
      </div>
    </main>
  );
}

/** Another account, to which this browser signs in with its key. */
async function another(
  { accountId }: { readonly accountId: string },
  file: WorkspaceFile,
): Promise<NewSession> {
  const { key } = await clientOf(accountId).createAccount(file);
  return { ...(await signIn({ key: key.key })), key: key.key };
}

/** Why a link is not valid; null: it is, or there is none; undefined: that is not known yet. */
function useLinkFault(code: string | null): string | null | undefined {
  const [fault, setFault] = useState<string | null | undefined>(code === null ? null : undefined);
  useEffect(() => {
    if (code === null) return;
    let isWanted = true;
    checkFirstRun(code).then(
      () => isWanted && setFault(null),
      (error: unknown) => isWanted && setFault(error instanceof Error ? error.message : `${error}`),
    );
    return () => {
      isWanted = false;
    };
  }, [code]);
  return fault;
}
