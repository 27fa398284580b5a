/**
 * TRICKY: the driver heeds a signal until a reply begins, and no longer. This closes what is read
 * of a reply when the signal aborts later, so that reading it fails.
 * @returns a function that ends this.
 */
export function closedOnAbort(signal: AbortSignal, close: () => void): () => void {
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  return () => signal.removeEventListener("abort", close);
}
