import { after, beforeEach, describe, test } from "node:test";

type TestFile = readonly [path: string, load: () => Promise<unknown>];

const files: TestFile[] = [];

/** Of all files of a process together; each test has the time-out of the command line. */
const timeout = 3_600_000;

/**
 * Runs a test file in this process, after those that were named before it. It is loaded when its
 * turn comes, and its hooks are its own: what it starts is stopped before the next file is loaded.
 * Loaded together, fifty files have fifty services, which idle and look for work until the last
 * test ends. For the files that tasks/test writes.
 */
export function testFile(path: string, load: () => Promise<unknown>): void {
  files.push([path, load]);
  if (files.length > 1) return;
  // Within one test, since hooks of the whole process run as soon as no test is under way.
  test("files that share a process", { timeout }, async () => {
    for (const [path, load] of files) {
      await describe(path, async () => {
        let tests = 0;
        beforeEach(() => void tests++);
        after(() => {
          if (tests === 0) throw new Error(`${path} declared no test, or elsewhere`);
        });
        await load();
      });
    }
  });
}
