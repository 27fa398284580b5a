import { durationMs, emailSchema, invitationDays, type Role, roles } from "@sightline/contract";
import { appendAudit, serviceLog } from "@sightline/server/audit-log";
import { invitationsOf, invite } from "@sightline/server/invitation-store";
import { changeRole, removePerson } from "@sightline/server/memberships";
import { listedInvitation, listedPerson } from "@sightline/server/people-routes";
import { type Member, membersOf, personByEmail } from "@sightline/server/person-store";
import { createSignInLink } from "@sightline/server/sign-in-links";
import type { Storage } from "@sightline/server/storage";
import { Command } from "commander";
import { withExamples } from "../examples.ts";
import { choiceOption, durationOf } from "../option-values.ts";
import { plainTable } from "../output/plain-table.ts";
import { CommandError, printResult } from "../result.ts";
import { accountOf, type DataOptions, placeOf, requireExisting, withStorage } from "../storage.ts";

interface PeopleOptions extends DataOptions {
  readonly account?: string;
}

interface AddressOptions extends PeopleOptions {
  readonly url?: string;
}

interface InviteOptions extends AddressOptions {
  readonly role: Role;
  readonly expiresIn?: string;
}

/** `sightline people list | invite | role | remove | link`: who belongs to an account. */
export function peopleCommand(): Command {
  const people = new Command("people");
  const ofAccount = (command: Command) =>
    command
      .option("--account <id>", "the account; may be left out when there is only one")
      .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
      .option("--json", "print one JSON document");
  const url = ["--url <url>", "where browsers reach the service (default: SIGHTLINE_PUBLIC_URL)"];
  const list = ofAccount(people.command("list"))
    .description("list the people of an account, and the open invitations")
    .action(listPeople);
  const invited = ofAccount(people.command("invite"))
    .description("invite a person; the address is shown only once")
    .argument("<email>", "the person's e-mail address")
    .addOption(choiceOption("--role <role>", "what the person will do", roles).default("viewer"))
    .option("--expires-in <duration>", `validity, at most 30d (default: ${invitationDays}d)`)
    .option(url[0] ?? "", url[1])
    .action(inviteOne);
  const role = ofAccount(people.command("role"))
    .description("give a person another role; keys that may do more are revoked")
    .argument("<email>", "the person's e-mail address")
    .argument("<role>", roles.join(", "))
    .action(setRole);
  const remove = ofAccount(people.command("remove"))
    .description("remove a person from an account, with the person's keys of it")
    .argument("<email>", "the person's e-mail address")
    .action(removeOne);
  const link = people
    .command("link")
    .description("print a link that signs a person in once, within 30 minutes")
    .argument("<email>", "the person's e-mail address")
    .option(url[0] ?? "", url[1])
    .option("--data-dir <dir>", "folder of all data (default: SIGHTLINE_DATA_DIR, else ./data)")
    .option("--json", "print one JSON document")
    .action(printLink);
  withExamples(list, ["sightline people list --json", "as one JSON document"]);
  withExamples(invited, [
    "sightline people invite ann@example.com --role owner",
    "prints the address that accepts it",
  ]);
  withExamples(role, ["sightline people role ann@example.com viewer", "reads, and nothing else"]);
  withExamples(remove, ["sightline people remove ann@example.com", "ends within two seconds"]);
  withExamples(link, ["sightline people link ann@example.com", "for somebody without a session"]);
  return withExamples(people, ["sightline people invite ann@example.com", "a viewer"]);
}

async function listPeople(options: PeopleOptions): Promise<void> {
  requireExisting(options);
  const { people, invitations } = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const { control, clock } = storage;
    return {
      people: (await membersOf(control, accountId)).map(listedPerson),
      invitations: (await invitationsOf(control, accountId, clock.now())).map(listedInvitation),
    };
  });
  const rows = [
    ...people.map(({ email, name, role, joinedAt, lastSeenAt }) => {
      return [email, name, role, `joined ${joinedAt}`, lastSeenAt];
    }),
    ...invitations.map(({ email, role, invitedBy, expiresAt }) => {
      return [email, `invited by ${invitedBy}`, role, `until ${expiresAt}`, null];
    }),
  ];
  const text =
    rows.length === 0
      ? "Nobody yet. Invite somebody: sightline people invite ann@example.com --role owner"
      : plainTable(["e-mail", "name", "role", "since", "last seen"], rows);
  printResult(options.json === true, { people, invitations }, text);
}

