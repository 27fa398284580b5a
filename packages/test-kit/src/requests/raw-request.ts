import { connect } from "node:net";

/** A reply as it came over the wire. */
export interface RawReply {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends bytes as they are and gives back every reply until the server hangs up. A request that the
 * server understands must therefore say `Connection: close`.
 */
export async function rawRequest(
  baseUrl: string,
  bytes: string | Buffer,
): Promise<readonly RawReply[]> {
  return repliesIn(await rawExchange(baseUrl, bytes));
}

/** The one reply to bytes that are sent as they are. */
export async function rawReply(baseUrl: string, bytes: string | Buffer): Promise<RawReply> {
  const [reply, ...more] = await rawRequest(baseUrl, bytes);
  if (reply === undefined || more.length > 0) throw new Error(`got ${more.length} more or none`);
  return reply;
}

function rawExchange(baseUrl: string, bytes: string | Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", reject);
  socket.on("close", () => resolve(Buffer.concat(chunks)));
  return promise;
}

/** The replies in what a server sent, each with a Content-Length or without a body. */
function repliesIn(bytes: Buffer): readonly RawReply[] {
  const replies: RawReply[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const headEnd = rest.indexOf("\r\n\r\n");
    if (headEnd < 0) throw new Error(`no reply's head in ${rest}`);
    const [statusLine = "", ...fields] = rest.toString("latin1", 0, headEnd).split("\r\n");
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const bodyStart = headEnd + 4;
    const bodyEnd = bodyStart + Number(headers["content-length"] ?? 0);
    const body = rest.toString("utf8", bodyStart, bodyEnd);
    replies.push({ status: Number(statusLine.split(" ")[1]), headers, body });
    rest = rest.subarray(bodyEnd);
  }
  return replies;
}
