import type { ClickhouseAddress } from "../../platform/cluster-address.ts";
import type { Deployment } from "./create-table.ts";

/** The addresses of all nodes. */
export function addressesOf({ clickhouseUrl }: ClickhouseAddress): readonly string[] {
  return clickhouseUrl.split(",").map((url) => url.trim());
}

/** On what tables are made at an address. @throws when a name is none of ClickHouse's. */
export function deploymentOf(address: ClickhouseAddress): Deployment {
  const { clickhouseCluster: cluster, clickhouseReplicated: replicated } = address;
  const databases = addressesOf(address).map((url) => new URL(url).pathname.slice(1) || "default");
  const [database = "default"] = databases;
  if (new Set(databases).size > 1) throw new Error("every node has to have the same database");
  for (const name of [database, cluster ?? ""]) {
    if (!/^\w*$/.test(name)) throw new Error(`${name} is not a name of letters, digits and _`);
  }
  return { database, cluster, replicated };
}
