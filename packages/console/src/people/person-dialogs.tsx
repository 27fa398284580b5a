import type {
  ChangedPersonResponse,
  ListedInvitation,
  ListedKey,
  ListedPerson,
  Role,
} from "@sightline/client";
import { countOf } from "../data/format.ts";
import { useChange } from "../data/managed.ts";
import { ConfirmDialog } from "../parts/form-dialog.tsx";
import { Refused } from "../parts/refused.tsx";
import { announce } from "../parts/save.ts";
import { endedKeys } from "./ended-keys.ts";
import css from "./people.module.css";
import { aRole, roleTexts } from "./role-texts.ts";

interface DialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface PersonDialogProps extends DialogProps {
  readonly person: ListedPerson;
  /** The person's; null: this session may not list keys. */
  readonly keys: readonly ListedKey[] | null;
}

interface RoleDialogProps extends PersonDialogProps {
  readonly role: Role;
}

/** Asks before somebody gets another role: a choice from a list is made by a key too. */
export function RoleDialog({ person, role, keys, onDone, onClose }: RoleDialogProps) {
  const { failure, run } = useChange(async ({ client }) => {
    const changed = await client.people.changeRole(person.personId, role);
    onDone();
    onClose();
    announce(`${person.name} is now ${aRole(role)}.${revokedText(changed)}`);
  });
  return (
    <ConfirmDialog
      title={`Make ${person.name} ${aRole(role)}?`}
      action="Change role"
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        {person.name} is {aRole(person.role)}. From the next call on, the person {roleTexts[role]}.
      </p>
      <Keys of={keys === null ? null : endedKeys(keys, role)} why="may do more than the role" />
      {mayShare(person.role) && !mayShare(role) && <p>{linksEnd}</p>}
      <Refused error={failure} />
    </ConfirmDialog>
  );
}

/** Asks before somebody is removed. */
export function RemoveDialog({ person, keys, onDone, onClose }: PersonDialogProps) {
  const { failure, run } = useChange(async ({ client }) => {
    const removed = await client.people.remove(person.personId);
    onDone();
    onClose();
    announce(`${person.name} is removed.${revokedText(removed)}`);
  });
  return (
    <ConfirmDialog
      title={`Remove ${person.name}?`}
      action="Remove"
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        {person.email} sees nothing of this account any more, from the next call on. Other accounts
        of the person are not touched.
      </p>
      <Keys of={keys === null ? null : endedKeys(keys, null)} why="belong to the person" />
      {mayShare(person.role) && <p>{linksEnd}</p>}
      <Refused error={failure} />
    </ConfirmDialog>
  );
}

const linksEnd = "Share links that the person made are revoked, for good.";

function mayShare(role: Role): boolean {
  return role === "manager" || role === "owner";
}

interface KeysProps {
  /** Null: not known. */
  readonly of: readonly ListedKey[] | null;
  /** Why they end. */
  readonly why: string;
}

function Keys({ of, why }: KeysProps) {
  if (of === null) return <p className="quiet">Keys that {why} are revoked too.</p>;
  if (of.length === 0) return <p className="quiet">No key ends with it.</p>;
  return (
    <div>
      <p>
        {countOf(of.length, "key")} {why}, and {of.length === 1 ? "is" : "are"} revoked:
      </p>
      <ul className={css["keys"]}>
        {of.map(({ keyId, name }) => (
          <li key={keyId}>{name || keyId}</li>
        ))}
      </ul>
    </div>
  );
}

function revokedText({ revokedKeys }: ChangedPersonResponse): string {
  return revokedKeys.length === 0 ? "" : ` ${countOf(revokedKeys.length, "key")} revoked.`;
}

interface WithdrawDialogProps extends DialogProps {
  readonly invitation: ListedInvitation;
}

/** Asks before an invitation is withdrawn. */
export function WithdrawDialog({ invitation, onDone, onClose }: WithdrawDialogProps) {
  const { failure, run } = useChange(async ({ client }) => {
    await client.people.withdraw(invitation.invitationId);
    onDone();
    onClose();
    announce("Withdrawn.");
  });
  return (
    <ConfirmDialog
      title="Withdraw this invitation?"
      action="Withdraw"
      onConfirm={run}
      onClose={onClose}
    >
      <p>The address that {invitation.email} got accepts nothing any more.</p>
      <Refused error={failure} />
    </ConfirmDialog>
  );
}
