import type { ImportTally } from "@sightline/server/import-answers";

/** Shows the progress of an import. */
export interface ImportProgress {
  /** `bytes`: of the file as it is on the disk. */
  readonly update: (tally: ImportTally, bytes: number) => void;
  readonly end: (message: string) => void;
}

const barWidth = 40;

/**
 * A bar on a terminal; nothing elsewhere. `bytesTotal` is null when unknown, as for standard input.
 */
export async function importProgress(
  name: string,
  bytesTotal: number | null,
): Promise<ImportProgress> {
  if (!process.stderr.isTTY) return { update: () => undefined, end: () => undefined };
  const { progress } = await import("@clack/prompts");
  const bar = progress({
    max: barWidth,
    size: barWidth,
    output: process.stderr,
    indicator: "timer",
  });
  bar.start(name);
  let shown = 0;
  return {
    update: ({ accepted, duplicates, rejected }, bytes) => {
      const place = bytesTotal === null ? 0 : Math.floor((bytes / bytesTotal) * barWidth);
      const step = Math.max(0, Math.min(place, barWidth) - shown);
      shown += step;
      bar.advance(
        step,
        `${name}: ${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`,
      );
    },
    end: (message) => bar.stop(message),
  };
}
