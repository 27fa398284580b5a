import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// A ClickHouse server in this process: PORT DIR [CONFIG.xml]. The library of chdb contains
// clickhouse-local, which opens ClickHouse's own ports. It runs until standard input ends.

/** What is used of the package ffi-rs. */
interface ForeignFunctions {
  readonly open: (library: { readonly library: string; readonly path: string }) => void;
  readonly load: (call: {
    readonly library: string;
    readonly funcName: string;
    readonly retType: number;
    readonly paramsType: readonly number[];
    readonly paramsValue: readonly unknown[];
  }) => unknown;
  readonly DataType: Readonly<Record<"I32" | "StringArray", number>>;
}

/** Where tasks/engines installs it. */
const folder = join(import.meta.dirname, "../../../../.tools/engines");
const [port = "", data = "", config] = process.argv.slice(2);

const listen = [
  "SYSTEM START LISTEN HTTP",
  "SYSTEM START LISTEN TCP",
  // Waits for what never comes, until the pipe's other end is closed.
  "SELECT count() FROM file('/dev/stdin', 'LineAsString', 'line String') FORMAT Null",
];
const flags = [
  "clickhouse",
  "--multiquery",
  `--path=${data}`,
  `--http_port=${port}`,
  `--tcp_port=${Number(port) + 1}`,
  "--listen_host=127.0.0.1",
  ...(config === undefined ? [] : [`--config-file=${config}`]),
  `--query=${listen.join("; ")}`,
];

if (!existsSync(join(folder, "stamp"))) throw new Error("tasks/engines has not been run");
const engines = createRequire(join(folder, "package.json"));
const { open, load, DataType } = engines("ffi-rs") as ForeignFunctions;
open({ library: "chdb", path: libraryOf(process.platform, process.arch) });
load({
  library: "chdb",
  funcName: "chdb_query_cmdline",
  retType: DataType.I32,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [flags.length, flags],
});

function libraryOf(platform: string, arch: string): string {
  const suffix = platform === "linux" ? "-gnu" : "";
  return join(folder, `node_modules/@chdb/lib-${platform}-${arch}${suffix}/libchdb.so`);
}
