import { createHash } from 'node:crypto';

/** Returns the same digest for the same line, regardless of white space at its end. */
export function lineDigest(text: string): string {
  return createHash('sha1').update(text.trimEnd()).digest('base64');
}
