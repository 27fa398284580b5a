import { ApiError, ConnectionError } from "@sightline/client";

/**
 * What went wrong, in a reader's words: the service's own, without the JSON Pointer of the whole
 * body, and without the address of a call that got no reply.
 */
export function faultText(error: unknown): string {
  if (error instanceof ConnectionError) {
    return "The service cannot be reached. Check your connection, and try again.";
  }
  const text = error instanceof ApiError ? error.detail : messageOf(error);
  return sentence(text.replace(/^\/: /, ""));
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
