import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openApiDocument } from "@sightline/contract";
import { breakingChanges, breakText } from "../breaking-changes/breaking-changes.ts";
import { pythonPath, readDocument, releasedPath } from "./openapi-files.ts";
import { type PythonDocument, pythonModule } from "./python-client.ts";

test("nobody who keeps to the released document of v1 is broken by that of today", () => {
  const breaks = breakingChanges(readDocument(releasedPath), openApiDocument());
  assert.equal(breaks.map((each) => `\n${breakText(each)}`).join(""), "");
});

test("the Python client has the document of today; tasks/openapi writes it", () => {
  const document = openApiDocument() as object as PythonDocument;
  assert.ok(readFileSync(pythonPath, "utf8") === pythonModule(document), "run tasks/openapi");
});

test("a schema is written as Python has it", () => {
  const text = pythonModule({
    components: {
      schemas: {
        KindDto: { type: "string", enum: ["a", "b"] },
        PairDto: {
          type: "object",
          description: "Two.",
          properties: {
            kind: { $ref: "#/components/schemas/KindDto" },
            value: { type: ["number", "null"], description: "Null: nothing." },
            next: { anyOf: [{ $ref: "#/components/schemas/PairDto" }, { type: "null" }] },
            tags: { type: "object", additionalProperties: { type: "array", items: {} } },
          },
          required: ["kind"],
        },
        RangeDto: { type: "object", properties: { from: { type: "string" } } },
      },
    },
    paths: {
      "/v1/pairs/{id}": {
        get: {
          operationId: "pairById",
          summary: "A pair",
          parameters: [
            { name: "id", in: "path", schema: { type: "string" } },
            { name: "from", in: "query", schema: { type: "boolean" } },
          ],
          responses: {
            200: { content: { json: { schema: { $ref: "#/components/schemas/PairDto" } } } },
          },
        },
      },
    },
  });
  for (const part of [
    'Kind = Literal["a", "b"]',
    "class _PairRequired(TypedDict):\n    kind: Kind\n",
    'class Pair(_PairRequired, total=False):\n    """Two."""\n',
    "    # Null: nothing.\n    value: Optional[float]\n",
    "    next: Optional[Pair]\n    tags: Dict[str, List[Any]]\n",
    'Range = TypedDict("Range", {\n    "from": "str",\n}, total=False)',
    "    def pair_by_id(self, id: str, *, from_: Optional[bool] = None) -> Pair:",
    `self.call("GET", f'/v1/pairs/{quote(id, safe="")}', query={"from": from_})`,
  ]) {
    assert.ok(text.includes(part), `${part}\n---\n${text}`);
  }
});
