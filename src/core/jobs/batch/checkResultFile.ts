import { createReadStream } from 'node:fs';

export interface ResultFileFacts {
  /** Number of lines that are not blank. */
  readonly lines: number;
  /** Whether the last line is not a complete JSON value. */
  readonly isTorn: boolean;
  /** Whether the first line is a result, as far as can be determined. */
  readonly isResults: boolean;
}

const lineEnd = 10;
/** Maximum length, in bytes, of a line that is parsed. */
const longestHead = 16 * 1024 * 1024;

/** Checks a result file of any size without loading it into memory. Throws file system errors. */
export async function checkResultFile(path: string, signal?: AbortSignal): Promise<ResultFileFacts> {
  let lines = 0;
  let first: unknown;
  let line = emptyLine();
  const end = () => {
    if (!line.isFilled) return;
    lines += 1;
    if (lines === 1) first = parse(line);
    line = emptyLine();
  };
  for await (const chunk of createReadStream(path, signal ? { signal } : {}) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, start)) {
      add(line, chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    add(line, chunk.subarray(start));
  }
  const isTorn = line.isFilled && !line.isTooLong && parse(line) === undefined;
  end();
  return { lines, isTorn, isResults: lines === 0 || isResult(first) };
}

interface Line {
  parts: Buffer[];
  bytes: number;
  isFilled: boolean;
  isTooLong: boolean;
}

const emptyLine = (): Line => ({ parts: [], bytes: 0, isFilled: false, isTooLong: false });

function add(line: Line, part: Buffer): void {
  if (part.length === 0) return;
  line.isFilled ||= part.some((byte) => byte > 32);
  line.bytes += part.length;
  line.isTooLong ||= line.bytes > longestHead;
  // The reader uses other memory for its next chunk.
  if (line.isTooLong) line.parts = [];
  else line.parts.push(part);
}

function parse({ parts, isTooLong }: Line): unknown {
  if (isTooLong) return {};
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A request line has an id too, but neither a response nor an error. */
function isResult(first: unknown): boolean {
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return false;
  const isRequest = 'method' in first && 'body' in first && !('response' in first) && !('error' in first);
  return 'custom_id' in first && !isRequest;
}
