import { z } from "zod";
import { durationForm, durationPattern } from "./duration.ts";
import { dateTimeSchema, uuidSchema } from "./filters.ts";
import { type DeclaredOperations, idInPath, json } from "./operation.ts";
import { type Role, roles } from "./roles.ts";
import { components, mayGrow } from "./schema-marks.ts";
import { strictObject } from "./strict-object.ts";

/** The address of an account's people; an addition to the interface. */
const peoplePath = "/v1/people";

/** The most people of an account. */
export const peopleMax = 1_000;
/** The most open invitations of an account. */
export const invitationsMax = 200;
/** How long an invitation is valid unless it says so, in days. */
export const invitationDays = 7;

const emailCharactersMax = 254;
const personNameCharactersMax = 200;

const roleSchema = z.enum(roles).meta(mayGrow);

/** An e-mail address, in lower case: addresses that differ in case alone are one person's. */
export const emailSchema = z
  .string()
  .trim()
  .max(emailCharactersMax)
  .regex(/^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\].]+$/, {
    error: "must be an e-mail address, such as ann@example.com",
  })
  .toLowerCase();

/** A person's name, on one line. */
export const personNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(personNameCharactersMax)
  .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), {
    error: "must be a name on one line",
  });

/** Body of POST /v1/people/invitations. */
export const invitationRequestSchema = strictObject({
  email: emailSchema.describe("Whom the invitation is for."),
  role: z.enum(roles).describe("What the person will do: scopes of yours alone."),
  expiresIn: z
    .string()
    .regex(durationPattern, { error: `must be ${durationForm}` })
    .meta({ examples: ["7d"] })
    .optional()
    .describe(`How long the invitation is valid, at most 30d. Omitted: ${invitationDays}d.`),
}).register(components, { id: "InvitationRequestDto" });

/** Body of PUT /v1/people/{personId}. */
export const roleRequestSchema = strictObject({
  role: z.enum(roles).describe("What the person does from now on."),
}).register(components, { id: "RoleRequestDto" });

const personFields = {
  personId: uuidSchema,
  email: z.string(),
  name: z.string(),
  role: roleSchema,
  joinedAt: dateTimeSchema,
  lastSeenAt: dateTimeSchema
    .nullable()
    .describe("When the person last asked, to the hour. Null: never."),
};

/** A person of an account. */
export const personSchema = strictObject(personFields).register(components, { id: "PersonDto" });

const invitationFields = {
  invitationId: uuidSchema,
  email: z.string(),
  role: roleSchema,
  invitedBy: z.string().describe("The name of the person, key or user who invited."),
  createdAt: dateTimeSchema,
  expiresAt: dateTimeSchema,
};

/** An invitation, never its code. */
export const invitationSchema = strictObject(invitationFields).register(components, {
  id: "InvitationDto",
});

/** Reply of POST /v1/people/invitations. */
export const createdInvitationSchema = strictObject({
  ...invitationFields,
  address: z
    .string()
    .describe(
      "The page that accepts the invitation. A secret, which is not stored and not shown again. " +
        "Without `SIGHTLINE_PUBLIC_URL` it begins at the root of the service: `/#invitation=...`.",
    ),
}).register(components, { id: "CreatedInvitationResponseDto" });

/** Reply of GET /v1/people. */
export const peopleResponseSchema = strictObject({
  people: z.array(personSchema).describe("By e-mail address."),
  invitations: z.array(invitationSchema).describe("Those that are open, newest first."),
}).register(components, { id: "PeopleResponseDto" });

/** Reply of PUT and DELETE /v1/people/{personId}. */
export const removedPersonSchema = strictObject({
  ...personFields,
  revokedKeys: z
    .array(z.string())
    .describe("The ids of the person's keys in this account, which were revoked."),
}).register(components, { id: "RemovedPersonResponseDto" });

/** Body of POST /v1/people/invitations. */
export type InvitationRequest = Readonly<z.input<typeof invitationRequestSchema>>;
/** Body of PUT /v1/people/{personId}. */
export type RoleRequest = Readonly<z.infer<typeof roleRequestSchema>>;
/** A person of an account. */
export type ListedPerson = Readonly<z.infer<typeof personSchema>>;
/** An invitation, never its code. */
export type ListedInvitation = Readonly<z.infer<typeof invitationSchema>>;
/** Reply of POST /v1/people/invitations. */
export type CreatedInvitationResponse = Readonly<z.infer<typeof createdInvitationSchema>>;
/** Reply of GET /v1/people. */
export type PeopleResponse = Readonly<z.infer<typeof peopleResponseSchema>>;
/** Reply of PUT and DELETE /v1/people/{personId}. */
export type ChangedPersonResponse = Readonly<z.infer<typeof removedPersonSchema>>;

const personInPath = [idInPath("personId", "The person's id.")];

/** The operations on people. */
export const peopleOperations = {
  people: {
    tag: "People",
    summary: "List people",
    description: "The account's people with their roles, and the open invitations.",
    scope: "people",
    method: "GET",
    path: peoplePath,
    reply: { schema: peopleResponseSchema, description: "The people and invitations." },
  },
  invitePerson: {
    tag: "People",
    summary: "Invite a person",
    description:
      "Makes an invitation and shows its address, this once. The first to open it takes it; " +
      "somebody who is known to the service by that e-mail address has to be signed in. A role " +
      "gets no scope that you lack.",
    scope: "people",
    method: "POST",
    path: `${peoplePath}/invitations`,
    body: json(invitationRequestSchema, { email: "ann@example.com", role: "analyst" }),
    reply: { schema: createdInvitationSchema, description: "The invitation." },
  },
  withdrawInvitation: {
    tag: "People",
    summary: "Withdraw an invitation",
    description: "Withdraws an open invitation: its address accepts nothing any more.",
    scope: "people",
    method: "DELETE",
    path: `${peoplePath}/invitations/{invitationId}`,
    parameters: [idInPath("invitationId", "The invitation's id.")],
    reply: { schema: invitationSchema, description: "The invitation, withdrawn." },
    errors: ["not_found"],
  },
  changeRole: {
    tag: "People",
    summary: "Change a person's role",
    description:
      "Sets what a person does in the account, from the next call on. The person's keys with " +
      "scopes that the role lacks are revoked. The last owner stays one as long as there are " +
      "other people.",
    scope: "people",
    method: "PUT",
    path: `${peoplePath}/{personId}`,
    parameters: personInPath,
    body: json(roleRequestSchema, { role: "viewer" satisfies Role }),
    reply: { schema: removedPersonSchema, description: "The person, with the role." },
    errors: ["not_found"],
  },
  removePerson: {
    tag: "People",
    summary: "Remove a person",
    description:
      "Ends a person's access to the account: the next call is refused, calls under way end " +
      "within two seconds, and the person's keys of this account are revoked. Other accounts of " +
      "the person are not touched.",
    scope: "people",
    method: "DELETE",
    path: `${peoplePath}/{personId}`,
    parameters: personInPath,
    reply: { schema: removedPersonSchema, description: "The person, removed." },
    errors: ["not_found"],
  },
} as const satisfies DeclaredOperations;
