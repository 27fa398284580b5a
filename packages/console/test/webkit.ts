import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, rmSync } from "node:fs";
import type { TestContext } from "node:test";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

/** A window of WebKit, the engine of Safari, by the WebDriver protocol. */
export interface WebkitWindow {
  /** Goes to an address, and waits until it has loaded. */
  readonly go: (url: string) => Promise<void>;
  /** Types into what a selector finds first. `\ue007` is Enter. */
  readonly type: (selector: string, text: string) => Promise<void>;
  /** What the body of an asynchronous function returns there. @throws what it throws. */
  readonly run: <Result>(body: string) => Promise<Result>;
}

const [driver, display] = ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"] as const;
const [browser = "MiniBrowser"] = globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser");

/**
 * Debian's WebKit, from the packages webkit2gtk-driver and xvfb, gone with the test. Null where
 * they are missing: the run's last lines then say that it was NOT TESTED.
 * @throws in CI, where nothing may be missing.
 */
export async function startWebkit(t: TestContext): Promise<WebkitWindow | null> {
  const missing = [driver, display, browser].filter((file) => !existsSync(file));
  if (missing.length > 0) {
    const say = `NOT TESTED: the console in WebKit, since ${missing.join(" and ")} is missing`;
    if (process.env["CI"] === "true") throw new Error(say);
    t.diagnostic(say);
    return null;
  }
  const home = temporaryFolder();
  const screen = spawn(display, ["-displayfd", "1", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = (await once(screen.stdout, "data")) as [Buffer];
  const port = await freePort();
  const child = spawn(driver, [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: `:${number.toString().trim()}`,
      HOME: home,
      LIBGL_ALWAYS_SOFTWARE: "1",
      // It refuses to build its sandbox as root; the pages are our own.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
  });
  const session = await opened(`http://127.0.0.1:${port}`);
  t.after(async () => {
    await session.end();
    for (const each of [child, screen]) await ended(each);
    rmSync(home, { recursive: true, force: true });
  });
  return session;
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  if (child.kill("SIGTERM")) await exited;
}

async function opened(address: string): Promise<WebkitWindow & { end: () => Promise<void> }> {
  const ask = async <Value>(method: string, path: string, body?: object): Promise<Value> => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(`${address}${path}`, { method, headers, ...sent });
    const { value } = (await reply.json()) as { value: Value };
    if (!reply.ok) throw new Error(`WebKit refuses ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until("the driver listens", () => ask("GET", "/status").catch(() => null));
  const options = { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } };
  const capabilities = { alwaysMatch: options };
  const { sessionId } = await ask<{ sessionId: string }>("POST", "/session", { capabilities });
  const path = `/session/${sessionId}`;
  await ask("POST", `${path}/timeouts`, { script: 60_000 });
  await ask("POST", `${path}/window/rect`, { width: 1_300, height: 950 });
  return {
    go: (url) => ask("POST", `${path}/url`, { url }),
    type: async (selector, text) => {
      const found = await ask<object>("POST", `${path}/element`, {
        using: "css selector",
        value: selector,
      });
      await ask("POST", `${path}/element/${Object.values(found)[0]}/value`, { text });
    },
    run: async <Result>(body: string) => {
      const script = `const reply = arguments[arguments.length - 1];
        const replied = (async () => { ${body} })();
        replied.then((value) => reply([value]), (error) => reply(String(error)));`;
      const value = await ask<[Result] | string>("POST", `${path}/execute/async`, {
        script,
        args: [],
      });
      if (typeof value === "string") throw new Error(value);
      return value[0];
    },
    end: () => ask("DELETE", path),
  };
}
