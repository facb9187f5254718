import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { openMediaJobs } from '../../src/services/media/mediaJobs';
import { mediaFolder } from '../../src/services/media/mediaFolder';
import { mediaErrorText } from '../../src/services/media/mediaMessages';
import type { Services } from '../../src/services/services';
import { isUserError } from '../../src/platform/errors/userError';
import { beginAnew, deskServices, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { videoEnded } from '../support/mediaController';
import { imageTask, videoTask } from '../support/mediaEngines';
import { setUpFolder } from '../support/temporaryFolder';
import { until } from '../support/until';

describe('images and videos in VS Code', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
  });
  afterEach(async () => {
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
  });
  after(async () => {
    await services.settings.set('media.folder', '');
    await beginAnew(services);
    await demo.close();
  });
  const folder = setUpFolder();
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    await staySignedIn(services, 'mine', demo);
    await services.settings.set('media.folder', folder.in('made'));
  });

  const imagesSent = async () =>
    (await demo.requests()).filter(({ path }) => path.endsWith('/images/generations')).length;

  it('are generated, saved with details in the selected folder, and listed newest first', async () => {
    const { media } = services;
    assert.equal(mediaFolder(services), folder.in('made'));
    const first = await (await media()).submit(imageTask('A fjord'), { group: 'one' });
    assert.equal(first.group, 'one');
    const ended = await (await media()).whenEnded(first.id);
    const [{ path = '' } = {}] = ended.results ?? [];
    assert.ok(path.startsWith(folder.in('made')));
    const clip = await videoEnded(services, (await (await media()).submit(videoTask('A river'))).id);
    const listed = (await (await media()).assets.list()).map((asset) => asset.path);
    assert.deepEqual(listed.slice(0, 2), [clip.results?.[0]?.path, path]);
    assert.ok(media.roots().some(({ fsPath }) => fsPath === folder.in('made')));
    const { recipe } = (await (await media()).assets.read(path)) ?? {};
    assert.deepEqual([recipe?.request, recipe?.file.name], [ended.task.request, basename(path)]);
  });

  it('are awaited before the window closes, and no more are sent', async () => {
    await demo.call('POST', '/_control/pace', { pace: { workMs: 1000 } });
    const media = await openMediaJobs(services, {
      storage: folder.in('closing'),
      onChange: () => {},
      onAssetsChange: () => {},
    });
    try {
      const sending = media.submit(imageTask('In flight'));
      await until(async () => (await imagesSent()) === 1 || undefined, 'the request');
      const closing = media.close();
      void media.submit(imageTask('Too late'));
      await closing;
      const { stage, results } = await sending;
      assert.ok(['fetching', 'ended'].includes(stage) && results?.length === 1);
      assert.equal(await imagesSent(), 1);
    } finally {
      media.dispose();
      await demo.call('POST', '/_control/pace', { pace: 'instant' });
    }
  });

  it('are rejected without an account, and leave no record', async () => {
    await beginAnew(services);
    const before = services.media.jobs.length;
    await assert.rejects((await services.media()).submit(imageTask('Nobody')), isUserError);
    assert.equal(services.media.jobs.length, before);
  });

  it('explain errors, and can be downloaded again', async () => {
    const { media } = services;
    await demo.call('POST', '/_control/arm', { fault: 'huge-declared', endpoint: 'GET asset' });
    const { id } = await (await media()).submit(imageTask('A large one'));
    const job = await (await media()).whenEnded(id);
    assert.match(job.lastError ? mediaErrorText(job.lastError, job) : '', /exceeds/);
    const ended = await (await media()).fetchAgain(id);
    assert.deepEqual([ended.stage, ended.lastError], ['ended', undefined]);
  });

  it('accept a saved input image, and reject other files with a reason', async () => {
    const { media } = services;
    const made = await (
      await media()
    ).whenEnded((await (await media()).submit(imageTask('A picture to go on from'))).id);
    const from = made.results?.[0]?.path ?? '';
    const input = await (await media()).assets.keepInput({ path: from });
    assert.match(input.ref, /^input:[\da-f]{64}\.png$/);
    assert.deepEqual([input.contentType, input.width, input.height], ['image/png', 512, 512]);
    assert.deepEqual(await (await media()).assets.input(input.ref), input);
    const { id } = await (
      await media()
    ).submit(videoTask('It moves', { model: 'Wan-AI/Wan2.2-I2V-A14B', image: input.ref }));
    const clip = await videoEnded(services, id);
    assert.equal(clip.task.request.image, input.ref);
    const requests = await demo.requests();
    const sent = requests.find(({ path }) => path === '/v1/video/submit')?.body.image;
    assert.equal(sent, `data:image/png;base64,${(await readFile(from)).toString('base64')}`);
    await writeFile(folder.in('drawing.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await assert.rejects(
      (await media()).assets.keepInput({ path: folder.in('drawing.png') }),
      /SVG and web pages aren't supported/,
    );
    await assert.rejects(
      (await media()).assets.keepInput({ bytes: new Uint8Array(), name: 'nothing.png' }),
      /Empty file/,
    );
  });

  it('include generated speech, which can be deleted and restored', async () => {
    const { assets } = await services.media();
    const request = { model: 'FunAudioLLM/CosyVoice2-0.5B', input: 'Good morning', voice: 'alex' } as const;
    const changed = new Promise<void>((resolve) => {
      const listening = services.media.onDidChangeAssets(() => {
        listening.dispose();
        resolve();
      });
    });
    const { path } = await assets.keep(Buffer.from('no sound'), { kind: 'speech', request, service: demo.baseUrl });
    await changed;
    assert.match(basename(path), /^good-morning-[\da-f]{12}\.mp3$/);
    const restore = await assets.remove(path);
    assert.equal(await assets.read(path), undefined);
    await restore?.();
    assert.equal((await assets.read(path))?.path, path);
    await assets.remove(path);
  });

  it('are saved below the workspace folder if configured, never outside of it', async () => {
    const { settings } = services;
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const configuration = vscode.workspace.getConfiguration('inferenceDesk');
    const inWorkspace = (value: string | undefined) =>
      configuration.update('media.folder', value, vscode.ConfigurationTarget.Workspace);
    try {
      await settings.set('media.folder', '');
      await inWorkspace('assets/made');
      assert.equal(mediaFolder(services), vscode.Uri.joinPath(vscode.Uri.file(root), 'assets/made').fsPath);
      for (const outside of ['../made', 'a/../../made', '/tmp/made', '~/made/../../..']) {
        await inWorkspace(outside);
        const at = mediaFolder(services);
        assert.ok(at.startsWith(root) || at.includes('globalStorage'), `${outside} leads to ${at}`);
      }
    } finally {
      await inWorkspace(undefined);
    }
  });

  it("don't follow links out of the workspace unless the absolute path is set", async () => {
    const { settings } = services;
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const outside = folder.in('outside');
    const [link, within] = [join(root, 'linked-media'), join(root, 'within-media')];
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, link);
    symlinkSync('none-yet/below', within);
    const configuration = vscode.workspace.getConfiguration('inferenceDesk');
    const inWorkspace = (value: string | undefined) =>
      configuration.update('media.folder', value, vscode.ConfigurationTarget.Workspace);
    try {
      await settings.set('media.folder', '');
      for (const chosen of ['linked-media', 'linked-media/deeper/still', './linked-media/']) {
        await inWorkspace(chosen);
        assert.match(mediaFolder(services), /globalStorage/, chosen);
      }
      await inWorkspace('within-media');
      assert.equal(mediaFolder(services), within);
      symlinkSync(join(outside, 'gone'), join(root, 'dangling-media'));
      await inWorkspace('dangling-media');
      assert.match(mediaFolder(services), /globalStorage/);
      await inWorkspace(undefined);
      await settings.set('media.folder', 'linked-media');
      assert.match(mediaFolder(services), /globalStorage/);
      await settings.set('media.folder', link);
      assert.equal(mediaFolder(services), link);
      assert.deepEqual(readdirSync(outside), []);
    } finally {
      await inWorkspace(undefined);
      await settings.set('media.folder', '');
      for (const name of ['linked-media', 'within-media', 'dangling-media']) rmSync(join(root, name), { force: true });
    }
  });
});
