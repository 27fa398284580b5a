import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { settings } from "@sightline/server/config";
import { load } from "js-yaml";
import { root } from "../../../build/folders.ts";

const folder = join(root, "deploy/cluster");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
}

/** A service as it is written: what `<<` names comes before its own fields. */
type WrittenService = Service & { readonly "<<"?: Service };

interface Compose {
  readonly services: Readonly<Record<string, WrittenService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = load(read("compose.yaml")) as Compose;
const services = Object.entries(compose.services).map(([name, written]) => {
  const { "<<": shared, ...own } = written;
  return [name, { ...shared, ...own } as Service] as const;
});
const environmentOf = (wanted: string) =>
  services.find(([name]) => name === wanted)?.[1].environment ?? {};
const clickhouse = services.filter(([name]) => name.startsWith("clickhouse-"));

/** The names of an XML text's elements, and of those that are not closed in order. */
function elementsOf(xml: string) {
  const open: string[] = [];
  const wrong: string[] = [];
  const names = new Set<string>();
  for (const [, closes, name = "", , empty] of xml
    .replaceAll(/<!--(?:(?!--)[\s\S])*-->/g, "")
    .matchAll(/<(\/?)(\w+)((?:\s+\w+="[^"<&]*")*)\s*(\/?)>/g)) {
    names.add(name);
    if (closes === "/") {
      if (open.pop() !== name) wrong.push(name);
    } else if (empty !== "/") open.push(name);
  }
  return { names, wrong: [...wrong, ...open] };
}

test("every variable of a node is a setting, and the addresses name services", () => {
  const known = new Set(settings.map(({ environment }) => environment));
  for (const name of ["node-1", "node-2", "migrate"]) {
    const environment = environmentOf(name);
    const variables = Object.keys(environment);
    assert.ok(variables.length > 0, name);
    assert.deepEqual(
      variables.filter((each) => !known.has(each)),
      [],
    );
    const addresses = Object.entries(environment).filter(([each]) => each.endsWith("_URL"));
    assert.equal(addresses.length, 3);
    for (const [, address] of addresses) {
      const plain = address.replaceAll(/\$\{[^}]*\}/g, "x");
      const hosts = [...plain.matchAll(/[@/]([\w-]+):\d+/g)].map(([, host = ""]) => host);
      assert.ok(hosts.length > 0 && hosts.every((host) => Object.hasOwn(compose.services, host)));
      // What is not named has no tables.
      const servers = clickhouse.map(([each]) => each);
      if (address.startsWith("http:")) assert.deepEqual(hosts, servers);
    }
  }
});

test("services wait for services that exist, and mount files and volumes that exist", () => {
  for (const [name, { depends_on = [], volumes = [] }] of services) {
    const waitsFor = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of waitsFor) assert.ok(Object.hasOwn(compose.services, other), other);
    for (const volume of volumes) {
      const [source = ""] = volume.split(":");
      const isThere = source.startsWith("./")
        ? existsSync(join(folder, source))
        : Object.hasOwn(compose.volumes, source);
      assert.ok(isThere, `${name}: ${source}`);
    }
  }
});

test("only the load balancer is published, and no password is written down", () => {
  const published = services.filter(([, { ports }]) => ports !== undefined);
  assert.deepEqual(
    published.map(([name]) => name),
    ["nginx"],
  );
  const passwords = services.flatMap(([, { environment = {} }]) =>
    Object.entries(environment).filter(([name]) => /PASSWORD/.test(name)),
  );
  assert.equal(passwords.length, 3);
  for (const [, value] of passwords) assert.match(value, /^\$\{\w+:\?/);
});

test("ClickHouse: well-formed files, a shard for each server, no endless log of its own", () => {
  const config = read("clickhouse/config.xml");
  for (const xml of [config, read("clickhouse/users.xml")]) {
    assert.deepEqual(elementsOf(xml).wrong, []);
  }
  const hosts = [...config.matchAll(/<host>([\w-]+)<\/host>/g)].map(([, host]) => host);
  assert.deepEqual(
    hosts,
    clickhouse.map(([name]) => name),
  );
  for (const [, { environment = {} }] of clickhouse) {
    for (const [, name = ""] of config.matchAll(/from_env="(\w+)"/g)) {
      assert.ok(Object.hasOwn(environment, name), name);
    }
  }
  const cluster = environmentOf("node-1")["SIGHTLINE_CLICKHOUSE_CLUSTER"] ?? "";
  assert.ok(elementsOf(config).names.has(cluster));
  for (const [log, name] of config.matchAll(/<(\w+_log) (?:remove|replace)="1"[\s\S]*?>/g)) {
    const kept = config.slice(config.indexOf(log)).startsWith(`<${name} replace`);
    const body = config.slice(config.indexOf(log), config.indexOf(`</${name}>`));
    if (kept) assert.match(body, /TTL event_date \+ INTERVAL \d+ DAY DELETE/, name);
  }
});

// What it lets through and repeats is tried by running it: packages/server/test/proxy.
test("nginx sends to the nodes, and waits longer than a request takes", () => {
  const nginx = read("nginx.conf");
  const servers = [...nginx.matchAll(/^\s*server ([\w-]+):8080 /gm)].map(([, name]) => name);
  assert.deepEqual(servers, ["node-1", "node-2"]);
  assert.match(nginx, /^\s*least_conn;/m);
  const waits = [...nginx.matchAll(/proxy_read_timeout (\d+)s;/g)].map(([, seconds]) => seconds);
  assert.ok(waits.length > 0 && waits.every((seconds) => Number(seconds) > 10));
  assert.ok(Number(/keepalive_timeout (\d+)s;/.exec(nginx)?.[1]) < 72);
});
