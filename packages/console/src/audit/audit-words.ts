import type { AuditAction, AuditResponse } from "@sightline/client";

/** An entry of the audit log. */
export type AuditEntry = AuditResponse["entries"][number];

/** What each action is for people, in the order of the choice. */
export const actionWords: Readonly<Record<AuditAction, string>> = {
  "workspace.applied": "changed what is tracked",
  "key.created": "created a key",
  "key.revoked": "revoked a key",
  "answers.imported": "imported answers",
  "import.undone": "undid an import",
  "answers.removed": "removed answers",
  "texts.removed": "removed texts for their age",
  "labels.stored": "stored labels",
  "labels.removed": "removed labels",
  "link.created": "created a share link",
  "link.revoked": "revoked a share link",
  "webhook.created": "created a webhook",
  "webhook.deleted": "deleted a webhook",
  "webhook.disabled": "disabled a webhook",
  "webhook.enabled": "enabled a webhook",
  "credential.stored": "stored a credential",
  "credential.deleted": "deleted a credential",
  "collection.started": "started a sweep",
  "collection.cancelled": "cancelled a sweep",
  "collection.accepted": "accepted what a sweep held back",
  "report.made": "made a report",
  "report.superseded": "superseded a report",
  "account.created": "created the account",
  "account.deleted": "deleted the account",
  "account.arrived": "moved the account here",
  "invitation.created": "invited a person",
  "invitation.withdrawn": "withdrew an invitation",
  "person.joined": "joined the account",
  "person.changed": "changed a person's role",
  "person.removed": "removed a person",
  "person.link_created": "made a link that signs a person in",
};

/** What each kind of actor is called next to its name. */
export const actorWords: Readonly<Record<AuditEntry["actor"]["kind"], string>> = {
  key: "key",
  person: "person",
  link: "shared link",
  command: "command",
  service: "service",
};

/** What an entry is about, in a few words; empty: what was done says it. */
export function subjectOf({ action, before, after, subject }: AuditEntry): string {
  const of = after ?? before;
  if (action === "workspace.applied") return countsOf(after ?? {});
  const named = ["name", "email", "url", "vendor", "source"]
    .map((field) => of?.[field])
    .find(isText);
  if (named !== undefined) return named;
  const [labels, answers] = [of?.["labels"], of?.["answers"]];
  if (typeof labels === "number") return `${labels} ${labels === 1 ? "label" : "labels"}`;
  if (typeof answers === "number") return `${answers} ${answers === 1 ? "answer" : "answers"}`;
  return subject ?? "";
}

function countsOf(after: Readonly<Record<string, unknown>>): string {
  const said = ["created", "updated", "retired"].flatMap((kind) => {
    const count = after[kind];
    return typeof count === "number" && count > 0 ? [`${count} ${kind}`] : [];
  });
  return said.join(", ");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
