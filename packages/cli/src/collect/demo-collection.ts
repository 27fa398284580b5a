import { dayMs, type ListedCollection, providers } from "@sightline/contract";
import type { RunningServer } from "@sightline/server";
import { CollectionService } from "@sightline/server/collection-service";
import { credentialSettings } from "@sightline/server/config";
import { type StandIn, standInCredentials, startStandIn } from "@sightline/stand-in";
import { CommandError } from "../result.ts";
import { followSweep, stopSignal } from "./follow-sweep.ts";

/** A brand of the demo. */
interface DemoEntity {
  readonly name: string;
  readonly domains: readonly string[];
}

/** How long a stand-in takes for an answer, in the middle: a sweep lasts for some seconds. */
const latencyMs = 1_200;

/** What a workspace file says to have all providers asked each morning. */
export const demoCollectionText = `
collection:
  cron: "0 6 * * *"
  providers: [${providers.join(", ")}]
`;

/** Starts what stands in for all vendors: its answers name the demo's brands. */
export function startDemoVendors(entities: readonly DemoEntity[]): Promise<StandIn> {
  const brands = entities.map(({ name, domains: [domain] }) => {
    return { name, domain: domain ?? `${name.toLowerCase().replaceAll(/\W+/g, "-")}.example` };
  });
  const seed = Math.floor(Date.now() / dayMs);
  return startStandIn({ brands, seed, faults: { latencyMs } });
}

/** The environment with credentials of the stand-in in place of real ones. */
export function demoEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const replaced = { ...environment };
  for (const { vendor, environment: name, fileEnvironment } of credentialSettings) {
    replaced[name] = standInCredentials[vendor];
    delete replaced[fileEnvironment];
  }
  return replaced;
}

/**
 * Has all prompts asked of all providers, shows how it goes, and waits until it counts.
 * @returns null: the process was told to stop.
 */
export async function sweepOfDemo(
  { services }: Pick<RunningServer, "services">,
  accountId: string,
  say: (text: string) => void,
): Promise<ListedCollection | null> {
  const { collection: config, collectConcurrency: concurrency } = services.config;
  const here = new CollectionService({ ...services, config, concurrency });
  const planned = await here.plan({ accountId, dryRun: false });
  if (planned.kind !== "planned" || planned.sweepId === null) {
    throw new CommandError(`The demo's sweep could not be planned: ${planned.kind}.`);
  }
  const { sweepId, jobs } = planned;
  say(`Asking ${providers.length} providers ${jobs} questions, of a stand-in on this machine ...`);
  const stopped = stopSignal();
  const get = async () => {
    const sweep = await here.get(accountId, sweepId);
    if (sweep === null) throw new CommandError("The demo's account was deleted.");
    return sweep;
  };
  const ended = await followSweep(get, { isHere: true, stopped });
  if (ended !== null) {
    await services.projection.waitUntilCurrent(accountId);
    say(`${ended.done} of ${ended.jobs} questions were answered, and count.`);
  }
  return ended;
}
