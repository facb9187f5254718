import { type Document, parseDocument } from 'yaml';

/**
 * Parses YAML 1.2, of which JSON is a part. Never throws: errors are in the document, without a position in their messages. Repeated keys
 * of a mapping aren't reported, because the parser compares each key with each other one, which is quadratic.
 */
export function parseYaml(text: string): Document {
  const { stackTraceLimit } = Error;
  // A broken text can have an error in each character, and finding out where each was created takes most of the time.
  Error.stackTraceLimit = 0;
  try {
    return parseDocument(text, { prettyErrors: false, logLevel: 'silent', uniqueKeys: false });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
