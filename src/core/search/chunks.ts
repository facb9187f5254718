import type { Place } from './lineIndex';

/** A part of a text that is judged on its own. */
export interface Chunk {
  readonly start: Place;
  readonly end: Place;
  readonly text: string;
}

/** About what fits on a screen; of English and code it stays under the 512 tokens that the smaller models read. */
export const chunkLines = 40;
export const chunkCharacters = 1600;
/** What is said at the end of one chunk and goes on in the next is found in both. */
const overlapLines = 8;

interface Line {
  readonly line: number;
  /** Within its line, where a part of it only is meant. */
  readonly character: number;
  readonly text: string;
}

/**
 * Cuts a text into chunks that overlap, none of them blank. A line that is too long for one is cut into several, between
 * characters.
 */
export function* chunksOf(text: string): Generator<Chunk> {
  let open: Line[] = [];
  let characters = 0;
  let isNew = false;
  for (const line of partsOf(text)) {
    if (open.length > 0 && (open.length >= chunkLines || characters + line.text.length > chunkCharacters)) {
      yield* toChunk(open);
      open = keptOf(open);
      characters = lengthOf(open);
      isNew = false;
      // What is kept gives way to what is new.
      while (open.length > 0 && characters + line.text.length > chunkCharacters)
        characters -= open.shift()!.text.length;
    }
    open.push(line);
    characters += line.text.length;
    isNew = true;
  }
  if (isNew) yield* toChunk(open);
}

/** Of a long line nothing is kept: it alone would make the next chunk as long. */
function keptOf(lines: readonly Line[]): Line[] {
  const kept = lines.slice(-overlapLines);
  return lines.length > overlapLines && lengthOf(kept) < chunkCharacters / 2 ? kept : [];
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

function* partsOf(text: string): Generator<Line> {
  let line = 0;
  for (const whole of linesOf(text)) {
    for (let character = 0; character === 0 || character < whole.length;) {
      const end = endOfPart(whole, character);
      yield { line, character, text: whole.slice(character, end) };
      character = Math.max(end, character + 1);
    }
    line += 1;
  }
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

function endOfPart(line: string, start: number): number {
  const end = start + chunkCharacters;
  if (end >= line.length) return line.length;
  const isSplitPair = /[\uD800-\uDBFF]/.test(line[end - 1]!) && /[\uDC00-\uDFFF]/.test(line[end]!);
  return isSplitPair ? end - 1 : end;
}

function* toChunk(lines: readonly Line[]): Generator<Chunk> {
  const first = lines.findIndex(({ text }) => text.trim() !== '');
  if (first < 0) return;
  const last = lines.findLastIndex(({ text }) => text.trim() !== '');
  const [head, tail] = [lines[first]!, lines[last]!];
  yield {
    start: { line: head.line, character: head.character },
    end: { line: tail.line, character: tail.character + tail.text.length },
    text: joined(lines.slice(first, last + 1)),
  };
}

/** Parts of one line belong together without a line end. */
function joined(lines: readonly Line[]): string {
  return lines.map(({ text, character }, index) => (index === 0 || character > 0 ? text : `\n${text}`)).join('');
}
