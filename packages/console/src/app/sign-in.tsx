import { useEffect, useState } from "react";
import { allAccounts } from "../data/accounts.ts";
import type { OpenedLink } from "../data/address.ts";
import { mailLink, openPersonLink, type WaysIn, waysIn } from "../data/joining.ts";
import { type SignedIn, usePerson } from "../data/person.ts";
import { isWithoutAccounts, type Session, SessionError, signIn } from "../data/session.ts";
import { changeView } from "../data/use-view.ts";
import { plainView } from "../data/view.ts";
import { Button } from "../parts/button.tsx";
import { Worded } from "../parts/worded.tsx";
import { InvitationCard } from "./invitation.tsx";
import { Logo } from "./logo.tsx";
import { ProviderLink } from "./provider-link.tsx";
import css from "./sign-in.module.css";

/** Why somebody is asked to sign in. */
export type SignInReason = "first" | "ended" | "shared" | "another";

interface SignInProps {
  /** The link that was opened; null: none was. */
  readonly link: OpenedLink | null;
  readonly reason: SignInReason;
  readonly onSession: (session: Session) => void;
  /** A person is signed in; `accountId`: of the account to show, if it is one of theirs. */
  readonly onPerson: (signedIn: SignedIn, accountId?: string) => void;
  /** The code signs nobody in, or no longer. */
  readonly onCodeRefused: (fault: string) => void;
  /** The link is not wanted any more. */
  readonly onDropped: () => void;
  /** Returns to the account's pages; null: there are none to return to. */
  readonly onBack: (() => void) | null;
}

const sharedText =
  "This link leads to a page of an account on Sightline, where brands see how AI assistants " +
  "speak of them. Somebody shared it; ";

const texts: Readonly<Record<SignInReason, readonly [title: string, text: string]>> = {
  first: ["Sign in", "With a key of the account that you want to see."],
  ended: ["Sign in again", "Your session has ended. You return to the page that you were on."],
  shared: [
    "Sign in to see this page",
    `${sharedText}it opens with a key of that account. Ask for a key where you got the link, and ` +
      "the page opens as it was shared.",
  ],
  another: ["Add an account", "With a key of the other account. This one stays signed in."],
};

/** Where a provider signs people in. */
const personTexts: Partial<Record<SignInReason, string>> = {
  first: "Under your own name, or with a key of the account that you want to see.",
  shared: `${sharedText}it opens for people of that account, and with a key of it.`,
};

