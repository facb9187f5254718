const stepBytes = 256;

/**
 * Returns the JSON string that begins at `offset` of a file, its opening quote not included, or `undefined` if the file changed
 * meanwhile.
 */
export function idAt(offset: number, readAgain: (offset: number, into: Uint8Array) => number): string | undefined {
  for (let size = stepBytes; ; size *= 4) {
    const bytes = Buffer.alloc(size);
    const read = readAgain(offset, bytes);
    const end = endOf(bytes.subarray(0, read));
    if (end >= 0) return parse(bytes.toString('utf8', 0, end));
    if (read < size) return undefined;
  }
}

function endOf(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === 0x22) return at;
    if (bytes[at] === 0x5c) at++;
  }
  return -1;
}

function parse(raw: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${raw}"`);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
