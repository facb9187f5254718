import { deepEqual, equal, ok } from 'node:assert/strict';
import { jobRows } from '../../src/features/activity/activityRows';
import { spendCsv, spendView, type SpendSources } from '../../src/features/activity/spend';
import { workRows } from '../../src/features/activity/workRows';
import type { BatchJob } from '../../src/services/batches/batches';
import type { MediaJob } from '../../src/services/media/media';
import type { Costs } from '../../src/services/usage/costs';
import type { PriceBook } from '../../src/services/usage/prices';

const noon = new Date(2026, 10, 20, 12).getTime();
const hostile = [
  '\u202Eevil\u0007',
  '<img src=x onerror=alert(1)>',
  '%s ${x} [a](command:b)',
  '\n\r\t',
  'x'.repeat(100_000),
];
const costs = { of: () => undefined, last: () => [] } as unknown as Costs;
const prices = {
  brief: () => undefined,
  chargedFor: () => undefined,
  label: (action: string) => action,
} as unknown as PriceBook;

const image = (index: number, part: Partial<MediaJob> = {}): MediaJob => ({
  id: `image-${index}`,
  profileId: 'a',
  baseUrl: 'https://api.siliconflow.cn/v1',
  createdAt: noon - index,
  stage: 'ended',
  task: {
    kind: 'image',
    request: { model: `model-${index % 9}`, prompt: hostile[index % hostile.length]!, image_size: '512x512' },
  },
  results: [{ url: '', path: `/files/${index}.png` }],
  folder: '/files',
  ...part,
});
const batch = (index: number, part: Partial<BatchJob> = {}): BatchJob =>
  ({
    id: `batch-${index}`,
    profileId: 'a',
    baseUrl: 'https://api.siliconflow.cn/v1',
    createdAt: noon - index,
    stage: 'refused',
    options: { completion_window: '24h', metadata: { name: hostile[index % hostile.length]! } },
    lastError: { kind: 'refused', message: hostile[(index + 1) % hostile.length]!, at: noon },
    ...part,
  }) as BatchJob;

const sources: SpendSources = {
  groups: (['chat', 'vsCodeChat', 'inlineSuggestions', 'completion', 'search', 'tools', 'mcp', undefined] as const).map(
    (source, index) => ({
      day: `2026-11-${String(14 + (index % 7)).padStart(2, '0')}`,
      profileId: 'a',
      source,
      model: `model-${index}`,
      requests: index + 1,
      usage: { inputTokens: 100 * index, outputTokens: 10 * index, ...(index % 2 === 0 && { cost: index / 8 }) },
      priced: index % 2 === 0 ? index + 1 : 0,
      currency: 'CNY' as const,
    }),
  ),
  costs: [
    {
      kind: 'image',
      model: 'model-1',
      fell: '0.5',
      count: 4,
      at: noon,
      of: ['image-1'],
      profileId: 'a',
      currency: 'CNY',
    },
    {
      kind: 'video',
      model: 'model-2',
      fell: '1.25',
      count: 1,
      at: noon,
      of: ['image-2'],
      profileId: 'a',
      currency: 'CNY',
    },
    {
      kind: 'speech',
      model: 'model-3',
      fell: '0.25',
      count: 2,
      at: noon,
      of: ['/a.mp3'],
      profileId: 'a',
      currency: 'CNY',
    },
  ],
  charges: [],
  batches: [],
  media: [image(1), image(2, { client: 'mcp' }), image(3), image(4)],
  falls: [],
  isPending: (id) => id === 'image-4',
};

