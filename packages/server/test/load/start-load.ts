import { fork } from "node:child_process";
import { join } from "node:path";
import type { LoadPlan, LoadWindow } from "./load-plan.ts";

/** A load that is under way, in a process of its own so that it and its watcher share no thread. */
export interface RunningLoad {
  /** Resolves when it has its session and asks. */
  readonly started: Promise<void>;
  /** Every window, when the last has ended. */
  readonly finished: Promise<readonly LoadWindow[]>;
  /** Ends it immediately. */
  readonly stop: () => void;
}

/** Starts to ask as a plan says. */
export function startLoad(
  plan: LoadPlan,
  onWindow: (window: LoadWindow) => void = () => undefined,
): RunningLoad {
  const child = fork(join(import.meta.dirname, "load-process.ts"), {
    execArgv: [],
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name !== "NODE_OPTIONS"),
    ),
  });
  const windows: LoadWindow[] = [];
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<readonly LoadWindow[]>();
  child.on("message", (message: "started" | LoadWindow) => {
    if (message === "started") return started.resolve();
    windows.push(message);
    onWindow(message);
  });
  child.once("error", finished.reject);
  child.once("exit", () => {
    started.resolve();
    finished.resolve(windows);
  });
  child.send(plan);
  return {
    started: started.promise,
    finished: finished.promise,
    stop: () => child.kill("SIGKILL"),
  };
}

/** One window of a load. @throws when it failed before its end. */
export async function oneWindow(plan: Omit<LoadPlan, "windows">): Promise<LoadWindow> {
  const [window] = await startLoad({ ...plan, windows: 1 }).finished;
  if (window === undefined) throw new Error("the load ended without a report");
  return window;
}
