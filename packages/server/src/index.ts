// What serves. What works on the data folder alone has entries of its own in package.json: so a
// command loads what it needs, and an import neither the engine nor HTTP.
export { type RunningServer, startServer } from "./server.ts";
