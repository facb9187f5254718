import { isUtf8 } from 'node:buffer';
import { readLines } from '../transform/lines';
import type { FileLine } from '../transform/lines';
import { localWords } from '../words/localWords';
import { readLocalLine } from './localLine';
import type { LineReadingOptions, LocalLine } from './localLine';

export interface SourceLine {
  /** The line of the batch file, from 1. */
  readonly number: number;
  readonly content: LocalLine;
}

/** Returns the lines of a batch file that have no result yet, one by one. */
export interface LineSource {
  /** Returns `undefined` at the end. Throws if reading fails. Only one call at a time. */
  next(): Promise<SourceLine | undefined>;
  close(): Promise<void>;
}

export interface LineSourceOptions extends LineReadingOptions {
  /** The lines that have a result. */
  readonly done: ReadonlySet<number>;
}

/** Of several lines with one id, the first is sent; the others are faulty, whichever problems the user ignores. */
export function openLineSource(file: string, options: LineSourceOptions): LineSource {
  const pieces = readLines(file);
  const ids = new Set<string>();
  let lines: readonly FileLine[] = [];
  let at = 0;
  const nextLine = async (): Promise<FileLine | undefined> => {
    while (at >= lines.length) {
      const { done, value } = await pieces.next();
      if (done) return undefined;
      lines = value;
      at = 0;
    }
    return lines[at++];
  };
  const contentOf = (text: string): LocalLine => {
    const content = readLocalLine(text, options);
    const { customId } = content;
    const isRepeated = customId !== undefined && ids.has(customId);
    if (customId !== undefined) ids.add(customId);
    if (!isRepeated || content.kind === 'faulty') return content;
    return { kind: 'faulty', customId, code: 'custom-id.duplicate', message: localWords.repeatedId() };
  };
  const notUtf8: LocalLine = {
    kind: 'faulty',
    customId: undefined,
    code: 'line.not-utf8',
    message: localWords.notUtf8(),
  };
  return {
    async next() {
      for (let line = await nextLine(); line; line = await nextLine()) {
        const text = line.bytes.toString('utf8');
        if (options.done.has(line.number)) {
          const id = idOf(text);
          if (id !== undefined) ids.add(id);
          continue;
        }
        return { number: line.number, content: isUtf8(line.bytes) ? contentOf(text) : notUtf8 };
      }
      return undefined;
    },
    close: async () => void (await pieces.return(undefined)),
  };
}

function idOf(text: string): string | undefined {
  try {
    const { custom_id: id } = (JSON.parse(text) ?? {}) as { readonly custom_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
