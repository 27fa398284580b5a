import type { AppServices } from "../../../http/app-services.ts";
import { unlessFailed } from "../../../http/refused-work.ts";
import type { Correction } from "../../corrections/correction-thread.ts";

const refused = {
  failed: "The correction failed.",
  advice: "Send the same again: it removes what is left.",
};

/** A caller waits so long for the facts; they are built anew all the same. */
const factsWithinMs = 10_000;

/** What became of a correction. */
export interface Corrected {
  /** Null: the account has no such import. */
  readonly answers: number | null;
  /** Whether questions see it already. */
  readonly factsCurrent: boolean;
}

/** Counts or removes answers of an account. @throws ServiceError. */
export async function correct(
  { corrections, projection }: AppServices,
  accountId: string,
  correction: Correction,
): Promise<Corrected> {
  const answers = await unlessFailed(corrections.api.correct(accountId, correction), refused);
  if (correction.action === "count" || answers === null) return { answers, factsCurrent: true };
  return { answers, factsCurrent: await isCurrentSoon(projection, accountId) };
}

async function isCurrentSoon(
  projection: AppServices["projection"],
  accountId: string,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), factsWithinMs);
  });
  const current = projection.waitUntilCurrent(accountId).then(
    () => true,
    () => false, // its account fails, which readiness and metrics say
  );
  try {
    return await Promise.race([current, late]);
  } finally {
    clearTimeout(timer);
  }
}
