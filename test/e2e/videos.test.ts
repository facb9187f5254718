import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
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

describe('videos, from the prompt to playing', function () {
  this.timeout(300_000);
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'videos-'));
    const picture = new PNG({ width: 320, height: 180 });
    for (let at = 0; at < picture.data.length; at += 4) picture.data.set([at % 256, 90, 160, 255], at);
    writeFileSync(path.join(folder, 'first.png'), PNG.sync.write(picture));
    writeFileSync(path.join(folder, 'story.txt'), 'Once upon a time\n');
    demo = await startFilledDemo({ pace: { videoQueueMs: 2000, videoWorkMs: 1500 } });
    desk = await this.openDesk({ folder, size: { width: 1500, height: 950 } });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const prompt = () => page().getByRole('textbox', { name: 'Prompt', exact: true });
  const card = (text: string, of = page()) => of.locator('.video-job', { hasText: text });
  const is = (text: string, state: string, of = page()) =>
    card(text, of).locator('.video-job-word', { hasText: state }).waitFor({ timeout: longMs });
  /** Opens it where it is not: which one was open may not have been written down when the window was loaded anew. */
  async function opened(text: string): Promise<Locator> {
    const head = card(text).locator('.video-job-button');
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    return card(text).locator('.video-details');
  }
  /** The records as they are on disk; each is only ever replaced whole. */
  const records = (): readonly MediaJob[] =>
    globSync('**/inference-desk.inference-desk/media/jobs/*.json', { cwd: desk.server.dataFolder }).map(
      (name) => JSON.parse(readFileSync(path.join(desk.server.dataFolder, name), 'utf8')) as MediaJob,
    );
  const record = (text: string, wanted: (job: MediaJob) => boolean, what: string) =>
    until(() => records().find((job) => job.order.request.prompt.includes(text) && wanted(job)), what, longMs);
  const arm = (fault: string, more: object = {}) =>
    demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /video/submit', ...more });
  async function order(text: string): Promise<void> {
    await prompt().fill(text);
    await prompt().press('Control+Enter');
    await card(text).waitFor({ timeout: longMs });
  }
  const shows = (text: string) =>
    until(async () => ((await prompt().inputValue()) === text ? true : undefined), 'what was typed', longMs);
  /** The service's own bytes of what was ordered. */
  async function served({ requestId }: MediaJob): Promise<Buffer> {
    const status = await demo.call('POST', '/video/status', { requestId });
    const { results } = status as { readonly results: { readonly videos: readonly { readonly url: string }[] } };
    return Buffer.from(await (await fetch(results.videos[0]?.url ?? '')).arrayBuffer());
  }
  async function kill(): Promise<void> {
    await killExtensionHosts(desk);
    await prompt().waitFor({ timeout: longMs });
  }

  it('are ordered, followed, saved as they were served, and play', async () => {
    await desk.command('Inference Desk: Open Videos');
    await prompt().waitFor();
    await desk.screenshot('videos-empty');
    await order('A paper boat in the rain');
    await desk.screenshot('videos-ordered');
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

  it('give a frame as a picture', async () => {
    await page().getByRole('button', { name: 'One frame on' }).click();
    await page().getByRole('button', { name: 'Save this frame as a picture' }).click();
    await desk.quickInput.locator('input.input').first().waitFor();
    await desk.screenshot('videos-frame');
    await desk.page.keyboard.press('Enter');
    const { width, height } = await until(() => {
      const [name] = globSync('*s.png', { cwd: folder });
      const bytes = name === undefined ? undefined : readFileSync(path.join(folder, name));
      // Whole once its end mark is there.
      return bytes?.includes('IEND') ? PNG.sync.read(bytes) : undefined;
    }, 'the frame');
    assert.deepEqual([width, height], [1280, 720]);
  });

  it('are there after a reload of the window, with what is typed', async () => {
    await prompt().fill('A kite over the sea');
    await desk.reloadWindow();
    await shows('A kite over the sea');
    await is('paper boat', 'Done');
    await page().locator('.player-facts', { hasText: '1280 × 720' }).waitFor();
    await desk.screenshot('videos-restored');
  });

  it('are followed on when the extension host was killed while one was made', async () => {
    await demo.call('POST', '/_control/pace', { pace: { videoQueueMs: 300, videoWorkMs: 12_000 } });
    await order('A kite over the sea');
    await record('kite', ({ stage }) => stage === 'running', 'the order');
    await kill();
    await demo.call('POST', '/_control/pace', { pace: { videoQueueMs: 300, videoWorkMs: 300 } });
    await is('kite', 'Done');
    await desk.screenshot('videos-killed-followed');
    const job = await record('kite', ({ stage }) => stage === 'ended', 'the end');
    assert.ok((await served(job)).equals(readFileSync(job.results?.[0]?.path ?? '')));
  });

  it('are never ordered twice by themselves when it was killed while one was being sent', async () => {
    await arm('slow-first-byte', { delayMs: 60_000 });
    await order('A lantern on a wall');
    await record('lantern', ({ stage }) => stage === 'submitting', 'the order');
    await kill();
    await is('lantern', 'The answer was lost: it may have been paid');
    await (await opened('lantern')).getByRole('button', { name: 'Submit again (paid again)' }).waitFor();
    await desk.screenshot('videos-answer-lost');
    assert.equal(records().filter(({ order: { request } }) => request.prompt.includes('lantern')).length, 1);
  });

  it('say why there is none: failed, expired, without an address', async () => {
    await arm('failed-job');
    await order('A bicycle in the fog');
    await is('bicycle', 'Failed');
    await card('bicycle').getByText('The prompt was refused by the content check.').waitFor();
    await desk.screenshot('videos-failed');
    await arm('expired-url');
    await order('A train at night');
    await is('train', 'The address had expired');
    await card('train').getByRole('button', { name: 'Fetch again' }).waitFor();
    await desk.screenshot('videos-expired');
    await arm('no-address');
    await order('A heron by a pond');
    await is('heron', 'Succeed without a URL');
    await card('heron').getByRole('button', { name: 'Check now' }).waitFor();
    await desk.screenshot('videos-without-url');
  });

  it('begin with a picture that is dragged from the Explorer', async () => {
    await page().getByRole('combobox', { name: 'Model' }).fill('Wan-AI/Wan2.2-I2V-A14B');
    await prompt().fill('A pond in spring');
    await page().getByText('choose one first').waitFor();
    await prompt().press('Control+Enter');
    await desk.command('View: Show Explorer');
    const row = desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'first.png' });
    await row.waitFor();
    const to = await desk.editorFrame.boundingBox();
    assert.ok(to);
    await row.hover();
    await desk.page.mouse.down();
    await desk.page.keyboard.down('Shift');
    await desk.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 });
    await page().getByText('Drop to begin the video with this picture').waitFor();
    await desk.screenshot('videos-drop');
    await desk.page.mouse.up();
    await desk.page.keyboard.up('Shift');
    await page().locator('.video-picture-given').getByText('PNG, 320 × 180').waitFor();
    await page().getByText('choose one first').waitFor({ state: 'detached' });
    await desk.screenshot('videos-picture');
    await prompt().press('Control+Enter');
    await is('pond in spring', 'Done');
    await desk.screenshot('videos-from-picture');
    assert.equal(records().filter(({ order: { request } }) => request.prompt === 'A pond in spring').length, 1);
    const job = await record('pond in spring', ({ stage }) => stage === 'ended', 'the end');
    assert.match('image' in job.order.request ? String(job.order.request.image) : '', /^input:[0-9a-f]{64}\.png$/);
  });

  it('are the same in two windows', async () => {
    const other = await desk.openAnother();
    await other.quickInput.count();
    await other.command('Inference Desk: Open Videos');
    const there = other.editorPage;
    await is('paper boat', 'Done', there);
    await is('lantern', 'The answer was lost', there);
    await page().getByRole('combobox', { name: 'Model' }).fill('Wan-AI/Wan2.2-T2V-A14B');
    await page().getByRole('button', { name: 'Remove the picture' }).click();
    await order('A mill by a river');
    await card('mill', there).waitFor({ timeout: longMs });
    await Promise.all([is('mill', 'Done'), is('mill', 'Done', there)]);
    await other.screenshot('videos-other-window');
    assert.equal(records().filter(({ order: { request } }) => request.prompt.includes('mill')).length, 1);
    assert.deepEqual(other.faults, []);
  });

  it('threw nothing in their pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
