import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AnotherWindow, DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const question = 'How do tides work?';

describe('work of every kind in two windows, on the page of activity', function () {
  inOrder(this);
  let desk: DeskWindow;
  let other: AnotherWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'activity-'));
    const lines = Array.from({ length: 24 }, (_, index) => requestLine(`eval-${index}`, 'Tell a story', { model }));
    writeFileSync(path.join(folder, 'evals.jsonl'), `${lines.join('\n')}\n`);
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1400, height: 950 } });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const storage = () => path.join(desk.server.dataFolder, 'data/User/globalStorage/inference-desk.inference-desk');
  const rows = (): Locator => desk.editorPage.locator('.activity-row');
  const row = (name: string): Locator => rows().filter({ hasText: name });
  const button = (name: string | RegExp): Locator => desk.editorPage.getByRole('button', { name });
  const dialog = (window: Pick<DeskWindow, 'page'>): Locator => window.page.locator('.monaco-dialog-box');
  const status = (): Locator => desk.page.locator('.statusbar-item[id*="inference-desk"]').first();
  const files = (name: string) => readdirSync(path.join(storage(), name)).filter((one) => one.endsWith('.json'));

  /** What ended before: records as the windows and the MCP server leave them. */
  const writeRecords = () => {
    const at = Date.now();
    const base = {
      version: 1,
      profileId: 'journey',
      baseUrl: demo.baseUrl,
      createdAt: at,
      changedAt: at,
      toldEndAt: at,
    };
    const failed = { kind: 'failed', message: 'The model is overloaded', at };
    const image = (prompt: string) => ({ kind: 'image', request: { model: 'Qwen/Qwen-Image', prompt } });
    const video = (prompt: string) => ({ kind: 'video', request: { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt } });
    const saved = { stage: 'ended', folder, results: [{ url: '', path: path.join(folder, 'none.png') }] };
    const lost = { stage: 'refused', folder, trouble: failed };
    const media = {
      fox: { ...saved, order: image('A red fox in snow'), group: 'foxes' },
      fox2: { ...saved, order: image('A red fox in snow'), group: 'foxes' },
      fox3: { ...lost, order: image('A red fox in snow'), group: 'foxes' },
      city: { ...lost, order: image('A city at night') },
      logo: { ...saved, order: image('A logo for an agent'), client: 'mcp' },
      waves: { ...saved, order: video('Waves against a lighthouse') },
      storm: { ...lost, stage: 'ended', order: video('A storm over a desert') },
    };
    const batch = (name: string) => ({ completion_window: '24h', metadata: { name } });
    const ended = {
      id: 'batch_1',
      status: 'completed',
      errors: [],
      metadata: {},
      requestCounts: { total: 50, completed: 48, failed: 2 },
    };
    const jobs = {
      triage: {
        stage: 'ended',
        order: batch('support-triage'),
        batch: ended,
        fetched: { output: { from: 'f', bytes: 1, lines: 48 } },
      },
      faq: { stage: 'refused', order: batch('faq-embeddings'), trouble: { ...failed, kind: 'refused' } },
    };
    for (const [place, records] of [['media/jobs', media] as const, ['jobs', jobs] as const]) {
      mkdirSync(path.join(storage(), place), { recursive: true });
      for (const [id, record] of Object.entries(records))
        writeFileSync(path.join(storage(), place, `${id}.json`), JSON.stringify({ ...base, id, ...record }));
    }
    const run = path.join(storage(), 'results', '2026-11-01 nightly abcdef');
    mkdirSync(run, { recursive: true });
    const input = { path: path.join(folder, 'nightly.jsonl'), sha256: '', bytes: 1, requests: 40 };
    const counts = { answered: 12, failed: 1 };
    const local = { version: 1, kind: 'local', name: 'nightly', createdAt: at, input, files: {}, counts, ended: false };
    writeFileSync(path.join(run, 'run.json'), JSON.stringify(local));
  };

  it('is begun in both windows', async () => {
    writeRecords();
    other = await desk.openAnother();
    // From here on, an answer takes minutes.
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 500, tokenMs: 5000 } });
    await other.command('Inference Desk: Run Batch File Now at Full Price…');
    await other.pick('evals.jsonl');
    await dialog(other).getByRole('button', { name: 'Run', exact: true }).click();
    for (const window of [desk, other]) {
      await window.openChat();
      const chat = window.page.frameLocator('iframe.webview').frameLocator('#active-frame');
      const box = chat.getByRole('textbox', { name: 'Question' });
      await box.click();
      await box.fill(question);
      await box.press('Enter');
      await chat.locator('.turn').first().waitFor();
    }
  });

  it('is listed with its state, also that of the other window, and failures count as seen then', async () => {
    await status()
      .filter({ hasText: /\d need attention/ })
      .waitFor();
    await desk.screenshot('activity-status');
    await desk.command('Inference Desk: Open Activity and Spend');
    await desk.editorPage.getByRole('heading', { name: 'In progress' }).waitFor();
    await until(async () => ((await rows().count()) >= 11 ? true : undefined), 'all rows', 20_000);
    await row('evals.jsonl')
      .filter({ hasText: /Local run · in progress.*in (window|another window)/ })
      .waitFor();
    await until(async () => ((await row(question).count()) === 2 ? true : undefined), 'both chats', 20_000);
    await row(question).filter({ hasText: 'window' }).waitFor();
    for (const [name, state] of [
      ['A red fox in snow', '2 done and 1 failed'],
      ['A logo for an agent', 'MCP server'],
      ['support-triage', 'completed'],
      ['faq-embeddings', 'rejected'],
      ['nightly.jsonl', 'stopped'],
      ['A storm over a desert', 'failed'],
    ] as const)
      await row(name).filter({ hasText: state }).waitFor();
    await status()
      .filter({ hasText: /need attention/ })
      .waitFor({ state: 'detached' });
  });

  it('can be read in every theme and at the usual widths', async () => {
    for (const kind of ['light', 'dark', 'highContrast'] as const) {
      await desk.theme(kind);
      for (const width of [1400, 900]) {
        await desk.page.setViewportSize({ width, height: 950 });
        await desk.screenshot(`activity-work-${kind}-${width}`);
      }
    }
    await desk.page.setViewportSize({ width: 1400, height: 950 });
    await desk.theme('light');
  });

  it('is stopped where it runs, and is not offered to be stopped elsewhere', async () => {
    const elsewhere = row('evals.jsonl');
    await elsewhere.hover();
    assert.equal(await elsewhere.locator('.activity-actions button').count(), 0);
    const own = row(question).filter({ hasNotText: 'window' });
    await own.hover();
    await own.getByRole('button', { name: 'Stop' }).click();
    await own.waitFor({ state: 'detached' });
    await row(question).filter({ hasText: 'window' }).waitFor();
  });

  it('is removed together, once that was confirmed, in both windows', async () => {
    await row('A city at night').click({ modifiers: ['ControlOrMeta'], position: { x: 20, y: 12 } });
    await row('faq-embeddings').click({ modifiers: ['ControlOrMeta'], position: { x: 20, y: 12 } });
    await row('nightly.jsonl').click({ modifiers: ['ControlOrMeta'], position: { x: 20, y: 12 } });
    await button('Remove 3 from List…').click();
    await dialog(desk).getByRole('button', { name: 'Remove' }).click();
    for (const name of ['A city at night', 'faq-embeddings', 'nightly.jsonl'])
      await row(name).waitFor({ state: 'detached' });
    assert.ok(!files('jobs').includes('faq.json') && !files('media/jobs').includes('city.json'));
  });

  it('ends in the other window, which is seen here', async () => {
    await other.command('Inference Desk: Stop Local Run');
    await row('evals.jsonl').filter({ hasText: 'stopped' }).waitFor({ timeout: 60_000 });
    assert.deepEqual(desk.faults, []);
  });
});
