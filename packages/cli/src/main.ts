#!/usr/bin/env node
import "@sightline/server/thread-pool"; // before all that may use the pool
import { processIo } from "./command-io.ts";
import { runSightline } from "./run-sightline.ts";

// Only the owner may read records, key hashes and signing keys.
process.umask(0o077);

// The reader of the output has closed the pipe (`| head`): not a failure, and nobody reads a
// message. Without a listener Node would end with a stack trace.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit();
  process.stderr.write(`sightline: standard output cannot be written: ${error.message}\n`);
  process.exit(1);
});
// The program that started this may close standard error alone, and read on: messages are lost
// then, but an assistant's tools, an import or a collector must not end for them.
process.stderr.on("error", () => undefined);

const status = await runSightline(process.argv.slice(2), processIo);
if (status !== 0) process.exitCode = status;
