import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import type { BenchLine } from '../host/benchLine';
import { reportTable, toReported } from '../host/benchReport';
import { overBudget } from '../host/budget';
import { speedSection, withSpeed } from '../host/howFast';

const line = (more: Partial<BenchLine>): BenchLine => ({ name: 'work', ours: 10, unit: 'ms CPU', ...more });
const goalOf = (more: Partial<BenchLine>) => {
  const { ratio, goal, met } = toReported(line(more));
  return [ratio, goal, met];
};

describe('a benchmark line', () => {
  it('meets its goal by its figure, or by its ratio to the peer, in whichever direction is better', () => {
    deepEqual(goalOf({ atMost: 10 }), [undefined, '<= 10', true]);
    deepEqual(goalOf({ atMost: 0 }), [undefined, '<= 0', false]);
    deepEqual(goalOf({ peer: 20, ratioAtMost: 0.5 }), [0.5, 'ratio <= 0.5', true]);
    deepEqual(goalOf({ peer: 16, ratioAtMost: 0.5 }), [0.625, 'ratio <= 0.5', false]);
    deepEqual(goalOf({ peer: 11, ratioAtLeast: 0.9 }), [0.9091, 'ratio >= 0.9', true]);
    deepEqual(goalOf({ peer: 12, ratioAtLeast: 0.9 }), [0.8333, 'ratio >= 0.9', false]);
  });

  it('has no result without a goal, or without the peer of its goal', () => {
    deepEqual(goalOf({ peer: 20 }), [0.5, undefined, undefined]);
    deepEqual(goalOf({ ratioAtLeast: 0.9 }), [undefined, 'ratio >= 0.9', undefined]);
  });

  it('appears in the table with its peer, or with its figure at each size', () => {
    const rows = reportTable([
      toReported(line({ peer: 20, peerName: 'them', ratioAtMost: 0.4 })),
      toReported(line({ ours: 1.04, unit: 'exponent', growth: [0.5, 5, 54.8], atMost: 1.2 })),
    ]).split('\n');
    match(rows[1] ?? '', /^work +10 ms CPU +20 \(them\) +0\.5 +ratio <= 0\.4 +NO$/);
    match(rows[2] ?? '', /^work +1\.04 exponent +0\.5, 5, 54\.8 +<= 1\.2 +yes$/);
  });
});

describe('the performance section of the README', () => {
  const lines = [
    line({ peer: 40, peerName: 'them', ratioAtMost: 0.5, title: 'Less' }),
    line({ peer: 5, peerName: 'them', title: 'More' }),
    line({ ours: 86, peer: 100, peerName: 'curl', unit: 'MB/s', ratioAtLeast: 0.9, title: 'Nearly as much' }),
    line({ atMost: 8, title: 'Too long' }),
    line({ name: 'only in the table of a run', peer: 20, peerName: 'them', ratioAtMost: 1 }),
  ].map(toReported);
  const parts = [{ name: 'all', date: '2026-11-26', seconds: 1, lines }];
  const report = { machine: '2 × CPU', versions: { node: '1', editor: '2' }, parts };

  it('lists each line with a title next to its peer or goal, and counts the goals of all lines', () => {
    const text = speedSection(report);
    match(text, /Measured on 2026-11-26 on 2 × CPU, Node\.js 1, VS Code 2\. \*\*2 of 4 goals met\.\*\*/);
    match(text, /^\| Less \| 10 ms CPU \| 40 ms CPU \(them\) \| 4× less, goal met \|$/m);
    match(text, /^\| More \| 10 ms CPU \| 5 ms CPU \(them\) \| 2× more \|$/m);
    match(text, /^\| Nearly as much \| 86 MB\/s \| 100 MB\/s \(curl\) \| 0\.86× as much, goal missed \|$/m);
    match(text, /^\| Too long \| 10 ms CPU \| goal of up to 8 ms CPU \| goal missed \|$/m);
    ok(!text.includes('only in the table of a run'));
  });

  it('is replaced only between its markers', () => {
    const marked = '# A\n\n<!-- speed -->\nold\n<!-- /speed -->\n\n## B\n';
    equal(withSpeed(marked, report), `# A\n\n<!-- speed -->\n\n${speedSection(report)}\n\n<!-- /speed -->\n\n## B\n`);
    throws(() => withSpeed('# A\n', report), /no marks/);
  });
});

describe('the size budget', () => {
  it('reports what exceeds it, and by how much', () => {
    equal(overBudget('Bytes of the package', 1000, 1000), undefined);
    equal(
      overBudget('Bytes of the package', 1_500_000, 1_499_000),
      'Bytes of the package: 1,500,000, which is 1,000 more than the 1,499,000 of test/host/budget.json.',
    );
  });
});
