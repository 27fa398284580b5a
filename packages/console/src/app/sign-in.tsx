import { useEffect, useState } from "react";
import { knownAccounts } from "../data/accounts.ts";
import { isWithoutAccounts, type Session, SessionError, signIn } from "../data/session.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { Button } from "../parts/button.tsx";
import { Worded } from "../parts/worded.tsx";
import { Logo } from "./logo.tsx";
import css from "./sign-in.module.css";

/** Why somebody is asked to sign in. */
export type SignInReason = "first" | "ended" | "shared" | "another";

interface SignInProps {
  /** Of a one-time link; null: a key is asked for. */
  readonly code: string | null;
  readonly reason: SignInReason;
  readonly onSession: (session: Session) => void;
  /** The code signs nobody in, or no longer. */
  readonly onCodeRefused: () => void;
  /** Returns to the account's pages; null: there are none to return to. */
  readonly onBack: (() => void) | null;
}

const texts: Readonly<Record<SignInReason, readonly [title: string, text: string]>> = {
  first: ["Sign in", "With a key of the account that you want to see."],
  ended: ["Sign in again", "Your session has ended. You return to the page that you were on."],
  shared: [
    "Sign in to see this page",
    "This link leads to a page of an account on Sightline, where brands see how AI assistants " +
      "speak of them. Somebody shared it; it opens with a key of that account. Ask for a key " +
      "where you got the link, and the page opens as it was shared.",
  ],
  another: ["Add an account", "With a key of the other account. This one stays signed in."],
};

const emptyTexts: readonly [title: string, text: string] = [
  "This service has no account yet",
  "Open the link that `sightline serve` printed when it started. It ends in /#first-run=… and " +
    "names your brand.",
];

const emptyHint = (
  <Worded
    text={
      "No link at hand, or is it older than an hour? `sightline keys link` prints another one, " +
      "and so does a restart. `sightline apply` creates accounts from files."
    }
  />
);

const keptText =
  "The key goes to this service alone and is kept nowhere: a cookie holds the session, which no " +
  "script can read.";

const keyHint = (
  <Worded
    text={`${keptText} \`sightline keys create\` makes a key, \`sightline demo\` prints a link.`}
  />
);

/** Those whom a page was shared with need no commands: they ask for a key. */
const hintOf = (reason: SignInReason) => (reason === "shared" ? keptText : keyHint);

/** Whether the service has no account, so that no key signs in; false until that is known. */
function useEmptyService(isAsked: boolean): boolean {
  const [isEmpty, setEmpty] = useState(false);
  useEffect(() => {
    // A failure says nothing new: the form is there.
    if (isAsked) isWithoutAccounts().then(setEmpty, () => undefined);
  }, [isAsked]);
  return isEmpty;
}

/** The page that signs in with a static key, or with the code of a one-time link. */
export function SignIn(props: SignInProps) {
  const { code, reason, onSession, onCodeRefused, onBack } = props;
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(code !== null);
  const isEmpty = useEmptyService(code === null);
  const [title, text] = isEmpty ? emptyTexts : texts[reason];

  const enter = async (proof: { readonly key: string } | { readonly code: string }) => {
    setBusy(true);
    setFault(null);
    try {
      onSession(await signIn(proof));
    } catch (error) {
      setBusy(false);
      setFault(faultText(error, "code" in proof));
      if ("code" in proof) onCodeRefused();
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is good for one call
  useEffect(() => {
    if (code !== null) void once(code, enter);
  }, [code]);

  return (
    <main className={css["page"]}>
      <div className={css["card"]}>
        <Logo />
        <h1>{code === null ? title : "Signing in"}</h1>
        <p>
          {code === null ? <Worded text={text} /> : "The link's code is exchanged for a session."}
        </p>
        {code === null && !isEmpty ? <KeyForm isBusy={isBusy} fault={fault} onKey={enter} /> : null}
        {reason === "ended" || reason === "shared" ? <OtherAccounts /> : null}
        {onBack === null ? null : (
          <Button kind="plain" onClick={onBack}>
            Back
          </Button>
        )}
        <p className={css["hint"]}>{isEmpty ? emptyHint : hintOf(reason)}</p>
      </div>
    </main>
  );
}

interface KeyFormProps {
  readonly isBusy: boolean;
  readonly fault: string | null;
  readonly onKey: (proof: { readonly key: string }) => Promise<void>;
}

function KeyForm({ isBusy, fault, onKey }: KeyFormProps) {
  const [key, setKey] = useState("");
  return (
    <form
      className={css["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "" && !isBusy) void onKey({ key: key.trim() });
      }}
    >
      <label htmlFor="key">Key</label>
      <input
        id="key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="sl_…"
        // biome-ignore lint/a11y/noAutofocus: the page's one field
        autoFocus
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      {fault === null ? null : (
        <p className={css["error"]} role="alert">
          <Worded text={fault} />
        </p>
      )}
      <Button kind="primary" type="submit" disabled={isBusy || key.trim() === ""}>
        {isBusy ? "Signing in …" : "Sign in"}
      </Button>
    </form>
  );
}

/** Accounts that may still be signed in, when one has ended. */
function OtherAccounts() {
  const current = new URLSearchParams(location.search).get("account");
  const others = knownAccounts().filter(({ id }) => id !== current);
  if (others.length === 0) return null;
  return (
    <div className={css["accounts"]}>
      {others.map(({ id, name }) => (
        <Button key={id} kind="plain" onClick={() => changeView({ ...plainView, account: id })}>
          Go to {name ?? id}
        </Button>
      ))}
    </div>
  );
}

const usedCodes = new Set<string>();

/** Uses a code a single time, however often a component is drawn. */
async function once(
  code: string,
  enter: (proof: { readonly code: string }) => Promise<void>,
): Promise<void> {
  if (usedCodes.has(code)) return;
  usedCodes.add(code);
  await enter({ code });
}

function faultText(error: unknown, isCode: boolean): string {
  if (!(error instanceof SessionError)) return String(error);
  // 400: the link was cut, and no longer says a code.
  if (isCode && [400, 401].includes(error.status)) {
    return "The link has been used or is too old. Sign in with a key, or print another link.";
  }
  // The service would repeat what it refuses, and a mistyped key must not be shown.
  if (error.status === 400) return "This is not a key. A key begins with sl_ and has no spaces.";
  return error.message;
}
