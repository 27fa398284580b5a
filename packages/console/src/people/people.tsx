import type {
  CreatedInvitationResponse,
  ListedInvitation,
  ListedKey,
  ListedPerson,
  PeopleResponse,
  Role,
} from "@sightline/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Account, useAccount, useScope } from "../data/account.ts";
import { dateText } from "../data/format.ts";
import { useManaged } from "../data/managed.ts";
import { personQuery } from "../data/person.ts";
import { type Reply, repliesOf } from "../data/queries.ts";
import { Button } from "../parts/button.tsx";
import { inputClass } from "../parts/fields.tsx";
import { SecretDialog } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { Missing } from "../parts/refused.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Tag } from "../parts/tag.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import css from "./people.module.css";
import { RemoveDialog, RoleDialog, WithdrawDialog } from "./person-dialogs.tsx";
import { roleNames } from "./role-texts.ts";

/** What is asked about somebody before it is done. */
type Question =
  | { readonly of: "role"; readonly person: ListedPerson; readonly role: Role }
  | { readonly of: "removal"; readonly person: ListedPerson }
  | { readonly of: "invitation"; readonly invitation: ListedInvitation };

/** The people of the account, and its open invitations. */
export function People() {
  const mayInvite = useScope("people");
  const people = usePeople(mayInvite);
  const refetch = useRefetch();
  const [isInviting, setInviting] = useState(false);
  const [created, setCreated] = useState<CreatedInvitationResponse | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  if (!mayInvite) return <Missing scope="people" what="Seeing and inviting people" />;
  return (
    <>
      <Panel
        title="People"
        query={people}
        flush
        tools={
          <Button icon="plus" onClick={() => setInviting(true)}>
            Invite
          </Button>
        }
        emptyOf={({ people: list }) => (list.length === 0 ? empty : null)}
      >
        {({ people: list }) => <PeopleTable list={list} onAsk={setQuestion} />}
      </Panel>
      <Panel
        title="Open invitations"
        query={people}
        flush
        minHeight={0}
        emptyOf={({ invitations }) => (invitations.length === 0 ? nobodyInvited : null)}
      >
        {({ invitations }) => <InvitationTable list={invitations} onAsk={setQuestion} />}
      </Panel>
      {isInviting ? (
        <InviteDialog
          onCreated={(invitation) => {
            setInviting(false);
            setCreated(invitation);
            refetch();
          }}
          onClose={() => setInviting(false)}
        />
      ) : null}
      {created === null ? null : (
        <AddressDialog invitation={created} onClose={() => setCreated(null)} />
      )}
      {question === null ? null : (
        <Asked question={question} onDone={refetch} onClose={() => setQuestion(null)} />
      )}
    </>
  );
}

/** The people and invitations; not asked for without the scope `people`. */
function usePeople(enabled: boolean): Reply<PeopleResponse> {
  const ask = ({ client }: Account, signal: AbortSignal) => client.people.list({ signal });
  return useManaged({ name: "people", ask, enabled });
}

/** After a change: who changed themselves may do other things from now on. */
function useRefetch(): () => void {
  const account = useAccount();
  const queries = useQueryClient();
  return () => {
    for (const name of ["people", "keys", "session"]) {
      void queries.invalidateQueries({ queryKey: repliesOf(account, name) });
    }
    void queries.invalidateQueries({ queryKey: personQuery.queryKey });
  };
}

const empty = {
  title: "Nobody belongs to this account yet",
  text: "People sign in under their own name, each with a role. Keys stay for programs.",
};

const nobodyInvited = {
  title: "No invitation is open",
  text: "An invitation is listed here until it is accepted, withdrawn, or too old.",
};

interface PeopleTableProps {
  readonly list: readonly ListedPerson[];
  readonly onAsk: (question: Question) => void;
}

