import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { mediaErrorText } from '../../src/services/media/mediaMessages';
import type { Services } from '../../src/services/services';
import { isUserError } from '../../src/platform/errors/userError';
import { beginAnew, deskServices, staySignedIn } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { videoEnded } from '../support/mediaController';
import { imageOrder, videoOrder } from '../support/mediaEngines';
import { setUpFolder } from '../support/temporaryFolder';

describe('pictures and videos in the editor', function () {
  this.timeout(60_000);
  let services: Services;
  let demo: FilledDemo;
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
  });
  afterEach(async () => {
    for (const { id } of services.media.jobs) await services.media.forget(id);
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

  it('are ordered, kept with their recipes in the folder that was chosen, and listed, newest first', async () => {
    const { media } = services;
    assert.equal(media.assets.folder(), folder.in('made'));
    const first = await media.submit(imageOrder('A fjord'), { group: 'one' });
    assert.equal(first.group, 'one');
    const ended = await media.whenEnded(first.id);
    const [{ path = '' } = {}] = ended.results ?? [];
    assert.ok(path.startsWith(folder.in('made')));
    const clip = await videoEnded(services, (await media.submit(videoOrder('A river'))).id);
    const listed = (await media.assets.list()).map((asset) => asset.path);
    assert.deepEqual(listed.slice(0, 2), [clip.results?.[0]?.path, path]);
    assert.ok(media.assets.roots().some(({ fsPath }) => fsPath === folder.in('made')));
    const { recipe } = (await media.assets.read(path)) ?? {};
    assert.deepEqual([recipe?.request, recipe?.file.name], [ended.order.request, basename(path)]);
  });

  it('are refused where nobody is signed in, and nothing is kept of it', async () => {
    await beginAnew(services);
    const before = services.media.jobs.length;
    await assert.rejects(services.media.submit(imageOrder('Nobody')), isUserError);
    assert.equal(services.media.jobs.length, before);
  });

  it('say what went wrong in words, and are fetched again', async () => {
    const { media } = services;
    await demo.call('POST', '/_control/arm', { fault: 'huge-declared', endpoint: 'GET asset' });
    const { id } = await media.submit(imageOrder('A large one'));
    const job = await media.whenEnded(id);
    assert.match(job.trouble ? mediaErrorText(job.trouble, job) : '', /exceeds/);
    const ended = await media.fetchAgain(id);
    assert.deepEqual([ended.stage, ended.trouble], ['ended', undefined]);
  });

  it('take along a picture that is kept, and refuse what is none with a word', async () => {
    const { media } = services;
    const made = await media.whenEnded((await media.submit(imageOrder('A picture to go on from'))).id);
    const from = made.results?.[0]?.path ?? '';
    const input = await media.assets.keepInput({ path: from });
    assert.match(input.ref, /^input:[\da-f]{64}\.png$/);
    assert.deepEqual([input.contentType, input.width, input.height], ['image/png', 512, 512]);
    assert.deepEqual(await media.assets.input(input.ref), input);
    const { id } = await media.submit(videoOrder('It moves', { model: 'Wan-AI/Wan2.2-I2V-A14B', image: input.ref }));
    const clip = await videoEnded(services, id);
    assert.equal(clip.order.request.image, input.ref);
    const requests = await demo.requests();
    const sent = requests.find(({ path }) => path === '/v1/video/submit')?.body.image;
    assert.equal(sent, `data:image/png;base64,${(await readFile(from)).toString('base64')}`);
    await writeFile(folder.in('drawing.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await assert.rejects(media.assets.keepInput({ path: folder.in('drawing.png') }), /contains markup/);
    await assert.rejects(media.assets.keepInput({ bytes: new Uint8Array(), name: 'nothing.png' }), /is empty/);
  });

  it('keep speech that was made, and go with their recipes', async () => {
    const { assets } = services.media;
    const request = { model: 'FunAudioLLM/CosyVoice2-0.5B', input: 'Good morning', voice: 'alex' } as const;
    const changed = new Promise<void>((resolve) => {
      const listening = assets.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    const { path } = await assets.keep(Buffer.from('no sound'), { kind: 'speech', request, service: demo.baseUrl });
    await changed;
    assert.match(basename(path), /^good-morning-[\da-f]{12}\.mp3$/);
    // This window's files are on another machine, which has no trash.
    assert.equal(assets.hasTrash, false);
    const restore = await assets.remove(path);
    assert.equal(await assets.read(path), undefined);
    await restore?.();
    assert.equal((await assets.read(path))?.path, path);
    await assets.remove(path);
  });

  it('go below the workspace folder where that says so, and never beside it', async () => {
    const { media, settings } = services;
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const configuration = vscode.workspace.getConfiguration('inferenceDesk');
    const inWorkspace = (value: string | undefined) =>
      configuration.update('media.folder', value, vscode.ConfigurationTarget.Workspace);
    try {
      await settings.set('media.folder', '');
      await inWorkspace('assets/made');
      assert.equal(media.assets.folder(), vscode.Uri.joinPath(vscode.Uri.file(root), 'assets/made').fsPath);
      for (const outside of ['../made', 'a/../../made', '/tmp/made', '~/made/../../..']) {
        await inWorkspace(outside);
        const at = media.assets.folder();
        assert.ok(at.startsWith(root) || at.includes('globalStorage'), `${outside} leads to ${at}`);
      }
    } finally {
      await inWorkspace(undefined);
    }
  });

  it('go to no folder that a link leads out of the workspace, unless the person named it in full', async () => {
    const { media, settings } = services;
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
        assert.match(media.assets.folder(), /globalStorage/, chosen);
      }
      await inWorkspace('within-media');
      assert.equal(media.assets.folder(), within);
      symlinkSync(join(outside, 'gone'), join(root, 'dangling-media'));
      await inWorkspace('dangling-media');
      assert.match(media.assets.folder(), /globalStorage/);
      await inWorkspace(undefined);
      await settings.set('media.folder', 'linked-media');
      assert.match(media.assets.folder(), /globalStorage/);
      await settings.set('media.folder', link);
      assert.equal(media.assets.folder(), link);
      assert.deepEqual(readdirSync(outside), []);
    } finally {
      await inWorkspace(undefined);
      await settings.set('media.folder', '');
      for (const name of ['linked-media', 'within-media', 'dangling-media']) rmSync(join(root, name), { force: true });
    }
  });
});
