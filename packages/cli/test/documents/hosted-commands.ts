import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { runHosted } from "../command-host.ts";

/**
 * Shell lines that run the command of `"$@"` in the process of command-host.ts, asked at the socket
 * `$COMMANDS`: most of what a command costs is the start of its process. What reads standard input
 * starts its own. They end the shell.
 */
export const runHostedInShell = `case \${COMMANDS-}:\${1-} in
  :* | *:login | *:mcp) exec "$LAUNCHER" "$@" ;;
esac
[ /dev/stdin -ef /dev/null ] || exec "$LAUNCHER" "$@"
at=$OUTPUTS/command.$$
status=$({ printf '%s\\0' "$at" "$PWD" "$#" "$@"; env -0; } |
  curl -sS --unix-socket "$COMMANDS" --data-binary @- http://commands/)
cat "$at.err" >&2
cat "$at.out"
exit "$status"
`;

/** Listens at a socket for what `runHostedInShell` sends. @returns what ends it. */
export async function hostCommands(socket: string): Promise<() => void> {
  const server = createServer(async (request, reply) => {
    const [at = "", folder = "", count = "", ...rest] = (await text(request)).split("\0");
    const parameters = rest.splice(0, Number(count));
    const named = rest.filter((line) => line !== "").map((line) => line.split(/=(.*)/s, 2));
    try {
      const environment = Object.fromEntries(named);
      const { status, stdout, stderr } = await runHosted(parameters, { folder, environment });
      writeFileSync(`${at}.out`, stdout);
      writeFileSync(`${at}.err`, stderr);
      reply.end(String(status));
    } catch (error) {
      reply.destroy(error as Error);
    }
  });
  await once(server.listen(socket), "listening");
  return () => server.close();
}
