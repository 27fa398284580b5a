import { openControl } from "../../../server/src/control/control.ts";
import type { ControlEngine } from "../../../server/src/control/control-engine.ts";
import type { Services } from "../../../server/src/services.ts";
import type { AfterHook } from "../sample-account.ts";
import { until } from "../until.ts";

/** The control of a service as another process, or another node, has it. */
export async function controlElsewhere(
  t: AfterHook,
  { config, folder, clock, control }: Services,
): Promise<{
  readonly elsewhere: ControlEngine;
  /** Does something there; resolves when the service can know of it, on a cluster within 5 s. */
  readonly change: (work: (elsewhere: ControlEngine) => Promise<unknown>) => Promise<void>;
}> {
  const { postgresUrl } = config;
  const address = postgresUrl === null ? { sqlite: folder.control } : { postgres: postgresUrl };
  const elsewhere = await openControl(address, clock);
  t.after(() => elsewhere.close());
  return {
    elsewhere,
    change: async (work) => {
      const before = await control.version();
      await work(elsewhere);
      if (postgresUrl === null) return;
      await until("the service sees the change", async () =>
        (await control.version()) === before ? null : true,
      );
    },
  };
}
