import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { AnotherWindow, DeskWindow } from '../host/window';
import { chatOf, signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const size = { width: 1400, height: 950 };
/** VS Code in a browser reads the user settings file when it loads. */
function changeSettings({ server }: DeskWindow, changes: object): void {
  const file = path.join(server.dataFolder, 'data/User/settings.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...changes }));
}

/** The Generate button of the images or videos page, which is enabled once the page has loaded and the form is complete. */
function enabledGenerate({ editorPage }: AnotherWindow): Locator {
  return editorPage.locator('vscode-button:not([disabled])', { hasText: 'Generate' });
}

describe('a daily spending cap, until it is raised', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    const prices = { '*': { input: 0, output: 0, request: 1.5, image: 0.03 } };
    desk = await this.openDesk({
      size,
      settings: { 'inferenceDesk.prices': prices, 'inferenceDesk.dailySpendingCap': '1.5' },
    });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const paid = async (endpoint: string) =>
    (await demo.requests()).filter(({ path: to }) => to.endsWith(endpoint)).length;
  const images = (): Locator => desk.editorPage.locator('main');
  const generate = async () => {
    const prompt = desk.editorPage.getByRole('textbox', { name: 'Prompt', exact: true });
    await prompt.click();
    await prompt.fill('A quiet mountain lake at dawn');
    await enabledGenerate(desk).waitFor();
    await prompt.press('Control+Enter');
  };

  it('stops the next question at the cap, with the reason', async () => {
    const chat = chatOf(desk);
    await chat.ask('How do tides work?');
    await chat.counted.waitFor();
    const before = (await demo.requests()).length;
    await chat.box.fill('And the moon?');
    await chat.box.press('Enter');
    const note = desk.webview.locator('.note');
    await note.getByText('Daily spending cap reached').waitFor();
    await note.getByText(/Spent today: \D*1\.50? of \D*1\.50?\./).waitFor();
    await desk.screenshot('cap-chat');
    const sent = (await demo.requests()).slice(before).filter(({ path: to }) => /completions|messages/.test(to));
    assert.deepEqual([sent, await chat.turns.count(), await chat.box.inputValue()], [[], 1, 'And the moon?']);
  });

  it('stops image generation, and keeps the form', async () => {
    await desk.command('Inference Desk: Generate Images');
    await generate();
    await images().getByText('Daily spending cap reached').first().waitFor();
    await desk.screenshot('cap-image');
    assert.equal(await paid('/images/generations'), 0);
    await desk.editorPage.getByText('A quiet mountain lake at dawn').first().waitFor();
  });

  it('shows on the activity page that the cap is reached', async () => {
    await desk.command('Inference Desk: Open Activity and Spend');
    await desk.editorPage.getByText('Spending cap reached. Paid requests').waitFor();
    await desk.screenshot('cap-activity');
  });

  it('resumes chat and images once the cap is raised', async () => {
    changeSettings(desk, { 'inferenceDesk.dailySpendingCap': 50 });
    await desk.reload();
    await desk.editorPage.getByText('Spending cap reached. Paid requests').waitFor({ state: 'detached' });
    await desk.openChat();
    const box = desk.chatPage.getByRole('textbox', { name: 'Question' });
    await until(async () => (await box.inputValue()) !== '' || undefined, 'the saved draft');
    await box.click();
    await box.press('Enter');
    await desk.chatPage
      .locator('.turn')
      .nth(1)
      .locator('.facts')
      .getByText(/\d+ out/)
      .waitFor();
    await desk.command('Inference Desk: Generate Images');
    await generate();
    await until(async () => (await paid('/images/generations')) || undefined, 'the image');
    assert.deepEqual(desk.faults, []);
  });
});

describe('all kinds of work of two windows on the activity page', function () {
  inOrder(this);
  let desk: DeskWindow;
  let other: AnotherWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'activity-'));
    demo = await startFilledDemo({ pace: 'fast' });
    const settings = {
      'inferenceDesk.prices': { '*': { input: 2, output: 8, image: 0.03, video: 0.29 } },
      'inferenceDesk.dailySpendingCap': 1,
      'inferenceDesk.chat.dailyTokenBudget': { soft: 0, hard: 200_000 },
    };
    desk = await this.openDesk({ folder, size, settings });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const question = 'How do tides work?';
  const otherQuestion = 'Why is the sky blue?';
  const storage = () => path.join(desk.server.dataFolder, 'data/User/globalStorage/inference-desk.inference-desk');
  const row = (name: string): Locator => desk.editorPage.locator('.activity-row').filter({ hasText: name });
  const files = (name: string) => readdirSync(path.join(storage(), name)).filter((one) => one.endsWith('.json'));

  /** Writes records of earlier jobs, as the windows and the MCP server leave them. */
  const writeRecords = () => {
    const at = Date.now() - 60_000;
    const times = { createdAt: at, changedAt: at, toldEndAt: at, toldDoubtAt: at };
    const base = { version: 1, profileId: 'journey', baseUrl: demo.baseUrl, ...times };
    const failed = { kind: 'failed', message: 'The model is overloaded', at, isFinal: true };
    const image = (prompt: string) => ({ kind: 'image', request: { model: 'Qwen/Qwen-Image', prompt } });
    const video = (prompt: string) => ({
      kind: 'video',
      request: { model: 'Wan-AI/Wan2.2-T2V-A14B', prompt, image_size: '1280x720' },
    });
    const saved = { stage: 'ended', folder, results: [{ url: '', path: path.join(folder, 'none.png') }], counted: 1 };
    const lost = { stage: 'refused', folder, lastError: failed };
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
      outputFileId: 'results',
      errorFileId: 'errors',
      requestCounts: { total: 50, completed: 48, failed: 2 },
    };
    const model = 'deepseek-ai/DeepSeek-V3';
    const used = [{ model, requests: 48, inputTokens: 30_000, outputTokens: 12_000 }];
    const tickets = path.join(folder, 'support-triage.jsonl');
    const sent = { path: tickets, sha256: '', bytes: 1, requests: 50, model, inputTokens: 31_000, outputLimit: 25_600 };
    const jobs = {
      triage: {
        stage: 'ended',
        options: batch('support-triage'),
        batch: ended,
        input: sent,
        fetched: { output: { from: 'results', bytes: 1, lines: 48, usage: used } },
        counted: used,
      },
      faq: { stage: 'refused', options: batch('faq-embeddings'), lastError: { ...failed, kind: 'refused' } },
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

  /** Sends a question, an image that is rejected, and a video in the second window. */
  const workInOther = async () => {
    other = await desk.openAnother();
    await other.openChat();
    const box = other.chatPage.getByRole('textbox', { name: 'Question' });
    await box.click();
    await box.fill(otherQuestion);
    // The first window's conversation isn't shown here. Text typed before that is known is kept.
    await other.chatPage.getByText('open in another window').waitFor();
    assert.equal(await box.inputValue(), otherQuestion);
    await box.press('Enter');
    await other.chatPage.locator('.turn', { hasText: otherQuestion }).waitFor();
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /images/generations' });
    await demo.call('POST', '/_control/pace', { pace: { tokenMs: 5000, videoQueueMs: 3_600_000 } });
    for (const [command, tab, prompt] of [
      ['Inference Desk: Generate Images', 'Images', 'A lighthouse at dusk'],
      ['Inference Desk: Generate Videos', 'Videos', 'A mill by a river'],
    ] as const) {
      await other.command(command);
      // Until the new tab is shown, the field would belong to the previous one.
      await other.page.locator('.tab.active', { hasText: tab }).waitFor();
      await other.editorPage.getByRole('heading', { name: tab, exact: true }).waitFor();
      const field = other.editorPage.getByRole('textbox', { name: 'Prompt', exact: true });
      await field.click();
      await field.fill(prompt);
      await enabledGenerate(other).waitFor();
      await field.press('Control+Enter');
      await row(prompt).first().waitFor();
    }
  };

  it('lists work with its state and its window or server', async () => {
    writeRecords();
    await desk.reload();
    // From here on, a response takes minutes.
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 500, tokenMs: 5000 } });
    await desk.openChat();
    await chatOf(desk).ask(question);
    await desk.command('Inference Desk: Open Activity and Spend');
    await desk.editorPage.getByRole('heading', { name: 'In progress' }).waitFor();
    await workInOther();
    for (const [name, state] of [
      [question, 'Answering'],
      [otherQuestion, 'in window'],
      ['A lighthouse at dusk', 'rejected'],
      ['A mill by a river', 'in progress'],
      ['A red fox in snow', '2 done, 1 failed'],
      ['A logo for an agent', 'MCP server'],
      ['Waves against a lighthouse', ''],
      ['A storm over a desert', 'failed'],
      ['support-triage', 'completed'],
      ['faq-embeddings', 'rejected'],
      ['nightly.jsonl', 'stopped'],
    ] as const)
      await row(name).filter({ hasText: state }).first().waitFor();
    assert.equal(await desk.editorPage.locator('.activity-row').count(), 12);
  });

  it('stops work of both windows', async () => {
    for (const name of [question, otherQuestion]) {
      await row(name).hover();
      await row(name).getByRole('button', { name: 'Stop' }).click();
      await row(name).waitFor({ state: 'detached' });
    }
    await other.chatPage.locator('.turn').last().getByText('Stopped').waitFor();
    // Rows move again when the tokens of the stopped responses are counted.
    await desk.editorPage.getByText(/about \d+ of 200,000/).waitFor();
  });

  it('retries and opens work of both windows', async () => {
    const lighthouse = row('A lighthouse at dusk');
    await lighthouse.hover();
    await lighthouse.getByRole('button', { name: /^Retry/ }).click();
    await lighthouse.filter({ hasNotText: 'rejected' }).waitFor();
    // The record of the failure is removed once the new one is complete.
    await lighthouse.filter({ hasText: 'rejected' }).waitFor({ state: 'detached' });
    await desk.command('Inference Desk: Open Activity and Spend');
    await lighthouse.getByRole('button', { name: 'A lighthouse at dusk' }).click();
    // An image that is part of a series opens on the images page.
    await desk.page.locator('.tab.active', { hasText: 'Images' }).waitFor();
    await desk.editorPage.getByText('A lighthouse at dusk').first().waitFor();
    await desk.command('Inference Desk: Open Activity and Spend');
    assert.deepEqual(other.faults, []);
  });

  it('removes several rows after one confirmation', async () => {
    const names = ['A city at night', 'faq-embeddings', 'nightly.jsonl'];
    for (const name of names) await row(name).click({ modifiers: ['ControlOrMeta'], position: { x: 20, y: 12 } });
    await desk.editorPage.getByRole('button', { name: 'Remove 3 from List…' }).click();
    await desk.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove' }).click();
    for (const name of names) await row(name).waitFor({ state: 'detached' });
    assert.ok(!files('jobs').includes('faq.json') && !files('media/jobs').includes('city.json'));
    assert.deepEqual(desk.faults, []);
  });
});
