import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type CreatedHookResponse, type HooksResponse, hookEvents } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: "Hooks", brand: "Acme" });
const token = await service.session(accountId, ["manage"]);

test("a webhook has all events unless it is said, and its secret shows once", async () => {
  const asked = [
    { url: "https://Example.com:443/a?b=ü" },
    { url: "https://example.com/", events: ["moved", "digest", "moved"].slice(0, 2), name: "🦊" },
    { url: "https://example.com/", events: ["moved"], name: "" },
  ];
  const listed = [];
  for (const body of asked) {
    service.clock.advance(1_000);
    const reply = await service.post("/v1/hooks", { token, body });
    assert.equal(reply.status, 200, reply.body);
    assert.equal(reply.headers["cache-control"], "no-store");
    (await ServedSchemas.of(service)).assertValid("CreatedHookResponseDto", reply.json());
    const { secret, ...hook } = reply.json<CreatedHookResponse>();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(hook.createdAt, new Date(service.clock.now()).toISOString());
    listed.push(hook);
  }
  assert.deepEqual(
    listed.map(({ url, events, name, disabledAt }) => ({ url, events, name, disabledAt })),
    [
      { url: "https://example.com/a?b=%C3%BC", events: [...hookEvents], name: "" },
      { url: "https://example.com/", events: ["digest", "moved"], name: "🦊" },
      { url: "https://example.com/", events: ["moved"], name: "" },
    ].map((each) => ({ ...each, disabledAt: null })),
  );
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", "/v1/hooks", { headers });
  (await ServedSchemas.of(service)).assertValid("HooksResponseDto", reply.json());
  assert.deepEqual(reply.json<HooksResponse>().hooks, listed);
  assert.ok(!reply.body.includes("whsec_"));
});
