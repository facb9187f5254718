import { PNG } from 'pngjs';
import { emptyVideoForm } from '../../src/protocol/videoForm';
import type { VideoJob } from '../../src/protocol/videos';
import { look } from '../support/pageLooks';
import { pictureModel, textModel, videoJob } from '../support/videosHost';
import { videosPages } from '../support/videosPages';

const again = { id: 'submitAgain', label: 'Submit Again (May Be Charged Again)' } as const;
const fillForm = { id: 'fillForm', label: 'Copy Settings to Form' } as const;
const forget = { id: 'forget', label: 'Remove from List' } as const;

describe('the appearance of the videos page', () => {
  const open = videosPages();
  type Opened = Awaited<ReturnType<typeof open>>;

  const seen = ({ page }: Opened, name: string) => look(page, `videos-${name}`);

  function picture(): string {
    const png = new PNG({ width: 160, height: 90 });
    for (let at = 0; at < png.data.length; at += 4) png.data.set([(at / 360) % 256, 120, 160, 255], at);
    return open.show('first.png', 'image/png', PNG.sync.write(png));
  }

  const file = (uri?: string) => ({
    index: 0,
    name: 'a-paper-boat-77f0a2c4d1e0.mp4',
    facts: ['2.4 MB'],
    ...(uri !== undefined && { uri }),
  });
  /** Every state an order can be in. */
  const jobs = (): readonly VideoJob[] => [
    videoJob({ id: 'preparing', dot: 'waiting', state: 'Preparing', elapsedMs: 400, actions: [], facts: [] }),
    videoJob({ id: 'sending', dot: 'working', state: 'Sending', elapsedMs: 2400, actions: [], facts: [] }),
    videoJob({
      id: 'queue',
      dot: 'waiting',
      state: 'Queued',
      stateDetail: 'position 12',
      elapsedMs: 83_000,
      actions: [{ id: 'checkNow', label: 'Check now' }, fillForm, forget],
    }),
    videoJob({
      id: 'working',
      dot: 'working',
      state: 'In progress',
      stateDetail: 'Status unknown',
      elapsedMs: 3_725_000,
      profile: 'Work account',
      prompt: '雨中的纸船沿着水沟漂流，镜头贴近水面，远处的霓虹灯在水面上闪烁',
      actions: [{ id: 'checkNow', label: 'Check now' }, fillForm, forget],
      error: {
        tone: 'warning',
        title: 'Status unknown',
        detail: 'The service could not be reached. It is asked again in a moment.',
      },
    }),
    videoJob({ id: 'other', dot: 'working', state: 'The service says: PostProcessing', elapsedMs: 120_000 }),
    videoJob({ id: 'saving', dot: 'working', state: 'Saving', elapsedMs: 190_000 }),
    videoJob({ id: 'done', files: [file(open.clip())], negativePrompt: 'people, text, blur' }),
    videoJob({
      id: 'unknown',
      dot: 'doubt',
      state: 'No response. You may have been charged.',
      actions: [again, fillForm, forget],
      prompt: 'قارب ورقي ينجرف في المطر',
      error: {
        tone: 'warning',
        title: 'No response. You may have been charged.',
        detail: "The service didn't respond. You may have been charged.",
      },
    }),
    videoJob({
      id: 'expired',
      dot: 'failed',
      state: 'Link expired',
      actions: [{ id: 'fetchAgain', label: 'Download Again' }, again, fillForm, forget],
      error: {
        tone: 'error',
        title: 'Link expired',
        detail: 'The download link has expired. Try again later.',
      },
    }),
    videoJob({
      id: 'noUrl',
      dot: 'doubt',
      state: 'No download link',
      actions: [{ id: 'checkNow', label: 'Check now' }, again, fillForm, forget],
      error: {
        tone: 'warning',
        title: 'No download link',
        detail: 'The video has no download link.',
      },
    }),
    videoJob({
      id: 'failed',
      dot: 'failed',
      state: 'Failed',
      prompt: 'x'.repeat(220),
      actions: [again, fillForm, forget],
      error: {
        tone: 'error',
        title: 'Failed',
        detail: "The service couldn't complete the job: The prompt was rejected by the content filter.",
      },
    }),
    videoJob({
      id: 'large',
      dot: 'doubt',
      state: 'Very large, not saved yet',
      actions: [{ id: 'fetchAnyway', label: 'Download Anyway' }, fillForm, forget],
      error: { tone: 'warning', title: 'Very large, not saved yet', detail: 'It has 812 MB.' },
    }),
    videoJob({
      id: 'profile',
      dot: 'doubt',
      state: 'Account removed',
      profile: 'removed',
      error: {
        tone: 'warning',
        title: 'Account removed',
        detail: 'To resume tracking, add the account again.',
      },
    }),
    videoJob({ id: 'moved', files: [file()] }),
  ];

  it('shows every state of a job', async function () {
    this.timeout(180_000);
    const all = jobs();
    const one = await open({ width: 400, height: 900, page: { jobs: all } });
    await one.card('moved').waitFor();
    await seen(one, 'list');
    for (const { id } of all) {
      await one.card(id).locator('.video-job-button').click();
      await one.card(id).locator('.video-details').waitFor();
      if (id === 'done') await one.page.locator('.player-facts', { hasText: '320 × 176' }).waitFor();
      await one.card(id).scrollIntoViewIfNeeded();
      // At every size those that show most; what most others show of their own is words.
      if (id === 'done' || id === 'unknown') await look(one.page, `videos-${id}`, { colours: true });
      if (['working', 'expired', 'failed', 'moved'].includes(id)) await look(one.page, `videos-${id}`, { stays: true });
    }
  });

  it('shows the form with errors', async () => {
    const ref = 'input:1.png';
    const one = await open({
      page: {
        form: { ...emptyVideoForm, prompt: 'A paper boat', model: textModel, seed: '12 monkeys', picture: ref },
        picture: { ref, uri: picture(), facts: 'PNG, 1280 × 720, 1.2 MB' },
        issues: {
          seed: 'A whole number from 0 to 9999999999.',
          picture: 'Remove the image, or choose an image-to-video model.',
        },
        notices: [{ tone: 'warning', title: "Couldn't read some jobs", detail: 'Records: 2.' }],
      },
    });
    await one.page.getByRole('img', { name: 'First frame' }).waitFor();
    await seen(one, 'form');
    await one.button(`Use ${pictureModel}`).click();
    await one.seed.fill('');
    await one.page
      .locator('.parameter-issue', { hasText: 'whole number' })
      .waitFor({ state: 'detached' })
      .catch(() => undefined);
    await one.model.click();
    await one.page.keyboard.press('ArrowDown');
    await look(one.page, 'videos-models', { stays: true });
  });

  const wait = () => new Promise<never>(() => undefined);
  const states: readonly (readonly [name: string, show: () => Promise<Opened>])[] = [
    ['loading', () => open({ handlers: { 'videos/ready': wait } })],
    ['empty', () => open()],
    ['signed-out', () => open({ page: { isSignedOut: true, models: [] } })],
    [
      'sending',
      async () => {
        const one = await open({ handlers: { 'videos/submit': wait } });
        await one.prompt.fill('A paper boat');
        await one.button('Generate').click();
        await one.page.getByText('Submitting…').first().waitFor();
        return one;
      },
    ],
    [
      'refused',
      async () => {
        const error = {
          kind: 'balance',
          title: 'The balance is used up',
          detail: 'Nothing was begun. Add to the balance, then try again.',
          actions: [{ id: 'retry', label: 'Try Again' }],
        };
        const submit = () => Promise.reject(error as never);
        const one = await open({ handlers: { 'videos/submit': submit } });
        await one.prompt.fill('A paper boat');
        await one.button('Generate').click();
        await one.page.getByText('The balance is used up').first().waitFor();
        return one;
      },
    ],
    [
      'cannot-play',
      async () => {
        const uri = open.show('broken.mp4', 'video/mp4', new Uint8Array(2000).fill(7));
        const one = await open({ page: { jobs: [videoJob({ files: [file(uri)] })] } });
        await one.card('job-1').locator('.video-job-button').click();
        await one.page.getByText("VS Code can't play this video").waitFor();
        return one;
      },
    ],
    [
      'menu',
      async () => {
        const one = await open({ page: { jobs: [videoJob({ files: [file(open.clip())] })] } });
        await one.card('job-1').locator('.video-job-button').click();
        // What comes later moves the page, and a menu is closed by that.
        await one.page.locator('.player-facts', { hasText: '320 × 176' }).waitFor();
        await one.button('More Actions').scrollIntoViewIfNeeded();
        await one.page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
        );
        await one.button('More Actions').click();
        await one.page.getByRole('menuitem', { name: 'Copy Path' }).waitFor();
        return one;
      },
    ],
  ];
  for (const [name, show] of states)
    it(`shows the state ${name}`, async () => {
      await look((await show()).page, `videos-${name}`, { stays: name === 'menu' });
    });
});
