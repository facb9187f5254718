import { look } from '../support/pageLooks';
import { galleryAssets, galleryPages } from '../support/galleryPages';
import type { GalleryLooks } from '../support/galleryPages';
import { imageAsset } from '../support/madeAssets';

describe('the appearance of the gallery', () => {
  const open = galleryPages();
  type Opened = Awaited<ReturnType<typeof open>>;

  const seen = ({ page }: Opened, name: string) =>
    look(page, `gallery-${name}`, { except: '.picture-room, .details-id-title', colours: name === 'selected' });

  it('is readable and reachable', async () => {
    const one = await open();
    const { page, tile, details, dialog } = one;
    await page.locator('#tile-0 img').waitFor();
    await seen(one, 'grid');
    await tile(0).click();
    await details.getByText('Trace ID').waitFor();
    await seen(one, 'details');
    await tile(0).focus();
    await page.keyboard.press('Enter');
    await dialog.locator('.laid-picture img').waitFor();
    await seen(one, 'large');
    await page.keyboard.press('Escape');
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press(' ');
    await seen(one, 'selected');
    await page.getByRole('button', { name: 'Compare' }).click();
    await dialog.locator('.laid-picture img').nth(1).waitFor();
    await seen(one, 'compare');
    await dialog.getByRole('button', { name: 'Side by Side' }).click();
    await seen(one, 'beside');
  });

  const wait = () => new Promise<never>(() => undefined);
  const long = imageAsset({
    prompt: `${'A very long prompt about a lighthouse on basalt columns. '.repeat(60)}${'unbroken'.repeat(60)}`,
    negative: 'نص طويل بالعربية عن المنارة',
    model: `some-organisation/${'a-model-of-a-very-long-name-'.repeat(6)}`,
    seed: 9_999_999_999,
    extra: { image: 'input:aa.png', image2: 'input:bb.png', prompt_upsampling: false },
  });
  const states: readonly (readonly [name: string, looks: GalleryLooks, show?: (one: Opened) => Promise<void>])[] = [
    ['loading', { handlers: { 'gallery/arrange': wait } }],
    ['empty', { assets: [] }],
    [
      'nothing-found',
      {},
      async ({ search, page }) => {
        await search.fill('a submarine under the ice');
        await page.getByRole('main').getByText('No results for').waitFor();
      },
    ],
    [
      'notices',
      {
        notices: [
          {
            id: 'folder',
            title: "Couldn't read a folder",
            detail: '/home/me/project/assets/made (EACCES). What is in it is not shown.',
            actions: [],
          },
          {
            id: 'recipes',
            title: '2 recipes could not be read',
            detail: "Files with damaged or newer details aren't shown.",
            actions: [{ id: '0', label: 'a-lighthouse-0123456789ab.png.recipe.json' }],
          },
        ],
      },
      async ({ tile }) => tile(0).waitFor(),
    ],
    [
      'trouble',
      {
        handlers: {
          'gallery/arrange': async () => {
            throw {
              kind: 'storage',
              title: 'The recipes could not be read',
              detail: 'Too many files are open.',
              actions: [],
            };
          },
        },
      },
    ],
    [
      'gone',
      { gone: new Set([galleryAssets[6]!.path]) },
      async ({ tile, details, page }) => {
        await tile(0).focus();
        await page.keyboard.press('End');
        await details.getByText('no longer exists').waitFor();
      },
    ],
    [
      'video',
      {},
      async ({ tile, details, page }) => {
        await tile(3).click();
        await details.locator('video').waitFor();
        await page.waitForFunction(
          () => (document.querySelector('.gallery-player') as HTMLVideoElement).readyState >= 2,
        );
      },
    ],
    [
      'speech',
      {},
      async ({ tile, details }) => {
        await tile(4).click();
        await details.getByText('Spoken text').waitFor();
      },
    ],
    [
      'long',
      { assets: [long, ...galleryAssets] },
      async ({ tile, details }) => {
        await tile(0).click();
        await details.getByText('Request parameters').waitFor();
      },
    ],
  ];
  for (const [name, looks, show] of states)
    it(`is readable and reachable: ${name}`, async () => {
      const one = await open(looks);
      await one.page.locator('.gallery-head').waitFor();
      await show?.(one);
      await seen(one, name);
    });
});