function PeopleTable({ list, onAsk }: PeopleTableProps) {
  const ownId = useAccount().session?.person?.id;
  const columns: readonly Column<ListedPerson>[] = [
    {
      key: "name",
      title: "Name",
      cell: ({ personId, name, email }) => (
        <>
          <div>
            {name} {personId === ownId ? <Tag>you</Tag> : null}
          </div>
          <div className={css["email"]}>{email}</div>
        </>
      ),
    },
    {
      key: "role",
      title: "Role",
      cell: (person) => (
        <RoleSelect person={person} onChoose={(role) => onAsk({ of: "role", person, role })} />
      ),
    },
    {
      key: "seen",
      title: "Last seen",
      drops: 2,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <span className="quiet">never</span>
        ) : (
          dateText(lastSeenAt, "instant")
        ),
    },
    { key: "joined", title: "Joined", drops: 1, cell: ({ joinedAt }) => dateText(joinedAt) },
    {
      key: "remove",
      title: <span className="visually-hidden">Remove</span>,
      figure: true,
      drops: 3,
      cell: (person) => (
        <Button
          aria-label={`Remove ${person.name}`}
          onClick={() => onAsk({ of: "removal", person })}
        >
          Remove
        </Button>
      ),
    },
  ];
  const keyOf = ({ personId }: ListedPerson) => personId;
  return <Table caption="People, by e-mail address" rows={list} keyOf={keyOf} columns={columns} />;
}

interface RoleSelectProps {
  readonly person: ListedPerson;
  readonly onChoose: (role: Role) => void;
}

/** Shows the role that the service says: what is chosen is asked about first. */
function RoleSelect({ person: { name, role }, onChoose }: RoleSelectProps) {
  return (
    <select
      className={`${inputClass} ${css["role"]}`}
      aria-label={`Role of ${name}`}
      value={role}
      onChange={({ target }) => {
        const chosen = roleNames.find((each) => each === target.value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      {roleNames.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
  );
}

interface InvitationTableProps {
  readonly list: readonly ListedInvitation[];
  readonly onAsk: (question: Question) => void;
}

function InvitationTable({ list, onAsk }: InvitationTableProps) {
  return (
    <Table
      caption="Open invitations, newest first"
      rows={list}
      keyOf={({ invitationId }) => invitationId}
      columns={[
        {
          key: "email",
          title: "E-mail",
          cell: ({ email }) => <span className={css["address"]}>{email}</span>,
        },
        { key: "role", title: "Role", cell: ({ role }) => role },
        { key: "by", title: "Invited by", drops: 1, cell: ({ invitedBy }) => invitedBy },
        {
          key: "until",
          title: "Valid until",
          drops: 2,
          cell: ({ expiresAt }) => dateText(expiresAt, "instant"),
        },
        {
          key: "withdraw",
          title: <span className="visually-hidden">Withdraw</span>,
          figure: true,
          drops: 3,
          cell: (invitation) => (
            <Button
              aria-label={`Withdraw the invitation of ${invitation.email}`}
              onClick={() => onAsk({ of: "invitation", invitation })}
            >
              Withdraw
            </Button>
          ),
        },
      ]}
    />
  );
}

interface AskedProps {
  readonly question: Question;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function Asked({ question, onDone, onClose }: AskedProps) {
  const mayList = useScope("manage");
  const keys = useManaged<readonly ListedKey[]>({
    name: "keys",
    enabled: mayList,
    ask: ({ client }, signal) => client.keys.list({ signal }),
  });
  const then = { onDone, onClose };
  if (question.of === "invitation") {
    return <WithdrawDialog invitation={question.invitation} {...then} />;
  }
  const { person } = question;
  // Without the list, the dialog says that there may be keys.
  const own = keys.data?.filter((key) => key.person === person.name) ?? null;
  if (question.of === "removal") return <RemoveDialog person={person} keys={own} {...then} />;
  return <RoleDialog person={person} role={question.role} keys={own} {...then} />;
}

interface AddressDialogProps {
  readonly invitation: CreatedInvitationResponse;
  readonly onClose: () => void;
}

/** The address of an invitation, this once. */
function AddressDialog({ invitation: { email, address }, onClose }: AddressDialogProps) {
  return (
    <SecretDialog
      title={`The invitation of ${email}`}
      intro={
        `Send this address to ${email}, and to nobody else: the first to open it takes the ` +
        "invitation. Sightline sends nothing, and shows it only once."
      }
      // Without a public address of the service it begins at the root: of the one that is open.
      secret={new URL(address, location.origin).href}
      onClose={onClose}
    />
  );
}
