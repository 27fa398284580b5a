import {
  ApiError,
  ConnectionError,
  InvalidRequestError,
  Sightline,
  SightlineError,
  type SightlineOptions,
  UnauthorizedError,
} from "@sightline/client";
import { CommandError } from "../result.ts";
import type { Profile } from "./profile-file.ts";

/** How long a client tries. */
export type Patience = Pick<SightlineOptions, "retriesMax" | "timeoutMs">;

/** Less than the client's own: somebody is waiting, and the address may be wrong. */
const somebodyWaits: Patience = { retriesMax: 2 };

/** Runs `work` with a client, and adds advice to its errors. */
export async function withClient<Result>(
  { url, key }: Profile,
  work: (client: Sightline) => Promise<Result>,
  patience: Patience = somebodyWaits,
): Promise<Result> {
  try {
    return await work(new Sightline({ baseUrl: url, key, ...patience }));
  } catch (error) {
    throw error instanceof SightlineError ? explained(error, url) : error;
  }
}

function explained(error: SightlineError, url: string): CommandError {
  if (error instanceof UnauthorizedError) {
    const advice = "Store another with: sightline login";
    return new CommandError(`${url} rejected the key. ${error.detail} ${advice}`, 1, about(error));
  }
  if (error instanceof InvalidRequestError) return new CommandError(error.message, 2, about(error));
  if (error instanceof ApiError) {
    return new CommandError(`${url} answered ${error.message}`, 1, about(error));
  }
  if (error instanceof ConnectionError && url.startsWith("https:") && speaksHttp(error)) {
    const plain = url.replace(/^https:/, "http:");
    return new CommandError(`The server at ${url} speaks http, not https. Use ${plain}`);
  }
  if (error instanceof ConnectionError) {
    const advice =
      "Check that the service is running, or set its address with --url or SIGHTLINE_URL.";
    return new CommandError(`${url}: ${error.message} ${advice}`);
  }
  return new CommandError(`${url}: ${error.message}`);
}

/** The TLS error for a reply in plain HTTP. */
function speaksHttp({ message }: ConnectionError): boolean {
  return /ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)/.test(message);
}

function about({ status, code, requestId }: ApiError) {
  return { status, code, requestId };
}
