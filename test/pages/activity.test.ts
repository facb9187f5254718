import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ActivityRow, ActivityScreen, ActivityView, SpendRow } from '../../src/protocol/activity';
import type { Handlers } from '../../src/protocol/call';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';

const row = (id: string, part: Partial<ActivityRow>): ActivityRow => ({
  id,
  kind: 'batch',
  outcome: 'done',
  name: id,
  opens: true,
  state: '',
  time: '',
  cost: '',
  costHint: '',
  actions: [{ action: 'forget', label: 'Remove from List…' }],
  ...part,
});
const spent = (id: string, label: string, part: Partial<SpendRow> = {}): SpendRow => ({
  id,
  label,
  requests: '0',
  inputTokens: '–',
  outputTokens: '–',
  charged: '–',
  share: '',
  hint: '',
  ...part,
});

/** Work of two accounts, with failures, at a service that reports a balance. */
const busy: ActivityView = {
  selection: { days: 7, by: 'client', account: '' },
  account: 'SiliconFlow · balance ¥84.64',
  accounts: [
    { id: 'a', name: 'SiliconFlow' },
    { id: 'b', name: 'Work' },
  ],
  active: [
    row('batch:1', {
      outcome: 'active',
      name: 'support-triage',
      state: 'Batch · in progress · 6,120 of 12,000',
      progress: 0.51,
      time: 'about 4 min left',
      cost: '~¥4.83',
      actions: [
        { action: 'checkNow', label: 'Check Now' },
        { action: 'cancel', label: 'Cancel Batch…' },
      ],
    }),
    row('media:1', {
      kind: 'video',
      outcome: 'active',
      name: 'Waves against a lighthouse',
      state: 'Video · Wan2.2 · in queue',
      time: '12 sec',
      cost: '~¥1.40',
      actions: [{ action: 'checkNow', label: 'Check Now' }],
    }),
    row('run:1', {
      kind: 'run',
      outcome: 'active',
      name: 'evals.jsonl',
      state: 'Batch file run · in progress · 12 of 40 · in window shop',
      progress: 0.3,
      time: 'about 2 min left',
      actions: [],
    }),
    row('work:1', {
      kind: 'chat',
      outcome: 'active',
      name: 'Explain the retry policy · deepseek-ai/DeepSeek-V3.2',
      opens: false,
      state: 'Answering',
      time: '4 sec',
      actions: [{ action: 'stop', label: 'Stop' }],
    }),
    row('other:a 0', {
      kind: 'tool',
      outcome: 'active',
      name: 'Rerank',
      opens: false,
      state: 'MCP server',
      time: '2 sec',
      actions: [],
    }),
  ],
  finished: [
    row('batch:2', {
      name: 'tickets.jsonl',
      state: 'Batch · completed · 5,000 of 5,000',
      time: '9:52 AM',
      cost: '¥1.86',
      estimate: 'est. ¥1.60–¥2.30',
    }),
    row('media:2', {
      kind: 'image',
      outcome: 'partly',
      name: 'A red fox in snow',
      state: '16 images · FLUX.2-pro · 15 done, 1 failed',
      time: '9:20 AM',
      cost: '¥0.45',
      estimate: 'est. ¥0.48',
    }),
    ...['media:3', 'media:4'].map((id) =>
      row(id, {
        kind: 'image',
        outcome: 'failed',
        name: `A city at night (${id})`,
        state: 'Image · Qwen-Image · failed · Busy',
        time: '9:10 AM',
        actions: [
          { action: 'retry', label: 'Retry…' },
          { action: 'forget', label: 'Remove from List…' },
        ],
      }),
    ),
    row('batch:3', {
      outcome: 'failed',
      name: 'faq-embeddings',
      state: 'Batch · failed · Line 3 has no input',
      time: 'Nov 27, 4:10 PM',
    }),
  ],
  older: 0,
  unreadable: '',
  spend: {
    unit: 'Charged',
    axis: ['¥0.00', '¥4.00', '¥8.00'],
    days: ['Nov 22', 'Nov 23', 'Nov 24', 'Nov 25', 'Nov 26', 'Nov 27', 'Today'].map((label, index) => ({
      label,
      isToday: index === 6,
      hint: `${label} · ¥${index}.00 charged`,
      parts: [0.05, 0.02, 0.03, index / 12, 0.04, 0.01, 0.02],
    })),
    rows: [
      spent('chat', 'Inference Desk Chat', {
        requests: '214',
        inputTokens: '402,110',
        outputTokens: '96,204',
        charged: 'unknown',
      }),
      spent('vsCodeChat', 'VS Code Chat', {
        requests: '61',
        inputTokens: '1.29M',
        outputTokens: '58,020',
        charged: 'unknown',
        hint: 'Tokens in: 1,286,400 · Tokens out: 58,020',
        advice: {
          text: 'Your first message to an agent sends about 20,000 tokens: instructions, tools, and open files.',
          label: 'Choose Tools…',
        },
      }),
      spent('inlineSuggestions', 'Inline suggestions'),
      spent('batches', 'Batches and evals', { requests: '24,150', charged: '¥9.50', share: '79%' }),
      spent('media', 'Images, videos, speech', { requests: '88', charged: '¥2.50', share: '21%' }),
      spent('search', 'Search and ranking', {
        requests: '12',
        inputTokens: '84,100',
        outputTokens: '0',
        charged: 'unknown',
      }),
      spent('mcp', 'MCP server', { requests: '3', charged: 'not measured yet' }),
    ],
    total: spent('', 'Total', { requests: '28,415', inputTokens: '12.52M', outputTokens: '2.15M', charged: '¥12.00' }),
  },
  limits: [
    {
      id: 'tokenBudget',
      label: 'Tokens today',
      value: '64,120 of 200,000',
      used: 0.32,
      detail: 'Requests stop when the budget is reached.',
      changeLabel: 'Change Budget…',
    },
  ],
};
const idle: ActivityView = {
  ...busy,
  account: 'Demo',
  accounts: [{ id: 'a', name: 'Demo' }],
  active: [],
  finished: [],
  spend: {
    ...busy.spend,
    axis: ['0', '', ''],
    days: busy.spend.days.map((day) => ({ ...day, parts: day.parts.map(() => 0) })),
    rows: busy.spend.rows.map(({ id, label }) => spent(id, label)),
    total: spent('', 'Total'),
  },
  limits: [],
};