/** Why a provider signed nobody in. */
const refusals: Readonly<Record<string, string>> = {
  "provider-away":
    "The provider that signs people in cannot be reached. Try again in a minute, or sign in " +
    "another way.",
  "provider-refused":
    "The provider did not sign you in: it was cancelled, took longer than ten minutes, or began " +
    "in another browser. Try again.",
  "not-vouched":
    "The provider does not vouch for your e-mail address. Verify the address there, or ask for a " +
    "link that signs you in.",
  "not-invited":
    "The provider knows you, but no account here has invited your e-mail address. Ask an owner " +
    "of the account to invite it.",
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

/** Why a link signed nobody in. Anybody writes addresses: their words are never shown. */
function refusedText(link: OpenedLink | null): string | null {
  if (link?.kind !== "refused") return null;
  return link.fault ?? (Object.hasOwn(refusals, link.code) ? (refusals[link.code] ?? null) : null);
}

/** The ways of people, as soon as they are known. */
function useWaysIn(): WaysIn {
  const [ways, setWays] = useState<WaysIn>({ provider: null, mail: false });
  useEffect(() => {
    // A failure takes ways away and says nothing new.
    waysIn().then(setWays, () => undefined);
  }, []);
  return ways;
}

/** The page that signs in: with an invitation, a link, a provider, or a static key. */
export function SignIn(props: SignInProps) {
  const { link, onPerson, onBack } = props;
  const { provider, mail } = useWaysIn();
  return (
    <main className={css["page"]}>
      <div className={css["card"]}>
        <Logo />
        {link?.kind === "invitation" ? (
          <InvitationCard
            code={link.code}
            provider={provider}
            onPerson={onPerson}
            onKey={props.onDropped}
          />
        ) : (
          <Ways {...props} provider={provider} mail={mail} />
        )}
        {onBack === null ? null : (
          <Button kind="plain" className={css["way"]} onClick={onBack}>
            Back
          </Button>
        )}
      </div>
    </main>
  );
}

interface WaysProps extends SignInProps, WaysIn {}

function Ways(props: WaysProps) {
  const { link, reason, onSession, onPerson, onCodeRefused, provider, mail } = props;
  const isCode = link !== null && link.kind !== "refused";
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(isCode);
  const isEmpty = useEmptyService(!isCode);
  const refusal = usePerson()?.refusal;
  const [title, text] = isEmpty ? emptyTexts : texts[reason];
  const isAsked = !isCode && !isEmpty;
  const hasProvider = provider !== null && reason !== "another";
  const hasMail = mail && reason !== "another";

  const enter = async (proof: { readonly key: string } | OpenedLink) => {
    setBusy(true);
    setFault(null);
    try {
      if ("key" in proof) onSession(await signIn(proof));
      else if (proof.kind === "person") onPerson(await openPersonLink(proof.code));
      else onSession(await signIn({ code: proof.code }));
    } catch (error) {
      setBusy(false);
      if ("code" in proof) onCodeRefused(faultText(error, true));
      else setFault(faultText(error, false));
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is good for one call
  useEffect(() => {
    if (link !== null && isCode) void once(link, enter);
  }, [link]);

  return (
    <>
      <h1>{isCode ? "Signing in" : title}</h1>
      {isCode ? (
        <p>The link's code is exchanged for a session.</p>
      ) : (
        <p>
          <Worded
            text={((hasProvider || hasMail) && !isEmpty ? personTexts[reason] : undefined) ?? text}
          />
        </p>
      )}
      <Told text={refusedText(link) ?? refusal ?? null} />
      {isAsked && hasProvider ? <ProviderLink name={provider} /> : null}
      {isAsked && hasMail ? <MailLink /> : null}
      {isAsked && (hasProvider || hasMail) ? <p className={css["or"]}>or with a key</p> : null}
      {isAsked ? (
        <KeyForm isBusy={isBusy} fault={fault} isAlone={!hasProvider && !hasMail} onKey={enter} />
      ) : null}
      {reason === "ended" || reason === "shared" ? <OtherAccounts /> : null}
      <p className={css["hint"]}>{isEmpty ? emptyHint : hintOf(reason)}</p>
    </>
  );
}

/** Why somebody who tried is not signed in. */
function Told({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p className={css["error"]} role="alert">
      <Worded text={text} />
    </p>
  );
}

interface KeyFormProps {
  readonly isBusy: boolean;
  readonly fault: string | null;
  /** It is the only way in: it has the focus. */
  readonly isAlone: boolean;
  readonly onKey: (proof: { readonly key: string }) => Promise<void>;
}

function KeyForm({ isBusy, fault, isAlone, onKey }: KeyFormProps) {
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
        autoFocus={isAlone}
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <Told text={fault} />
      <Button
        kind={isAlone ? "primary" : "normal"}
        type="submit"
        disabled={isBusy || key.trim() === ""}
      >
        {isBusy ? "Signing in …" : "Sign in"}
      </Button>
    </form>
  );
}

/** More are found by the account's menu. */
const othersMax = 8;

/** Accounts that may still be signed in, when one has ended. */
function OtherAccounts() {
  const current = new URLSearchParams(location.search).get("account");
  const others = allAccounts(usePerson()?.accounts ?? []).filter(({ id }) => id !== current);
  if (others.length === 0) return null;
  return (
    <div className={css["accounts"]}>
      {others.slice(0, othersMax).map(({ id, name }) => (
        <Button key={id} kind="plain" onClick={() => changeView({ ...plainView, account: id })}>
          Go to {name ?? id}
        </Button>
      ))}
    </div>
  );
}

const usedCodes = new Set<string>();

/** Uses a code a single time, however often a component is drawn. */
async function once(link: OpenedLink, enter: (link: OpenedLink) => Promise<void>): Promise<void> {
  if (usedCodes.has(link.code)) return;
  usedCodes.add(link.code);
  await enter(link);
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

/** Has a link mailed that signs in once. */
function MailLink() {
  const [email, setEmail] = useState("");
  const [told, setTold] = useState<string | null>(null);
  const send = async () => {
    try {
      await mailLink(email.trim());
      setTold("If somebody is known here by this address, a link is on its way.");
    } catch (error) {
      setTold(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      className={css["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label htmlFor="email">E-mail address</label>
      <input
        id="email"
        className={css["words"]}
        type="email"
        required
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <Button type="submit">Mail me a link</Button>
      {told === null ? null : <p role="status">{told}</p>}
    </form>
  );
}
