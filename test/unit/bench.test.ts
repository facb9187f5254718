import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { benchChart } from '../host/benchChart';
import type { BenchLine } from '../host/benchLine';
import { reportTable, toReported } from '../host/benchReport';
import { overBudget } from '../host/budget';
import { speedSection } from '../host/howFast';

const line = (more: Partial<BenchLine>): BenchLine => ({ name: 'work', ours: 10, unit: 'ms CPU', ...more });
const goalOf = (more: Partial<BenchLine>) => {
  const { ratio, goal, met } = toReported(line(more));
  return [ratio, goal, met];
};

describe('a line of the benchmarks', () => {
  it('meets its goal by its figure, or by its ratio to the peer, in whichever direction is better', () => {
    deepEqual(goalOf({ atMost: 10 }), [undefined, '<= 10', true]);
    deepEqual(goalOf({ atMost: 0 }), [undefined, '<= 0', false]);
    deepEqual(goalOf({ peer: 20, ratioAtMost: 0.5 }), [0.5, 'ratio <= 0.5', true]);
    deepEqual(goalOf({ peer: 16, ratioAtMost: 0.5 }), [0.625, 'ratio <= 0.5', false]);
    deepEqual(goalOf({ peer: 11, ratioAtLeast: 0.9 }), [0.9091, 'ratio >= 0.9', true]);
    deepEqual(goalOf({ peer: 12, ratioAtLeast: 0.9 }), [0.8333, 'ratio >= 0.9', false]);
  });

  it('has no answer without a goal, or without the peer of its goal', () => {
    deepEqual(goalOf({ peer: 20 }), [0.5, undefined, undefined]);
    deepEqual(goalOf({ ratioAtLeast: 0.9 }), [undefined, 'ratio >= 0.9', undefined]);
  });

  it('stands in the table with its peer, or with what it takes at each size', () => {
    const rows = reportTable([
      toReported(line({ peer: 20, peerName: 'them', ratioAtMost: 0.4 })),
      toReported(line({ ours: 1.04, unit: 'exponent', growth: [0.5, 5, 54.8], atMost: 1.2 })),
    ]).split('\n');
    match(rows[1] ?? '', /^work +10 ms CPU +20 \(them\) +0\.5 +ratio <= 0\.4 +NO$/);
    match(rows[2] ?? '', /^work +1\.04 exponent +0\.5, 5, 54\.8 +<= 1\.2 +yes$/);
  });
});

describe('what the README says of speed', () => {
  const lines = [
    line({ peer: 40, peerName: 'them & theirs', ratioAtMost: 0.5, title: 'Less' }),
    line({ peer: 5, peerName: 'them', title: 'More' }),
    line({ ours: 86, peer: 100, peerName: 'curl', unit: 'MB/s', ratioAtLeast: 0.9, title: 'Nearly as much' }),
    line({ atMost: 8, title: 'Too long' }),
    line({ name: 'growth: of a list, 1 to 100 rows', ours: 1.04, unit: 'exponent', growth: [1, 10, 109], atMost: 1.2 }),
    line({ name: 'in the table of a run alone' }),
  ].map(toReported);
  const versions = {
    node: '1',
    editor: '2',
    openai: '3',
    '@anthropic-ai/sdk': '4',
    'vscode-json-languageservice': '5',
  };
  const parts = [{ name: 'all', date: '2026-11-26', seconds: 1, lines }];

  it('has every line with a title beside its peer or its goal, and says which goals are missed', () => {
    const text = speedSection({ machine: '2 × CPU', versions, parts });
    match(text, /Measured on 2026-11-26 in 1 min on 2 × CPU.*\*\*2 of 4 goals met\*\*/);
    match(text, /^\| Less \| 10 ms CPU \| 40 ms CPU \(them & theirs\) \| 4× less \|$/m);
    match(text, /^\| More \| 10 ms CPU \| 5 ms CPU \(them\) \| 2× more \|$/m);
    match(text, /^\| Nearly as much \| 86 MB\/s \| 100 MB\/s \(curl\) \| 0\.86× as much, goal missed \|$/m);
    match(text, /^\| Too long \| 10 ms CPU \| at most 8 \| missed \|$/m);
    match(text, /none grows faster than size to the power of 1\.04 \(of a list, 1 to 100 rows\)/);
    ok(!text.includes('in the table of a run alone'));
  });

  it('is drawn for light and for dark pages, as well-formed SVG', () => {
    const [light, dark] = (['light', 'dark'] as const).map((theme) => benchChart(lines, theme));
    const words = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    deepEqual(words(light ?? ''), words(dark ?? ''));
    ok(light !== dark);
    ok(words(light ?? '').includes('beside them &amp; theirs'));
    ok(words(light ?? '').includes('goal 0.9×, missed'));
    const opened = light?.match(/<(?:svg|text|title)\b/g)?.length;
    equal(light?.match(/<\/(?:svg|text|title)>/g)?.length, opened);
  });
});

describe('the budget of sizes', () => {
  it('says what is over it, and by how much', () => {
    equal(overBudget('Bytes of the package', 1000, 1000), undefined);
    equal(
      overBudget('Bytes of the package', 1_500_000, 1_499_000),
      'Bytes of the package: 1,500,000, which is 1,000 more than the 1,499,000 of test/host/budget.json.',
    );
  });
});
