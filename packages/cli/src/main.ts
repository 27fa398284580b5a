#!/usr/bin/env node
import "@sightline/server/thread-pool"; // before all that may use the pool
import { runSightline } from "./run-sightline.ts";
import { processSurroundings } from "./surroundings.ts";

// Only the owner may read records, key hashes and signing keys.
process.umask(0o077);

// The reader of the output has closed the pipe (`| head`): not a failure, and nobody reads a
// message. Without a listener Node would end with a stack trace.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const status = await runSightline(process.argv.slice(2), processSurroundings);
if (status !== 0) process.exitCode = status;
