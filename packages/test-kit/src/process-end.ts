import { after } from "node:test";

const hooks: (() => Promise<void>)[] = [];

/** Stops what the files of this process share, after the last of them. */
export function atProcessEnd(hook: () => Promise<void>): void {
  hooks.push(hook);
}

after(async () => {
  for (const hook of hooks) await hook();
});
