import { providers, type Vendor, vendorsOf } from "@sightline/contract";
import type { Adapter } from "../adapter.ts";

/** What a vendor is asked for, in the order of the providers: what workspace files may say. */
export function asksOf(vendor: Vendor): Adapter["asks"] {
  return providers.flatMap((provider) =>
    (["api", "web"] as const)
      .filter((surface) => vendorsOf[provider][surface]?.includes(vendor))
      .map((surface) => ({ provider, surface })),
  );
}
