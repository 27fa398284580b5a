/** The value at a JSON Pointer (RFC 6901) of a document; undefined: there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.getOwnPropertyDescriptor(value, name)?.value;
  }
  return value;
}
