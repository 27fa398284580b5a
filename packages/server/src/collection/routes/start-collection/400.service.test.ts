import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: "Asked", brand: "Acme", prompts: ["seeds"] });
const token = await service.session(accountId, ["manage"]);

test("a request that is not one is refused with every fault", async () => {
  const id = randomUUID();
  const cases: readonly (readonly [unknown, readonly string[]])[] = [
    [[], [" wrong_type"]],
    [{ prompts: ["seeds"] }, ["/prompts unknown_field"]],
    [{ promptIds: [] }, ["/promptIds too_small"]],
    [{ promptIds: ["seeds"] }, ["/promptIds/0 wrong_format"]],
    [{ promptIds: [id], topics: [{ id }] }, ["/promptIds excluded"]],
    [{ topics: [id] }, ["/topics/0 wrong_type"]],
    [{ providers: ["BARD"] }, ["/providers/0 not_allowed"]],
    [{ regions: ["us"], samples: 21 }, ["/regions/0 wrong_format", "/samples too_large"]],
    [{ samples: 0, dryRun: "yes" }, ["/samples too_small", "/dryRun wrong_type"]],
  ];
  for (const [body, expected] of cases) {
    const reply = await service.post("/v1/collections", { token, body: JSON.stringify(body) });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.deepEqual(
      errors.map(({ path, code }) => `${path} ${code}`),
      expected,
    );
  }
});

test("a selection without a provider is refused, and costs nothing as a dry run", async () => {
  for (const body of [{}, { promptIds: [randomUUID()], providers: ["OPENAI"] }]) {
    const { detail } = assertProblem(
      await service.post("/v1/collections", { token, body }),
      "invalid_request",
    );
    assert.match(detail, /selects no prompt of which a provider is asked/);
    const dry = await service.post("/v1/collections", { token, body: { ...body, dryRun: true } });
    const { jobs, dollars, estimates } = dry.json<Record<string, unknown>>();
    assert.deepEqual([dry.status, jobs, dollars, estimates], [200, 0, 0, []]);
  }
});
