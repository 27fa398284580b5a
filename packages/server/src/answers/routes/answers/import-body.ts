import type { IncomingHttpHeaders } from "node:http";
import {
  answersMediaTypes,
  csvMediaType,
  type ImportAnswersResponse,
  importSourceSchema,
  quoted,
} from "@sightline/contract";
import { ServiceError } from "../../../platform/service-error.ts";
import type { StreamImport, StreamOrigin } from "../../intake/import-thread.ts";

/** The codings that are undone; a body's first bytes say which it has. */
const codings = ["", "identity", "gzip", "x-gzip", "zstd"];

interface StreamRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: unknown;
}

/**
 * What a stream is by its own account. Other query parameters were always ignored, and still are.
 * @throws ServiceError when `?source=` cannot be shown in a list.
 */
export function originOf({ headers, query }: StreamRequest): StreamOrigin {
  const { source = "http" } = query as { readonly source?: unknown };
  const read = importSourceSchema.safeParse(source);
  const format = mediaType(headers) === csvMediaType ? "csv" : "ndjson";
  if (read.success) return { format, source: read.data };
  const got = typeof source === "string" ? quoted(source) : "several values";
  const message =
    "The query parameter source must have 1 to 255 characters, none of them a control or " +
    `invisible character, got ${got}.`;
  const errors = [{ path: "", code: "not_allowed", message }] as const;
  throw new ServiceError("invalid_request", message, { errors });
}

function mediaType(headers: IncomingHttpHeaders): string {
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  return type.trim();
}

/** Why a stream is refused for what its fields say of it; null: its type is known. */
export function streamFault(headers: IncomingHttpHeaders): ServiceError | null {
  if (!answersMediaTypes.some((known) => known === mediaType(headers))) {
    return new ServiceError(
      "unsupported_media_type",
      "Send one answer on each line, as JSON in UTF-8, with " +
        `\`Content-Type: ${answersMediaTypes[0]}\`; or CSV in UTF-8, with \`${csvMediaType}\`.`,
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
