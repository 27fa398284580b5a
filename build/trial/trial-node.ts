import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "../folders.ts";
import { runProgram } from "./run-program.ts";

/**
 * The environment in which a version of Node comes first in PATH; npm then runs on it too. It is
 * installed below .tools when it is not there, as tasks/setup does it.
 */
export async function trialNode(version: string): Promise<NodeJS.ProcessEnv> {
  const folder = join(root, `.tools/trial/node-${version}`);
  if (!existsSync(join(folder, "bin/node"))) await install(version, folder);
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  // A stranger has none of these; what the network needs (proxies, certificates) stays.
  const own = /^(SIGHTLINE_|NODE_OPTIONS$|NODE_ENV$|NODE_PATH$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(inherited), PATH: path };
}

async function install(version: string, folder: string): Promise<void> {
  const name = `node-${process.platform}-${process.arch}`;
  process.stderr.write(`trial: installing ${name}@${version} from npm (about 190 MB, once) ...\n`);
  const stage = `${folder}.stage`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const parameters = ["install", "--prefix", stage, ...options, `${name}@${version}`];
  await runProgram("npm", parameters, { folder: stage, environment: process.env });
  renameSync(join(stage, "node_modules", name), folder);
  rmSync(stage, { recursive: true });
}
