import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { loneCrProblem, notTextProblem, notUtf8Problem } from '../fileProblems';
import type { LineProblem } from '../problem';

/** Editors do not pass larger files to their extensions. */
const mostBytes = 64 << 20;
/** The most problems to report. */
const mostLines = 1000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Returns the problems in a batch file's bytes that are invisible in the editor's text: encodings other than UTF-8, and lines that end with
 * only a carriage return. Line numbers are those of the file. Returns nothing for a file that is unreadable or larger than 64 MB.
 */
export async function byteProblems(path: string): Promise<readonly LineProblem[]> {
  try {
    const { size } = await stat(path);
    return size > mostBytes ? [] : problemsOf(await readFile(path));
  } catch {
    return [];
  }
}

function problemsOf(bytes: Buffer): readonly LineProblem[] {
  const noText = notTextProblem(bytes);
  if (noText) return [{ ...noText, line: 0 }];
  const problems: LineProblem[] = [];
  const loneCr = loneCrLine(bytes);
  if (loneCr !== undefined) problems.push({ ...loneCrProblem(''), line: loneCr });
  if (isUtf8(bytes)) return problems;
  for (let start = 0, line = 0; start < bytes.length && problems.length < mostLines; line++) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed < 0 ? bytes.length : feed;
    const text = bytes.subarray(start, end);
    if (!isUtf8(text)) problems.push({ ...notUtf8Problem(text.toString('utf8')), line });
    start = end + 1;
  }
  return problems;
}

/** Returns the first line that ends with a carriage return alone. */
function loneCrLine(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(carriageReturn); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
    const next = bytes[at + 1];
    if (next !== lineFeed && next !== undefined)
      return (
        bytes
          .subarray(0, at)
          .toString('latin1')
          .split(/\r\n|\r|\n/).length - 1
      );
  }
  return undefined;
}
