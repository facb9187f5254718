import { emptyImageForm } from '../../src/protocol/imageForm';
import { look } from '../support/pageLooks';
import { comingTile, drawnPicture, imageModels, imageRun, lakePrompt, shownTile } from '../support/imagesHost';
import { imagesPages } from '../support/imagesPages';
import type { ImagesLooks } from '../support/imagesPages';

const limit = {
  title: 'Images per day are used up for this model',
  detail: 'It counts for the account and this model and starts anew tomorrow. The service says: “IPD limit reached.”',
};
const runs = [
  imageRun(
    'new',
    [
      shownTile('new.0.0', { varied: 'oil on canvas' }),
      shownTile('new.1.0', { width: 768, height: 1024, size: '768 × 1024', varied: 'watercolour' }),
      comingTile('new.2.0', 'saving', { title: 'Saving' }),
      comingTile('new.3.0', 'sending', {
        title: 'Generating',
        detail: 'Images per minute are used up for this model. It goes on at 10:42:07.',
      }),
      comingTile('new.4.0', 'waiting', { title: 'Queued' }),
    ],
    { status: '4 of 5 sent. The next follows at 10:42:31.', canStop: true, canForget: false, age: 'now' },
  ),
  imageRun(
    'troubled',
    [
      comingTile('troubled.0.0', 'lost', {
        title: 'No response',
        detail: "You may have been charged. We won't retry automatically.",
        actions: [
          { id: 'again', label: 'Retry' },
          { id: 'exchange', label: 'Show Request and Response' },
        ],
      }),
      comingTile('troubled.2.0', 'notSaved', {
        title: 'The image is very large',
        detail: 'Too large for automatic downloads. 300 MB. You can download the file anyway.',
        actions: [{ id: 'fetchAnyway', label: 'Download Anyway' }],
      }),
      comingTile('troubled.3.0', 'notSent', { title: 'Unsent' }),
      comingTile('troubled.4.0', 'gone', {
        title: 'The file no longer exists',
        detail: 'The file has been moved or deleted.',
      }),
      comingTile('troubled.1.0', 'failed', { ...limit, actions: [{ id: 'again', label: 'Retry' }] }),
    ],
    { status: '1 of 5 were not sent.', canGoOn: true },
  ),
  imageRun('old', [shownTile('old.7.0', { width: 1664, height: 928, size: '1664 × 928' })], {
    prompt: `清晨的山湖，水面上有薄雾。 ${'long words of a prompt that goes on and on, '.repeat(12)}`,
    facts: imageModels[1],
    age: '3 days ago',
  }),
];

describe('the appearance of the images page', () => {
  const open = imagesPages();
  type Opened = Awaited<ReturnType<typeof open>>;

  const seen = ({ page }: Opened, name: string) =>
    look(page, `images-${name}`, { except: 'bdi, svg', colours: name === 'runs' });

  it('shows finished, pending, and failed images', async () => {
    const form = { ...emptyImageForm, model: imageModels[0], prompt: lakePrompt, image_size: '1024x768', seed: '42' };
    const one = await open({ page: { runs, failed: 'Failed: 1', hasOlder: true, form } });
    await one.page.getByText('1 image.').waitFor();
    await seen(one, 'runs');
    for (const [name, state] of [
      ['failed', 'failed'],
      ['coming', 'sending'],
    ] as const) {
      await one.page.locator(`.images-thumb[data-state=${state}]`).click();
      await one.page.locator(`.images-shown[data-state=${state}]`).waitFor();
      await seen(one, name);
    }
    await one.page.locator('.images-thumb[data-state=shown]').first().click();
    await one.shown.hover();
    await one.button('More Actions').click();
    await one.page.getByRole('menuitem', { name: 'Vary' }).waitFor();
    await look(one.page, 'images-menu', { except: 'bdi, svg', stays: true });
  });

  it('shows the complete form', async () => {
    const form = {
      ...emptyImageForm,
      model: imageModels[2],
      prompt: lakePrompt,
      image_size: 'large',
      isSeveral: true,
      seeds: 'sequence' as const,
      sizes: ['512x512', '1024x576'],
      image: 'input:lake.png',
      safety_tolerance: '9',
    };
    const one = await open({
      page: {
        form,
        inputs: { 'input:lake.png': { uri: drawnPicture(512, 512, 20), facts: 'PNG · 512 × 512 · 241 kB' } },
        refused: { field: 'safety_tolerance', text: 'The service rejected this value.' },
        notices: [
          {
            tone: 'warning',
            title: 'An input image is no longer available',
            detail: 'Choose the image again, then generate.',
            actions: [],
          },
        ],
      },
      answer: {
        notTaken: { cfg: "This model doesn't support the setting, according to the service." },
        issues: { image_size: 'Enter a size, such as 1024x768.' },
        warnings: { seed: 'seed must be at least 0.' },
        plan: '16 pictures in 8 requests. The last is sent in about 7 min.',
        pictures: 16,
      },
    });
    await one.page.getByText('Remove and Retry').waitFor({ state: 'attached' });
    await one.page.locator('.images-summary').click();
    await one.page.getByText('Remove and Retry').waitFor();
    await seen(one, 'form');
  });

  const wait = () => new Promise<never>(() => undefined);
  const states: readonly (readonly [name: string, looks: ImagesLooks, text: string])[] = [
    ['loading', { handlers: { 'images/ready': wait } }, 'Loading…'],
    ['empty', {}, 'No images yet'],
    [
      'signed-out',
      {
        page: {
          models: [],
          preferred: '',
          form: emptyImageForm,
          modelsError: {
            kind: 'auth',
            title: "You aren't signed in",
            detail: 'There is no key for this account.',
            actions: [{ id: 'signIn', label: 'Sign In' }],
          },
        },
      },
      "You aren't signed in",
    ],
  ];
  for (const [name, looks, text] of states)
    it(`shows the state ${name}`, async () => {
      const one = await open(looks);
      await one.page.getByText(text, { exact: true }).first().waitFor();
      await seen(one, name);
    });

  it('shows an enlarged image, and two with a slider', async () => {
    const one = await open({
      width: 1100,
      page: { runs: [imageRun('two', [shownTile('two.0.0'), shownTile('two.1.0')])] },
    });
    await one.button(/^View larger/).click();
    await one.page.getByRole('dialog').waitFor();
    await seen(one, 'large');
    await one.page.keyboard.press('Escape');
    await one.shown.hover();
    await one.button('More Actions').click();
    await one.page.getByRole('menuitem', { name: 'Compare with Image…' }).click();
    await seen(one, 'compare-first');
    await one.thumbnails.last().click();
    await one.page.getByRole('slider').waitFor();
    await seen(one, 'compare');
  });
});
