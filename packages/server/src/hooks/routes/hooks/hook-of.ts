import { quoted } from "@sightline/contract";
import type { ControlEngine } from "../../../control/control-engine.ts";
import type { OperationCall } from "../../../http/route.ts";
import { ServiceError } from "../../../platform/service-error.ts";
import { type HookRecord, hookById } from "../../hook-store.ts";

/** The webhook that a path names. @throws ServiceError not_found when the account has no such. */
export async function hookOf(
  control: ControlEngine,
  { caller, parameters }: OperationCall,
): Promise<HookRecord> {
  const { id = "" } = parameters;
  const hook = await hookById(control, caller.accountId, id.toLowerCase());
  if (hook === null) throw unknownHook(id);
  return hook;
}

/** A webhook of another account gets the reply of an unknown one. */
export function unknownHook(id: string): ServiceError {
  return new ServiceError("not_found", `The account has no webhook ${quoted(id)}.`);
}
