import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ImagesController } from '../../src/features/images/imagesController';
import { formAnswer } from '../../src/features/images/form/formAnswer';
import {
  actOnTile,
  clearFailed,
  retryFailed,
  startWith,
  stepOfTile,
  submitForm,
} from '../../src/features/images/imageActions';
import { ImageRuns } from '../../src/features/images/runs/imageRuns';
import { providedImage } from '../../src/services/images/providedImage';
import { isUserError } from '../../src/platform/errors/userError';
import { emptyImageForm } from '../../src/protocol/imageForm';
import type { ImageForm, ImageTile } from '../../src/protocol/images';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, leaveQuickOpen, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { until } from '../support/until';

const model = 'black-forest-labs/FLUX.2-pro';

describe('the page for generating images', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  let runs: ImageRuns;
  let controller: ImagesController;
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'images', demo);
    await services.settings.set('images.perMinute', 0);
    folder = mkdtempSync(path.join(tmpdir(), 'pictures-'));
    runs = new ImageRuns(services);
    controller = new ImagesController(services, runs, (file) => `shown:${file}`);
    await controller.refresh();
  });
  after(async () => {
    controller.dispose();
    runs.dispose();
    await services.settings.set('images.perMinute', 2);
    await beginAnew(services);
    await demo.close();
    await rm(folder, { recursive: true, force: true });
  });

  const form = (part: Partial<ImageForm>): ImageForm => ({ ...emptyImageForm, model, prompt: 'a lake', ...part });
  const order = (part: Partial<ImageForm>) => submitForm(controller, form(part));
  const tiles = () => controller.page().runs[0]?.tiles ?? [];
  const tilesAre = (...states: readonly ImageTile['state'][]) =>
    until(
      () => (JSON.stringify(tiles().map(({ state }) => state)) === JSON.stringify(states) ? tiles() : undefined),
      `the tiles ${states.join()}`,
      40_000,
    );
  const pathOf = (tile: ImageTile | undefined) => (tile?.uri ?? '').replace(/^shown:/, '');
  const sent = async () => {
    return (await demo.requests()).filter(({ path: to }) => to.endsWith('/images/generations')).map(({ body }) => body);
  };
  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /images/generations' });
  const titled = (title: RegExp) => (error: unknown) => isUserError(error) && title.test(error.title);

  it('resends the exact request from saved details', async () => {
    await order({ seed: '7', image_size: '512x512', output_format: 'jpeg' });
    const [tile] = await tilesAre('shown');
    const [first] = (await sent()).slice(-1);
    await startWith(controller, { as: 'regenerate', path: pathOf(tile) });
    await until(async () => ((await sent()).length >= 2 ? true : undefined), 'a second request');
    deepEqual((await sent()).at(-1), first);
    const [again] = await tilesAre('shown');
    deepEqual(readFileSync(pathOf(again)), readFileSync(pathOf(tile)));
  });

  it('shows the price of all images of a series before it is generated', async () => {
    await ensureSettings(services.settings, { prices: { [model]: { image: 0.03 } } });
    try {
      await controller.refresh();
      const costOf = async (part: Partial<ImageForm>) => {
        await controller['type'](form(part));
        return controller.page().cost?.text.replaceAll(/[^\w.:? ]/g, '');
      };
      equal(await costOf({}), 'Price: about 0.03');
      const several = { isSeveral: true, seeds: 'random', seedCount: '4', sizes: ['512x512', '576x1024'] } as const;
      equal(await costOf({ ...several, prompt: 'a lake\na hill', eachLine: true }), 'Price: about 0.48');
    } finally {
      await controller['type'](form({ prompt: '' }));
      await ensureSettings(services.settings, { prices: {} });
    }
  });

  it('fills the form with saved details except the seed', async () => {
    await order({ seed: '8', image_size: '576x1024' });
    const [tile] = await tilesAre('shown');
    const before = controller.page().filled;
    await startWith(controller, { as: 'vary', path: pathOf(tile) });
    const { form: filled, filled: now } = controller.page();
    deepEqual([filled.prompt, filled.image_size, filled.seed, now], ['a lake', '576x1024', '', before + 1]);
  });

  it('accepts a prompt and model from elsewhere, and says if there are no details', async () => {
    await startWith(controller, { as: 'form', prompt: 'a hill' });
    await startWith(controller, { as: 'form', model: 'my/own' });
    deepEqual([controller.page().form.prompt, controller.page().form.model], ['a hill', 'my/own']);
    await startWith(controller, { as: 'nonsense' });
    await rejects(
      startWith(controller, { as: 'vary', path: path.join(folder, 'none.png') }),
      titled(/No image details/),
    );
    await rejects(startWith(controller, { as: 'job', id: 'none' }), titled(/No more information/));
  });

  it('fills in an image to edit and a model that accepts images, and keeps the typed prompt', async () => {
    await services.models.refresh();
    await startWith(controller, { as: 'form', prompt: 'a hill', model: 'Qwen/Qwen-Image' });
    const file = pathOf((await tilesAre('shown'))[0]);
    await startWith(controller, { as: 'form', image: file });
    const { form: filled, inputs } = controller.page();
    deepEqual([filled.prompt, /Edit/.test(filled.model)], ['a hill', true]);
    deepEqual(Object.keys(inputs), [filled.image]);
    await startWith(controller, { as: 'form', model });
    await startWith(controller, { as: 'form', image: file });
    const own = controller.page().form;
    deepEqual([own.model, own.image, own.input_image], [model, '', filled.image]);
  });

  it('shows an image that was requested elsewhere', async () => {
    const job = await (
      await services.media()
    ).submit({
      kind: 'image',
      request: { model, prompt: 'from elsewhere', image_size: '512x512' },
    });
    await (await services.media()).whenEnded(job.id);
    await startWith(controller, { as: 'job', id: job.id });
    equal(controller.page().runToShow?.run, controller.page().runs[0]?.id);
    const [tile] = await tilesAre('shown');
    equal(tile?.prompt, 'from elsewhere');
  });

  it('asks for the service before it regenerates an image from another service', async () => {
    const [tile] = await tilesAre('shown');
    const count = (await sent()).length;
    await services.profiles.save({ id: 'other', name: 'Other', baseUrl: 'https://other.example/v1' });
    await services.profiles.setActive('other');
    const runsBefore = controller.page().runs.length;
    const made = actOnTile(controller, tile!.id, 'regenerate');
    try {
      await leaveQuickOpen(made);
      await made;
      equal(controller.page().runs.length, runsBefore);
    } finally {
      await services.profiles.setActive('images');
      await services.profiles.remove('other');
    }
    equal((await sent()).length, count);
  });

  it('sends an input image, and says if it no longer exists', async () => {
    const picture = pathOf((await tilesAre('shown'))[0]);
    const ref = await controller.inputs.drop({ uri: `file://${picture}` });
    // As it is dragged from a page.
    equal(await controller.inputs.drop({ uri: `https://file%2B.vscode-resource.vscode-cdn.net${picture}` }), ref);
    const saved = await (await services.media()).assets.input(ref);
    await order({ model: 'Qwen/Qwen-Image-Edit-2509', image: ref, image_size: '512x512', prompt: 'in winter' });
    const [tile] = await tilesAre('shown');
    const recipe = await (await services.media()).assets.read(pathOf(tile));
    equal(recipe?.recipe.kind === 'image' && recipe.recipe.request.image, ref);
    match(String((await sent()).at(-1)?.['image']), /^data:image\/png;base64,/);
    await rm(saved?.path ?? '');
    const count = (await sent()).length;
    await startWith(controller, { as: 'regenerate', path: pathOf(tile) });
    match(controller.page().notices[0]?.title ?? '', /is no longer available/);
    equal(controller.page().form.image, '');
    equal((await sent()).length, count);
  });

  it('rejects web pages, empty files, and URLs as images', async () => {
    const page = path.join(folder, 'page.png');
    writeFileSync(page, '<html><body>no</body></html>');
    const empty = path.join(folder, 'empty.png');
    writeFileSync(empty, '');
    for (const uri of [
      `file://${page}`,
      `file://${empty}`,
      `file://${folder}/none.png`,
      `file://${folder}`,
      'https://example.com/a.png',
    ])
      await rejects(controller.inputs.drop({ uri }), isUserError, uri);
    await rejects(controller.inputs.drop({ name: 'a.png', base64: 'tooLarge' }), titled(/too large/));
    let read = 0;
    const files = vscode.workspace.registerFileSystemProvider(
      'strangefiles',
      strangeFiles(() => read++),
    );
    await rejects(controller.inputs.drop({ uri: 'strangefiles:/a.png' }), titled(/Couldn't use the image/));
    await rejects(providedImage(vscode.Uri.parse('strangefiles:/a.png'), 1000), titled(/Couldn't use the image/));
    files.dispose();
    equal(read, 0);
  });

  it('holds remaining images at a daily limit, and resumes on request', async () => {
    await arm('rate-limit-ipd');
    await order({ prompt: 'a tree', image_size: '512x512' });
    const [tile] = await tilesAre('failed');
    const [run] = controller.page().runs;
    match(tile?.title ?? '', /Images-per-day limit/);
    // Told once, at the picture.
    deepEqual([run?.status, run?.canGoOn], ['', false]);
    await stepOfTile(controller, tile!.id, 'again');
    await tilesAre('shown');
  });

  it('says that the account is out of credit, and resumes after a top-up', async () => {
    await demo.call('POST', '/_control/balance', { gift: 0, charge: 0 });
    await order({
      prompt: 'a boat',
      image_size: '512x512',
      isSeveral: true,
      seeds: 'sequence',
      seedCount: '3',
      seed: '1',
    });
    // All are sent at once; one that is still on its way would be refused after the balance was filled up.
    for (const { title } of await tilesAre('failed', 'failed', 'failed')) match(title, /Out of credit/);
    await demo.call('POST', '/_control/balance', { gift: 0, charge: 88 });
    await retryFailed(controller);
    await tilesAre('shown', 'shown', 'shown');
  });

  it('generates several sizes with one request each, as announced', async () => {
    const several = form({ prompt: 'a mill', isSeveral: true, sizes: ['512x512', '576x1024'] });
    const said = formAnswer(several, { perMinute: 0, sent: [], waiting: [], now: 0 });
    deepEqual([said.plan, said.pictures], ['2 images in 2 requests.', 2]);
    const count = (await sent()).length;
    await submitForm(controller, several);
    await tilesAre('shown', 'shown');
    deepEqual(
      (await sent())
        .slice(count)
        .map(({ image_size }) => String(image_size))
        .toSorted(),
      ['512x512', '576x1024'],
    );
  });

  it('says that an editing model requires an image', () => {
    const { issues } = formAnswer(form({ model: 'Qwen/Qwen-Image-Edit-2509' }), {
      perMinute: 0,
      sent: [],
      waiting: [],
      now: 0,
    });
    deepEqual(Object.values(issues), ['This model edits images. Choose an image.']);
  });

  it('marks the field that caused a rejection', async () => {
    await order({ safety_tolerance: '9', image_size: '512x512' });
    const [tile] = await tilesAre('failed');
    const { refused } = controller.page();
    equal(refused?.field, 'safety_tolerance');
    match(tile?.detail ?? '', /less than or equal to 6/);
    equal(refused?.text, 'The service rejected this value.');
  });

  it('keeps failed images in place, and retries or removes all of them with one action', async () => {
    await order({ prompt: 'a gate', image_size: '512x512' });
    await tilesAre('shown');
    const failed = () => controller.page().runs.filter(({ tiles: of }) => of.every(({ state }) => state === 'failed'));
    equal(failed().length, 1);
    equal(controller.page().runs[1]?.id, failed()[0]?.id);
    equal(controller.page().failed, 'Failed: 1');
    const job = runs.all.find(({ id }) => id === failed()[0]?.id)?.items[0]?.jobId;
    const count = (await sent()).length;
    await retryFailed(controller);
    await until(
      async () => ((await sent()).length > count && controller.page().failed) || undefined,
      'it to fail again',
    );
    ok(!services.media.jobs.some(({ id }) => id === job));
    await clearFailed(controller);
    deepEqual([controller.page().failed, failed()], [undefined, []]);
    equal(controller.page().runs[0]?.tiles[0]?.prompt, 'a gate');
  });

  it('sends the rest of a series after one rejection or error, and retries failed and lost images with one action', async () => {
    const titlesOf = (of: readonly ImageTile[]) =>
      of.map(({ state, title }) => [state, title].filter(Boolean).join(': '));
    const series = { image_size: '512x512', isSeveral: true, eachLine: true } as const;
    // One at a time, so that the fault is in a known place.
    await services.settings.set('images.perMinute', 1);
    try {
      await order({ ...series, prompt: 'a fern\na moss\na reed' });
    } finally {
      await arm('parameter');
      await services.settings.set('images.perMinute', 0);
    }
    await until(() => (tiles().some(({ state }) => state === 'failed') ? true : undefined), 'the refusal');
    await tilesAre(...tiles().map(({ state }) => (state === 'failed' ? 'failed' : 'shown')));
    equal(tiles().filter(({ state }) => state === 'shown').length, 2);
    await retryFailed(controller);
    await tilesAre('shown', 'shown', 'shown');

    await arm('server-60000');
    await order({ ...series, prompt: 'a sedge' });
    const [answered] = await tilesAre('failed');
    match(answered?.detail ?? '', /billed|charged/);
    deepEqual(answered?.actions[0]?.id, 'again');
    await arm('reset-before-headers');
    await order({ ...series, prompt: 'a rush' });
    deepEqual(titlesOf(await tilesAre('lost')), ['lost: No response']);
    equal(controller.page().failed, '2 failed. You may have been charged for 2 of these.');
    const before = controller.page().runs.map(({ id }) => id);
    await retryFailed(controller);
    await until(() => (controller.page().failed === undefined ? true : undefined), 'both to be retried');
    await until(
      () =>
        controller
          .page()
          .runs.slice(0, 3)
          .every(({ tiles: of }) => of.every(({ uri }) => uri))
          ? true
          : undefined,
      'all images',
    );
    deepEqual(
      controller.page().runs.map(({ id }) => id),
      before,
    );
  });

  it('offers to resend lost requests after confirmation', async () => {
    await arm('reset-before-headers');
    await order({ prompt: 'a cloud', image_size: '512x512' });
    const [tile] = await tilesAre('lost');
    equal(tile?.title, 'No response');
    const count = (await sent()).length;
    // It goes to the service of the order, not to whichever is active by now.
    await services.profiles.save({ id: 'other', name: 'Other', baseUrl: 'https://other.example/v1' });
    await services.profiles.setActive('other');
    try {
      await stepOfTile(controller, tile!.id, 'again');
      await tilesAre('shown');
    } finally {
      await services.profiles.setActive('images');
      await services.profiles.remove('other');
    }
    equal((await sent()).length, count + 1);
  });

  it('restores its requests from disk, and sends none automatically', async () => {
    const count = (await sent()).length;
    const later = new ImageRuns(services);
    await later.ready();
    deepEqual(
      later.all.map(({ id }) => id),
      runs.all.map(({ id }) => id),
    );
    later.dispose();
    equal((await sent()).length, count);
  });

  it('rejects an empty form', async () => {
    await rejects(order({ prompt: ' ' }), titled(/Prompt missing/));
    await rejects(order({ model: '' }), titled(/No model/));
    await rejects(order({ seed: 'x' }), titled(/seed/));
    const much = { isSeveral: true, seeds: 'random', seedCount: '100', alternatives: true } as const;
    await rejects(order({ ...much, prompt: '{a|b|c|d|e|f}' }), titled(/Too many images/));
  });
});

/** Of a scheme that no folder of the workspace has; every file is large. */
function strangeFiles(onRead: () => void): vscode.FileSystemProvider {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const no = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: changed.event,
    watch: () => changed,
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: 1_000_000_000 }),
    readFile: () => {
      onRead();
      return new Uint8Array();
    },
    readDirectory: no,
    createDirectory: no,
    writeFile: no,
    delete: no,
    rename: no,
  };
}
