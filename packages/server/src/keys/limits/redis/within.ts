/**
 * What a promise resolves to, within a time. When the time is over, what has arrived in this
 * process but was not read yet still counts: a busy event loop does not make Redis slow.
 */
export async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Timers run before the sockets are read, and immediates after it.
    const end = () => setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
    timer = setTimeout(end, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined); // it may fail after the time
  }
}
