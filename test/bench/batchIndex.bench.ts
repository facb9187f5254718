import { createBatchIndex } from '../../src/core/batch/index/batchIndex';
import type { BatchIndex } from '../../src/core/batch/index/batchIndex';
import type { BenchLine } from '../host/benchLine';
import { batchLine } from '../support/batchLines';

const lineCount = 50_000;
const lineBytes = 420;
/** VS Code reads this many lines before it checks whether its time is up. */
const linesAtOnce = 200;
const keystrokes = 3000;
const doubledLines = 10;
const doubledKeystrokes = 300;
const sliceGoalMs = 8;
const keystrokeGoalMs = 2;
/** The quickest of this many rounds counts, because the rest of the machine can easily take a millisecond. */
const rounds = 3;
const facts = { hasBom: false, hasCrlf: false };

/** Measures the first reading of a batch file of 50,000 lines in the extension host, and each key pressed in it. */
export async function run(): Promise<readonly BenchLine[]> {
  const lines = Array.from({ length: lineCount }, (_, number) => batchLine(number, lineBytes));
  const readings = Array.from({ length: rounds }, () => read(createBatchIndex(), lines));
  const slices = readings[0]!.map((_, slice) => Math.min(...readings.map((costs) => costs[slice]!)));
  const index = createBatchIndex();
  read(index, lines);
  const typed = type(index).toSorted((a, b) => a - b);
  const doubled = at(
    typeDoubled(lines).toSorted((a, b) => a - b),
    0.5,
  );
  const longest = Math.max(...slices);
  const p99 = at(typed, 0.99);
  const unit = 'ms of the host';
  return [
    {
      name: 'batch file of 50,000 lines, first reading, all of it',
      ours: slices.reduce((sum, ms) => sum + ms, 0),
      unit,
    },
    {
      name: 'the same, the longest piece that is not interrupted',
      ours: longest,
      unit,
      atMost: sliceGoalMs,
    },
    { name: 'a key pressed in it, to all problems, median', ours: at(typed, 0.5), unit },
    {
      name: 'a key pressed in it, to all problems, p99',
      ours: p99,
      unit,
      atMost: keystrokeGoalMs,
    },
    { name: `the same while ${doubledLines} of its ids are used twice, median`, ours: doubled, unit },
  ];
}

/** Types in texts while IDs are duplicated, so that every ID is looked up. */
function typeDoubled(lines: readonly string[]): readonly number[] {
  const index = createBatchIndex();
  const doubled = lines.map((text, line) => (line < doubledLines ? (lines[line + doubledLines] ?? text) : text));
  read(index, doubled);
  return Array.from({ length: doubledKeystrokes }, (_, key) => {
    const start = { line: (key * 7919) % lineCount, character: 180 };
    const times = Array.from({ length: rounds }, () =>
      timeOf(() => {
        index.change({ start, end: start, text: 'x' });
        for (const _ of index.problems(facts));
      }),
    );
    return Math.min(...times);
  });
}

function read(index: BatchIndex, lines: readonly string[]): readonly number[] {
  const costs: number[] = [];
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const slice = lines.slice(start, start + linesAtOnce);
    costs.push(timeOf(() => index.replace(start, 0, slice)));
  }
  return costs;
}

/** Types at positions all over the file: in texts, in IDs (which can create duplicates), and where it breaks the JSON. */
function type(index: BatchIndex): readonly number[] {
  const characters = [3, 20, 25, 180, 300];
  const costs: number[] = [];
  for (let key = 0; key < keystrokes; key += 1) {
    const line = (key * 7919) % lineCount;
    const character = characters[key % characters.length] ?? 0;
    const start = { line, character };
    const end = { line, character: character + 1 };
    let problems = 0;
    const press = () => {
      index.change({ start, end: start, text: 'x' });
      for (const _ of index.problems(facts)) problems += 1;
    };
    const takeBack = () => index.change({ start, end, text: '' });
    const times = Array.from({ length: rounds }, (_, round) => {
      if (round > 0) takeBack();
      return timeOf(press);
    });
    costs.push(Math.min(...times));
    if (problems === 0) throw new Error('A file with more requests than are taken has no problem.');
    // Some edits are kept, because people leave problems behind.
    if (key % 10 !== 0) takeBack();
  }
  return costs;
}

function timeOf(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
