import { type ListedCollection, quoted } from "@sightline/contract";
import { unlessFailed } from "../../../http/refused-work.ts";
import type { OperationCall } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/**
 * The sweep that a path names, by what reads or changes it.
 * @throws ServiceError not_found when the account has no such.
 */
export async function sweepOf(
  { caller, parameters }: OperationCall,
  find: (accountId: string, sweepId: string) => Promise<ListedCollection | null>,
): Promise<ListedCollection> {
  const { id = "" } = parameters;
  const sweep = await unlessFailed(find(caller.accountId, id), refused);
  if (sweep !== null) return sweep;
  // That of another account gets the reply of an unknown one.
  throw new ServiceError("not_found", `The account has no collection ${quoted(id)}.`);
}

const refused = { failed: "The collection could not be read or changed.", advice: "Retry." };
