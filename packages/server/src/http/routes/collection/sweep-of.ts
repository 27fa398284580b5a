import { quoted } from "@sightline/contract";
import type { SweepRecord } from "../../../control/collection-store.ts";
import type { Control } from "../../../control/control.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import type { OperationCall } from "../../route.ts";

/** The sweep that a path names. @throws ServiceError not_found when the account has no such. */
export async function sweepOf(
  control: Pick<Control, "sweep">,
  { caller, parameters }: OperationCall,
): Promise<SweepRecord> {
  const { id = "" } = parameters;
  const sweep = await control.sweep(caller.accountId, id.toLowerCase());
  if (sweep !== null) return sweep;
  // That of another account gets the reply of an unknown one.
  throw new ServiceError("not_found", `The account has no collection ${quoted(id)}.`);
}
