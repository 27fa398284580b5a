import type { ErrorCode } from "@sightline/contract";
import { bodyBytesMax } from "../../../server/src/http/problems.ts";
import { sampleRange } from "../sample-account.ts";

/** A request as bytes, and the problem with which it must be refused. */
export interface HostileRequest {
  readonly bytes: Buffer;
  readonly code: ErrorCode;
}

const deep = 100_000;
const line =
  "POST /v1/analytics/brands/mentions HTTP/1.1\r\nHost: sightline\r\nConnection: close\r\n";
const json = "Content-Type: application/json\r\n";
const good = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });
const chunked = "Transfer-Encoding: chunked\r\n";

/** What only wants to do harm, by what it is; each request has its own connection. */
export function hostileRequests(token: string): Readonly<Record<string, HostileRequest>> {
  const head = `${line}Authorization: Bearer ${token}\r\n`;
  return { ...hostileHeads(head), ...hostileTypes(head), ...hostileBodies(`${head}${json}`) };
}

function hostileHeads(head: string): Readonly<Record<string, HostileRequest>> {
  const refused = (code: ErrorCode, rest: string): HostileRequest => ({
    bytes: Buffer.from(`${head}${json}${rest}`, "latin1"),
    code,
  });
  const length = `Content-Length: ${good.length}\r\n`;
  const chunk = `${good.length.toString(16)}\r\n${good}\r\n0\r\n\r\n`;
  const many = Array.from({ length: 1_500 }, (_, index) => `F${index}: ${index}\r\n`).join("");
  const cookies = "Cookie: a\r\n".repeat(5_000);
  return {
    "20 KB in one header": refused("headers_too_large", `F: ${"a".repeat(20_000)}\r\n\r\n`),
    "20 KB in many headers": refused("headers_too_large", `${many}\r\n`),
    "one header many times": refused("headers_too_large", `${cookies}\r\n`),
    "NUL in a header": refused("malformed_http", `F: a\0b\r\n${length}\r\n${good}`),
    "NUL in a header's name": refused("malformed_http", `F\0: a\r\n${length}\r\n${good}`),
    "a length, then chunks": refused("malformed_http", `${length}${chunked}\r\n${chunk}`),
    "chunks, then a length": refused("malformed_http", `${chunked}${length}\r\n${chunk}`),
    "two lengths": refused("malformed_http", `${length}Content-Length: 3\r\n\r\n${good}`),
    "the same length twice": refused("malformed_http", `${length}${length}\r\n${good}`),
    "a chunk's size beyond 64 bits": refused(
      "malformed_http",
      `${chunked}\r\n${"f".repeat(17)}\r\n${good}`,
    ),
    "an endless line of a chunk": refused(
      "malformed_http",
      `${chunked}\r\n1;${"a".repeat(20_000)}\r\n{\r\n`,
    ),
  };
}

function hostileTypes(head: string): Readonly<Record<string, HostileRequest>> {
  const typed = (type: string, body: Buffer, code: ErrorCode): HostileRequest =>
    withBody(`${head}Content-Type: ${type}\r\n`, body, code);
  const utf16 = Buffer.from(good, "utf16le");
  const wrong = "unsupported_media_type";
  return {
    "text/plain": typed("text/plain", Buffer.from(good), wrong),
    "no type": withBody(head, Buffer.from(good), wrong),
    "UTF-16 that says so": typed("application/json; charset=utf-16", utf16, wrong),
    "UTF-16 that says nothing": typed("application/json", utf16, "malformed_json"),
    "UTF-16 with its mark": typed(
      "application/json",
      Buffer.from(`\ufeff${good}`, "utf16le"),
      "malformed_json",
    ),
    "a type of 10 KB of spaces": typed(
      `application/json;${" ".repeat(10_000)}a`,
      Buffer.from(good),
      wrong,
    ),
  };
}

function hostileBodies(head: string): Readonly<Record<string, HostileRequest>> {
  const invalid = (body: string) => withBody(head, Buffer.from(body), "invalid_request");
  const malformed = (body: string | Buffer) =>
    withBody(head, Buffer.from(body as string), "malformed_json");
  /** The good request with more fields before its own. */
  const more = (fields: string) => good.replace("{", `{${fields},`);
  const filter = (fields: string) => good.replace('"timeRange"', `${fields},"timeRange"`);
  const half = bodyBytesMax / 2;
  return {
    __proto__: invalid(more('"__proto__":{"interval":"daily"}')),
    "a prototype as a filter": invalid(filter('"__proto__":{"providers":[]}')),
    "a prototype alone": invalid(`{"__proto__":${good}}`),
    "a constructor's prototype": invalid(more('"constructor":{"prototype":{"a":1}}')),
    "100,000 arrays deep": invalid("[".repeat(deep) + "]".repeat(deep)),
    "100,000 arrays deep as a filter": invalid(
      filter(`"providers":${"[".repeat(deep)}${"]".repeat(deep)}`),
    ),
    "100,000 objects deep": invalid(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`),
    "100,000 objects deep as a filter": invalid(
      filter(`"topics":${'{"id":'.repeat(deep)}1${"}".repeat(deep)}`),
    ),
    "100,000 arrays that stay open": invalid("[".repeat(deep)),
    "1 MiB of brackets": invalid("[".repeat(half) + "]".repeat(half)),
    "1 MiB of open brackets": invalid("[".repeat(bodyBytesMax)),
    "1 MiB of arrays side by side": invalid(`[${"[],".repeat(half / 2)}[]]`),
    NUL: malformed("\0"),
    "NUL in a text": malformed(good.replace("daily", "da\0ly")),
    "NUL in a text, escaped": invalid(good.replace("daily", "daily\\u0000")),
    "a lone surrogate": invalid(good.replace("daily", "\\ud800")),
    "a lone surrogate as a name": invalid(more('"\\udfff":1')),
    "a lone surrogate as bytes": malformed(
      Buffer.concat([Buffer.from('{"interval":"'), Buffer.from([0xed, 0xa0, 0x80, 0x22, 0x7d])]),
    ),
    "a name twice": malformed(more('"interval":"weekly"')),
    "a name twice, escaped": malformed(more('"\\u0069nterval":"weekly"')),
    "1e400": invalid(good.replace('"daily"', "1e400")),
    "1e400 in a filter": invalid(filter('"branded":-1e400')),
    "a number of 1 MB": invalid(good.replace('"daily"', "9".repeat(1_000_000))),
    "a text of 1 MB": invalid(good.replace("daily", "a".repeat(1_000_000))),
    "a time of 1 MB": invalid(good.replace("2026-01-05T", `2026-01-05T${"0".repeat(1_000_000)}`)),
    "a name of 1 MB": invalid(more(`"${"a".repeat(1_000_000)}":1`)),
    "80,000 unknown fields": invalid(more(unknownFields(80_000))),
    "80,000 unknown filters": invalid(filter(unknownFields(80_000))),
    "10,000 wrong filter items": invalid(filter(`"providers":[${"1,".repeat(9_999)}1]`)),
    "10,000 items with unknown fields": invalid(filter(`"topics":[${'{"a":1},'.repeat(9_999)}{}]`)),
    "500,000 filter items": invalid(filter(`"promptIds":[${"1,".repeat(499_999)}1]`)),
    "300,000 filter objects": invalid(filter(`"regions":[${"{},".repeat(299_999)}{}]`)),
  };
}

function unknownFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":1`).join(",");
}

function withBody(head: string, body: Buffer, code: ErrorCode): HostileRequest {
  const length = `Content-Length: ${body.length}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(`${head}${length}`, "latin1"), body]), code };
}
