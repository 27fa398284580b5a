import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TestService } from "../test-service.ts";

/** Checks bodies against the document that the service itself serves. */
export class ServedSchemas {
  readonly #ajv: Ajv2020;

  private constructor(ajv: Ajv2020) {
    this.#ajv = ajv;
  }

  static async of(service: TestService): Promise<ServedSchemas> {
    const reply = await service.request("GET", "/openapi.json");
    assert.equal(reply.status, 200);
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(reply.json<object>(), "served");
    return new ServedSchemas(ajv);
  }

  /** Whether a value is what the served document calls by this name. */
  isValid(name: string, value: unknown): boolean {
    return this.#schema(name)(value) === true;
  }

  /** @throws AssertionError with what is wrong. */
  assertValid(name: string, value: unknown): void {
    const validate = this.#schema(name);
    validate(value);
    assert.deepEqual(validate.errors ?? [], [], `not a ${name}`);
  }

  #schema(name: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`served#/components/schemas/${name}`);
    assert.ok(validate !== undefined, `the served document has no ${name}`);
    return validate;
  }
}
