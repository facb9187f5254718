/** Takes the key out of a text that may echo it. */
export type Redact = (text: string) => string;

export const redacted = '[key]';

export function createRedact(key: string): Redact {
  return (text) => (text.includes(key) ? text.replaceAll(key, redacted) : text);
}
