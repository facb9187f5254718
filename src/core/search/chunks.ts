import type { Place } from './textSearch';

/** A part of a text that is scored separately. */
export interface Chunk {
  readonly start: Place;
  readonly end: Place;
  readonly text: string;
}

/** About one screenful; English text and code stay below the 512 tokens that smaller models read. */
export const chunkLines = 40;
export const chunkCharacters = 1600;
/** Text that spans the end of one chunk and the start of the next is found in both. */
const overlapLines = 8;

interface Line {
  readonly line: number;
  /** Offset within its line; above 0 for later parts of a long line. */
  readonly character: number;
  readonly text: string;
}

/** Splits a text into overlapping chunks, none of them blank. A line that is too long for one chunk is split between characters. */
export function* chunksOf(text: string): Generator<Chunk> {
  let open: Line[] = [];
  let characters = 0;
  let isNew = false;
  for (const line of partsOf(text)) {
    if (open.length > 0 && (open.length >= chunkLines || characters + line.text.length > chunkCharacters)) {
      yield* toChunk(open);
      open = overlapOf(open);
      characters = lengthOf(open);
      isNew = false;
      // The overlap gives way to new text.
      while (open.length > 0 && characters + line.text.length > chunkCharacters)
        characters -= open.shift()!.text.length;
    }
    open.push(line);
    characters += line.text.length;
    isNew = true;
  }
  if (isNew) yield* toChunk(open);
}

/** Returns the overlap with the next chunk, or none if it is so long that it would nearly fill that chunk. */
function overlapOf(lines: readonly Line[]): Line[] {
  const overlap = lines.slice(-overlapLines);
  return lines.length > overlapLines && lengthOf(overlap) < chunkCharacters / 2 ? overlap : [];
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

/** Joins parts of one line without a line end between them. */
function joined(lines: readonly Line[]): string {
  return lines.map(({ text, character }, index) => (index === 0 || character > 0 ? text : `\n${text}`)).join('');
}
