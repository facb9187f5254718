import { createScanner, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { SplitProblem, TextPart } from '../textSplit';

/** Returns the elements of a JSON array: a string as its value, anything else as compact JSON. Accepts comments and a trailing comma. */
export function jsonParts(text: string): readonly TextPart[] | SplitProblem {
  if (!/^[\s\uFEFF]*\[/.test(text)) return 'notJsonArray';
  const errors: ParseError[] = [];
  const root = parse(text, errors);
  if (root?.type !== 'array' || errors.length > 0) return 'brokenJson';
  const elements = root.children ?? [];
  const parts = elements.flatMap(({ offset, length, type, value }) => {
    const end = offset + length;
    const sent = type === 'string' ? String(value) : compact(text.slice(offset, end));
    return sent.trim() === '' ? [] : [{ start: offset, end, text: sent }];
  });
  return parts.length > 0 ? parts : 'emptyJsonArray';
}

function parse(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    // Brackets nested deeper than the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Removes white space and comments, but preserves the digits of numbers and duplicate keys. */
function compact(json: string): string {
  const scanner = createScanner(json, true);
  const next = (): string => {
    scanner.scan();
    return json.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
  };
  const tokens: string[] = [];
  for (let token = next(); token !== ''; token = next()) {
    if ((token === '}' || token === ']') && tokens.at(-1) === ',') tokens.pop();
    tokens.push(token);
  }
  return tokens.join('');
}
