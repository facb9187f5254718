/** A longer line is not parsed; its id is searched for in its text. */
const longestParsed = 1 << 16;
const idMember = /"custom_id"\s*:\s*("(?:[^"\\]|\\.)*")/;

/** Returns the custom_id of a line of a batch file; `undefined` if it has none. */
export function customIdOf(text: string): string | undefined {
  try {
    const read: unknown = text.length > longestParsed ? { custom_id: JSON.parse(idIn(text)) } : JSON.parse(text);
    const id = typeof read === 'object' && read !== null && 'custom_id' in read ? read.custom_id : undefined;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}

function idIn(text: string): string {
  return idMember.exec(text)?.[1] ?? 'null';
}

/** Returns the range of the id in its line, without the quotes. */
export function idRange(text: string): readonly [start: number, end: number] | undefined {
  const found = idMember.exec(text);
  if (!found?.[1]) return undefined;
  const end = found.index + found[0].length - 1;
  return [end - found[1].length + 2, end];
}
