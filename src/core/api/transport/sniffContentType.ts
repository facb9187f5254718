/** How many bytes from the start of a file are inspected. */
export const sniffBytes = 4100;

/**
 * Returns the content type of a file by its first bytes: images, video, audio and the text formats the service uses. If they are
 * inconclusive, returns the server's type without parameters, else `application/octet-stream`.
 */
export async function sniffContentType(head: Uint8Array, declared: string | undefined): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime && mime !== 'application/xml') return mime;
  const word = declared?.split(';')[0]?.trim().toLowerCase() || undefined;
  const text = textOf(head);
  return (
    (text === undefined ? undefined : textType(text)) ??
    word ??
    (text === undefined ? 'application/octet-stream' : 'text/plain')
  );
}

/** Returns `undefined` if the bytes are not UTF-8 text. Ignores a character cut off at the end. */
function textOf(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // oxlint-disable-next-line no-control-regex -- control characters are what tells binary from text
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text.trimStart();
  } catch {
    return undefined;
  }
}

function textType(text: string): string | undefined {
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!doctype svg[^>]*>\s*)?<svg[\s>]/i.test(text)) return 'image/svg+xml';
  if (/^(<!--[\s\S]*?-->\s*)*<(!doctype html|html|head|body)[\s>]/i.test(text)) return 'text/html';
  if (!/^[{[]/.test(text)) return undefined;
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  // A complete value on the first line and another below it: JSON Lines. A single line is indistinguishable from JSON.
  return isJson(first) && second.startsWith('{') ? 'application/jsonl' : 'application/json';
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
