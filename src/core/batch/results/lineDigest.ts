import { createHash } from 'node:crypto';

/** The same for the same line, whatever ends it. */
export function lineDigest(text: string): string {
  return createHash('sha1').update(text.trimEnd()).digest('base64');
}
