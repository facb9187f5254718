import { closeSync, createReadStream, rmSync, writeSync } from 'node:fs';
import { writeAtomically } from '../../storage/atomicFile';
import { openNewFileSync } from '../../storage/privateFiles';
import type { LineProblem, ProblemCode } from '../problem';
import { reportWords } from '../words/reportWords';

/** A report that lists every problem on a line, in the command line's format, below the count of each kind. */
export interface ReportFile {
  /** Throws if writing fails. */
  add(file: string, problem: LineProblem, severity: string): void;
  /** Writes the counts, followed by the problems. */
  finish(): Promise<void>;
  /** Deletes the temporary file. Safe to call twice. */
  close(): void;
}

/** Characters to buffer before writing: one write for each of a million problems would take most of the time. */
const writtenAtOnce = 1 << 16;

/** Problems go to `<path>.part` first because their counts are known only at the end. Memory use does not grow with them. */
export function openReport(path: string): ReportFile {
  const part = `${path}.part`;
  let descriptor: number | undefined = openNewFileSync(part);
  const kinds = new Map<ProblemCode, number>();
  let gathered = '';

  const flush = () => {
    if (descriptor !== undefined && gathered !== '') writeWhole(descriptor, gathered);
    gathered = '';
  };
  const closePart = () => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  return {
    add(file, { code, line, span, message }, severity) {
      kinds.set(code, (kinds.get(code) ?? 0) + 1);
      gathered += `${file}:${line + 1}:${span.start + 1}: ${severity} ${code} ${message}\n`;
      if (gathered.length > writtenAtOnce) flush();
    },
    async finish() {
      flush();
      closePart();
      await writeAtomically(path, {}, async (file) => {
        await file.write(Buffer.from(heading(kinds)));
        for await (const piece of createReadStream(part) as AsyncIterable<Buffer>) await file.write(piece);
      });
    },
    close() {
      closePart();
      rmSync(part, { force: true });
    },
  };
}

function heading(kinds: ReadonlyMap<ProblemCode, number>): string {
  const sum = [...kinds.values()].reduce((all, count) => all + count, 0);
  if (sum === 0) return `${reportWords.none()}\n`;
  const lines = [...kinds].toSorted(([, a], [, b]) => b - a).map(([code, count]) => `  ${count}  ${code}`);
  return `${[reportWords.problems(sum), ...lines, '', ''].join('\n')}`;
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}
