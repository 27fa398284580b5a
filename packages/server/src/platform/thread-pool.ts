/**
 * How many threads Node's pool has. DuckDB's queries run on it, and so do gzip, files and token
 * checks, which must not wait for them: Node's own four are too few. The pool is made when it is
 * first used, so this module is imported before all others.
 */
export const threadPoolSize = sizeOf(process.env["UV_THREADPOOL_SIZE"]);

function sizeOf(given: string | undefined): number {
  const size = Number(given) || 16;
  process.env["UV_THREADPOOL_SIZE"] = String(size);
  return size;
}
