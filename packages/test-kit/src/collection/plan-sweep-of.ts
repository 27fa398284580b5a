import { vendors } from "@sightline/contract";
import { planNow } from "../../../server/src/collection/plan.ts";
import { builtInPrices } from "../../../server/src/collection/price-list.ts";
import { Prices } from "../../../server/src/collection/prices.ts";
import { adapters } from "../../../server/src/collection/vendors/index.ts";
import type { Storage } from "../../../server/src/storage.ts";

/** Plans all that an account's workspace has be asked, for now. @returns the sweep's id. */
export async function planSweepOf(
  { control, clock }: Pick<Storage, "control" | "clock">,
  accountId: string,
): Promise<string> {
  const prices = new Prices(builtInPrices);
  const tools = { control, adapters, clock, prices, vendors };
  const planned = await planNow(tools, { accountId, dryRun: false });
  if (planned.kind === "planned" && planned.sweepId !== null) return planned.sweepId;
  throw new Error(`nothing was planned: ${JSON.stringify(planned)}`);
}
