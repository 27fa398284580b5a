import type { Pool, PoolClient } from "pg";

/** Runs `work` in a transaction: committed when it resolves, rolled back when it throws. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    // A connection in an unknown state is closed, which also rolls back.
    const isClean = await client.query("rollback").then(
      () => true,
      () => false,
    );
    client.release(!isClean);
    throw error;
  }
}
