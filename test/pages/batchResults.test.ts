import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ResultsSource } from '../../src/core/batch/results/resultsSource';
import type { BatchResultsScreen, ResultsHead } from '../../src/protocol/batchResults';
import type { Handlers } from '../../src/protocol/call';
import { asksOf } from '../support/asks';
import { createResultsHost } from '../support/resultsHost';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';
import type { Theme } from '../support/webviewPage';

const request = (id: string, content: string) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: {
      model: 'Qwen/Qwen3-32B',
      messages: [
        { role: 'system', content: 'You sort messages of customers.' },
        { role: 'user', content },
      ],
      max_tokens: 64,
    },
  });
const answer = (id: string, content: string, finish = 'stop') =>
  JSON.stringify({
    id: `r-${id}`,
    custom_id: id,
    response: {
      status_code: 200,
      body: {
        model: 'Qwen/Qwen3-32B',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
        usage: { prompt_tokens: 180, completion_tokens: 32, total_tokens: 212 },
      },
    },
    error: null,
  });
const failure = (id: string, code: string, message: string) =>
  JSON.stringify({ id: `r-${id}`, custom_id: id, response: null, error: { code, message } });

const questions = [
  'My invoice shows two charges for March. Which one is right, and how do I get the other one back?',
  'The export button does nothing in Safari 19.',
  'Hallo, ich kann mich nicht anmelden.',
  '帮我看一下这个订单为什么一直没有发货，已经等了三个星期了。',
  'هل يمكنكم إرسال الفاتورة مرة أخرى؟',
];
const answers = ['**billing** · refund · high', 'bug · export · medium', 'login · 高 · عاجل'];
const tooLong = 'prompt too long: 33,210 tokens, limit 32,768';

/** `ticket-3` of each ten failed, `ticket-4` was not begun, `ticket-5` is in neither file. */
function run(count: number) {
  const input: string[] = [];
  const output: string[] = [];
  const errors: string[] = [];
  for (let line = 1; line <= count; line++) {
    const id = `ticket-${line}`;
    input.push(request(id, questions[(line - 1) % questions.length]!));
    if (line % 10 === 3) errors.push(failure(id, '20015', tooLong));
    else if (line % 10 === 4) errors.push(failure(id, 'not_begun', 'This request was not begun in time.'));
    else if (line % 10 !== 5) output.push(answer(id, answers[line % answers.length]!));
  }
  return { input, output: output.toReversed(), errors };
}

const head: ResultsHead = {
  name: 'support-triage.jsonl',
  facts: 'batch_7f21…9c · Qwen/Qwen3-32B · 5,000 requests',
  factsHint: 'batch_7f21aabbccdd9c',
  phases: [
    { label: 'Queued', detail: '09:12', hint: '21 Nov 2026, 09:12:04', state: 'done' },
    { label: 'In progress', detail: '09:14', hint: '21 Nov 2026, 09:14:10', state: 'done' },
    { label: 'Finalizing', detail: '09:51', hint: '21 Nov 2026, 09:51:44', state: 'done' },
    { label: 'Completed', detail: '09:52, 4,962 of 5,000', hint: '21 Nov 2026, 09:52:00', state: 'done' },
  ],
  notices: [],
  faults: [],
};

interface Looks {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly head?: Partial<ResultsHead>;
  readonly withoutInput?: boolean;
  readonly retries?: ResultsSource['retries'];
  readonly handlers?: Partial<Handlers<BatchResultsScreen>>;
}

