import type { Prices } from "../prices/prices.ts";
import type { ReserveOf } from "./plan-sweep.ts";

/** What the first request of a question reserves, by the prices of an instant. */
export function reserveBy(prices: Prices, at: number): ReserveOf {
  return (ask) => prices.reserveMicrosOf({ ...ask, at });
}
