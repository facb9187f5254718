import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { numbersAt } from '../../src/core/parameters/parameterTable';
import { createCompletionHost, notes } from '../support/completionHost';
import type { CompletionHostOptions } from '../support/completionHost';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';
import type { Theme } from '../support/webviewPage';

const model = 'Qwen/Qwen2.5-Coder-32B-Instruct';

describe('the page of completion parameters', () => {
  const openPage = screenPages();

  interface Looks {
    readonly theme?: Theme;
    readonly width?: number;
    readonly height?: number;
  }
  async function open(options: CompletionHostOptions = {}, { theme = 'dark', width = 760, height = 900 }: Looks = {}) {
    const ours = createCompletionHost(options);
    const one = await openPage('completion', { theme, width, height, handlers: ours.handlers });
    const { page, host } = one;
    await page.getByRole('heading', { name: 'Request preview' }).waitFor();
    const tell = async () => host.tell('completion/changed', await ours.view());
    const preview = async () =>
      JSON.parse((await page.locator('.completion-preview').textContent()) ?? '') as Record<string, unknown>;
    const sent = (values: Record<string, unknown>) =>
      until(
        async () => {
          const { model: _model, prompt: _prompt, stream: _stream, ...rest } = await preview();
          return JSON.stringify(rest) === JSON.stringify(values) ? rest : undefined;
        },
        `a preview with ${JSON.stringify(values)}`,
      );
    return { ...one, ours, tell, preview, sent };
  }
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
  const json = (page: Page) => field(page, 'Parameters as JSON');
  const toJson = (page: Page) => page.getByRole('tab', { name: /JSON/ }).click();
  const toForm = (page: Page) => page.getByRole('tab', { name: /Form/ }).click();
  const hasFocus = (page: Page, label: string) =>
    page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label);
  const button = (page: Page, name: string) => page.locator('vscode-button', { hasText: name });
  const isDisabled = (page: Page, name: string) =>
    button(page, name).evaluate((element) => (element as unknown as { disabled: boolean }).disabled);

  it('has a field for every numeric parameter', async () => {
    const { page, sent } = await open();
    await page.getByRole('checkbox', { name: 'Request token probabilities' }).check();
    const names = numbersAt('completions');
    const labels = page.locator('.parameters-numbers .parameter-label');
    await until(async () => ((await labels.count()) === names.length ? true : undefined), `${names.length} fields`);
    assert.deepEqual((await labels.allTextContents()).toSorted(), names.toSorted());
    for (const name of names) await field(page, name).fill('1');
    await sent(Object.fromEntries(names.map((name) => [name, 1])));
  });

  it('sends no parameters until one is set, and shows each value in form, JSON, and preview', async () => {
    const { page, ours, sent } = await open();
    await sent({});
    await page.getByRole('tab', { name: 'Form 0 set' }).waitFor();
    assert.equal(await field(page, 'temperature').getAttribute('placeholder'), 'Service default');
    assert.equal(await field(page, 'seed').getAttribute('placeholder'), 'Random');
    await field(page, 'temperature').fill('0.2');
    await field(page, 'max_tokens').fill('64');
    await field(page, 'n').fill('3');
    await sent({ max_tokens: 64, temperature: 0.2, n: 3 });
    await page.getByText("You're charged for each of the 3 completions, up to 192 tokens in total.").waitFor();
    await page.getByRole('tab', { name: 'Form 3 set' }).waitFor();
    await toJson(page);
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { temperature: 0.2, max_tokens: 64, n: 3 });
    await json(page).fill('{ "stop": ["\\n\\n", "END"], "seed": 7 }');
    await sent({ seed: 7, stop: ['\n\n', 'END'] });
    await toForm(page);
    assert.equal(await field(page, 'Stop sequence 1').inputValue(), '\\n\\n');
    assert.equal(await field(page, 'seed').inputValue(), '7');
    assert.equal(await field(page, 'temperature').inputValue(), '');
    assert.deepEqual((await ours.settings.get()).parameters, { seed: 7, stop: ['\n\n', 'END'] });
  });

  it("explains below a field why its value isn't sent, and keeps it in both views", async () => {
    const { page, sent } = await open({ parameters: { top_k: 5 } });
    await field(page, 'temperature').fill('1.5');
    await page
      .locator('.parameter-issue', {
        hasText: "temperature can't be greater than 1. The value is 1.5. This value isn't sent.",
      })
      .waitFor();
    assert.equal(await field(page, 'temperature').getAttribute('aria-invalid'), 'true');
    await field(page, 'top_p').fill('half');
    await page.locator('.parameter-issue', { hasText: 'Enter a number, such as 0.7.' }).waitFor();
    await page.getByRole('tab', { name: 'JSON 2 invalid' }).waitFor();
    await sent({ top_k: 5 });
    await toJson(page);
    assert.deepEqual(JSON.parse(await json(page).inputValue()), { top_k: 5, temperature: 1.5, top_p: 'half' });
    await page.getByRole('button', { name: 'Line 3, column 18' }).click();
    const selected = () => {
      const box = document.querySelector<HTMLTextAreaElement>('.completion-text');
      return box?.value.slice(box.selectionStart, box.selectionEnd);
    };
    await until(async () => ((await page.evaluate(selected)) === '1.5' ? true : undefined), 'the value is selected');
    await page.keyboard.type('1');
    await sent({ temperature: 1, top_k: 5 });
    await toForm(page);
    assert.equal(await field(page, 'top_p').inputValue(), 'half');
  });

  it("keeps an unknown name in the JSON, reports it, and doesn't send it", async () => {
    const { page, sent } = await open();
    await toJson(page);
    await json(page).fill('{\n  "best_of": 3,\n  "model": "x",\n  "n": 2\n}');
    await page.getByText('Unknown parameter "best_of"').waitFor();
    await page.getByText('Select the model above.').waitFor();
    await sent({ n: 2 });
    await toForm(page);
    await field(page, 'n').fill('4');
    await sent({ n: 4 });
    await toJson(page);
    assert.equal(await json(page).inputValue(), '{\n  "best_of": 3,\n  "model": "x",\n  "n": 4\n}');
  });

  it('keeps the last valid values while the JSON is invalid, and discards it only on request', async () => {
    const { page, sent, ours } = await open({ parameters: { n: 2, stop: ['END'] } });
    await toJson(page);
    await json(page).fill('{\n  "n": 5,\n  "seed" 1\n}');
    await page.getByText('Expected a colon.').waitFor();
    await sent({ n: 2, stop: ['END'] });
    await look(page, 'completion-json-broken');
    await toForm(page);
    await page.locator('.note-warning', { hasText: 'Line 3, column 10: Expected a colon.' }).waitFor();
    assert.equal(await field(page, 'n').inputValue(), '2');
    assert.equal(await field(page, 'n').isDisabled(), true);
    await look(page, 'completion-form-broken');
    await page.getByRole('button', { name: 'Go to Error' }).click();
    await hasFocus(page, 'Parameters as JSON');
    assert.match(await json(page).inputValue(), /"seed" 1/);
    await page.keyboard.type(': 1');
    await sent({ n: 5, seed: 1 });
    await json(page).fill('{"n": ');
    await page.getByText('Expected a value.').waitFor();
    await toForm(page);
    await page.getByRole('button', { name: 'Discard JSON' }).click();
    await page.locator('.note-warning').waitFor({ state: 'detached' });
    assert.equal(await field(page, 'seed').inputValue(), '1');
    const requested = JSON.stringify({ parameters: { n: 5, seed: 1 } });
    await until(
      async () => (JSON.stringify(await ours.settings.get()) === requested ? true : undefined),
      'what is kept',
    );
  });

  it('shows biases as rows, and reports errors at the row', async () => {
    const { page, sent } = await open();
    await page.getByRole('button', { name: 'Add Bias' }).click();
    await hasFocus(page, 'Token ID for bias 1');
    await page.keyboard.type('50256');
    await page.keyboard.press('Tab');
    await page.keyboard.type('-100');
    await sent({ logit_bias: { 50256: -100 } });
    for (const [row, token, bias, said] of [
      [2, '50256', '1', '50256 is specified twice.'],
      [3, '1.5', '1', 'Enter a token ID'],
      [4, '7', '101', "can't be greater than 100"],
      [5, '8', '', 'Enter a bias from −100 to 100.'],
      [6, '9', 'much', 'Enter a number, such as 0.7.'],
    ] as const) {
      await page.getByRole('button', { name: 'Add Bias' }).click();
      await hasFocus(page, `Token ID for bias ${row}`);
      await field(page, `Token ID for bias ${row}`).fill(token);
      await field(page, `Bias ${row}`).fill(bias);
      await page.locator('.bias', { hasText: said }).waitFor();
    }
    await sent({ logit_bias: { 50256: -100 } });
    await look(page, 'completion-biases');
    for (let row = 6; row > 1; row--)
      await page
        .getByRole('button', { name: /^Remove Bias/ })
        .last()
        .click();
    await hasFocus(page, 'Token ID for bias 1');
    await page.locator('.parameter-issue').first().waitFor({ state: 'detached' });
  });

  it('generates a seed, enables probabilities, and drags a penalty slider', async () => {
    const { page, ours } = await open();
    await page.getByRole('button', { name: 'Generate Random Seed' }).click();
    const seed = await field(page, 'seed').inputValue();
    assert.match(seed, /^\d{1,6}$/);
    await page.getByLabel('Request token probabilities').check();
    await page.getByRole('slider', { name: 'presence_penalty, slider' }).focus();
    await page.keyboard.press('End');
    assert.equal(await field(page, 'presence_penalty').inputValue(), '2');
    await field(page, 'logprobs').fill('9');
    await page.getByText('Most services allow up to').waitFor();
    await page.getByLabel('Request token probabilities').uncheck();
    await until(async () => {
      const { parameters } = await ours.settings.get();
      return JSON.stringify(parameters) === `{"seed":${seed},"presence_penalty":2}` ? true : undefined;
    }, 'the parameters');
  });

  it('accepts a listed model or none, and shows it in the preview', async () => {
    const { page, ours, preview } = await open();
    const box = page.getByRole('combobox', { name: 'Model' });
    assert.equal(await box.getAttribute('placeholder'), `Automatic: ${model}`);
    await until(async () => ((await preview())['model'] === model ? true : undefined), 'the model in the preview');
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'deepseek' }).click();
    await until(
      async () => ((await ours.settings.get()).model === 'deepseek-ai/DeepSeek-V3' ? true : undefined),
      'model',
    );
    await until(async () => ((await preview())['model'] === 'deepseek-ai/DeepSeek-V3' ? true : undefined), 'preview');
    await box.fill('own');
    await page.getByText('Not listed by the service').waitFor();
    await box.fill('');
    await until(async () => ((await ours.settings.get()).model === undefined ? true : undefined), 'no model');
  });

  it('saves, applies, renames, and deletes a preset', async () => {
    const { page, ours, sent } = await open({ parameters: { n: 3 } });
    await page.getByRole('button', { name: 'Save as Preset' }).click();
    await page.waitForFunction(() => document.activeElement?.matches('input.preset-choice'));
    await page.keyboard.type('Three');
    await page.keyboard.press('Enter');
    await page.locator('option', { hasText: 'Three' }).waitFor({ state: 'attached' });
    await field(page, 'n').fill('9');
    await sent({ n: 9 });
    await page.locator('select.preset-choice').selectOption('');
    await page.locator('select.preset-choice').selectOption({ label: 'Three' });
    await sent({ n: 3 });
    assert.equal(await field(page, 'n').inputValue(), '3');
    await page.getByRole('button', { name: 'Rename Preset' }).click();
    await page.waitForFunction(() => document.activeElement?.matches('input.preset-choice'));
    await page.keyboard.type('Trio');
    await page.keyboard.press('Enter');
    await page.locator('option', { hasText: 'Trio' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Delete Preset' }).click();
    await page.locator('select.preset-choice').waitFor({ state: 'detached' });
    assert.deepEqual(await ours.settings.presets(), []);
  });

  it('shows a rejected parameter, and sends it again on request', async () => {
    const { page, ours, sent, tell } = await open({ parameters: { n: 2, seed: 4 } });
    await ours.settings.refused(model, 'seed');
    await ours.settings.refused(model, 'suffix');
    await tell();
    await sent({ n: 2 });
    await page.locator('.parameter-number .parameter-warning', { hasText: "doesn't support this parameter" }).waitFor();
    await look(page, 'completion-refused');
    await page
      .locator('.parameter-number', { hasText: "doesn't support this parameter" })
      .getByRole('button', { name: 'Send Again' })
      .click();
    await sent({ n: 2, seed: 4 });
    await page.getByText(/Text after the cursor \(suffix\): .*doesn't support this parameter/).waitFor();
    await page.getByRole('button', { name: 'Send Again' }).click();
    await page.getByText("doesn't support this parameter").waitFor({ state: 'detached' });
  });

  it('starts a completion with all typed values, and names its text', async () => {
    const { page, ours, tell } = await open();
    await page.getByText('Completes notes.md, lines 3 to 9').waitFor();
    await page.locator('#completion-target').getByText('Price: about $0.01').waitFor();
    await field(page, 'n').fill('6');
    await button(page, 'Complete Text').locator('button').click();
    await until(() => (ours.asked.includes('run insert') ? true : undefined), 'a run');
    assert.ok(ours.asked.indexOf('setForm') < ours.asked.indexOf('run insert'));
    const replace = 'Nothing is selected that could be replaced.';
    ours.target = {
      name: 'notes.md, the text before line 9, column 1',
      prompt: 'x'.repeat(500),
      obstacles: { replace },
    };
    await tell();
    await page.getByText(replace).waitFor();
    assert.deepEqual(
      [await isDisabled(page, 'Complete Text'), await isDisabled(page, 'Complete and Replace')],
      [false, true],
    );
    await page.locator('.completion-preview', { hasText: '… 220 more characters …' }).waitFor();
    await button(page, 'Complete and Replace').click({ force: true });
    await button(page, 'Complete to the Side').locator('button').click();
    await until(() => (ours.asked.includes('run beside') ? true : undefined), 'a run');
    assert.ok(!ours.asked.includes('run replace'));
    const why = 'No text is open.';
    ours.target = { name: '', prompt: undefined, obstacles: { insert: why, replace: why, beside: why } };
    await tell();
    await page.getByText(why).waitFor();
    assert.equal(await isDisabled(page, 'Complete Text'), true);
    await look(page, 'completion-no-text');
  });

  it("keeps values that can't be saved, and explains why", async () => {
    let isFull = true;
    const full = { kind: 'user', title: 'The disk is full', detail: 'Nothing was kept.', actions: [] };
    const problem = () => (isFull ? (full as unknown as Error) : undefined);
    const ours = createCompletionHost({ problem });
    isFull = false;
    const one = await openPage('completion', { theme: 'dark', width: 760, handlers: ours.handlers });
    const { page } = one;
    await field(page, 'seed').waitFor();
    isFull = true;
    await field(page, 'seed').fill('12');
    await page.locator('.note-error', { hasText: 'The disk is full' }).waitFor();
    await page.reload();
    isFull = false;
    await page.reload();
    await until(async () => ((await ours.settings.get()).parameters.seed === 12 ? true : undefined), 'the seed');
    assert.equal(await field(page, 'seed').inputValue(), '12');
  });

  it('shows values set elsewhere, but not over typed ones', async () => {
    const { page, ours, tell } = await open({ parameters: { n: 2 } });
    await ours.settings.set({ parameters: { n: 8 } });
    await tell();
    await page.waitForFunction(() => document.querySelector('.completion-preview')?.textContent?.includes('"n": 8'));
    assert.equal(await field(page, 'n').inputValue(), '8');
    await field(page, 'n').fill('5.0');
    await until(async () => ((await ours.settings.get()).parameters.n === 5 ? true : undefined), 'five');
    await tell();
    assert.equal(await field(page, 'n').inputValue(), '5.0');
    await ours.settings.set({ parameters: { n: 9 } });
    await tell();
    await page.waitForFunction(() => document.querySelector('.completion-preview')?.textContent?.includes('"n": 9'));
    assert.equal(await field(page, 'n').inputValue(), '9');
  });

  it('works with the keyboard alone, including tabs and lists', async () => {
    const { page } = await open();
    await page.getByRole('tab', { name: /Form/ }).focus();
    await page.keyboard.press('ArrowRight');
    await json(page).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Add Stop Sequence' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Stop sequence 1');
    await page.keyboard.type('END');
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Stop sequence 2');
    await page.keyboard.press('Backspace');
    await hasFocus(page, 'Stop sequence 1');
    assert.equal(await field(page, 'Stop sequence 1').inputValue(), 'END');
  });

  describe('appearance', () => {
    const filled: CompletionHostOptions = {
      text: JSON.stringify(
        {
          max_tokens: 256,
          n: 3,
          temperature: 1.4,
          top_p: 0.9,
          seed: 1234,
          stop: ['\n\n', 'END'],
          presence_penalty: 0.6,
          logit_bias: { 50256: -100, 198: 'x' },
          logprobs: 5,
          later: true,
        },
        undefined,
        2,
      ),
      parameters: {
        max_tokens: 256,
        n: 3,
        top_p: 0.9,
        seed: 1234,
        stop: ['\n\n', 'END'],
        presence_penalty: 0.6,
        logit_bias: { 50256: -100 },
        logprobs: 5,
      },
    };
    const long = { ...notes, name: `${'a-very-long-name-'.repeat(8)}.md, lines 3 to 9` };

    it('is readable and reachable', async () => {
      const { page } = await open({ ...filled, target: long });
      await look(page, 'completion', { colours: true });
      await toJson(page);
      await look(page, 'completion-json');
    });
  });
});
