import assert from 'node:assert/strict';
import { emptyImageForm } from '../../src/protocol/imageForm';
import type { ImageForm } from '../../src/protocol/images';
import { comingTile, imageModels, imageRun, lakePrompt, shownTile } from '../support/imagesHost';
import { imagesPages } from '../support/imagesPages';
import { until } from '../support/until';

const waiting = imageRun('w', [comingTile('w.0.0', 'waiting', { title: 'Queued' })], {
  status: '0 of 1 sent.',
  canStop: true,
  canForget: false,
});
const two = imageRun('two', [shownTile('two.0.0'), shownTile('two.1.0')]);

describe('the images page', () => {
  const open = imagesPages();
  type Opened = Awaited<ReturnType<typeof open>>;
  /** The host was told of the form as it is wanted. */
  const reported = (one: Opened, isRequested: (form: ImageForm) => boolean) =>
    until(() => {
      const form = one.ours.asked.findLast(([name]) => name === 'form')?.[1] as ImageForm | undefined;
      return form && isRequested(form) ? form : undefined;
    }, 'the form');

  it('generates with the typed and selected values on Ctrl+Enter', async () => {
    const one = await open();
    await one.prompt.fill(lakePrompt);
    await one.button('1024 × 576').click();
    await one.page.getByRole('combobox', { name: 'File format' }).selectOption('jpeg');
    await one.prompt.press('Control+Enter');
    const sent = (await one.asks('generate')) as ImageForm;
    assert.deepEqual(sent, {
      ...emptyImageForm,
      model: imageModels[0],
      prompt: lakePrompt,
      image_size: '1024x576',
      output_format: 'jpeg',
    });
  });

  it("shows an image's cost, the last cost for its model, and their source", async () => {
    const hint = 'Your balance decreased by 0.0004.';
    const paid = shownTile('paid.0.0', { cost: { text: 'Cost 0.0004', hint } });
    const cost = { text: 'Last image with this model: about 0.0004', hint };
    const total = { cost: { text: 'Cost 0.0008 for 2 images', hint: 'Measured.' } };
    const one = await open({ page: { runs: [imageRun('paid', [paid, shownTile('paid.1.0')], total)], cost } });
    assert.equal(await one.page.getByText('Cost 0.0008 for 2 images').getAttribute('title'), 'Measured.');
    const last = one.page.locator('#plan').getByText('Last image with this model: about 0.0004');
    assert.equal(await last.getAttribute('title'), hint);
    const facts = one.page.locator('.images-facts');
    assert.doesNotMatch(await facts.innerText(), /Cost/);
    await one.thumbnails.last().click();
    await facts.getByText(/ · Cost 0\.0004$/).waitFor();
    assert.match((await facts.getAttribute('title')) ?? '', /\nYour balance decreased by 0\.0004/);
    one.tell({ cost: undefined } as object);
    await last.waitFor({ state: 'detached' });
  });

  it("sends no request if the service doesn't generate images", async () => {
    const one = await open({ page: { isNotOffered: true } });
    await one.prompt.fill(lakePrompt);
    await one.prompt.press('Control+Enter');
    await one.page.locator('vscode-button[disabled]', { hasText: 'Generate' }).waitFor();
    assert.equal(one.ours.asked.filter(([name]) => name === 'generate').length, 0);
  });

  it('sends no request during a composition, or twice at the same time', async () => {
    let begun = 0;
    const one = await open({
      handlers: {
        'images/generate': () => {
          begun++;
          return new Promise(() => undefined);
        },
      },
    });
    await one.prompt.fill('水');
    await one.prompt.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, isComposing: true });
    assert.equal(begun, 0);
    await one.prompt.press('Control+Enter');
    await one.page.getByText('Submitting…').first().waitFor();
    await until(() => begun || undefined, 'the order');
    await one.prompt.press('Control+Enter');
    await one.page.locator('vscode-button[disabled]').waitFor();
    assert.equal(begun, 1);
  });

  it('sends once for held keys and double clicks', async () => {
    let begun = 0;
    let end = () => {};
    const one = await open({
      handlers: {
        'images/generate': () => {
          begun++;
          return new Promise((resolve) => {
            end = () => resolve({});
          });
        },
      },
    });
    const button = one.page.locator('vscode-button[appearance=primary]');
    const sent = async (times: number) => {
      await button.and(one.page.locator('[disabled]')).waitFor();
      await until(() => (begun === times ? true : undefined), `${times} orders`);
      end();
      await button.and(one.page.locator(':not([disabled])')).waitFor();
    };
    await one.prompt.fill(lakePrompt);
    await one.page.keyboard.down('Control');
    await one.page.keyboard.down('Enter');
    await sent(1);
    await one.page.keyboard.down('Enter');
    await one.page.keyboard.up('Enter');
    await one.page.keyboard.up('Control');
    const generate = one.button('Generate');
    await generate.dispatchEvent('click', { detail: 1 });
    await sent(2);
    await generate.dispatchEvent('click', { detail: 2 });
    await generate.focus();
    await one.page.keyboard.down('Enter');
    await sent(3);
    await generate.focus();
    await one.page.keyboard.down('Enter');
    await one.page.keyboard.up('Enter');
    await one.page.keyboard.press('Enter');
    await sent(4);
  });

  it('generates, clears, and reuses seeds', async () => {
    const one = await open({ page: { runs: [two] } });
    const seed = one.page.getByRole('textbox', { name: 'Seed' });
    await one.button('Generate Random Seed').click();
    const thrown = Number(await seed.inputValue());
    assert.ok(Number.isInteger(thrown) && thrown >= 0 && thrown <= 9_999_999_999);
    await one.button('Use Random Seed').click();
    assert.equal(await seed.inputValue(), '');
    await one.shown.hover();
    await one.button('Use This Seed').click();
    assert.equal(await seed.inputValue(), '4211908');
    await one.spoken('Seed set to 4211908');
  });

  it("returns to the model's default size on a second click, and accepts a typed size", async () => {
    const one = await open();
    await one.button('512 × 512').click();
    await reported(one, ({ image_size }) => image_size === '512x512');
    await one.button('512 × 512').click();
    await reported(one, ({ image_size }) => image_size === '');
    await one.page.getByRole('textbox', { name: 'Custom size' }).fill('640x960');
    await reported(one, ({ image_size }) => image_size === '640x960');
  });

  it('varies seeds, sizes and prompts', async () => {
    const one = await open();
    await one.page.getByText('Variations').click();
    await one.page.getByText('One image for each line of the prompt').click();
    await one.page.getByText('Expand braces').click();
    await one.page.getByRole('combobox', { name: 'Seeds' }).selectOption('random');
    await one.page.getByRole('textbox', { name: 'Number of seeds' }).fill('7');
    const sizes = one.page.getByRole('group', { name: 'Sizes' });
    await sizes.getByRole('button', { name: '512 × 512' }).click();
    await sizes.getByRole('button', { name: '1024 × 576' }).click();
    const form = await reported(one, (typed) => typed.sizes.length === 2);
    assert.deepEqual(
      [form.isSeveral, form.eachLine, form.alternatives, form.seeds, form.seedCount, form.sizes],
      [true, true, true, 'random', '7', ['512x512', '1024x576']],
    );
  });

  it('shows a rejected value at its field, and retries without it', async () => {
    const one = await open({
      page: {
        form: { ...emptyImageForm, model: imageModels[0], prompt: lakePrompt, safety_tolerance: '3' },
        refused: { field: 'safety_tolerance', text: 'The service rejected this value.' },
      },
    });
    await one.page.getByText('More (1 set)').click();
    await one.button('Remove and Retry').click();
    assert.equal(((await one.asks('generate')) as ImageForm).safety_tolerance, '');
    await one.page.getByText('The service rejected this value.').waitFor({ state: 'detached' });
  });

  it('attaches a chosen, dropped, or pasted image, and removes it', async () => {
    const one = await open({
      page: { inputs: { 'input:lake.png': { uri: '', facts: 'PNG · 8 × 8' } } },
      answer: { notTaken: {} },
    });
    const input = one.page.getByRole('group', { name: 'Input image' });
    await input.getByRole('button', { name: /^Select, drop, or paste/ }).click();
    await reported(one, ({ image }) => image === 'input:lake.png');
    await input.getByText('PNG · 8 × 8').waitFor();
    await input.getByRole('button', { name: 'Remove: Input image' }).click();
    await reported(one, ({ image }) => image === '');
    for (const kind of ['drop', 'paste'] as const) {
      await one.page
        .locator('.images-input')
        .first()
        .evaluate((target, type) => {
          const data = new DataTransfer();
          data.items.add(new File(['picture'], 'lake.png', { type: 'image/png' }));
          const more = { bubbles: true, cancelable: true };
          target.dispatchEvent(
            type === 'drop'
              ? new DragEvent(type, { dataTransfer: data, ...more })
              : new ClipboardEvent(type, { clipboardData: data, ...more }),
          );
        }, kind);
      await reported(one, ({ image }) => image === 'input:lake.png');
      assert.deepEqual(await one.asks('dropInput'), {
        name: 'lake.png',
        base64: Buffer.from('picture').toString('base64'),
      });
      await input.getByRole('button', { name: 'Remove: Input image' }).click();
      await reported(one, ({ image }) => image === '');
    }
  });

  it('stops, resumes, and removes a run', async () => {
    const one = await open({ page: { runs: [waiting] } });
    await one.button('Stop').click();
    await one.asks('run', { id: 'w', action: 'stop' });
    one.tell({ runs: [{ ...waiting, canStop: false, canGoOn: true, canForget: true, status: 'Stopped.' }] });
    await one.button('Continue').click();
    await one.asks('run', { id: 'w', action: 'goOn' });
    await one.button('Remove from Page (Keep Files)').click();
    await one.asks('run', { id: 'w', action: 'forget' });
  });

  it('announces results and failures once', async () => {
    const one = await open({ page: { runs: [waiting] } });
    await one.page.getByText('Queued').waitFor();
    one.tell({ runs: [{ ...waiting, tiles: [shownTile('w.0.0')] }] });
    await one.spoken('Image generated: A quiet mountain lake');
    one.tell({ runs: [{ ...waiting, tiles: [shownTile('w.0.0')], age: '1 min. ago' }] });
    await one.page.getByText('1 min. ago').waitFor();
    assert.equal(await one.page.locator('.spoken p').filter({ hasText: 'Image generated' }).count(), 1);
  });

  it('shows the newest result large, and others when chosen in the filmstrip or with the arrow keys', async () => {
    const one = await open({ page: { runs: [two, imageRun('old', [shownTile('old.2.0')])] } });
    const isShown = (seed: number) => one.page.locator('.images-facts', { hasText: `Seed ${seed}` }).waitFor();
    await isShown(4_211_908);
    await one.thumbnails.last().click();
    await isShown(4_211_909);
    await one.page.keyboard.press('ArrowLeft');
    await isShown(4_211_907);
    assert.equal(await one.page.evaluate(() => document.activeElement?.getAttribute('aria-selected')), 'true');
    await one.page.keyboard.press('Home');
    await isShown(4_211_908);
    await one.shown.locator('.images-open').focus();
    await one.page.keyboard.press('End');
    await isShown(4_211_909);
    await one.page.reload();
    await isShown(4_211_909);
    // Closing the large view goes on with the image that was seen last.
    await one.thumbnails.last().press('Enter');
    await one.page.getByRole('dialog').waitFor();
    await one.page.keyboard.press('ArrowLeft');
    await one.page.keyboard.press('Escape');
    await isShown(4_211_907);
    assert.equal(await one.page.evaluate(() => document.activeElement?.id), 'shown-image');
  });

  it('replaces the large image with a new one only if the newest was shown', async () => {
    const one = await open({ page: { runs: [two] } });
    const isShown = (seed: number) => one.page.locator('.images-facts', { hasText: `Seed ${seed}` }).waitFor();
    const run = (id: string, seed: string, state: 'sending' | 'shown') =>
      imageRun(id, [state === 'shown' ? shownTile(`${id}.0.0`, { seed }) : comingTile(`${id}.0.0`, state, { seed })]);
    await isShown(4_211_908);
    one.tell({ runs: [run('next', '1', 'sending'), two] });
    await until(async () => ((await one.thumbnails.count()) === 3 ? true : undefined), 'the thumbnail');
    await isShown(4_211_908);
    one.tell({ runs: [run('next', '1', 'shown'), two] });
    await isShown(1);
    const newer = one.button('Show Newest Image');
    assert.equal(await newer.count(), 0);
    await one.thumbnails.last().click();
    await isShown(4_211_907);
    one.tell({ runs: [run('last', '2', 'shown'), run('next', '1', 'shown'), two] });
    await newer.waitFor();
    await isShown(4_211_907);
    await newer.click();
    await isShown(2);
    await newer.waitFor({ state: 'detached' });
  });

  it("opens a tile's menu at the pointer, and the model list with a click on the field", async () => {
    const one = await open({ page: { runs: [two] } });
    const picture = one.shown.locator('.images-open');
    const box = (await picture.boundingBox())!;
    await picture.click({ button: 'right', position: { x: 20, y: 30 } });
    const menu = (await one.page.getByRole('menu').boundingBox())!;
    assert.deepEqual([Math.round(menu.x - box.x), Math.round(menu.y - box.y)], [20, 30]);
    await one.page.keyboard.press('Escape');
    await one.page.getByRole('combobox', { name: 'Model' }).click();
    await one.page.getByRole('option').first().waitFor();
  });

  it('performs the actions of its menu, also on right click', async () => {
    const one = await open({ page: { runs: [two] } });
    const actions = [
      ['Save As…', 'saveAs'],
      ['Insert at Cursor', 'insert'],
      [/^Open$/, 'open'],
      ['Open Containing Folder', 'reveal'],
      ['Vary', 'vary'],
      ['Edit Image…', 'edit'],
      ['Use as First Frame', 'useAsFirstFrame'],
      ['Regenerate', 'regenerate'],
      ['Show Details', 'showRecipe'],
      ['Delete…', 'remove'],
    ] as const;
    for (const [name, action] of actions) {
      await one.thumbnails.last().click({ button: 'right' });
      await one.page.getByRole('menuitem', { name }).click();
      await one.asks('tile', { id: 'two.0.0', action });
    }
  });

  it("copies the path and explains why if images can't be copied", async () => {
    const one = await open({ page: { runs: [two] } });
    await one.page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { write: () => Promise.reject(new Error('denied')) } });
    });
    await one.shown.hover();
    await one.button('Copy Image').click();
    await one.page.getByText('Copied the path').first().waitFor();
    await one.asks('tile', { id: 'two.1.0', action: 'copyPath' });
  });

  it('performs the actions of tiles and notices', async () => {
    const steps = [{ id: 'again', label: 'Retry' }];
    const failed = imageRun('f', [comingTile('f.0.0', 'failed', { title: 'Rejected', actions: steps })]);
    const notice = {
      tone: 'info' as const,
      title: 'A notice',
      detail: '',
      actions: [{ id: 'signIn', label: 'Sign In' }],
    };
    const one = await open({ page: { runs: [failed], failed: 'Failed: 1', notices: [notice], hasOlder: true } });
    await one.page.getByRole('button', { name: 'Retry', exact: true }).click();
    await one.asks('step', { id: 'f.0.0', action: 'again' });
    await one.button('Retry Failed').click();
    await one.asks('failed', { action: 'retry' });
    await one.button('Clear Failed').click();
    await until(() => one.ours.asked.find(([, about]) => JSON.stringify(about) === '{"action":"clear"}'), 'clear');
    await one.button('Sign In').click();
    await one.asks('act', { action: 'signIn' });
    await one.button('Show Earlier Images').click();
    await one.asks('older');
    await one.button('Open Gallery').click();
    await until(() => one.ours.asked.find(([, about]) => JSON.stringify(about) === '{"action":"gallery"}'), 'gallery');
  });

  it('restores the form after a reload, and accepts values from the host', async () => {
    const one = await open();
    await one.prompt.fill('typed before');
    await reported(one, ({ prompt }) => prompt === 'typed before');
    await one.page.reload();
    await until(async () => ((await one.prompt.inputValue()) === 'typed before' ? true : undefined), 'the text');
    one.tell({ age: 'x' } as object);
    assert.equal(await one.prompt.inputValue(), 'typed before');
    one.tell({ filled: 2, form: { ...emptyImageForm, model: imageModels[1], prompt: 'of a recipe' } });
    await until(async () => ((await one.prompt.inputValue()) === 'of a recipe' ? true : undefined), 'the recipe');
  });

  it('keeps text typed before the page has loaded', async () => {
    let answer: (() => void) | undefined;
    const one = await open({
      page: { runs: [two] },
      handlers: { 'images/ready': () => new Promise((done) => (answer = () => done(one.ours.change({})))) },
    });
    await one.prompt.fill('typed at once');
    (await until(() => answer, 'the question for what there is'))();
    await one.thumbnails.first().waitFor();
    assert.equal(await one.prompt.inputValue(), 'typed at once');
    const { model } = await reported(one, ({ prompt }) => prompt === 'typed at once');
    assert.equal(model, imageModels[0]);
  });

  it('waits for the saved form and the price before it generates, and announces that', async () => {
    let answer: (() => void) | undefined;
    const one = await open({
      handlers: { 'images/ready': () => new Promise((done) => (answer = () => done(one.ours.change({})))) },
    });
    await one.prompt.fill(lakePrompt);
    await one.prompt.press('Control+Enter');
    await one.page.locator('#plan').getByText('Loading…').waitFor();
    (await until(() => answer, 'the question for what there is'))();
    await one.page.locator('vscode-button:not([disabled])', { hasText: 'Generate' }).waitFor();
    assert.equal(one.ours.asked.filter(([name]) => name === 'generate').length, 0);
    await one.prompt.press('Control+Enter');
    assert.equal(((await one.asks('generate')) as ImageForm).model, imageModels[0]);
  });

  it('selects a model when the list loads, unless one was entered', async () => {
    const one = await open({ page: { models: [], preferred: '', modelsAreLoading: true, form: emptyImageForm } });
    const model = one.page.getByRole('combobox', { name: 'Model' });
    one.tell({ models: imageModels, preferred: imageModels[0], modelsAreLoading: false });
    await until(async () => ((await model.inputValue()) === imageModels[0] ? true : undefined), 'the model');
    await model.fill('my/own');
    one.tell({ preferred: imageModels[1] });
    await reported(one, (form) => form.model === 'my/own');
  });

  it('shows the error of a failed call, and continues', async () => {
    const fault = { kind: 'user', title: 'Prompt missing', detail: 'Describe the picture.', actions: [] };
    const one = await open({ handlers: { 'images/generate': () => Promise.reject(fault) } });
    await one.button('Generate').click();
    await one.page.locator('.note').getByText('Prompt missing').waitFor();
    await one.spoken('Prompt missing');
    await one.page.locator('vscode-button:not([disabled])').waitFor();
  });
});
