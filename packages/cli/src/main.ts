#!/usr/bin/env node
import "@sightline/server/thread-pool"; // before all that may use the pool
import "./compile-cache.ts";
import { runSightline } from "./run-sightline.ts";
import { processSurroundings } from "./surroundings.ts";

// Records, keys' hashes and signing keys are nobody else's to read.
process.umask(0o077);

// Whoever reads the output has had enough (`| head`): that is no failure, and there is nobody to
// tell. Without a listener Node would end with a stack.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const status = await runSightline(process.argv.slice(2), processSurroundings);
if (status !== 0) process.exitCode = status;
