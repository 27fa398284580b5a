import type { AuthorizedRequest, VendorRequest } from "../adapter.ts";

/** A request with its credential as a bearer token (RFC 6750). */
export function bearer(request: VendorRequest, credential: string): AuthorizedRequest {
  const { path, headers } = request;
  return { path, headers: { ...headers, authorization: `Bearer ${credential}` } };
}
