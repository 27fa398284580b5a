import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** The folder of tools of a checkout; what npm installs has none. */
const tools = join(import.meta.dirname, "../../../.tools");

// What was compiled once is kept: every command starts in half the time.
if (existsSync(tools)) enableCompileCache(join(tools, "compile-cache"));
