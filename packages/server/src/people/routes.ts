import {
  type ChangedPersonResponse,
  type CreatedInvitationResponse,
  dayMs,
  durationMs,
  invitationDays,
  invitationRequestSchema,
  type ListedInvitation,
  type ListedPerson,
  type PeopleResponse,
  quoted,
  type Role,
  roleRequestSchema,
  type Scope,
  scopesOfRole,
} from "@sightline/contract";
import { actingFor } from "../control/control-engine.ts";
import { validated } from "../http/body.ts";
import { type Change, declared, jsonReply, type List, type Operation } from "../http/operation.ts";
import { ServiceError } from "../platform/service-error.ts";
import { type Invitation, invitationsOf, invite, withdrawInvitation } from "./invitation-store.ts";
import { type ChangedMember, changeRole } from "./memberships.ts";
import type { PeopleServices } from "./people-services.ts";
import { type Member, membersOf } from "./person-store.ts";

/** The longest life of an invitation. */
const invitationMsMax = 30 * dayMs;

const peopleRoute: List<PeopleServices> = {
  ...declared("people"),
  kind: "list",
  reply: async ({ control, clock }, { caller: { accountId } }) => {
    const people = await membersOf(control, accountId);
    const invitations = await invitationsOf(control, accountId, clock.now());
    return jsonReply({
      people: people.map(listedPerson),
      invitations: invitations.map(listedInvitation),
    } satisfies PeopleResponse);
  },
};

const invitePersonRoute: Change<PeopleServices> = {
  ...declared("invitePerson"),
  kind: "change",
  reply: async ({ control, clock, config }, { caller, actor, body }) => {
    const { email, role, expiresIn } = validated(invitationRequestSchema, body);
    refuseMore(role, caller.scopes);
    const lifeMs = expiresIn === undefined ? invitationDays * dayMs : (durationMs(expiresIn) ?? 0);
    if (lifeMs > invitationMsMax) throw tooLong(expiresIn ?? "");
    const asked = { email, role, expiresAt: clock.now() + lifeMs };
    const engine = actingFor(control, actor);
    const { invitation, code } = await invite(engine, caller.accountId, asked, clock.now());
    const address = invitationAddress(config.publicUrl, code);
    const reply = { ...listedInvitation(invitation), address };
    return jsonReply(reply satisfies CreatedInvitationResponse);
  },
};

/** The page that accepts an invitation. The code is in the fragment, which no server ever sees. */
function invitationAddress(publicUrl: string | null, code: string): string {
  return `${publicUrl ?? ""}/#invitation=${code}`;
}

const withdrawInvitationRoute: Change<PeopleServices> = {
  ...declared("withdrawInvitation"),
  kind: "change",
  reply: async ({ control, clock }, { caller, actor, parameters }) => {
    const { invitationId = "" } = parameters;
    const engine = actingFor(control, actor);
    const asked = { invitationId, now: clock.now() };
    const withdrawn = await withdrawInvitation(engine, caller.accountId, asked);
    if (withdrawn !== null) return jsonReply(listedInvitation(withdrawn));
    const what = `No open invitation of this account has the id ${quoted(invitationId)}.`;
    throw new ServiceError("not_found", what);
  },
};

const changeRoleRoute: Change<PeopleServices> = {
  ...declared("changeRole"),
  kind: "change",
  reply: async ({ control, clock }, { caller, actor, parameters, body }) => {
    const { role } = validated(roleRequestSchema, body);
    refuseMore(role, caller.scopes);
    const { personId = "" } = parameters;
    const asked = { personId, role, now: clock.now() };
    return changedReply(await changeRole(actingFor(control, actor), caller.accountId, asked), {
      personId,
    });
  },
};

const removePersonRoute: Change<PeopleServices> = {
  ...declared("removePerson"),
  kind: "change",
  reply: async ({ control, members, clock }, { caller, actor, parameters }) => {
    const { personId = "" } = parameters;
    const asked = { personId, now: clock.now() };
    const by = actingFor(control, actor);
    return changedReply(await members.remove(by, caller.accountId, asked), { personId });
  },
};

function changedReply(changed: ChangedMember | null, { personId }: { readonly personId: string }) {
  if (changed === null) {
    throw new ServiceError(
      "not_found",
      `No person of this account has the id ${quoted(personId)}.`,
    );
  }
  const { member, revokedKeys } = changed;
  const reply = { ...listedPerson(member), revokedKeys: [...revokedKeys] };
  return jsonReply(reply satisfies ChangedPersonResponse);
}

/** Nobody gives a role that may do what they may not. @throws ServiceError scope_missing. */
function refuseMore(role: Role, held: readonly Scope[]): void {
  const missing = scopesOfRole[role].find((scope) => !held.includes(scope));
  if (missing === undefined) return;
  throw new ServiceError(
    "scope_missing",
    `A role gets no scope that its giver lacks: ${role} needs ${missing}; you have ` +
      `${held.join(", ")}.`,
  );
}

function tooLong(got: string): ServiceError {
  const message = `must be at most 30d, got ${quoted(got)}.`;
  const errors = [{ path: "/expiresIn", code: "too_large", message }] as const;
  return new ServiceError("invalid_request", `/expiresIn: ${message}`, { errors });
}

/** A person as the API shows one. */
export function listedPerson({ id, email, name, role, joinedAt, seenAt }: Member): ListedPerson {
  return {
    personId: id,
    email,
    name,
    role,
    joinedAt: new Date(joinedAt).toISOString(),
    lastSeenAt: seenAt === null ? null : new Date(seenAt).toISOString(),
  };
}

/** An invitation as the API shows one, without its code. */
export function listedInvitation(invitation: Invitation): ListedInvitation {
  const { id, email, role, invitedBy, createdAt, expiresAt } = invitation;
  return {
    invitationId: id,
    email,
    role,
    invitedBy,
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

/** The operations on an account's people. */
export const peopleOperations: readonly Operation<PeopleServices>[] = [
  peopleRoute,
  invitePersonRoute,
  withdrawInvitationRoute,
  changeRoleRoute,
  removePersonRoute,
];
