import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { load } from "js-yaml";

/** A file of cases/, as cases/README.md describes it. */
interface Case extends Step {
  readonly rule: string;
  readonly then?: readonly Step[];
}

interface Step {
  readonly workspace?: Readonly<Record<string, unknown>>;
  readonly answers?: readonly Readonly<Record<string, unknown>>[];
  readonly questions: readonly CaseQuestion[];
}

interface CaseQuestion {
  readonly ask: string;
  readonly request: object;
  /** The exact reply; without it, the request is refused. */
  readonly reply?: object;
  /** JSON Pointers of what is wrong with the request. */
  readonly refused?: readonly string[];
}

const folder = join(import.meta.dirname, "../../../cases");
const files = globSync("*.yaml", { cwd: folder }).sort();
const promptId = "bbbbbbbb-0000-4000-8000-000000000001";
const fields = ["rule", "workspace", "answers", "questions", "then"];

let service: TestService;
before(async () => {
  service = await TestService.start();
});
after(() => service.close());

test("there are cases", () => assert.ok(files.length >= 25, `${files.length} in ${folder}`));

for (const file of files) {
  test(`case: ${basename(file, ".yaml")}`, async () => {
    const content = load(readFileSync(join(folder, file), "utf8")) as Case;
    assert.deepEqual(
      Object.keys(content).filter((field) => !fields.includes(field)),
      [],
    );
    assert.match(content.rule, /\w/);
    const runner = new CaseRunner(basename(file, ".yaml"));
    for (const step of [content, ...(content.then ?? [])]) await runner.take(step);
  });
}

/** One case's account. */
class CaseRunner {
  readonly #name: string;
  #accountId = "";
  #token = "";
  #answers = 0;

  constructor(name: string) {
    this.#name = name;
  }

  async take({ workspace, answers, questions }: Step): Promise<void> {
    if (workspace !== undefined) await this.#apply(workspace);
    if (answers !== undefined) await this.#import(answers);
    if (this.#token === "") this.#token = await service.session(this.#accountId);
    for (const question of questions) await this.#ask(question);
  }

  async #apply(workspace: Readonly<Record<string, unknown>>): Promise<void> {
    this.#accountId = await service.apply({
      account: { name: this.#name },
      prompts: [{ id: promptId, text: "Which is the best?" }],
      ...workspace,
    });
    await service.settle(this.#accountId);
  }

  async #import(answers: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    const lines = answers.map((answer) => {
      this.#answers += 1;
      return {
        promptId,
        provider: "OPENAI",
        answeredAt: "2026-01-05T12:00:00Z",
        ...(answer["id"] === undefined ? { sample: this.#answers } : {}),
        ...answer,
      };
    });
    const { rejected } = await service.import(this.#accountId, lines);
    assert.equal(rejected, 0, "an answer of the case was rejected");
  }

  async #ask({ ask, request, reply, refused }: CaseQuestion): Promise<void> {
    const got = await service.post(`/v1/analytics/${ask}`, { token: this.#token, body: request });
    const body = got.json<{ readonly errors?: readonly { readonly path: string }[] }>();
    if (reply !== undefined)
      assert.deepEqual({ ask, request, reply: body }, { ask, request, reply });
    else {
      assert.ok(refused !== undefined, `neither reply nor refused is given for ${ask}`);
      const paths = body.errors?.map(({ path }) => path);
      assert.deepEqual([got.status, paths], [400, refused], got.body);
    }
  }
}
