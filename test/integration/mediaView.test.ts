import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import { toMediaItem } from '../../src/features/media/view/mediaItem';
import { createMediaList, type MediaList, mediaTooltip } from '../../src/features/media/view/mediaList';
import type { MediaJob } from '../../src/services/media/media';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { createMediaController, makeImage, submitVideo, type MediaController } from '../support/mediaController';

const now = Date.UTC(2026, 0, 2, 12);

describe('the view of images and videos', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let list: MediaList;
  let desk: MediaController;

  before(async () => {
    services = await deskServices();
    await clear();
    demo = await startFilledDemo({ pace: { videoQueueMs: 3_600_000, workMs: 0, clipFrames: 2 } });
    await signInAnew(services, 'viewed', demo);
  });
  beforeEach(() => {
    list = createMediaList(services);
    desk = createMediaController(services);
  });
  afterEach(async () => {
    desk.dispose();
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
  });
  after(async () => {
    await clear();
    await beginAnew(services);
    await demo.close();
  });

  const clear = async () => {
    const media = await services.media();
    const { assets, jobs } = media;
    for (const { id } of jobs) await media.forget(id);
    for (const { path } of await assets.list()) await assets.remove(path);
  };
  const plain = (tooltip: vscode.MarkdownString) => tooltip.value.replaceAll('&nbsp;', ' ').replaceAll('\\', '');

  it('lists jobs in progress, then generated files, in stable rows', async () => {
    const asset = await makeImage(services, 'A lighthouse');
    const { id } = await submitVideo(services, 'Waves\nat night');
    const rows = await list.read();
    deepEqual(
      rows.map(({ key }) => key),
      [`job:${id}`, `made:${asset.path}`],
    );
    const [running, made] = rows.map((row) => list.toItem(row));
    match(String(running?.description), /^queued · (place \d+ · )?\d+ sec$/);
    deepEqual(
      [running?.label, running?.contextValue, running?.command?.command, running?.command?.arguments],
      ['Waves at night', 'job video running forgettable', 'inferenceDesk.videos.open', [{ as: 'job', id }]],
    );
    match(String(made?.description), /^512×512 · now$/);
    deepEqual(
      [made?.label, made?.contextValue, (made!.iconPath as vscode.Uri).fsPath],
      ['A lighthouse', 'made image', asset.path],
    );
    deepEqual([made?.command?.command, made?.command?.arguments], ['inferenceDesk.media.open', [asset.path]]);
    const again = await list.read();
    ok(again.every((row, index) => row === rows[index]));
    deepEqual(list.ticking(), [rows[0]]);
    equal(list.dragged(rows), vscode.Uri.file(asset.path).toString());
    equal(list.dragged([rows[0]!]), undefined);
  });

  it('shows generation details on hover and on request', async () => {
    const asset = await makeImage(services, 'A **bold** [fox](command:x)');
    const [row] = await list.read();
    const tooltip = list.tooltipOf(row!);
    const text = plain(tooltip);
    for (const part of ['Qwen/Qwen-Image', '512×512', 'Seed: 7', demo.baseUrl, asset.path])
      ok(text.includes(part), part);
    match(tooltip.value, /!\[\]\(file:\/\/\S+\.png\|width=260,height=260\)$/);
    ok(!tooltip.value.includes('](command:'));
    equal(tooltip.isTrusted, undefined);
  });

  it('removes a job from the list after confirmation', async () => {
    const { id } = await submitVideo(services, 'Clouds');
    const [row] = await list.read();
    await desk.runtime.checkNow(row);
    ok(services.media.jobs[0]?.checkedAt !== undefined);
    desk.answers = { forget: async () => false };
    await desk.runtime.forget(row);
    equal(services.media.jobs[0]?.id, id);
    desk.answers = { forget: async () => true };
    await desk.runtime.forget(id);
    await until(services.media.onDidChange, () => services.media.jobs.length === 0);
  });

  it('applies the actions of the selected rows after one question', async () => {
    for (const prompt of ['A gull', 'A tern']) await makeImage(services, prompt);
    const ids = [await submitVideo(services, 'Tides'), await submitVideo(services, 'Dunes')].map(({ id }) => id);
    const orders = () => services.media.jobs.filter(({ id }) => ids.includes(id));
    const rows = await list.read();
    const [first, ...others] = rows;
    await desk.runtime.checkNow(first, rows);
    ok(orders().every(({ checkedAt }) => checkedAt !== undefined));
    const asked: number[] = [];
    desk.answers = {
      forget: async (all) => asked.push(all.length) > 1,
      remove: async (all) => asked.push(all.length) > 1,
      undoRemove: async () => false,
    };
    // A menu that is opened on a row that is not selected is about that row alone.
    await desk.runtime.forget(first, others);
    await desk.runtime.forget(first, rows);
    deepEqual(orders(), []);
    const files = await list.read();
    await desk.runtime.remove(files[0], files);
    deepEqual([await (await services.media()).assets.list(), asked], [[], [1, 2, files.length]]);
  });

  it('retries failed jobs in place, several after one question, and drops them only once accepted', async () => {
    const { media, settings } = services;
    const balance = (charge: number) => demo.call('POST', '/_control/balance', { gift: 0, charge });
    const ids = () => media.jobs.map(({ id }) => id);
    const orderImage = async (prompt: string) =>
      (await media()).submit({
        kind: 'image',
        request: { model: 'Qwen/Qwen-Image', prompt, image_size: '512x512', seed: 7 },
      });
    /** As the real command does with what it is handed. */
    const onImagesPage = () => vscode.commands.executeCommand(...(desk.ran.at(-1) as [string, object]));
    await settings.set('images.perMinute', 0);
    await balance(0);
    try {
      const video = await submitVideo(services, 'Reeds');
      const image = await orderImage('A heron');
      const [first, ...others] = await list.read();
      const rows = [first!, ...others].filter(({ key }) => key.startsWith('job:'));
      deepEqual(
        rows.map((row) => list.toItem(row).contextValue),
        ['job image retryable forgettable', 'job video retryable forgettable'],
      );
      // What is refused again stands there as refused now; a picture that is held back, as it did.
      await rejects(desk.runtime.retry(video.id), /Couldn't retry the job.*balance/is);
      const refused = media.jobs.find(({ task }) => task.kind === 'video')!;
      deepEqual([refused.stage, ids().includes(video.id)], ['refused', false]);
      await desk.runtime.retry(image.id);
      await onImagesPage();
      await vscode.commands.executeCommand('notifications.clearAll');
      deepEqual(ids(), [refused.id, image.id]);
      await balance(88);
      const [row, other] = await list.read();
      const asked: number[] = [];
      const quoted: (string | undefined)[] = [];
      await settings.set('prices', { '*': { image: 0.25, video: 0.5 } });
      desk.answers = {
        retry: async (all, price) => {
          quoted.push(price?.text);
          return asked.push(all.length) > 1;
        },
      };
      await desk.runtime.retry(row, [row, other]);
      deepEqual(ids(), [refused.id, image.id]);
      await Promise.all([desk.runtime.retry(row, [row, other]), (await media()).retry(refused.id)]);
      await Promise.all([onImagesPage(), onImagesPage()]);
      deepEqual(asked, [2, 2]);
      match(quoted.join(), /^about \D*0\.75,about \D*0\.75$/);
      // Once each, however often it is asked for; the same order.
      deepEqual(
        media.jobs.map(({ task }) => task),
        [image.task, video.task],
      );
      const [made, running] = media.jobs;
      equal(running?.stage, 'running');
      await (await media()).whenEnded(made!.id);
      ok(!ids().includes(image.id) && !ids().includes(refused.id));
      equal((await (await media()).assets.list()).length, 1);
    } finally {
      await settings.set('prices', {});
      await settings.set('images.perMinute', 2);
    }
  });

  it('keeps jobs that wait for the limit per minute until they are sent', async () => {
    const { media, settings } = services;
    await makeImage(services, 'A swan');
    await demo.call('POST', '/_control/arm', { fault: 'parameter', endpoint: 'POST /images/generations' });
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A duck', image_size: '512x512', seed: 7 };
    const { id, stage } = await (await media()).submit({ kind: 'image', request });
    equal(stage, 'refused');
    try {
      await settings.set('images.perMinute', 1);
      await vscode.commands.executeCommand('inferenceDesk.images.retry', [id]);
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      ok(!tabs.some(({ label }) => label === 'Images'));
      await vscode.commands.executeCommand('notifications.clearAll');
      const [row] = await list.read();
      equal(row?.key, `job:${id}`);
      const isSent = () => media.jobs.some(({ replaces, stage: now }) => replaces === id && now === 'ended');
      const sent = until(media.onDidChange, isSent);
      await settings.set('images.perMinute', 0);
      await sent;
      ok(!media.jobs.some((job) => job.id === id));
    } finally {
      await settings.set('images.perMinute', 2);
    }
  });

  it("explains why it doesn't retry jobs that may have been charged", async () => {
    await demo.call('POST', '/_control/arm', {
      fault: 'reset-before-headers',
      endpoint: 'POST /images/generations',
    });
    const request = { model: 'Qwen/Qwen-Image', prompt: 'A stork', image_size: '512x512' };
    const { id, stage } = await (await services.media()).submit({ kind: 'image', request });
    equal(stage, 'unknown');
    const [row] = await list.read();
    equal(list.toItem(row!).contextValue, 'job image forgettable');
    await rejects(desk.runtime.retry(row), /Couldn't retry the job.*may have been charged/s);
    deepEqual(
      services.media.jobs.map((job) => job.id),
      [id],
    );
    deepEqual(desk.ran, []);
  });

  it('explains a missing input image on retry', async () => {
    const image = `input:${'0'.repeat(64)}.png`;
    const request = { model: 'Wan-AI/Wan2.2-I2V-A14B', prompt: 'It flies', image_size: '1280x720', image } as const;
    const before = await (await services.media()).submit({ kind: 'video', request });
    await rejects(desk.runtime.retry(before.id), /Couldn't retry the job.*Choose the image again/s);
    // It is not lost by that.
    deepEqual(
      services.media.jobs.map(({ task, stage }) => [task, stage]),
      [[before.task, 'refused']],
    );
  });

  it('describes each state and its actions', async () => {
    const job = (of: Partial<MediaJob>): MediaJob => ({
      id: 'x',
      profileId: 'viewed',
      baseUrl: demo.baseUrl,
      createdAt: now - 120_000,
      stage: 'running',
      task: { kind: 'video', request: { model: 'm', prompt: '', image_size: '1x1' } },
      folder: '/made',
      requestId: 'r',
      ...of,
    });
    const lastError = { kind: 'tooLarge', message: 'It is large.', at: now } as const;
    const results = [{ url: 'u', path: '/a.mp4' }, { url: 'u' }];
    const states: readonly (readonly [Partial<MediaJob>, string, string])[] = [
      [{ stage: 'preparing' }, 'being prepared · 2 min', 'job video'],
      [{ stage: 'submitting' }, 'sending · 2 min', 'job video'],
      [{ position: 3 }, 'queued · position 3 · 2 min', 'job video running forgettable'],
      [{ status: 'InProgress', position: 3 }, 'generating · 2 min', 'job video running forgettable'],
      [{ status: 'Succeed' }, 'done, waiting for the download link · 2 min', 'job video running forgettable'],
      [{ status: 'Dreaming' }, 'Dreaming · 2 min', 'job video running forgettable'],
      [{ stage: 'fetching' }, 'saving · 2 min', 'job video forgettable'],
      [{ stage: 'fetching', lastError }, 'not saved yet · 2 min', 'job video fetchable forgettable'],
      [{ stage: 'refused' }, 'not started · 2 min. ago', 'job video retryable forgettable'],
      [{ stage: 'unknown' }, 'not confirmed · 2 min. ago', 'job video forgettable'],
      [{ stage: 'ended', lastError, results }, '1 of 2 saved · 2 min. ago', 'job video fetchable forgettable'],
      [
        { stage: 'ended', lastError: { ...lastError, kind: 'failed' } },
        'failed · 2 min. ago',
        'job video retryable forgettable',
      ],
      [
        { stage: 'ended', lastError: { ...lastError, kind: 'expired' } },
        'link expired · 2 min. ago',
        'job video fetchable forgettable',
      ],
      [
        { stage: 'ended', lastError: { ...lastError, kind: 'noResults' } },
        'done, but no download link · 2 min. ago',
        'job video fetchable forgettable',
      ],
    ];
    for (const [of, description, context] of states) {
      const item = toMediaItem({ kind: 'job', key: 'job:x', job: job(of) }, now);
      deepEqual([item.label, item.description, item.contextValue], ['Video', description, context]);
    }
    const reported = mediaTooltip({ kind: 'job', key: 'job:x', job: job({ lastError }) }, () => 'Mine');
    ok(['It is large.', 'Mine', demo.baseUrl].every((part) => plain(reported).includes(part)));
    const record = { id: 'torn', path: '/torn.json', reason: 'torn' } as const;
    equal(toMediaItem({ kind: 'unreadable', key: 'u', record }, now).description, 'record damaged');
    const all = toMediaItem({ kind: 'all', key: 'all', count: 1234 }, now);
    deepEqual([all.description, all.command?.command], ['1,234', 'inferenceDesk.gallery.open']);
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);
    for (let times = 0; times < 2; times++) {
      const opened = until(vscode.window.tabGroups.onDidChangeTabs, () => tabs().includes('Gallery'));
      await vscode.commands.executeCommand(all.command!.command);
      await opened;
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });
});
