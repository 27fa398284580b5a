import { applyWorkspace } from "../../../server/src/accounts/apply-workspace.ts";
import { openControl } from "../../../server/src/control/control.ts";
import type { ControlAddress, ControlEngine } from "../../../server/src/control/control-engine.ts";
import { HeldClock } from "../held-clock.ts";

/** Control, in memory unless it has an address, that knows one account, which tracks one brand. */
export async function controlOf(
  accountId: string,
  clock = new HeldClock(),
  address: ControlAddress = { sqlite: ":memory:" },
): Promise<ControlEngine> {
  const control = await openControl(address, clock);
  const id = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a00f";
  const names = { name: "Acme", caseSensitive: false, aliases: [], domains: [] };
  const entities = [{ id, kind: "brand" as const, ...names }];
  await applyWorkspace(
    control,
    accountId,
    {
      accountId,
      accountName: "Acme",
      entities,
      topics: [],
      prompts: [],
    },
    { now: clock.now() },
  );
  return control;
}
