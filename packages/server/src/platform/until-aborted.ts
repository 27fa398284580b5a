/**
 * What a promise gives, for as long as the signal lets its caller wait: what was begun goes on, and
 * nobody hears how it ends. For work that cannot be interrupted.
 * @throws the signal's reason when it aborts; what the promise rejects with.
 */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = () => reject(signal.reason);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
