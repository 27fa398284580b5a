import { buildClient } from "./client-package.ts";
import { buildCommand } from "./command-package.ts";
import { clientDist, commandDist } from "./folders.ts";

await buildClient(clientDist);
await buildCommand(commandDist);