describe('the results page of a batch', () => {
  const openPage = screenPages();
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'results-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  async function open(files: ReturnType<typeof run>, looks: Looks = {}) {
    const { theme = 'dark', width = 1100, handlers, withoutInput = false, retries = [], ...size } = looks;
    const input = { path: write('support-triage.jsonl', files.input) };
    const source = {
      ...(!withoutInput && { input }),
      outputs: [write('output.jsonl', files.output)],
      errors: [write('errors.jsonl', files.errors)],
      at: Date.UTC(2026, 10, 21, 9, 12),
      retries,
    };
    const ours = createResultsHost(source, { ...head, ...looks.head });
    const all = { ...ours.handlers, ...handlers };
    const one = await openPage('batchResults', { theme, width, ...size, handlers: all }, () => ours.close());
    const { page } = one;
    const grid = page.getByRole('grid');
    const row = (id: string) =>
      page.locator('.results-rows .results-row', {
        has: page.locator('.results-cell-id', { hasText: new RegExp(`^${id}$`) }),
      });
    const ids = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('.results-rows .results-row')]
          .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
          .slice(0, 6)
          .map((one) => one.querySelector('.results-cell-id')?.textContent),
      );
    const shows = async (requested: readonly string[]) => {
      let last: readonly unknown[] = [];
      const holds = async () => {
        last = await ids();
        return JSON.stringify(last) === JSON.stringify(requested) ? true : undefined;
      };
      await until(holds, 'the rows').catch(() => assert.deepEqual(last, requested));
    };
    const asks = asksOf(ours.asked);
    const tab = (name: string) => page.getByRole('tab', { name });
    const details = page.getByRole('complementary');
    return { ...one, ours, grid, row, shows, asks, tab, details };
  }

  it('shows each request with its response, error, or missing result', async () => {
    const { page, row, grid, tab } = await open(run(20));
    await row('ticket-1').waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '21');
    assert.equal(await row('ticket-1').textContent(), `Completedticket-1${questions[0]}bug · export · medium212`);
    assert.equal(await row('ticket-3').textContent(), `Failedticket-3${questions[2]}20015 · ${tooLong}`);
    assert.equal(await row('ticket-5').textContent(), `Missingticket-5${questions[4]}no response`);
    assert.equal(await page.locator('h1').textContent(), 'support-triage.jsonl');
    assert.equal(await tab('Completed').textContent(), 'Completed 14');
    assert.deepEqual(await page.locator('.phase').allTextContents(), [
      'Queueddone09:12',
      'In progressdone09:14',
      'Finalizingdone09:51',
      'Completeddone09:52, 4,962 of 5,000',
    ]);
    // The facts are cut, and not the name.
    await page.setViewportSize({ width: 700, height: 720 });
    const [name, text, facts, factsText] = await page.evaluate(() =>
      ['h1', 'h1 bdi', '.table-page-facts'].flatMap((selector) => {
        const element = document.querySelector(selector)!;
        return selector === '.table-page-facts'
          ? [element.clientWidth, element.scrollWidth]
          : [element.getBoundingClientRect().width];
      }),
    );
    assert.ok(name! >= text! && facts! < factsText!, `${name} ${text} ${facts} ${factsText}`);
  });

  it('groups failures, opens the first line of a group, and retries only its requests', async () => {
    const { page, shows, tab, row, asks } = await open(run(40));
    await row('ticket-1').waitFor();
    await tab('Failed').click();
    await shows(['ticket-3', 'ticket-4', 'ticket-13', 'ticket-14', 'ticket-23', 'ticket-24']);
    const group = page.getByRole('listitem').filter({ hasText: 'not_begun' });
    await group.getByText('not_begun').click();
    await shows(['ticket-4', 'ticket-14', 'ticket-24', 'ticket-34']);
    await group.getByRole('button', { name: 'Go to First Failed Line' }).click();
    await asks('goTo', { row: 3 });
    await group.getByRole('button', { name: 'Retry These Requests' }).click();
    const { group: number } = ((await asks('retry')) as { readonly which: { readonly group: number } }).which;
    assert.equal(typeof number, 'number');
    await page.getByRole('button', { name: 'Show All Failures' }).click();
    await shows(['ticket-3', 'ticket-4', 'ticket-13', 'ticket-14', 'ticket-23', 'ticket-24']);
    await tab('Missing').click();
    await shows(['ticket-5', 'ticket-15', 'ticket-25', 'ticket-35']);
    assert.equal(await group.count(), 0);
  });

  it('shows the outcome of each attempt, and retries the requests in the current tab', async () => {
    const tickets = run(20);
    const again = ['ticket-3', 'ticket-4', 'ticket-5', 'ticket-13'].map((id) => request(id, questions[2]!));
    const first = {
      at: Date.UTC(2026, 10, 22, 8, 30),
      input: write('again.jsonl', again),
      outputs: [write('again-output.jsonl', [answer('ticket-4', 'billing · refund')])],
      errors: [write('again-errors.jsonl', [failure('ticket-3', '503', 'The service is overloaded.')])],
    };
    const second = {
      at: Date.UTC(2026, 10, 22, 9, 45),
      input: write('once-more.jsonl', again.slice(3)),
      outputs: [],
      errors: [],
      isUnderWay: true,
    };
    const retrying = {
      tone: 'info',
      title: 'Retrying requests: 1 of 20',
      detail: 'New responses are added to these results.',
      actions: [{ id: 'checkNow', label: 'Check Now' }],
    } as const;
    const looks = { retries: [first, second], head: { notices: [retrying] } };
    const { page, row, tab, details, asks } = await open(tickets, looks);
    await row('ticket-13').getByText('retrying…').waitFor();
    await row('ticket-3').click();
    const attempts = details.locator('section', { has: page.getByRole('heading', { name: 'Attempts' }) });
    assert.match(
      await attempts.innerText(),
      /First attempt.*\s+20015.*\s+Retry 1.*\s+503 · The service is overloaded\./,
    );
    await row('ticket-4').click();
    await attempts.getByText('Completed').waitFor();
    await look(page, 'results-retried');
    await page.getByText('Retry 4 Failed or Missing').click();
    assert.deepEqual(await asks('retry'), { which: 'unanswered' });
    await tab('Missing').click();
    await page.getByText('Retry 2 Missing').waitFor();
    await tab('Completed').click();
    await page.getByText('Retry 2 Missing').waitFor({ state: 'detached' });
    assert.equal(await page.locator('vscode-button', { hasText: 'Retry' }).count(), 0);
  });

  it("filters truncated and empty responses, which don't count as answers, and retries them", async () => {
    const { input, output, errors } = run(5);
    const incomplete = [answer('ticket-1', 'billing · ref', 'length'), answer('ticket-2', '', 'content_filter')];
    const { page, row, tab, shows, asks } = await open({
      input,
      output: [...output.slice(0, -2), ...incomplete],
      errors,
    });
    await row('ticket-1').waitFor();
    await look(page, 'results-states');
    assert.match((await row('ticket-1').textContent()) ?? '', /^Truncated/);
    assert.match((await row('ticket-2').textContent()) ?? '', /^Empty/);
    await tab('Completed').click();
    await shows([]);
    await tab('Truncated').click();
    await shows(['ticket-1']);
    await page.getByText('Retry 1 Truncated').click();
    assert.deepEqual(await asks('retry'), { which: 'truncated' });
    await tab('Filtered or Empty').click();
    await shows(['ticket-2']);
  });

  it('switches tabs with the arrow keys', async () => {
    const { page, row, tab, shows } = await open(run(20));
    await row('ticket-1').waitFor();
    await tab('All').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await shows(['ticket-3', 'ticket-4', 'ticket-13', 'ticket-14']);
    assert.equal(await tab('Failed').getAttribute('aria-selected'), 'true');
    assert.ok(await tab('Failed').evaluate((one) => one === document.activeElement));
  });

  it('searches and sorts, and says if there are no matches', async () => {
    const { page, row, shows } = await open(run(20));
    await row('ticket-1').waitFor();
    const box = page.getByRole('searchbox');
    await box.fill('SAFARI');
    await shows(['ticket-2', 'ticket-7', 'ticket-12', 'ticket-17']);
    await page.getByText('4 of 20').first().waitFor();
    await box.fill('no such thing');
    await page.getByText('No matches.').waitFor();
    await box.press('Escape');
    const sort = (name: string) => page.getByRole('columnheader', { name }).getByRole('button').click();
    await sort('custom_id');
    await sort('custom_id');
    await shows(['ticket-20', 'ticket-19', 'ticket-18', 'ticket-17', 'ticket-16', 'ticket-15']);
    await sort('State');
    await page.locator('[aria-sort=ascending]', { hasText: 'State' }).waitFor();
  });

  it('navigates 20,000 requests by keyboard, loading only visible ones', async () => {
    const { page, grid, row, details, ours, asks } = await open(run(20_000));
    await row('ticket-1').waitFor();
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await details.getByRole('heading', { name: 'ticket-1', exact: true }).waitFor();
    await page.keyboard.press('End');
    await row('ticket-20000').waitFor();
    await details.getByRole('heading', { name: 'ticket-20000' }).waitFor();
    await page.keyboard.press('Home');
    await details.getByRole('heading', { name: 'ticket-1', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await asks('goTo', { row: 0 });
    await page.keyboard.press('c');
    await asks('copy', { row: 0 });
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    assert.ok(ours.fetches() < 10, `${ours.fetches()} fetches`);
    assert.ok((await page.locator('.results-rows .results-row').count()) < 60);
  });

  it('shows the selected answer as Markdown and as JSON, and keeps it through a reload', async () => {
    const { page, row, tab, details, shows } = await open(run(20));
    await row('ticket-9').click();
    await details.locator('.md strong', { hasText: 'billing' }).waitFor();
    await details.getByText('You sort messages of customers.').waitFor();
    await details.getByText('max_tokens').waitFor();
    await details.getByRole('button', { name: 'JSON' }).click();
    await details.getByText('"custom_id": "ticket-9"').waitFor();
    await details.getByRole('button', { name: 'Text' }).click();
    await tab('Completed').click();
    await shows(['ticket-1', 'ticket-2', 'ticket-6', 'ticket-7', 'ticket-8', 'ticket-9']);
    await page.reload();
    await shows(['ticket-1', 'ticket-2', 'ticket-6', 'ticket-7', 'ticket-8', 'ticket-9']);
    await details.getByRole('heading', { name: 'ticket-9' }).waitFor();
    await row('ticket-9').and(page.locator('[aria-selected=true]')).waitFor();
  });

  it('keeps the selected request by ID through filters, sorting, new results, and a reload', async () => {
    const files = run(20);
    const { page, host, row, tab, details, grid } = await open(files);
    const isSelected = () => row('ticket-9').and(page.locator('[aria-selected=true]')).waitFor();
    await row('ticket-9').click();
    await details.getByRole('heading', { name: 'ticket-9' }).waitFor();
    await tab('Completed').click();
    await isSelected();
    await grid.getByRole('columnheader', { name: 'Tokens' }).click();
    await isSelected();
    write('support-triage.jsonl', [request('one more', 'Hello'), ...files.input]);
    host.tell('results/stale', {});
    await tab('Missing 3').waitFor();
    await isSelected();
    await page.reload();
    await details.getByRole('heading', { name: 'ticket-9' }).waitFor();
    await isSelected();
  });

  it('shows why the service rejected the batch, with links to lines', async () => {
    const faults = [
      {
        text: 'The model does not exist: Qwen/Qwen9-999B. Choose one of those that /models lists.',
        code: 'model_not_found',
        line: 'Line 3',
        isChanged: false,
      },
      { text: 'messages must end with a message of the user', code: '', line: 'Line 1,204', isChanged: true },
      { text: 'The file holds more requests than one batch may.', code: 'too_many_requests', isChanged: false },
    ];
    const phases = [
      { label: 'Checking', detail: '09:12', hint: '', state: 'done' as const },
      { label: 'Failed', detail: '09:13', hint: '', state: 'ended' as const },
    ];
    const waiting = 'The batch has ended without results.';
    const { page, asks } = await open(run(1), {
      head: { faults, phases, waiting },
      handlers: { 'results/load': async () => ({}) },
    });
    const list = page.getByRole('region', { name: 'Service errors' });
    await list.getByText('Choose one of those').waitFor();
    assert.deepEqual(await list.getByRole('listitem').allTextContents(), [
      `Line 3${faults[0]?.text}model_not_found`,
      `Line 1,204${faults[1]?.text}Changed since submission`,
      `${faults[2]?.text}too_many_requests`,
    ]);
    await look(page, 'results-refused');
    await list.getByRole('button', { name: 'Line 1,204' }).click();
    await asks('goToFault', { fault: 1 });
  });

  it('shows a hostile response as text, without loading, running, or opening anything', async () => {
    const attack = [
      '<img src="https://evil.example/a.png" onerror="document.title=1"><script>document.title=1</script>',
      '![beacon](https://evil.example/b.png) [a](command:workbench.action.quit) [b](vscode://evil.ext/run)',
      '[c](https://example.com/c) <iframe src="https://evil.example"></iframe> <b>bold</b>',
    ].join('\n\n');
    const files = run(4);
    const { page, row, details, ours } = await open({
      ...files,
      input: [...files.input, request('<b>id</b>', '<i>asked</i>')],
      output: [...files.output, answer('<b>id</b>', attack)],
      errors: [...files.errors, failure('<u>x</u>', '<b>code</b>', '<img src=x>')],
    });
    await row('<b>id</b>').click();
    await details.getByText('<script>').waitFor();
    assert.equal(await page.locator('main :is(img, script, iframe, b, i, u)').count(), 0);
    const links = await details.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    assert.ok(links.length > 0 && links.every((link) => link.startsWith('https://')), links.join(' '));
    await details.getByRole('link', { name: 'c', exact: true }).click();
    await until(() => ours.asked.find(([name]) => name === 'openLink'), 'the host is asked to open the link');
    assert.notEqual(await page.title(), '1');
    await look(page, 'results-hostile');
  });

  it('explains missing results, tracks the run, and shows the results when they arrive', async () => {
    let isThere = false;
    const waiting = 'No results yet.';
    const phases = [
      { label: 'Queued', detail: '09:12', hint: '', state: 'done' as const },
      { label: 'In progress', detail: '09:14, 40 of 100', hint: '', state: 'current' as const },
      { label: 'Finalizing', detail: '', hint: '', state: 'ahead' as const },
      { label: 'Completed', detail: 'by 22 Nov, 09:12', hint: '', state: 'ahead' as const },
    ];
    const files = run(10);
    const { page, host, row, ours } = await open(files, {
      head: { waiting, phases },
      handlers: {
        'results/load': async (params, context) => (isThere ? ours.handlers['results/load'](params, context) : {}),
      },
    });
    await page.getByText(waiting).waitFor();
    await look(page, 'results-waiting');
    isThere = true;
    const notice = { tone: 'info' as const, title: 'The batch is still running', detail: 'More come.' };
    host.tell('results/head', {
      ...head,
      phases,
      notices: [{ ...notice, actions: [{ id: 'checkNow', label: 'Check' }] }],
    });
    host.tell('results/stale', {});
    await row('ticket-1').waitFor();
    await page.getByRole('button', { name: 'Check' }).click();
    await until(() => ours.asked.find(([name]) => name === 'act'), 'the notice is acted on');
    await look(page, 'results-running');
  });

  it('scrolls to a requested result', async () => {
    const { page, host, row, tab, details } = await open(run(500));
    await row('ticket-1').waitFor();
    await tab('Failed').click();
    await row('ticket-3').waitFor();
    host.tell('results/reveal', { row: 399 });
    await details.getByRole('heading', { name: 'ticket-400' }).waitFor();
    await row('ticket-400').waitFor();
    assert.equal(await tab('All').getAttribute('aria-selected'), 'true');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  it('shows results without their requests, and explains why it failed to read them', async () => {
    const gone = { kind: 'user', title: 'The results are gone', detail: 'They were moved.', actions: [] };
    let fails = false;
    const { page, host, row, ours } = await open(run(10), {
      withoutInput: true,
      handlers: {
        'results/load': async (params, context) => {
          if (fails) throw gone;
          return ours.handlers['results/load'](params, context);
        },
      },
    });
    await page.locator('.results-row').nth(3).waitFor();
    await look(page, 'results-alone');
    await row('ticket-1').waitFor();
    fails = true;
    host.tell('results/stale', {});
    await page.locator('.note-error', { hasText: 'The results are gone' }).waitFor();
    await row('ticket-1').waitFor();
  });

  it('is readable and reachable', async () => {
    const files = run(60);
    const long = 'x'.repeat(200);
    const { page, row, tab, details, shows } = await open(
      {
        input: [request(long, 'Why? '.repeat(400)), ...files.input],
        output: [
          answer(long, '```json\n{"label": "billing"}\n```\n\n' + 'A long answer. '.repeat(60)),
          ...files.output,
        ],
        errors: files.errors,
      },
      {
        head: {
          notices: [
            {
              tone: 'warning',
              title: 'Some results are missing. Those received are saved.',
              detail: '',
              actions: [{ id: 'fetchAgain', label: 'Download Again' }],
            },
          ],
        },
      },
    );
    await row(long).click();
    await details.getByText('billing').first().waitFor();
    await look(page, 'results', { colours: true });
    await tab('Failed').click();
    await shows(['ticket-3', 'ticket-4', 'ticket-13', 'ticket-14', 'ticket-23', 'ticket-24']);
    await row('ticket-3').click();
    await details.locator('.details-failure', { hasText: tooLong }).waitFor();
    await look(page, 'results-failed');
  });
});
