import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { scopes } from "@sightline/contract";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const home = join(import.meta.dirname, "../../python");
const run = promisify(execFile);
const { service, accountId } = await startSample({ after });
const url = await service.listen();
const key = await service.key(accountId, scopes);

/** Runs Python with the package found in `path`. */
async function python(path: string, ...given: readonly string[]): Promise<string> {
  const environment = { PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" };
  const env = { ...process.env, ...environment, SIGHTLINE_URL: url, SIGHTLINE_KEY: key };
  const { stdout, stderr } = await run("python3", given, { cwd: home, env });
  return stdout + stderr;
}

/** Of a test that may write. */
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "python-client-"));
  after(() => rmSync(made, { recursive: true }));
  return made;
}

test("the Python client asks the service, and sends again what may be", async (t) => {
  const said = await python("src", "-m", "unittest", "discover", "-s", "tests");
  const [, count] = /Ran (\d+) tests/.exec(said) ?? [];
  t.diagnostic(`${count} tests in Python`);
  assert.match(said, /\nOK\n/);
  assert.ok(Number(count) >= 15, said);
});

test("the wheel installs, and the examples of its page run with it", async () => {
  const made = folder();
  const name = (await python("src", "wheel_of_files.py", made)).trim();
  assert.equal(name, "sightline_client-0.1.0-py3-none-any.whl");
  const first = readFileSync(join(made, name));
  await python("src", "wheel_of_files.py", made);
  assert.ok(first.equals(readFileSync(join(made, name))), "the same files are the same wheel");
  const site = join(made, "site");
  await python("", "-m", "zipfile", "-e", join(made, name), site);
  assert.deepEqual(readdirSync(site).toSorted(), ["sightline", "sightline_client-0.1.0.dist-info"]);
  assert.ok(existsSync(join(site, "sightline", "py.typed")));
  const page = readFileSync(join(home, "README.md"), "utf8");
  const blocks = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, block]) => block);
  const script = join(made, "page.py");
  writeFileSync(script, blocks.join("\n").replace("http://127.0.0.1:8080", url));
  const printed = await python(site, script);
  assert.match(printed, /^Acme 0\.6+\d*$/m);
  assert.match(printed, /^example\.org 3$/m);
  assert.match(printed, /^\d+ answers mention the brand$/m);
  assert.match(printed, /^1 recorded$/m);
  assert.match(printed, /^400 invalid_request req_/m);
});

test("its types are right where mypy is there", async (t) => {
  const mypy = "/usr/bin/mypy";
  if (!existsSync(mypy))
    return t.diagnostic(`NOT TESTED: the types of the Python client (${mypy})`);
  const options = ["--strict", "--cache-dir", folder(), "src"];
  const { stdout } = await run(mypy, options, { cwd: home });
  assert.match(stdout, /^Success: no issues found/);
});
