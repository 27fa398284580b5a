import { type Serving, startServing, stopped } from "@sightline/test-kit/command.ts";
import { LoadClient, type LoadReply } from "./load-client.ts";
import { heavyQuestions, type LoadedFolder, lightQuestion, loadedFolder } from "./loaded-folder.ts";

/** A serving process over a folder with a heavy and a light account, with a rate of 20 a second. */
export interface LoadedService {
  readonly folder: LoadedFolder;
  readonly serving: Serving;
  /** Stops the service, however it is by then, and removes the folder. */
  readonly end: () => Promise<void>;
}

/** Makes the folder, and serves it. */
export async function startLoaded(): Promise<LoadedService> {
  const folder = await loadedFolder();
  const serving = await startServing(folder.dataDir, {
    parameters: ["--rate-limit", "20/s", "--reply-cache", "off"],
  });
  const end = async () => {
    await stopped(serving);
    folder.remove();
  };
  return { folder, serving, end };
}

/** Asks one after another until told to stop. @returns the replies. */
export async function askedUntil(
  ended: Promise<unknown>,
  ask: () => Promise<LoadReply>,
): Promise<readonly LoadReply[]> {
  const replies: LoadReply[] = [];
  let goesOn = true;
  void ended.then(() => {
    goesOn = false;
  });
  while (goesOn) replies.push(await ask());
  return replies;
}

/** A question of the heavy account over a client of its own. */
export async function heavyAsker({ folder, serving }: LoadedService, connections: number) {
  const client = new LoadClient(serving.url, connections);
  const token = await client.session(folder.heavy.unlimitedKey);
  const [question = lightQuestion] = heavyQuestions;
  const ask = (signal?: AbortSignal) =>
    client.ask(question.path, {
      token,
      body: question.body,
      ...(signal === undefined ? {} : { signal }),
    });
  /** Opens every connection, so that questions on them arrive together. */
  const connect = () =>
    Promise.all(Array.from({ length: connections }, () => client.ask("/healthz")));
  return { ask, connect, close: () => client.close() };
}
