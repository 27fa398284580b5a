import type { CreatedHookResponse, DeliveriesResponse, HookRequest } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { startReceiver } from "@sightline/test-kit/webhook-receiver.ts";
import { totalsOf } from "../src/accounts/progress-store.ts";
import type { GivenSettings } from "../src/config.ts";

const promptsCount = 12;

/** An account with a webhook, and the receiver of that. */
export async function hooked(
  t: AfterHook,
  request: Partial<HookRequest> = {},
  settings: Partial<Record<keyof GivenSettings, string>> = {},
) {
  const service = await TestService.start({ settings: { hooksToPrivate: "on", ...settings } });
  t.after(() => service.close());
  const receiver = await startReceiver(t);
  const accountId = await service.apply({
    account: { name: "Hooked" },
    brand: { name: "Acme" },
    competitors: [{ name: "Globex" }],
    prompts: Array.from({ length: promptsCount }, (_, prompt) => ({ text: `Prompt ${prompt}?` })),
  });
  // A session ends long before the next week.
  const post = async (path: string, body?: object) => {
    const token = await service.session(accountId, ["read", "manage"]);
    return service.post(path, body === undefined ? { token } : { token, body });
  };
  const get = async (path: string) => {
    const headers = { authorization: `Bearer ${await service.session(accountId, ["manage"])}` };
    return service.request("GET", path, { headers });
  };
  const created = await post("/v1/hooks", { url: receiver.url, ...request });
  const hook = created.json<CreatedHookResponse>();
  const deliveries = async () => {
    const reply = await get(`/v1/hooks/${hook.id}/deliveries`);
    (await ServedSchemas.of(service)).assertValid("DeliveriesResponseDto", reply.json());
    return reply.json<DeliveriesResponse>().deliveries;
  };
  return { service, receiver, accountId, hook, post, get, deliveries };
}

/** Two answers to each prompt on a day, which mention the brand or do not. */
export function answersOf(day: string, doesMention: (prompt: number) => boolean) {
  return Array.from({ length: promptsCount * 2 }, (_, each) => {
    const prompt = each % promptsCount;
    return {
      prompt: `Prompt ${prompt}?`,
      provider: "OPENAI",
      answeredAt: `${day}T${each < promptsCount ? "08" : "16"}:00:00Z`,
      text: doesMention(prompt) ? "Acme, then Globex." : "Globex.",
    };
  });
}

/** Looks and delivers at an instant. */
export async function runAt({ clock, services }: TestService, instant: string) {
  const { webhooks, control } = services;
  // A projection is noted after it counts.
  await until("facts", async () => ((await totalsOf(control)).behind === 0 ? true : null));
  clock.advance(Date.parse(instant) - clock.now());
  await webhooks.check();
  await webhooks.deliver();
}
