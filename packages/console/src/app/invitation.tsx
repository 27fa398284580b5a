import { useEffect, useState } from "react";
import { dateText } from "../data/format.ts";
import { acceptInvitation, invitationOf, type ShownInvitation } from "../data/joining.ts";
import { type SignedIn, usePerson } from "../data/person.ts";
import { SessionError } from "../data/session.ts";
import { Button } from "../parts/button.tsx";
import { Worded } from "../parts/worded.tsx";
import { roleTexts } from "../people/role-texts.ts";
import { ProviderLink } from "./provider-link.tsx";
import css from "./sign-in.module.css";

interface InvitationCardProps {
  readonly code: string;
  /** The name of the provider; null: none is set. */
  readonly provider: string | null;
  readonly onPerson: (signedIn: SignedIn, accountId: string) => void;
  /** Goes to the form that takes a key. */
  readonly onKey: () => void;
}

/** What an invitation offers, and the button that accepts it. */
export function InvitationCard({ code, provider, onPerson, onKey }: InvitationCardProps) {
  const { invitation, fault } = useInvitation(code);
  if (fault !== null) {
    return (
      <>
        <h1>This invitation does not work</h1>
        <p>
          <Worded text={fault} />
        </p>
        <Button className={css["way"]} onClick={onKey}>
          Sign in another way
        </Button>
      </>
    );
  }
  if (invitation === null) return <div className={css["waiting"]} aria-busy="true" />;
  return (
    <>
      <h1>Join {invitation.account.name}</h1>
      <p>
        {invitation.invitedBy} invites you to this account, where you see how AI assistants speak of
        a brand.
      </p>
      <dl className={css["facts"]}>
        <dt>For</dt>
        <dd>{invitation.email}</dd>
        <dt>Role</dt>
        <dd>
          {invitation.role}: {roleTexts[invitation.role]}
        </dd>
        <dt>Valid until</dt>
        <dd>{dateText(invitation.expiresAt, "instant")}</dd>
      </dl>
      <Acceptance {...{ code, provider, invitation, onPerson }} />
    </>
  );
}

interface AcceptanceProps extends Pick<InvitationCardProps, "code" | "provider" | "onPerson"> {
  readonly invitation: ShownInvitation;
}

/** A person that is known here proves it first; a new one says a name. */
function Acceptance({ code, provider, invitation, onPerson }: AcceptanceProps) {
  const { account, email, isNew } = invitation;
  const signedIn = usePerson()?.person ?? null;
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (!isNew && signedIn?.email !== email) return <KnownElsewhere {...{ email, provider }} />;
  const accept = async () => {
    setBusy(true);
    setFault(null);
    try {
      onPerson(await acceptInvitation(code, isNew ? name.trim() : null), account.id);
    } catch (error) {
      setBusy(false);
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      className={css["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void accept();
      }}
    >
      {isNew ? (
        <>
          <label htmlFor="name">Your name</label>
          <input
            id="name"
            className={css["words"]}
            autoComplete="name"
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: the page's one field
            autoFocus
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </>
      ) : null}
      {isNew && signedIn !== null ? (
        <p className="small quiet">
          {signedIn.name} ({signedIn.email}) is signed in, and will be signed out.
        </p>
      ) : null}
      {fault === null ? null : (
        <p className={css["error"]} role="alert">
          <Worded text={fault} />
        </p>
      )}
      <Button
        kind="primary"
        type="submit"
        disabled={isBusy || (isNew && name.trim() === "")}
        data-accept
      >
        {isBusy ? "Joining …" : "Accept"}
      </Button>
    </form>
  );
}

interface KnownElsewhereProps {
  readonly email: string;
  readonly provider: string | null;
}

/** An invitation proves no address: the person that is known by it has to be signed in. */
function KnownElsewhere({ email, provider }: KnownElsewhereProps) {
  return (
    <>
      <p className={css["way"]}>
        Somebody is known here as {email}. Sign in as that person first, then open the address of
        the invitation again.
      </p>
      {provider === null ? (
        <p className={css["hint"]}>
          <Worded text={`No session? \`sightline people link ${email}\` prints a link.`} />
        </p>
      ) : (
        <ProviderLink name={provider} />
      )}
    </>
  );
}

function useInvitation(code: string) {
  const [invitation, setInvitation] = useState<ShownInvitation | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    setInvitation(null);
    setFault(null);
    invitationOf(code).then(
      (shown) => isWanted && setInvitation(shown),
      (error: unknown) => isWanted && setFault(faultText(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [code]);
  return { invitation, fault };
}

function faultText(error: unknown): string {
  // 400: the link was cut, and says no code.
  if (error instanceof SessionError && error.status !== 400) return error.message;
  return "The address was cut. Open it whole, as it was sent.";
}
