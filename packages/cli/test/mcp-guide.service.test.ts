import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { call, connectedClient } from "@sightline/test-kit/assistant.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { z } from "zod";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/guide/mcp.md"), "utf8");

const stdioSchema = z.strictObject({
  command: z.literal("/path/to/sightline/sightline"),
  args: z.array(z.string()),
  env: z.strictObject({ SIGHTLINE_URL: z.string(), SIGHTLINE_KEY: z.string() }),
});
const httpSchema = z.strictObject({
  type: z.literal("http"),
  url: z.string(),
  headers: z.strictObject({ Authorization: z.string() }),
});
const configurationSchema = z.strictObject({
  mcpServers: z.strictObject({ sightline: z.union([stdioSchema, httpSchema]) }),
});

test("each configuration of the guide leads to the tools that it names", async (t) => {
  const { service, accountId } = await startSample(t);
  const [address, key] = [await service.listen(), await service.key(accountId)];
  const written = [...page.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = ""]) => {
    const real = json.replaceAll("sl_…", key).replaceAll("http://127.0.0.1:8080", address);
    return configurationSchema.parse(JSON.parse(real)).mcpServers.sightline;
  });
  assert.deepEqual(
    written.map((each) => Object.keys(each)[0]),
    ["command", "type"],
  );
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| .+ \| \d.* \|$/gm)].map(([, name]) => name);
  const replies = [];
  for (const each of written) {
    const transport =
      "url" in each
        ? new StreamableHTTPClientTransport(new URL(each.url), {
            requestInit: { headers: each.headers },
          })
        : new StdioClientTransport({ ...each, command: join(root, "sightline") });
    const client = await connectedClient(t, transport, "legacy");
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      rows,
    );
    replies.push((await call(client, "explain_metric", { metric: "rank" })).data);
    assert.equal((await call(client, "describe_workspace")).isError, false);
  }
  assert.deepEqual(replies[0], replies[1]);
});