/** A host that shows a view, and notes what it is asked. */
function answering(view: ActivityView, asked: string[]): Handlers<ActivityScreen> {
  return {
    'activity/ready': async () => view,
    'activity/select': async (selection) => {
      asked.push(['select', selection.days, selection.by, selection.account, selection.rows].join(' ').trimEnd());
      return { ...view, selection };
    },
    'activity/open': async ({ id }) => {
      asked.push(`open ${id}`);
      return {};
    },
    'activity/act': async ({ ids, action }) => {
      asked.push(`${action} ${ids.join(' ')}`);
      return {};
    },
    'activity/changeLimit': async ({ id }) => {
      asked.push(`change ${id}`);
      return {};
    },
    'activity/chooseTools': async () => {
      asked.push('choose tools');
      return {};
    },
    'activity/export': async () => {
      asked.push('export');
      return {};
    },
  };
}

describe('the page for activity and spending', () => {
  const openPage = screenPages();

  async function open(view: ActivityView, width = 900, theme: 'dark' | 'light' | 'highContrast' = 'light') {
    const asked: string[] = [];
    const handlers = answering(view, asked);
    const one = await openPage('activity', { theme, width, height: 760, handlers });
    await one.page.getByRole('heading', { name: 'Activity and Spend' }).waitFor();
    const rowOf = (name: string) => one.page.locator('.activity-row', { hasText: name });
    const hasAsked = (text: string) => until(() => (asked.includes(text) ? true : undefined), text);
    return { ...one, rowOf, hasAsked };
  }

  it('acts on a row by mouse and by key', async () => {
    const { page, rowOf, hasAsked } = await open(busy);
    await rowOf('support-triage').hover();
    await rowOf('support-triage').getByRole('button', { name: 'Cancel Batch…' }).click();
    await hasAsked('cancel batch:1');
    await rowOf('tickets.jsonl').getByRole('button', { name: 'tickets.jsonl' }).click();
    await hasAsked('open batch:2');
    await rowOf('tickets.jsonl').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await hasAsked('open media:2');
    await page.keyboard.press('Delete');
    await hasAsked('forget media:2');
  });

  it('offers what applies to each of several selected rows', async () => {
    const { page, rowOf, hasAsked } = await open(busy);
    await rowOf('tickets.jsonl').click({ modifiers: ['Control'], position: { x: 300, y: 12 } });
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('button', { name: 'Remove 3 from List…' }).click();
    await hasAsked('forget batch:2 media:2 media:3');
    await rowOf('tickets.jsonl').focus();
    await page.keyboard.press('Delete');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove 3 from List…' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+a');
    await look(page, 'activity-selected');
  });

  it('reaches row actions with the keyboard, and opens only rows with a page', async () => {
    const { page, rowOf, hasAsked } = await open(busy);
    await rowOf('Explain the retry policy').focus();
    assert.equal(await rowOf('Explain the retry policy').getByRole('button').count(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await hasAsked('stop work:1');
  });

  it('offers actions on a narrow page', async () => {
    const { rowOf, hasAsked } = await open(busy, 280);
    await rowOf('tickets.jsonl').hover();
    await rowOf('tickets.jsonl').getByRole('button', { name: 'Remove from List…' }).click();
    await hasAsked('forget batch:2');
  });

  it('uses the space of the missing progress for the state of finished work', async () => {
    const { page } = await open(busy);
    const cells = page.locator('.activity-rows').last().locator('.activity-progress');
    assert.equal((await cells.count()) > 0, true);
    assert.equal(await cells.first().isVisible(), false);
    assert.equal(await page.locator('.activity-rows').first().locator('.activity-progress').first().isVisible(), true);
  });

  it('shows the complete time, cost, and table of spend on a narrow page', async () => {
    const active = busy.active.map((row, index) => ({ ...row, cost: index > 0 ? 'not measured yet' : '~0.000018' }));
    for (const [width, cells] of [
      [900, '.activity-time, .activity-cost, .activity-table :is(td, th)'],
      [545, '.activity-time, .activity-cost, .activity-table :is(td, th)'],
      [480, '.activity-time, .activity-cost, .activity-table :is(td, th)'],
      [300, '.activity-cost, .activity-table :is(td, th)'],
      [220, '.activity-cost, .activity-table :is(td, th)'],
    ] as const) {
      const { page } = await open({ ...busy, active }, width);
      const cut = await page
        .locator(cells)
        .evaluateAll((all) =>
          all.filter((cell) => cell.scrollWidth > cell.clientWidth).map(({ textContent }) => textContent),
        );
      assert.deepEqual(cut, [], String(width));
    }
  });

  it('retries all failed images together', async () => {
    const { page, hasAsked } = await open(busy);
    await page.getByRole('button', { name: 'Retry 2 Failed…' }).click();
    await hasAsked('retry media:3 media:4');
  });

  it('shows spend for another period, grouping, and account', async () => {
    const { page, hasAsked } = await open(busy);
    await page.getByLabel('Period').selectOption('30');
    await hasAsked('select 30 client');
    await page.getByLabel('Group By').selectOption('model');
    await hasAsked('select 30 model');
    await page.getByLabel('Account').selectOption('b');
    await hasAsked('select 30 model b');
    await page.locator('vscode-button:has-text("Export…")').click();
    await hasAsked('export');
    await page.getByRole('button', { name: 'Change Budget…' }).click();
    await hasAsked('change tokenBudget');
  });

  it('says why VS Code Chat uses as much as it does, by mouse and by key', async () => {
    const { page, rowOf, hasAsked } = await open(busy);
    const advice = page.locator('.activity-advice');
    assert.equal(await advice.isVisible(), false);
    await page.getByRole('button', { name: 'VS Code Chat' }).focus();
    await advice.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await hasAsked('choose tools');
    await rowOf('tickets.jsonl').click({ position: { x: 300, y: 12 } });
    await advice.waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: 'VS Code Chat' }).hover();
    await advice.waitFor();
    // It covers numbers of the next rows, but no names.
    const name = await page.locator('.activity-table tbody th').nth(2).boundingBox();
    assert.ok((await advice.boundingBox())!.x >= name!.x + name!.width);
    await look(page, 'activity-advice');
  });

  it('updates in place when work ends', async () => {
    const { page, host, rowOf } = await open(busy);
    host.tell('activity/changed', { ...busy, active: [], finished: [row('batch:1', { name: 'support-triage' })] });
    await page.getByRole('heading', { name: 'In progress' }).waitFor({ state: 'detached' });
    assert.equal(await rowOf('support-triage').count(), 1);
  });

  it('says first that requests stop at a limit', async () => {
    const stopped = {
      id: 'spendingCap',
      text: 'Spending cap reached. Paid requests are blocked until midnight.',
      changeLabel: 'Change Cap…',
    } as const;
    const { page, hasAsked } = await open({ ...busy, stopped });
    await page.locator('.note').getByRole('button', { name: 'Change Cap…' }).click();
    await hasAsked('change spendingCap');
    await look(page, 'activity-stopped');
  });

  it('is readable with and without work', async () => {
    const { page, host } = await open(busy);
    await look(page, 'activity', { colours: true });
    host.tell('activity/changed', idle);
    await page.getByText('No finished jobs yet. Batches, runs, images, and videos appear here.').waitFor();
    await look(page, 'activity-empty');
  });

  it('shows read errors, and lists older work on request', async () => {
    const { page, hasAsked } = await open({
      ...busy,
      older: 4700,
      unreadable: '2 records are unreadable. See the log.',
      error: { title: "Couldn't connect to the service", detail: 'Check the connection and try again.' },
    });
    await page.getByText('2 records are unreadable').waitFor();
    await look(page, 'activity-error');
    await page.getByRole('button', { name: 'Show More' }).click();
    await hasAsked('select 7 client  600');
  });

  for (const width of [240, 520, 1900]) {
    it(`fits into ${width} px`, async () => {
      const { page } = await open(busy, width, 'dark');
      await look(page, `activity-${width}`);
      const name = await page.locator('.activity-name').first().boundingBox();
      assert.ok((name?.width ?? 0) >= 60, `a name is ${name?.width} px wide`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
    });
  }
});

describe('the page for activity and spending in Chinese', () => {
  const chinese = JSON.parse(readFileSync('media/l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<string, string>;
  const openPage = screenPages((text) => chinese[text] ?? text);

  it('is readable at every width', async () => {
    const handlers = answering({ ...busy, older: 12 }, []);
    const { page } = await openPage('activity', { theme: 'light', width: 900, height: 760, handlers });
    await page.getByRole('heading', { name: chinese['Activity and Spend']! }).waitFor();
    await look(page, 'activity-chinese');
  });
});
