/** The values of a column that is sent: side by side, as ClickHouse keeps them. */
export interface BlockColumn {
  readonly name: string;
  /** ClickHouse's type, of the values as they are sent; the server converts them to the table's. */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/**
 * Rows as columns side by side, in ClickHouse's format Native: numbers go over as they lie in
 * memory (little-endian on every machine that Node runs on), and an insert is one block.
 */
export function nativeBlock(rows: number, columns: readonly BlockColumn[]): readonly Uint8Array[] {
  return [
    Buffer.concat([lengthBytes(columns.length), lengthBytes(rows)]),
    ...columns.flatMap(({ name, type, bytes }) => {
      return [Buffer.concat([textBytes(name), textBytes(type)]), bytes];
    }),
  ];
}

/** A text with its length before it. */
export function textBytes(text: string): Buffer {
  return lengthened(Buffer.from(text, "utf8"));
}

/** Bytes with their length before them: a value of a String, which may hold any. */
export function lengthened(bytes: Uint8Array): Buffer {
  return Buffer.concat([lengthBytes(bytes.length), bytes]);
}

/** A UUID as ClickHouse keeps it: two numbers of 64 bits, each with its lowest byte first. */
export function clickhouseUuid(uuid: Uint8Array): Buffer {
  const bytes = Buffer.from(uuid);
  bytes.subarray(0, 8).reverse();
  bytes.subarray(8, 16).reverse();
  return bytes;
}

/** The bytes of an array of numbers. */
export function bytesOf(values: ArrayBufferView): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Seven bits a byte, the lowest first. */
function lengthBytes(length: number): Buffer {
  const bytes: number[] = [];
  let left = length;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
  return Buffer.from([...bytes, left]);
}
