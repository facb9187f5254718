import assert from 'node:assert/strict';
import { emptyVideoForm } from '../../src/protocol/videoForm';
import type { VideoForm } from '../../src/protocol/videos';
import { until } from '../support/until';
import { pictureModel, textModel, videoJob } from '../support/videosHost';
import { videosPages } from '../support/videosPages';

const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the videos page', () => {
  const open = videosPages();
  const file = (uri: string) => ({ index: 0, name: 'boat.mp4', facts: ['2.4 MB'], uri });
  const playing = (part: object = {}) =>
    open({ page: { jobs: [videoJob({ files: [file(open.clip())] })] }, ...part }).then(async (one) => {
      await one.card('job-1').locator('.video-job-button').click();
      await one.page.locator('.player-facts', { hasText: '320 × 176' }).waitFor();
      const video = one.page.locator('.player-video');
      const look = <T>(part: 'currentTime' | 'duration' | 'playbackRate' | 'paused' | 'loop') =>
        video.evaluate(
          (element, name) => (element as HTMLVideoElement)[name as 'currentTime'] as never,
          part,
        ) as Promise<T>;
      return { ...one, video, look };
    });

  it('submits the form with Ctrl+Enter from any field, and opens the job', async () => {
    const { page, prompt, seed, asks, spoken, host, ours, card } = await open();
    await until(() => prompt.evaluate((box) => box === document.activeElement || undefined), 'the focus');
    await page.getByText('Enter a prompt.', { exact: true }).waitFor();
    await page.keyboard.press('Control+Enter');
    await prompt.fill('A paper boat');
    await page.getByRole('textbox', { name: 'Negative prompt' }).fill('people');
    await page.getByRole('radio', { name: /Portrait/ }).check({ force: true });
    await seed.fill('42');
    await seed.press('Control+Enter');
    const requested: VideoForm = {
      prompt: 'A paper boat',
      negativePrompt: 'people',
      model: textModel,
      size: '720x1280',
      seed: '42',
      picture: '',
    };
    await asks('submit', requested);
    assert.equal(ours.asked.filter(([method]) => method === 'submit').length, 1);
    await spoken('Sent');
    // Keys that are held, and the second of a double click.
    await seed.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true });
    await page.getByRole('button', { name: 'Generate', exact: true }).dispatchEvent('click', { detail: 2 });
    host.tell('videos/changed', { ...ours.page(), jobs: [videoJob({ id: 'job-new', dot: 'waiting', elapsedMs: 0 })] });
    await card('job-new').locator('.video-details').waitFor();
    assert.equal(ours.asked.filter(([method]) => method === 'submit').length, 1);
  });

  it('retries and clears failed videos together', async () => {
    const failed = videoJob({ dot: 'failed', state: 'Failed', files: [] });
    const { button, asks } = await open({ page: { jobs: [failed], failed: 'Failed: 1' } });
    await button('Retry Failed').click();
    await asks('failed', { action: 'retry' });
    await button('Clear Failed').click();
    await asks('failed', { action: 'clear' });
  });

  it('submits immediately after an error is fixed', async () => {
    const { page, prompt, seed, asks } = await open();
    await prompt.fill('A paper boat');
    await seed.fill('boat');
    await page.getByText('A whole number from 0 to 9999999999.').waitFor();
    await seed.fill('42');
    await seed.press('Control+Enter');
    assert.equal(((await asks('submit')) as VideoForm).seed, '42');
  });

  it('moves between sizes with the arrow keys, randomizes the seed, and undoes that', async () => {
    const { page, seed, button, asks } = await open();
    await page.getByRole('radio', { name: /Landscape/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('radio', { name: /Square/ }).isChecked(), true);
    await button('Generate Random Seed').click();
    assert.match(await seed.inputValue(), /^\d{1,10}$/);
    await button('Use Random Seed').click();
    assert.equal(await seed.inputValue(), '');
    await until(async () => (((await asks('form')) as VideoForm).seed === '' ? true : undefined), 'the form');
  });

  it('submits no invalid form, and explains the errors', async () => {
    const { page, prompt, model, seed, button, ours } = await open();
    const submit = page.locator('vscode-button', { hasText: 'Generate' });
    await prompt.fill('A paper boat');
    await seed.fill('1.5');
    await page.getByText('A whole number from 0 to 9999999999.').waitFor();
    await submit.and(page.locator('[disabled]')).waitFor();
    await prompt.press('Control+Enter');
    await seed.fill('');
    await model.fill(pictureModel);
    await page.getByText('Choose an image first').waitFor();
    await page.getByText('Fix the highlighted fields.').waitFor();
    await prompt.press('Control+Enter');
    assert.equal(
      ours.asked.some(([method]) => method === 'submit'),
      false,
    );
    await model.fill(textModel);
    await button('Generate').click();
    await until(() => ours.asked.find(([method]) => method === 'submit'), 'the order');
  });

  it('restores the form after a reload, and accepts a form from the host', async () => {
    const { page, host, prompt, ours, asks } = await open();
    await prompt.fill('A paper boat');
    await asks('form');
    await page.reload();
    await until(async () => ((await prompt.inputValue()) === 'A paper boat' ? true : undefined), 'what was typed');
    const form = { ...emptyVideoForm, prompt: 'A kite', model: textModel };
    host.tell('videos/changed', { ...ours.page(), form, formId: 'form 2' });
    await until(async () => ((await prompt.inputValue()) === 'A kite' ? true : undefined), 'what the host filled in');
  });

  it('keeps text typed before the page has loaded', async () => {
    let answer: (() => void) | undefined;
    const { prompt, asks, ours, card } = await open({
      page: { jobs: [videoJob()] },
      handlers: { 'videos/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    await prompt.fill('typed at once');
    (await until(() => answer, 'the question for what there is'))();
    await card('job-1').waitFor();
    assert.equal(await prompt.inputValue(), 'typed at once');
    await asks('form', { ...emptyVideoForm, prompt: 'typed at once', model: textModel });
  });

  it('waits for the saved form and the price before it generates, and announces that', async () => {
    let answer: (() => void) | undefined;
    const { page, prompt, asks, ours } = await open({
      handlers: { 'videos/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    await prompt.fill('A paper boat');
    await prompt.press('Control+Enter');
    await page.locator('#submit-about').getByText('Loading…').waitFor();
    (await until(() => answer, 'the question for what there is'))();
    await page.locator('vscode-button:not([disabled])', { hasText: 'Generate' }).waitFor();
    assert.equal(
      ours.asked.some(([method]) => method === 'submit'),
      false,
    );
    await prompt.press('Control+Enter');
    await asks('submit', { ...emptyVideoForm, prompt: 'A paper boat', model: textModel });
  });

  it('restores the draft immediately after a reload, and keeps edits made before the host responds', async () => {
    let answer: (() => void) | undefined;
    const { page, prompt, asks, ours } = await open({
      handlers: { 'videos/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    const reported = async () => {
      (await until(() => answer, 'the question for what there is'))();
      answer = undefined;
    };
    await reported();
    await prompt.fill('A kite');
    await asks('form', { ...emptyVideoForm, prompt: 'A kite', model: textModel });
    await page.reload();
    await until(async () => ((await prompt.inputValue()) === 'A kite' ? true : undefined), 'what was typed');
    await prompt.press('End');
    await prompt.pressSequentially(' at dusk');
    await reported();
    await asks('form', { ...emptyVideoForm, prompt: 'A kite at dusk', model: textModel });
    assert.equal(await prompt.inputValue(), 'A kite at dusk');
  });

  it('accepts an image dropped by URI or content, and a pasted one', async () => {
    const ref = 'input:1.png';
    const uri = `data:image/png;base64,${onePixel}`;
    const { page, asks, button, model, ours } = await open({
      handlers: {
        'videos/givePicture': async (about) => {
          provided.push(about);
          return { picture: { ref, uri, facts: 'PNG, 1 × 1' } };
        },
      },
    });
    const provided: unknown[] = [];
    const send = (name: 'dragenter' | 'drop' | 'paste', carried: { uris?: string; base64?: string; text?: string }) =>
      page.evaluate(
        ({ name: type, carried: { uris, base64, text } }) => {
          const data = new DataTransfer();
          if (uris !== undefined) data.setData('text/uri-list', uris);
          if (text !== undefined) data.setData('text/plain', text);
          if (base64 !== undefined) {
            const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
            data.items.add(new File([bytes], 'first.png', { type: 'image/png' }));
          }
          const options = { bubbles: true, cancelable: true };
          const event =
            type === 'paste'
              ? new ClipboardEvent(type, { ...options, clipboardData: data })
              : new DragEvent(type, { ...options, dataTransfer: data });
          return !document.body.dispatchEvent(event);
        },
        { name, carried },
      );
    await send('dragenter', { uris: 'file:///work/first.png' });
    await page.getByText('Drop to use as the first frame').waitFor();
    await send('drop', { uris: 'file:///work/first.png' });
    await page.locator('.video-picture-given').getByText('PNG, 1 × 1').waitFor();
    await page.locator('.drop-target').waitFor({ state: 'detached' });
    assert.deepEqual(provided, [{ uris: ['file:///work/first.png'], pictures: [] }]);
    await page.getByText("This model doesn't support image input").waitFor();
    await button(`Use ${pictureModel}`).click();
    assert.equal(await model.inputValue(), pictureModel);
    await until(
      () => (ours.page().form.picture === ref && ours.page().form.model === pictureModel) || undefined,
      'the form',
    );
    await button('Remove Image').click();
    await send('paste', { base64: onePixel });
    await page.locator('.video-picture-given').getByText('PNG, 1 × 1').waitFor();
    assert.deepEqual(provided[1], { uris: [], pictures: [{ name: 'first.png', base64: onePixel }] });
    assert.equal(await send('paste', { text: 'words', base64: onePixel }), false);
    assert.equal(await send('drop', { text: 'words' }), false);
    assert.equal(provided.length, 2);
    await asks('form');
  });

  it('counts the time of jobs in progress, and updates when they end', async () => {
    const { page, host, ours, spoken } = await open({
      page: { jobs: [videoJob({ dot: 'working', state: 'In progress', elapsedMs: 59_000 })] },
    });
    const timer = page.getByRole('timer');
    await timer.getByText(/^1:0\d$/).waitFor();
    assert.match((await timer.getAttribute('aria-label')) ?? '', /^In progress for 1:0\d$/);
    host.tell('videos/changed', { ...ours.page(), jobs: [videoJob()] });
    await spoken('Done: A paper boat');
    assert.equal(await timer.count(), 0);
  });

  it('plays, steps by frame, loops, and slows down, and keeps the settings for the next video', async () => {
    const { page, video, look, button } = await playing();
    assert.ok((await look<number>('duration')) > 2);
    await video.evaluate((element) => (element as HTMLVideoElement).play());
    await until(async () => ((await look<number>('currentTime')) > 0.2 ? true : undefined), 'the video to go on');
    await button('Next Frame').click();
    assert.equal(await look('paused'), true);
    const before = await look<number>('currentTime');
    await button('Next Frame').click();
    const step = (await look<number>('currentTime')) - before;
    assert.ok(Math.abs(step - 1 / 24) < 0.002, String(step));
    await button('Previous Frame').click();
    assert.ok(Math.abs((await look<number>('currentTime')) - before) < 0.002);
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5');
    await page.getByRole('checkbox', { name: 'Loop' }).check();
    const isSet = async () =>
      (await look('playbackRate')) === 0.5 && (await look('loop')) === true ? true : undefined;
    await until(isSet, 'half the speed, in a loop');
    await page.reload();
    await page.locator('.player-facts', { hasText: '320 × 176' }).waitFor();
    await until(isSet, 'half the speed, in a loop, after a reload');
  });

  it('sends a frame to the host in the size of the video', async () => {
    const { button, asks, spoken } = await playing();
    await button('Next Frame').click();
    await button('Save Frame as Image').click();
    const frame = (await asks('saveFrame')) as { readonly job: string; readonly seconds: number; readonly png: string };
    const bytes = Buffer.from(frame.png, 'base64');
    assert.equal(frame.job, 'job-1');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [320, 176]);
    await spoken('Saved the frame.');
  });

  it('uses the shown frame as the first frame of the next video', async () => {
    const provided: { readonly pictures: readonly { readonly base64: string }[] }[] = [];
    const { page, button, spoken } = await playing({
      handlers: {
        'videos/givePicture': async (about: (typeof provided)[number]) => {
          provided.push(about);
          const uri = `data:image/png;base64,${onePixel}`;
          return { picture: { ref: 'input:1.png', uri, facts: 'PNG · 320 × 176' } };
        },
      },
    });
    await button('Next Frame').click();
    await button('Use as First Frame').click();
    const [{ pictures }] = await until(
      () => (provided.length > 0 ? (provided as [(typeof provided)[number]]) : undefined),
      'it',
    );
    const bytes = Buffer.from(pictures[0]?.base64 ?? '', 'base64');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [320, 176]);
    await spoken('Set as the first frame of the next video.');
    await page.locator('.video-picture-given').getByText('PNG · 320 × 176').waitFor();
    assert.equal(await page.evaluate(() => document.querySelector('video')?.paused), true);
  });

  it('names files by index and location only in every action', async () => {
    const { page, button, ours } = await playing();
    for (const name of ['Insert at Cursor', 'Save As…', 'Regenerate', 'Edit and Generate…']) await button(name).click();
    for (const name of ['Open Externally', 'Open Containing Folder', 'Copy Path', 'Show Details', 'Delete…']) {
      await button('More Actions').click();
      await page.getByRole('menuitem', { name }).click();
    }
    const all = () => ours.asked.filter(([method]) => method === 'actOnFile').map(([, about]) => about);
    await until(() => (all().length === 9 ? true : undefined), 'all');
    assert.deepEqual(
      all(),
      ['insert', 'saveAs', 'regenerate', 'vary', 'openOutside', 'reveal', 'copyPath', 'showRecipe', 'remove'].map(
        (action) => ({ job: 'job-1', index: 0, action }),
      ),
    );
  });

  it("offers another program for a file that it can't play", async () => {
    const uri = open.show('broken.mp4', 'video/mp4', new Uint8Array(2000).fill(7));
    const { card, page, button, asks } = await open({ page: { jobs: [videoJob({ files: [file(uri)] })] } });
    await card('job-1').locator('.video-job-button').click();
    await page.getByText("VS Code can't play this video").waitFor();
    await button('Open Externally').click();
    await asks('actOnFile', { job: 'job-1', index: 0, action: 'openOutside' });
  });

  it('scrolls to the requested job in a long list, and uses its seed', async () => {
    const jobs = Array.from({ length: 70 }, (_, index) => videoJob({ id: `many-${index}`, seed: String(index) }));
    const { page, host, ours, card, button, seed, spoken } = await open({ page: { jobs } });
    await page.locator('.video-job').nth(29).waitFor();
    assert.equal(await page.locator('.video-job').count(), 30);
    host.tell('videos/changed', { ...ours.page(), jobToShow: { job: 'many-40', times: 1 } });
    await card('many-40').locator('.video-details').waitFor();
    await until(
      () => card('many-40').evaluate((one) => one.getBoundingClientRect().top < innerHeight || undefined),
      'it',
    );
    await button('Use Seed 40').click();
    assert.equal(await seed.inputValue(), '40');
    await spoken('Seed copied to the form.');
    await button('Show 29 More').click();
    await page.locator('.video-job').nth(69).waitFor();
    assert.equal(await page.locator('.video-job').count(), 70);
  });

  it('shows the requested job, even if the request arrives before the list', async () => {
    let answer: (() => void) | undefined;
    const jobs = [videoJob(), videoJob({ id: 'job-2' })];
    const { host, ours, card } = await open({
      page: { jobs },
      handlers: { 'videos/ready': () => new Promise((done) => (answer = () => done(ours.page()))) },
    });
    const ready = await until(() => answer, 'the question for what there is');
    host.tell('videos/changed', { ...ours.page(), jobs: jobs.slice(0, 1), jobToShow: { job: 'job-1', times: 1 } });
    await card('job-1').locator('.video-details').waitFor();
    ready();
    await card('job-2').waitFor();
    assert.ok(await card('job-1').locator('.video-details').isVisible());
  });

  it('shows on a job why an action failed', async () => {
    const error = { kind: 'user', title: 'The order is being worked on', detail: 'Try again.', actions: [] };
    const actions = [{ id: 'checkNow', label: 'Check now' }] as const;
    const { card, page, button } = await open({
      page: { jobs: [videoJob({ dot: 'working', elapsedMs: 0, actions })] },
      handlers: { 'videos/actOnJob': () => Promise.reject(error as never) },
    });
    await card('job-1').locator('.video-job-button').press('Enter');
    await button('Check now').click();
    await card('job-1').getByText('The order is being worked on').waitFor();
    assert.equal(await page.locator('.note', { hasText: 'The order is being worked on' }).count(), 1);
  });

  it('opens a job when it is recorded, before the service responds', async () => {
    const { page, prompt, button, host, ours, card } = await open({
      page: { jobs: [videoJob()] },
      handlers: { 'videos/submit': () => new Promise(() => undefined) },
    });
    await prompt.fill('A paper boat');
    await button('Generate').click();
    await page.getByText('Submitting…').first().waitFor();
    const sent = videoJob({ id: 'job-new', dot: 'working', state: 'Sending', elapsedMs: 0 });
    host.tell('videos/changed', { ...ours.page(), jobs: [sent, videoJob()] });
    await card('job-new').locator('.video-details').waitFor();
  });

  it('cancels a waiting job without an error', async () => {
    let stop = () => {};
    const { page, prompt, button } = await open({
      handlers: {
        'videos/submit': (_, { emit }) => {
          emit({ text: 'Waits for a limit of the service: 1 min' });
          const stopped = { kind: 'cancelled', title: 'The operation was canceled', detail: '', actions: [] };
          return new Promise((_done, fail) => (stop = () => fail(stopped as never)));
        },
        'videos/stop': async () => {
          stop();
          return {};
        },
      },
    });
    await prompt.fill('A paper boat');
    await button('Generate').click();
    await page.getByText('Waits for a limit of the service: 1 min').waitFor();
    await button('Stop').click();
    await button('Generate').waitFor();
    assert.equal(await page.locator('.note').count(), 0);
  });
});