async function inviteOne(given: string, options: InviteOptions): Promise<void> {
  requireExisting(options);
  const email = emailOf(given);
  const lifeMs =
    options.expiresIn === undefined
      ? (durationMs(`${invitationDays}d`) ?? 0)
      : durationOf(options.expiresIn);
  if (lifeMs > (durationMs("30d") ?? 0)) {
    throw new CommandError("--expires-in: an invitation is valid for at most 30d.", 2);
  }
  const { invitation, code } = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const now = storage.clock.now();
    const asked = { email, role: options.role, expiresAt: now + lifeMs };
    return invite(storage.control, accountId, asked, now);
  });
  const address = `${baseOf(options)}/#invitation=${code}`;
  const shown = { ...listedInvitation(invitation), address };
  const text = [
    `${address}\n`,
    `Invites ${email} as ${options.role}, until ${shown.expiresAt}. Send it to nobody else: it is`,
    "not stored and cannot be shown again.",
  ].join("\n");
  printResult(options.json === true, shown, text);
}

async function setRole(given: string, word: string, options: PeopleOptions): Promise<void> {
  const role = roles.find((each) => each === word);
  if (role === undefined) {
    throw new CommandError(`${JSON.stringify(word)} is not a role. Use ${roles.join(", ")}.`, 2);
  }
  await changeOne(given, options, {
    change: (storage, member) =>
      changeRole(storage.control, member.accountId, {
        personId: member.id,
        role,
        now: storage.clock.now(),
      }),
    done: `is ${role} now`,
  });
}

async function removeOne(given: string, options: PeopleOptions): Promise<void> {
  await changeOne(given, options, {
    change: (storage, member) =>
      removePerson(storage.control, member.accountId, {
        personId: member.id,
        now: storage.clock.now(),
      }),
    done: "was removed",
  });
}

interface MemberChange {
  readonly change: (storage: Storage, member: Member) => ReturnType<typeof removePerson>;
  readonly done: string;
}

async function changeOne(
  given: string,
  options: PeopleOptions,
  { change, done }: MemberChange,
): Promise<void> {
  requireExisting(options);
  const email = emailOf(given);
  const changed = await withStorage(options, async (storage) => {
    const accountId = await accountOf(storage, options.account);
    const members = await membersOf(storage.control, accountId);
    const member = members.find((each) => each.email === email);
    return member === undefined ? null : change(storage, member);
  });
  if (changed === null) throw new CommandError(`${email} does not belong to the account.`);
  const { member, revokedKeys } = changed;
  const keys = revokedKeys.length === 0 ? "" : ` Revoked keys: ${revokedKeys.join(", ")}.`;
  const document = { ...listedPerson(member), revokedKeys: [...revokedKeys] };
  printResult(options.json === true, document, `${email} ${done}.${keys}`);
}

async function printLink(given: string, options: AddressOptions): Promise<void> {
  requireExisting(options);
  const email = emailOf(given);
  const code = await withStorage(options, async ({ control, clock }) => {
    const person = await personByEmail(control, email);
    if (person === null) return null;
    const now = clock.now();
    return control.database.transaction().execute(async (database) => {
      const within = { ...control, database };
      const change = { action: "person.link_created", subject: person.id } as const;
      const made = await createSignInLink(within, person.id, now);
      if (made === null) return null;
      await appendAudit(within, serviceLog, { ...change, before: null, after: null }, now);
      return made;
    });
  });
  if (code === null) {
    throw new CommandError(`Nobody is known by ${email}. Invite: sightline people invite ${email}`);
  }
  const link = `${baseOf(options)}/#person=${code}`;
  const text = `${link}\n\nSigns ${email} in once, within 30 minutes.`;
  printResult(options.json === true, { link }, text);
}

function emailOf(given: string): string {
  const parsed = emailSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CommandError(
    `${JSON.stringify(given)} is not an e-mail address, as ann@example.com is.`,
    2,
  );
}

/** Where browsers reach the service, without a final slash. */
function baseOf(options: AddressOptions): string {
  const { publicUrl, host, port } = placeOf(options);
  const here = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return (options.url ?? publicUrl ?? here).replace(/\/+$/, "");
}
