import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';
import { localRequest, resultsOf } from '../support/localRuns';
import { until } from '../support/until';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index + 1}`);

describe('running a batch file locally', function () {
  inOrder(this);
  let desk: DeskWindow;
  let folder: string;
  let results: string;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'local-'));
    const long = ids(24).map((id) => localRequest(id, 'Write a story about the sea.', { max_tokens: 60 }));
    writeFileSync(path.join(folder, 'requests.jsonl'), `${long.join('\n')}\n`);
    const limited = [
      localRequest('a', 'Hello'),
      '{"custom_id":"faulty"}',
      localRequest('b', 'Hello', { model: 'fault/rate-limit-rpd' }),
      localRequest('c', 'Hello', { model: 'fault/rate-limit-rpd' }),
    ];
    writeFileSync(path.join(folder, 'limited.jsonl'), `${limited.join('\n')}\n`);
    const waiting = localRequest('a', 'Hello', { model: 'fault/rate-limit-long-wait' });
    writeFileSync(path.join(folder, 'waiting.jsonl'), `${waiting}\n`);
    desk = await this.openDesk({ folder });
    const storage = 'data/User/globalStorage/inference-desk.inference-desk';
    results = path.join(desk.server.dataFolder, storage, 'results');
    await tryDemo(desk);
    await desk.command('View: Show Explorer');
  });
  after(async () => {
    await desk?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const explorer = (name: string) => desk.page.locator('.explorer-folders-view').getByText(name);
  const dialog = () => desk.page.locator('.monaco-dialog-box');
  const button = (name: string) => dialog().locator('.monaco-button', { hasText: name });
  const center = () => desk.page.locator('.notifications-center');
  const notice = (text: string | RegExp) => center().locator('.notification-list-item', { hasText: text });
  /** A new notice waits behind the bell; the list of them closes when the last one goes. */
  const seen = async (text: string | RegExp) => {
    const found = notice(text).first();
    while (!(await found.isVisible())) {
      if (!(await center().isVisible())) {
        await desk.page.locator('[id="status.notifications"]').click();
        // Its hint would cover what is below it.
        await desk.page.mouse.move(640, 300);
      }
      await found.waitFor({ timeout: 2000 }).catch(() => undefined);
    }
    return found;
  };
  const runFolder = (name: string) =>
    path.join(results, readdirSync(results).find((entry) => entry.includes(` ${name} `)) ?? '');
  const run = (name: string) =>
    JSON.parse(readFileSync(path.join(runFolder(name), 'run.json'), 'utf8')) as Readonly<Record<string, unknown>>;

  it('says first what would be sent, and what it takes', async () => {
    await desk.chooseInMenu(explorer('requests.jsonl'), 'Run Batch File Locally', {
      whenShown: () => desk.screenshot('batch-local-menu'),
    });
    await dialog().getByText('Run requests.jsonl locally?').waitFor();
    await desk.screenshot('batch-local-confirm');
    const text = await dialog().innerText();
    match(text, /24 requests, up to 4 at once/);
    match(text, /Model: Qwen\/Qwen3-30B-A3B-Instruct-2507/);
    match(text, /About [\d,]+ tokens in/);
    match(text, /Profile: Demo/);
    match(text, /full price/);
    await button('Run').click();
  });

  it('shows how it goes, and pauses', async () => {
    const status = desk.status(/requests\.jsonl \d+\/24/);
    await status.waitFor();
    await seen(/[2-9] of 24 answered/);
    await desk.screenshot('batch-local-progress');
    await notice(/of 24 answered/)
      .getByText('Pause')
      .click();
    await seen(/Paused/);
    await desk.screenshot('batch-local-paused');
    await notice(/Paused/)
      .getByText('Continue')
      .click();
    await seen(/tokens\/min · Pause/);
  });

  it('stops after what is under way, keeps what came, and goes on later', async () => {
    await desk.command('Inference Desk: Stop Local Run');
    await seen(/Stopping|stopped as you asked/);
    await desk.screenshot('batch-local-stopping');
    await seen(/stopped as you asked/);
    await desk.screenshot('batch-local-stopped');
    const { output, errors } = resultsOf(runFolder('requests'));
    deepEqual(errors, []);
    equal(run('requests')['ended'], false);
    await desk.command('Notifications: Clear All Notifications');
    await desk.reloadWindow();
    await explorer('requests.jsonl').dblclick();
    await seen(/stopped before its end/);
    await desk.screenshot('batch-local-offered');
    await notice(/stopped before its end/)
      .getByText('Continue…')
      .click();
    await dialog().getByText('Continue the run of requests.jsonl?').waitFor();
    await desk.screenshot('batch-local-continue');
    await button('Continue').click();
    await desk.status(/requests\.jsonl \d+\/24/).waitFor();
    await seen('all 24 requests are answered');
    await desk.screenshot('batch-local-finished');
    const all = resultsOf(runFolder('requests')).output;
    deepEqual(all.slice(0, output.length), output);
    deepEqual(new Set(all.map(({ custom_id: id }) => id)), new Set(ids(24)));
    equal(all.length, 24);
    equal(run('requests')['ended'], true);
    deepEqual(readdirSync(runFolder('requests')).toSorted(), ['errors.jsonl', 'output.jsonl', 'run.json', 'sent.txt']);
  });

  it('leads to its results', async () => {
    await notice('all 24 requests are answered').getByText('Open Results').click();
    await desk.page.locator('.tab.active', { hasText: /requests/ }).waitFor();
    await desk.webview.getByText('id-24').first().waitFor();
    await desk.screenshot('batch-local-results');
  });

  it('counts down to the end of a limit, and stops at once where nothing is under way', async () => {
    await desk.command('Notifications: Clear All Notifications');
    await explorer('waiting.jsonl').dblclick();
    await desk.page.locator('.tab.active', { hasText: 'waiting.jsonl' }).waitFor();
    await desk.command('Inference Desk: Run Batch File Locally…');
    await dialog().getByText('Run waiting.jsonl locally?').waitFor();
    await button('Run').click();
    await seen(/At the limit RPM, going on in \d+:\d\d/);
    await desk.screenshot('batch-local-waiting');
    await notice(/At the limit RPM/)
      .getByRole('button', { name: 'Cancel' })
      .click();
    await seen(/stopped as you asked: 0 of 1 answered/);
    await desk.screenshot('batch-local-waiting-stopped');
  });

  it('has faulty lines left out on purpose, and makes a batch file of the rest at a limit of the day', async () => {
    await desk.command('Notifications: Clear All Notifications');
    await explorer('limited.jsonl').dblclick();
    await desk.page.locator('.tab.active', { hasText: 'limited.jsonl' }).waitFor();
    await desk.command('Inference Desk: Run Batch File Locally…');
    await dialog().getByText('Run limited.jsonl locally?').waitFor();
    await desk.screenshot('batch-local-faulty');
    await button('Run Without Faulty Lines').click();
    await seen(/The limit of the day \(RPD\) is reached/);
    await desk.screenshot('batch-local-daily-limit');
    await notice(/The limit of the day/)
      .getByText('Submit the Rest as a Batch')
      .click();
    const rest = path.join(folder, 'limited.rest.jsonl');
    await until(() => (run('limited')['ended'] === true ? true : undefined), 'the end of the run');
    const lines = readFileSync(rest, 'utf8').split('\n').slice(0, -1);
    deepEqual(
      lines.map((line) => (JSON.parse(line) as { custom_id: string }).custom_id),
      ['b', 'c'],
    );
    deepEqual(
      resultsOf(runFolder('limited')).errors.map(({ custom_id: id }) => id),
      ['faulty'],
    );
    match(JSON.stringify(run('limited')['retries']), /limited\.rest\.jsonl/);
    await desk.webview.getByText('limited.rest.jsonl').first().waitFor();
    await desk.screenshot('batch-local-rest');
    deepEqual(desk.faults, []);
  });
});
