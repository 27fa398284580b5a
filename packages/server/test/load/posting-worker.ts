import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { corpusAnswer } from "@sightline/test-kit/sample-corpus.ts";

/** Of an answer that is posted. */
export const answerBytes = 2_000;
/** Of what is sent in one piece. */
const linesAtOnce = 50;

/** What is posted, where. */
export interface PostingOrder {
  readonly url: string;
  readonly token: string;
  readonly body: PostedBody;
}

/** What the service says of it. */
export interface PostedReply {
  readonly accepted: number;
  readonly rejected: number;
}

/** Which answers. */
export interface PostedBody {
  readonly from: number;
  readonly count: number;
}

/** Posts answers in one body. */
async function posted(url: string, token: string, { from, count }: PostedBody) {
  const sent = request(`${url}/v1/answers`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
  });
  const replied = new Promise<string>((resolve, reject) => {
    sent.once("error", reject);
    sent.once("response", (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
  });
  await pipeline(Readable.from(chunks({ from, count })), sent);
  return JSON.parse(await replied) as PostedReply;
}

function* chunks({ from, count }: PostedBody): Generator<Buffer> {
  for (let first = 0; first < count; first += linesAtOnce) {
    const lines = Math.min(linesAtOnce, count - first);
    yield Buffer.from(
      Array.from({ length: lines }, (_, index) => line(from + first + index)).join(""),
    );
  }
}

const filler = "Some say that it depends on what one needs, and how much one wants to pay. ";

/** An answer of two kilobytes. */
function line(number: number): string {
  const { text, ...answer } = corpusAnswer(number);
  const rest = JSON.stringify({ ...answer, text: `${text} ` });
  const length = Math.max(0, answerBytes - rest.length - 1);
  const long = filler.repeat(Math.ceil(length / filler.length)).slice(0, length);
  return `${rest.slice(0, -2)}${long}"}\n`;
}

if (!isMainThread) {
  const { url, token, body } = workerData as PostingOrder;
  parentPort?.postMessage(await posted(url, token, body));
}
