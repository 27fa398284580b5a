import { type ComponentType, createElement, lazy } from "react";

/** A part of the console could not be fetched. `message` says what to do. */
export class PartError extends Error {
  override readonly name = "PartError";
  /** The service has another version of the console: its files have other names. */
  readonly isOutdated: boolean;

  constructor(isOutdated: boolean) {
    super(
      isOutdated
        ? "A new version of the console is available. Load it to continue."
        : "This part of the console could not be fetched. Check your connection, and try again.",
    );
    this.isOutdated = isOutdated;
  }
}

/** Pauses before a file is fetched again: a service that restarts is back within seconds. */
const pausesMs = [300, 1_200] as const;

/**
 * Fetches a part of the console, again if it fails.
 * @throws PartError when it stays away.
 */
export async function fetched<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const pauseMs of [...pausesMs, null]) {
    try {
      return await load();
    } catch {
      if (pauseMs === null) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  throw new PartError(await isOutdated());
}

/** Whether the service's page names another script than the one that runs. */
export async function isOutdated(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]");
  const path = script?.getAttribute("src") ?? null;
  if (path === null) return false;
  try {
    const reply = await fetch("/", { cache: "no-store" });
    return reply.ok && !(await reply.text()).includes(path);
  } catch {
    return false; // the service cannot be reached: nobody knows
  }
}

const failed = new Set<() => void>();

/**
 * A component that is fetched when it is first drawn. React keeps a failure for good, so it is
 * fetched afresh after `forgetFailures`.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const make = () =>
    lazy(async () => {
      try {
        return { default: await fetched(load) };
      } catch (error) {
        failed.add(() => {
          Part = make();
        });
        throw error;
      }
    });
  let Part: ComponentType<Props> = make();
  return (props) => createElement(Part, props);
}

/** What could not be fetched is fetched again when it is next drawn. */
export function forgetFailures(): void {
  for (const forget of failed) forget();
  failed.clear();
}
