import type { IncomingHttpHeaders } from "node:http";
import { answersMediaTypes, type ImportAnswersResponse, quoted } from "@sightline/contract";
import type { StreamImport } from "../../../answers/intake/import-thread.ts";
import { ServiceError } from "../../../platform/service-error.ts";

/** The codings that are undone; a body's first bytes say which it has. */
const codings = ["", "identity", "gzip", "x-gzip", "zstd"];

/** Why a stream is refused for what its fields say of it; null: it says that it is NDJSON. */
export function streamFault(headers: IncomingHttpHeaders): ServiceError | null {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (!answersMediaTypes.some((known) => known === type.trim())) {
    return new ServiceError(
      "unsupported_media_type",
      "Send one answer on each line, as JSON in UTF-8, with " +
        `\`Content-Type: ${answersMediaTypes[0]}\`.`,
    );
  }
  const coding = headers["content-encoding"]?.toLowerCase() ?? "";
  if (codings.includes(coding)) return null;
  return new ServiceError(
    "unsupported_media_type",
    `\`Content-Encoding\` must be gzip, zstd or absent, got ${quoted(coding)}.`,
    { headers: { "Accept-Encoding": "gzip, zstd" } },
  );
}

/** The body of the reply. */
export function importReply({ rejectedLines, ...tally }: StreamImport): ImportAnswersResponse {
  const { importId, accepted, duplicates, rejected, warnings } = tally;
  const errors = rejectedLines.flatMap(({ line, errors: faults, reason }) => {
    if (faults.length === 0) return [{ line, path: "", message: reason }];
    return faults.map(({ path, message }) => ({ line, path, message }));
  });
  return { importId, accepted, duplicates, rejected, warnings, errors };
}
