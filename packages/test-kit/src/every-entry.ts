import type { AuditSelection } from "../../server/src/audit/audit-log.ts";

/** The whole audit log of an account of a test. */
export const everyEntry: AuditSelection = {
  action: null,
  actorId: null,
  subject: null,
  fromMs: Number.NEGATIVE_INFINITY,
  toMs: Number.POSITIVE_INFINITY,
  before: null,
  limit: 10_000,
};
