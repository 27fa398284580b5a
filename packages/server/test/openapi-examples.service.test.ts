import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly example: string }[];
  readonly requestBody?: { readonly content: Described };
  readonly responses: { readonly "200": { readonly content: Described } };
}

type Described = Readonly<Record<"application/json", { readonly example?: object }>>;

test("the document's example requests get its example replies", async () => {
  const { service, token } = await sharedSample();
  const document = (await service.request("GET", "/openapi.json")).json<{
    readonly paths: Readonly<Record<string, Readonly<Partial<Record<"get" | "post", Operation>>>>>;
  }>();
  const compared: string[] = [];
  for (const [path, { get, post }] of Object.entries(document.paths)) {
    const { parameters = [], requestBody, responses } = get ?? post ?? {};
    const example = responses?.["200"].content["application/json"].example;
    if (example === undefined) continue; // the exchange: a session would not be valid for long
    const body = requestBody?.content["application/json"].example;
    const address = parameters.reduce(
      (text, { name, example: value }) => text.replace(`{${name}}`, value),
      path,
    );
    const headers = { authorization: `Bearer ${token}` };
    const reply =
      body === undefined
        ? await service.request("GET", address, { headers })
        : await service.post(address, { token, body });
    assert.deepEqual([reply.status, reply.json()], [200, example], path);
    compared.push(path);
  }
  assert.equal(compared.length, 19);
});
