import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { VideoRequest } from '../../src/core/api/videos/videos.schema';
import type { JobError } from '../../src/core/jobs/job';
import { saveFrame, storeProvided } from '../../src/features/videos/videoActions';
import { VideosController } from '../../src/features/videos/videosController';
import { viewJob, viewPage, type VideoMediaJob } from '../../src/features/videos/videosView';
import { emptyVideoForm } from '../../src/protocol/videoForm';
import { mediaErrorText } from '../../src/services/media/mediaMessages';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { makeImage, videoEnded } from '../support/mediaController';
import { until } from '../support/until';
import { sentFromOtherService } from '../support/otherService';

const textModel = 'Wan-AI/Wan2.2-T2V-A14B';
const pictureModel = 'Wan-AI/Wan2.2-I2V-A14B';
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('videos', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  let controller: VideosController;
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    folder = mkdtempSync(path.join(tmpdir(), 'videos-'));
    await signInAnew(services, 'videos', demo);
    await services.models.refresh();
    await services.context.workspaceState.update('videos.form', undefined);
  });
  beforeEach(() => {
    controller = new VideosController(services);
  });
  afterEach(async () => {
    controller.dispose();
    for (const { id } of services.media.jobs) await (await services.media()).forget(id);
    await services.context.workspaceState.update('videos.form', undefined);
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    rmSync(folder, { recursive: true });
  });

  const form = { ...emptyVideoForm, prompt: 'A paper boat', model: textModel, seed: '7', size: '960x960' } as const;
  const page = () => viewPage(controller, (file) => `shown:${file}`);
  const saved = async () =>
    storeProvided({ uris: [], pictures: [picture('first.png', onePixel)] }, (await services.media()).assets);
  const picture = (name: string, bytes: Uint8Array) => ({ name, base64: Buffer.from(bytes).toString('base64') });
  async function made(): Promise<{ readonly path: string; readonly request: VideoRequest }> {
    const { ref } = await saved();
    const job = await controller.submit({ ...form, model: pictureModel, negativePrompt: 'people', picture: ref }, {});
    const ended = await videoEnded(services, job.id);
    return { path: ended.results?.[0]?.path ?? '', request: ended.task.request as VideoRequest };
  }

  it('keep the draft in this workspace, and start with a video model', async () => {
    equal(controller.form.model, textModel);
    await controller.keep(form);
    const { formId } = controller;
    const again = new VideosController(services);
    deepEqual([again.form, again.formId], [form, formId]);
    again.dispose();
  });

  it("aren't submitted with a missing or rejected image, an invalid seed, or an empty prompt", async () => {
    const { ref } = await saved();
    const before = services.media.jobs.length;
    const refused = (part: object, why: RegExp) => rejects(controller.submit({ ...form, ...part }, {}), why);
    await refused({ model: pictureModel }, /Couldn't send the request.*Choose an image first/);
    await refused({ model: 'someone/My-I2V' }, /Choose an image first/);
    await refused({ picture: ref }, /doesn't support image input/);
    await refused({ model: pictureModel, picture: `input:${'0'.repeat(64)}.png` }, /It's no longer available/);
    for (const seed of ['-1', '1.5', '10000000000', 'x', '9'.repeat(40)]) await refused({ seed }, /whole number/);
    await refused({ prompt: ' ' }, /Enter a prompt/);
    await refused({ model: '' }, /Select a model/);
    equal(services.media.jobs.length, before);
    const signedOut = {
      ...services,
      models: { ...services.models, state: { ...services.models.state, session: 'signedOut' } },
    };
    const other = new VideosController(signedOut as Services);
    await rejects(other.submit(form, {}), /aren't signed in/);
    other.dispose();
  });

  it('are regenerated with the exact request of their details, and varied without its seed', async () => {
    const { path: file, request } = await made();
    deepEqual(
      { ...request, image: (request.image ?? '').replace(/[0-9a-f]{64}/, 'x') },
      {
        model: pictureModel,
        prompt: 'A paper boat',
        image_size: '960x960',
        negative_prompt: 'people',
        seed: 7,
        image: 'input:x.png',
      },
    );
    await controller.start({ as: 'regenerate', path: file });
    const [again] = services.media.jobs;
    deepEqual(again?.task.request, request);
    equal(controller.jobToShow?.job, again?.id);
    const ended = await videoEnded(services, again?.id ?? '');
    const { formId } = controller;
    await controller.start({ as: 'vary', path: file });
    deepEqual(controller.form, {
      prompt: 'A paper boat',
      negativePrompt: 'people',
      model: pictureModel,
      size: '960x960',
      seed: '',
      picture: request.image,
    });
    ok(controller.formId !== formId);
    const view = await page();
    equal(view.picture?.facts, 'PNG, 1 × 1, 70 bytes');
    const [job] = view.jobs;
    deepEqual(
      [job?.dot, job?.state, job?.seed, job?.files[0]?.uri],
      ['done', 'Done', '7', `shown:${ended.results?.[0]?.path}`],
    );
    match(job?.pictureUri ?? '', /^shown:.*\.png$/);
  });

  it('are regenerated with the selected account if they come from another service', async () => {
    await made();
    const [job] = services.media.jobs;
    const handlers = controller.handlers((file) => file);
    const context = { signal: new AbortController().signal, emit: () => {} };
    const file = { job: job?.id ?? '', index: 0, action: 'regenerate' } as const;
    await sentFromOtherService(services, 'videos', async () => handlers['videos/actOnFile'](file, context));
    const profiles = services.media.jobs.map(({ profileId }) => profileId);
    deepEqual(profiles, ['videos', 'videos']);
    deepEqual(services.media.jobs[0]?.task.request, job?.task.request);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('fill the form, and report a missing first image', async () => {
    const { path: file, request } = await made();
    const count = services.media.jobs.length;
    const { path: copy } = (await (await services.media()).assets.input(request.image ?? ''))!;
    rmSync(copy);
    await controller.start({ as: 'regenerate', path: file });
    equal(services.media.jobs.length, count);
    deepEqual([controller.form.picture, controller.form.seed, controller.form.prompt], ['', '7', 'A paper boat']);
    match(controller.notices[0]?.title ?? '', /first-frame image is no longer available/);
    await controller.keep({ ...controller.form, prompt: 'A kite' });
    deepEqual(controller.notices, []);
  });

  it('report missing details, removed jobs, and deleted files', async () => {
    const plain = path.join(folder, 'plain.mp4');
    writeFileSync(plain, 'x');
    await rejects(controller.start({ as: 'vary', path: plain }), /No video details/);
    await rejects(controller.start({ as: 'job', id: 'none' }), /no longer tracked here/);
    const { path: file } = await made();
    const [job] = services.media.jobs;
    await controller.start({ as: 'job', id: job?.id ?? '' });
    equal(controller.jobToShow?.job, job?.id);
    rmSync(file);
    const [shown] = (await page()).jobs;
    equal(shown?.files[0]?.uri, undefined);
    deepEqual(
      shown?.actions.map(({ id }) => id),
      ['submitAgain', 'fillForm', 'forget'],
    );
  });

  it('start only with one image from this machine, recognized by content', async () => {
    const { assets } = await services.media();
    const give = (name: string, bytes: Uint8Array | string) =>
      storeProvided({ uris: [], pictures: [picture(name, Buffer.from(bytes))] }, assets);
    for (const [name, bytes] of [
      ['page.png', '<!doctype html><html><body>Sign in</body></html>'],
      ['drawing.png', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['empty.png', ''],
    ] as const) {
      await rejects(give(name, bytes), { name: 'UserError' }, name);
    }
    const drop = (...uris: readonly string[]) => storeProvided({ uris, pictures: [] }, assets);
    await rejects(drop('https://example.com/first.png'), /Save the file on this machine/);
    await rejects(drop('no address'), /Save the file on this machine/);
    await rejects(drop('file:///a.png', 'file:///b.png'), /only one image as the first frame/);
    await rejects(drop(), /isn't a file/);
    const named = (problem: 'folder' | 'tooLarge' | 'unreadable') =>
      storeProvided({ uris: [], pictures: [{ name: 'x', problem }] }, assets);
    await rejects(named('folder'), /This is a folder/);
    await rejects(named('tooLarge'), /larger than 20 MB/);
    const file = path.join(folder, 'first.png');
    writeFileSync(file, onePixel);
    const dropped = await drop(`${vscode.Uri.file(file).toString()}?x=1`);
    deepEqual([dropped.contentType, dropped.width, dropped.ref], ['image/png', 1, (await saved()).ref]);
  });

  it('begin with a generated image, which the list offers first', async () => {
    const image = await makeImage(services, 'A lighthouse');
    let isDone = false;
    const choosing = controller
      .handlers((file) => file)
      ['videos/choosePicture']({}, { signal: new AbortController().signal, emit: () => undefined })
      .finally(() => (isDone = true));
    await until(() => {
      if (!isDone) void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isDone || undefined;
    }, 'the choice of an image');
    const { ref } = await (await services.media()).assets.keepInput({ path: image.path });
    equal((await choosing).picture?.ref, ref);
  });

  it('begin with an image chosen on another page, with a model that accepts images', async () => {
    const file = path.join(folder, 'begin.png');
    writeFileSync(file, onePixel);
    await controller.keep({ ...form, model: textModel });
    const before = controller.formId;
    await controller.start({ as: 'form', image: file });
    const { picture: ref, prompt, model: chosen } = controller.form;
    deepEqual([ref, prompt], [(await saved()).ref, form.prompt]);
    deepEqual(await controller.issues(), {});
    ok(chosen !== textModel && controller.formId !== before, chosen);
    await rejects(controller.start({ as: 'form', image: path.join(folder, 'gone.png') }), /Couldn't read the file/);
  });

  it('are listed below generated ones after a failure, and retried or cleared together', async () => {
    const handlers = controller.handlers((file) => file);
    const context = { signal: new AbortController().signal, emit: () => {} };
    const balance = (charge: number) => demo.call('POST', '/_control/balance', { gift: 0, charge });
    await balance(0);
    const sent = await handlers['videos/submit']({ form }, context);
    // What it became, and not that it was sent.
    equal(sent.message, 'Rejected');
    equal((await page()).jobs[0]?.id, sent.job);
    await balance(88);
    await made();
    const [first, last] = (await page()).jobs;
    deepEqual([first?.state, last?.state, (await page()).failed], ['Done', 'Rejected', 'Failed: 1']);
    await handlers['videos/failed']({ action: 'retry' }, context);
    ok(!services.media.jobs.some(({ id }) => id === sent.job));
    await videoEnded(services, services.media.jobs[0]?.id ?? '');
    equal((await page()).failed, undefined);
    await balance(0);
    await handlers['videos/submit']({ form }, context);
    await balance(88);
    await handlers['videos/failed']({ action: 'clear' }, context);
    deepEqual(
      (await page()).jobs.map(({ state }) => state),
      ['Done', 'Done'],
    );
  });

  it("don't save a frame that isn't an image", async () => {
    const png = Buffer.from('<svg/>').toString('base64');
    await rejects(saveFrame(path.join(folder, 'x.mp4'), { seconds: 1, png }), /Couldn't save the frame/);
  });

  describe('states of videos', () => {
    const lastError = (kind: JobError['kind'], isFinal = false): JobError => ({
      kind,
      message: `words of ${kind}`,
      at: 0,
      ...(isFinal && { isFinal }),
    });
    const job = (part: Partial<VideoMediaJob>): VideoMediaJob => ({
      id: 'one',
      profileId: 'videos',
      baseUrl: demo.baseUrl,
      createdAt: 1000,
      stage: 'running',
      folder,
      task: { kind: 'video', request: { model: textModel, prompt: 'A boat', image_size: '1280x720' } },
      ...part,
    });
    const shown = (part: Partial<VideoMediaJob>) =>
      viewJob(job(part), { ...services, account, profiles, prices } as unknown as Parameters<typeof viewJob>[1], {
        files: [],
        pictureUri: undefined,
        now: 61_000,
      });
    const account = { current: { id: 'videos', lacks: () => false } };
    const prices = { label: (text: string) => text };
    const profiles = {
      get: (id: string) => (id === 'gone' ? undefined : { name: `The ${id}` }),
    };
    const states: readonly (readonly [part: Partial<VideoMediaJob>, dot: string, state: string, actions: string])[] = [
      [{ stage: 'preparing' }, 'waiting', 'Preparing', ''],
      [{ stage: 'submitting' }, 'working', 'Sending', ''],
      [{}, 'waiting', 'Sent', 'checkNow fillForm forget'],
      [{ status: 'InQueue', position: 3 }, 'waiting', 'Queued', 'checkNow fillForm forget'],
      [{ status: 'InProgress' }, 'working', 'In progress', 'checkNow fillForm forget'],
      [{ status: 'Baking' }, 'working', 'Status: Baking', 'checkNow fillForm forget'],
      [{ lastError: lastError('gone', true) }, 'doubt', 'Missing at the service', 'checkNow fillForm forget'],
      [{ lastError: lastError('noResults') }, 'doubt', 'No download link', 'checkNow fillForm forget'],
      [{ profileId: 'gone' }, 'doubt', 'Account removed', 'checkNow fillForm forget'],
      [{ lastError: lastError('addressChanged') }, 'doubt', 'Base URL changed', 'checkNow fillForm forget'],
      [
        { stage: 'unknown', lastError: lastError('answerLost') },
        'doubt',
        'No response. You may have been charged.',
        'submitAgain fillForm forget',
      ],
      [{ stage: 'refused', lastError: lastError('refused') }, 'failed', 'Rejected', 'submitAgain fillForm forget'],
      [{ stage: 'refused', lastError: lastError('interrupted') }, 'failed', 'Unsent', 'submitAgain fillForm forget'],
      [{ stage: 'fetching' }, 'working', 'Saving', 'forget'],
      [
        { stage: 'fetching', lastError: lastError('disk') },
        'doubt',
        'Waiting to be saved',
        'fetchAgain submitAgain fillForm forget',
      ],
      [
        { stage: 'fetching', lastError: lastError('tooLarge', true) },
        'doubt',
        'Very large, not saved yet',
        'fetchAnyway submitAgain fillForm forget',
      ],
      [
        { stage: 'ended', lastError: lastError('expired', true) },
        'failed',
        'Link expired',
        'fetchAgain submitAgain fillForm forget',
      ],
      [
        { stage: 'ended', lastError: lastError('noResults', true) },
        'doubt',
        'No download link',
        'checkNow submitAgain fillForm forget',
      ],
      [{ stage: 'ended', lastError: lastError('failed', true) }, 'failed', 'Failed', 'submitAgain fillForm forget'],
    ];
    for (const [part, dot, state, actions] of states) {
      it(`shows ${state}`, () => {
        const view = shown(part);
        deepEqual([view.dot, view.state, view.actions.map(({ id }) => id).join(' ')], [dot, state, actions]);
        if (part.lastError) equal(view.error?.detail, mediaErrorText(part.lastError, job(part)));
      });
    }

    it('counts elapsed time, and shows queue position, other accounts, and repeated charges', () => {
      const queued = shown({ status: 'InQueue', position: 3, profileId: 'work' });
      deepEqual([queued.elapsedMs, queued.stateDetail, queued.profile], [60_000, 'position 3', 'The work']);
      equal(shown({ stage: 'unknown' }).elapsedMs, undefined);
      equal(shown({ profileId: 'gone' }).profile, 'removed');
      const label = (stage: 'unknown' | 'refused') => shown({ stage }).actions[0]?.label;
      deepEqual([label('unknown'), label('refused')], ['Submit Again (May Be Charged Again)', 'Submit Again']);
      const ask = shown({ status: 'InProgress', lastError: lastError('ask') });
      deepEqual([ask.state, ask.stateDetail, ask.error?.title], ['In progress', 'Status unknown', 'Status unknown']);
    });
  });
});