describe('activity and spending with many records', () => {
  it('lists thousands of records, whatever their texts', () => {
    const media = Array.from({ length: 2500 }, (_, index) => image(index));
    const batches = Array.from({ length: 2500 }, (_, index) => batch(index));
    const rows = [
      ...jobRows(batches, media, { costs, prices, noted: new Map() }, noon),
      ...workRows(
        {
          running: [],
          runs: [],
          elsewhere: hostile.map((text, index) => ({
            id: `${index}`,
            kind: text,
            label: 'Answering',
            subject: text,
            where: text,
            startedAt: noon,
          })),
        },
        prices,
        noon,
      ),
    ].map(({ row }) => row);
    equal(rows.length, 5000 + hostile.length);
    equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    for (const { name, state } of rows) {
      ok(name.length > 0 && name.length <= 100, name.slice(0, 200));
      ok(!/[\p{Cc}\u202E]/u.test(name + state), JSON.stringify(state.slice(0, 300)));
      ok(state.length < 600, `${state.length}`);
    }
  });

  it('shows the total cost of a job with several results, and why a cost is unknown', () => {
    const four = [1, 2, 3, 4].map((index) => ({ url: '', path: `/files/${index}.png` }));
    const of = (ids: readonly string[], fell: string, count: number) =>
      ({ kind: 'image', model: 'm', at: noon, currency: 'CNY', of: ids, fell, count }) as const;
    const known: Readonly<Record<string, ReturnType<Costs['of']>>> = {
      'image-1': of(['image-1'], '0.80', 4),
      'image-2': of(['image-2', 'image-3'], '1.00', 5),
      'image-3': of(['image-2', 'image-3'], '1.00', 5),
      'image-4': { unmeasured: 'pending' },
      'image-5': { unmeasured: 'shared' },
    };
    const priced = { ...costs, of: (id: string) => known[id] } as Costs;
    const media = [
      image(1, { results: four }),
      image(2, { results: four }),
      image(3),
      image(4),
      image(5),
      image(6),
      image(7, { stage: 'refused', results: [] }),
    ];
    deepEqual(
      jobRows([], media, { costs: priced, prices, noted: new Map() }, noon).map(({ row }) => row.cost),
      ['¥0.80', '¥0.80', '¥0.20', 'not measured yet', 'not measured', 'unknown', ''],
    );
  });

  for (const by of ['client', 'model'] as const) {
    it(`shows totals that are the sum of the rows by ${by}`, () => {
      const { rows, total } = spendView(sources, { days: 7, by, account: '' }, noon);
      const number = (text: string) => Number(text.replace(/[^\d.]/g, '') || '0');
      for (const column of ['requests', 'inputTokens', 'outputTokens', 'charged'] as const) {
        const sum = rows.reduce((all, row) => all + number(row[column]), 0);
        equal(Math.round(sum * 100) / 100, number(total[column]), `${column} by ${by}`);
      }
      const share = rows.reduce((all, row) => all + number(row.share), 0);
      ok(Math.abs(share - 100) <= rows.length, `${share}%`);
    });
  }

  it('attributes work to its source, and separates costs not measured yet from unknown costs', () => {
    const { rows } = spendView(sources, { days: 7, by: 'client', account: '' }, noon);
    const of = (id: string) => rows.find((row) => row.id === id);
    equal(of('mcp')?.requests, '8');
    equal(of('media')?.requests, '5');
    deepEqual([of('mcp')?.charged, of('media')?.charged], ['¥2.00', '≥ ¥0.75']);
    equal(of('vsCodeChat')?.charged, 'unknown');
    const pending = spendView({ ...sources, costs: [] }, { days: 7, by: 'client', account: '' }, noon);
    equal(pending.rows.find(({ id }) => id === 'media')?.charged, 'not measured yet');
    equal(pending.rows.find(({ id }) => id === 'other')?.requests, '8');
  });

  it('shows the charge by price next to the estimate, and the expected cost during a run', () => {
    const book = {
      label: (action: string) => action,
      brief: () => ({ likely: '~¥1.20', range: 'est. ¥1.00–¥1.40', hint: '' }),
      chargedFor: ({ id }: MediaJob) =>
        id === 'image-3' ? undefined : { amount: 0.5, at: noon, currency: 'CNY', hint: 'From a list.' },
    } as unknown as PriceBook;
    const part = { group: 'series' };
    const media = [
      image(1),
      image(2, { stage: 'running', results: [] }),
      image(3),
      image(4, part),
      image(5, part),
      image(6, { ...part, stage: 'refused', results: [] }),
      image(7, { profileId: 'removed' }),
    ];
    deepEqual(
      jobRows([], media, { costs, prices: book, noted: new Map() }, noon).map(({ row }) => [row.cost, row.estimate]),
      [
        ['¥0.50', 'est. ¥1.00–¥1.40'],
        ['¥0.50 of ~¥1.20', undefined],
        ['unknown', 'est. ¥1.00–¥1.40'],
        ['¥1.00', 'est. ¥1.00–¥1.40'],
        ['¥0.50', 'est. ¥1.00–¥1.40'],
      ],
    );
  });

  it('never adds amounts in different or unknown currencies', () => {
    const cost = (profileId: string, currency: 'CNY' | 'USD' | undefined, fell: string) =>
      ({ kind: 'video', model: 'm', at: noon, count: 1, of: [fell], profileId, currency, fell }) as const;
    const none = { ...sources, groups: [], media: [], batches: [] };
    const choice = { days: 7, by: 'client', account: '' } as const;
    const shown = (costs: SpendSources['costs']) => {
      const { total, unit } = spendView({ ...none, costs }, choice, noon);
      return [unit, total.charged.replace('≥ ', '')];
    };
    deepEqual(shown([cost('a', 'CNY', '1.5'), cost('b', 'CNY', '2')]), ['Charged', '¥3.50']);
    deepEqual(shown([cost('a', 'CNY', '1.5'), cost('b', 'USD', '2')]), ['Tokens', '¥1.50, $2.00']);
    deepEqual(shown([cost('a', undefined, '1.5'), cost('b', undefined, '2')]), ['Tokens', '1.50, 2.00']);
    deepEqual(shown([cost('a', undefined, '1.5'), cost('a', undefined, '2')]), ['Charged', '3.50']);
    const lines = spendCsv({ ...none, costs: [cost('a', 'CNY', '1.5'), cost('b', 'USD', '2')] }, choice, noon);
    deepEqual(lines.match(/,[\d.]+,(?:CNY|USD)$/gm), [',1.5,CNY', ',2,USD']);
  });

  it('separates the last moment of a day from the first of the next', () => {
    const midnight = new Date(2026, 10, 20).getTime();
    const media = [image(1, { createdAt: midnight - 1 }), image(2, { createdAt: midnight })];
    const only = { ...sources, groups: [], costs: [], media };
    const view = (days: 1 | 7) => spendView(only, { days, by: 'client', account: '' }, noon).total.requests;
    deepEqual([view(1), view(7)], ['1', '2']);
    const lines = spendCsv(only, { days: 7, by: 'client', account: '' }, noon).split('\n');
    deepEqual(
      lines.slice(1, 3).map((line) => line.slice(0, 10)),
      ['2026-11-19', '2026-11-20'],
    );
  });
});
