import type { Adapter, AskedQuestion, VendorRequest } from "../adapter.ts";
import { type ReplyReader, readReply } from "./collected-answer.ts";

/** The steps of a vendor that answers a single request: it is sent, and its latest reply read. */
export function singleRequestStep(
  requestOf: (question: AskedQuestion) => VendorRequest,
  reader: ReplyReader,
): Adapter["step"] {
  return (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: requestOf(question) };
    return readReply(last, reader);
  };
}
