import assert from "node:assert/strict";

/** Requires that documents are equal, numbers within 1e-9. */
export function assertClose(got: unknown, wanted: unknown, what: string): void {
  const where = () => `${JSON.stringify(got)} is not ${JSON.stringify(wanted)}; ${what}`;
  if (typeof wanted === "number" && typeof got === "number") {
    assert.ok(Math.abs(got - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), where());
    return;
  }
  if (typeof wanted !== "object" || wanted === null || typeof got !== "object" || got === null) {
    assert.deepEqual(got, wanted, where());
    return;
  }
  assert.deepEqual(Object.keys(got), Object.keys(wanted), where());
  for (const [name, value] of Object.entries(wanted)) {
    assertClose((got as Readonly<Record<string, unknown>>)[name], value, `${name} of ${what}`);
  }
}
