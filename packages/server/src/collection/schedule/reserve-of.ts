import type { Prices } from "../prices/prices.ts";
import type { ReserveOf } from "./plan-sweep.ts";

/** What an attempt reserves, by a price list. */
export function reserveBy(prices: Prices): ReserveOf {
  return (ask) => prices.reserveMicrosOf(ask);
}
