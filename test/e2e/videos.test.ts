import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { PNG } from 'pngjs';
import type { MediaJob } from '../../src/core/jobs/media/mediaJob';
import type { DeskWindow } from '../host/window';
import { killExtensionHosts } from '../support/killExtensionHosts';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const longMs = 90_000;
/** No video is generated before the service's clock is advanced. */
const queueMs = 600_000;

describe('videos, from the prompt to playing', function () {
  this.timeout(300_000);
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  /** How far the service's clock was advanced, in milliseconds. */
  let ahead = 0;
  let balanceBefore = 0;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'videos-'));
    const picture = new PNG({ width: 320, height: 180 });
    for (let at = 0; at < picture.data.length; at += 4) picture.data.set([at % 256, 90, 160, 255], at);
    writeFileSync(path.join(folder, 'first.png'), PNG.sync.write(picture));
    demo = await startFilledDemo({
      pace: { videoQueueMs: queueMs, videoWorkMs: 300 },
      clock: () => Date.now() + ahead,
    });
    desk = await this.openDesk({ folder, size: { width: 1500, height: 950 } });
    await signInTo(desk, demo);
    balanceBefore = await balance();
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const prompt = () => page().getByRole('textbox', { name: 'Prompt', exact: true });
  const card = (text: string) => page().locator('.video-job', { hasText: text });
  const is = (text: string, state: string) =>
    card(text).locator('.video-job-word', { hasText: state }).waitFor({ timeout: longMs });
  /** Returns the records on disk. Each is only ever replaced atomically. */
  const records = (): readonly MediaJob[] =>
    globSync('**/inference-desk.inference-desk/media/jobs/*.json', { cwd: desk.server.dataFolder }).map(
      (name) => JSON.parse(readFileSync(path.join(desk.server.dataFolder, name), 'utf8')) as MediaJob,
    );
  const record = (text: string, requested: (job: MediaJob) => boolean, what: string) =>
    until(() => records().find((job) => job.task.request.prompt.includes(text) && requested(job)), what, longMs);
  async function order(text: string): Promise<void> {
    await prompt().fill(text);
    // Until the page has loaded, no request is sent.
    await page().locator('vscode-button:not([disabled])', { hasText: 'Generate' }).waitFor();
    await prompt().press('Control+Enter');
    await card(text).waitFor({ timeout: longMs });
  }
  /** Returns the service's own bytes of the generated file. */
  async function served({ requestId }: MediaJob): Promise<Buffer> {
    const status = await demo.call('POST', '/video/status', { requestId });
    const { results } = status as { readonly results: { readonly videos: readonly { readonly url: string }[] } };
    return Buffer.from(await (await fetch(results.videos[0]?.url ?? '')).arrayBuffer());
  }

  async function balance(): Promise<number> {
    const { data } = (await demo.call('GET', '/user/info')) as { readonly data: { readonly totalBalance: string } };
    return Number(data.totalBalance);
  }

  const rowOf = (text: string) => desk.page.locator('.sidebar .pane-body .monaco-list-row', { hasText: text }).first();

  it('starts videos from the menu, and lists them while generating', async () => {
    await desk.openStatusMenu();
    await desk.quickRows.filter({ hasText: 'Generate Videos' }).waitFor();
    await desk.screenshot('kept-status-menu');
    await desk.pick('Generate Videos');
    await order('A paper boat in the rain');
    await desk.command('View: Close All Editors');
    await desk.openView('Images and Videos');
    const row = rowOf('A paper boat');
    await row.getByText(/queued/).waitFor();
    await desk.screenshot('kept-running');
    await row.click();
    await card('paper boat').waitFor();
  });

  it('tracks, saves, and plays videos', async () => {
    ahead += queueMs;
    await is('paper boat', 'Done');
    const video = page().locator('.player-video');
    await page().locator('.player-facts', { hasText: '1280 × 720' }).waitFor();
    await video.evaluate((element) => (element as HTMLVideoElement).play());
    await until(
      async () =>
        (await video.evaluate((element) => (element as HTMLVideoElement).currentTime)) > 0.3 ? true : undefined,
      'the video to go on',
      longMs,
    );
    await desk.screenshot('videos-playing');
    const job = await record('paper boat', ({ stage }) => stage === 'ended', 'the end');
    const saved = job.results?.[0]?.path ?? '';
    assert.ok((await served(job)).equals(readFileSync(saved)));
    assert.ok(existsSync(`${saved}.recipe.json`));
  });

  it('saves a frame as an image', async () => {
    await page().getByRole('button', { name: 'Save Frame as Image' }).click();
    await desk.quickInput.locator('input.input').first().waitFor();
    await desk.screenshot('videos-frame');
    await desk.page.keyboard.press('Enter');
    const { width, height } = await until(() => {
      const [name] = globSync('*s.png', { cwd: folder });
      const bytes = name === undefined ? undefined : readFileSync(path.join(folder, name));
      // The file is complete once it contains its end marker.
      return bytes?.includes('IEND') ? PNG.sync.read(bytes) : undefined;
    }, 'the frame');
    assert.deepEqual([width, height], [1280, 720]);
  });

  it('resumes tracking without duplicate requests after the extension host was killed', async () => {
    await order('A kite over the sea');
    await record('kite', ({ stage }) => stage === 'running', 'the order');
    const endpoint = 'POST /video/submit';
    await demo.call('POST', '/_control/arm', { fault: 'slow-first-byte', endpoint, delayMs: 600_000 });
    await order('A lantern on a wall');
    await record('lantern', ({ stage }) => stage === 'submitting', 'the order');
    await killExtensionHosts(desk);
    await desk.openView('Images and Videos');
    await rowOf('A lantern').click();
    await prompt().waitFor({ timeout: longMs });
    await is('lantern', 'No response. You may have been charged.');
    ahead += queueMs;
    await is('kite', 'Done');
    await desk.screenshot('videos-killed-followed');
    const job = await record('kite', ({ stage }) => stage === 'ended', 'the end');
    assert.ok((await served(job)).equals(readFileSync(job.results?.[0]?.path ?? '')));
    assert.equal(records().length, 3);
  });

  it('uses an image dragged from the Explorer as the first frame', async () => {
    await page().getByRole('combobox', { name: 'Model' }).fill('Wan-AI/Wan2.2-I2V-A14B');
    await page().getByText('Choose an image first').waitFor();
    await desk.command('View: Show Explorer');
    const row = desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'first.png' });
    await row.waitFor();
    const to = await desk.editorFrame.boundingBox();
    assert.ok(to);
    await row.hover();
    await desk.page.mouse.down();
    await desk.page.keyboard.down('Shift');
    await desk.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await page().getByText('Drop to use as the first frame').waitFor();
    await desk.screenshot('videos-drop');
    await desk.page.mouse.up();
    await desk.page.keyboard.up('Shift');
    await page().locator('.video-picture-given').getByText('PNG, 320 × 180').waitFor();
    await page().getByText('Choose an image first').waitFor({ state: 'detached' });
  });

  it('shows the decrease of the balance as charged on the activity page, also for jobs that were killed', async () => {
    await desk.command('Inference Desk: Open Activity and Spend');
    const total = page().locator('.activity-total td').nth(3);
    const fell = balanceBefore - (await balance());
    assert.ok(fell > 0);
    await until(
      async () => {
        const [amount = ''] = /[\d.]+/.exec((await total.textContent()) ?? '') ?? [];
        return Math.abs(Number(amount) - fell) <= fell / 100 || undefined;
      },
      `${fell}`,
      longMs,
    );
    assert.deepEqual(desk.faults, []);
  });
});
