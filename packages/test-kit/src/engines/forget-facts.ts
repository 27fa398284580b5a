import { Client } from "pg";

/** Takes the facts of all accounts away from a cluster whose services are closed. */
export async function forgetClusterFacts(postgresUrl: string): Promise<void> {
  await inDatabase(postgresUrl, async (client) => {
    await client.query("update accounts set projected = null");
    await client.query("truncate cluster_facts, cluster_generations, cluster_skipped_prompts");
  });
}

/** Takes an account's facts away for good: its lease is another node's, which does nothing. */
export async function takeClusterFacts(postgresUrl: string, accountId: string): Promise<void> {
  await inDatabase(postgresUrl, async (client) => {
    await client.query(
      `insert into leases (account_id, holder, fence, expires_at)
       values ($1, 'another node', 1000, now() + interval '1 hour')
       on conflict (account_id) do update
       set holder = excluded.holder, fence = excluded.fence, expires_at = excluded.expires_at`,
      [accountId],
    );
    await client.query("delete from cluster_facts where account_id = $1", [accountId]);
    // The service may not have noted yet that there were some.
    const had = "update accounts set projected_rules = coalesce(projected_rules, '') where id = $1";
    await client.query(had, [accountId]);
  });
}

async function inDatabase(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
