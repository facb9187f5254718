import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { numbersAt } from '../../src/core/parameters/parameterTable';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { emptyParameters } from '../support/parametersHost';
import { look } from '../support/pageLooks';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';

const filled = emptyParameters({
  form: {
    system: 'Answer in one sentence.\nUse no lists.',
    numbers: { max_tokens: '', temperature: '2.5', top_p: '0.05', top_k: '40' },
    stop_sequences: ['END', '\\n\\n'],
    prefill: '{"answer":',
  },
  count: 4,
  issues: { temperature: "temperature can't be greater than 2. The value is 2.5. It is not sent." },
  warnings: { top_p: 'top_p must be at least 0.1. It is 0.05. It is sent, and the service may refuse it.' },
  notTaken: { top_k: "Qwen3-Coder-30B-A3B-Instruct doesn't support this parameter, so it isn't sent." },
  presets: [{ id: 'p1', name: 'Terse' }],
});
const cut = turn('Go on', {
  stopReason: 'max_tokens',
  blocks: [{ kind: 'text', text: 'One, two,' }],
  canContinue: true,
  prefilled: true,
});

describe('the chat parameters in a browser', () => {
  const open = chatPages();

  const button = '.bar-parameters';
  const panel = '.parameters-panel';
  const box = '.composer-text';
  const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

  it('saves typed values, shows their number, and leaves others unset', async () => {
    const { page, host } = await open();
    assert.equal(await page.locator(button).textContent(), '');
    await page.locator(button).click();
    assert.equal(await field(page, 'max_tokens').getAttribute('placeholder'), 'default');
    assert.equal(await field(page, 'temperature').getAttribute('placeholder'), 'not sent');
    await field(page, 'System prompt').fill('Be brief.');
    await field(page, 'temperature').fill('0.2');
    await page.getByRole('button', { name: 'Parameters, 2 set' }).waitFor();
    await host.wasAskedWith('chat/setParameters', {
      model,
      form: {
        system: 'Be brief.',
        numbers: { ...emptyParameters().form.numbers, temperature: '0.2' },
        stop_sequences: [],
        prefill: '',
        enable_thinking: '',
      },
    });
  });

  it('stays open when the host focuses the question box late', async () => {
    const { page, tell } = await open();
    await page.locator(button).click();
    await page.locator(`${panel} :focus`).waitFor();
    tell('chat/focusComposer', {});
    await field(page, 'temperature').fill('0.2');
    await page.getByRole('button', { name: 'Parameters, 1 set' }).waitFor();
  });

  it('has a field for every numeric parameter, in order', async () => {
    const { page, host } = await open();
    await page.locator(button).click();
    const names = numbersAt('chat');
    assert.deepEqual(await page.locator('.parameters-numbers .parameter-label').allTextContents(), names);
    for (const name of names) await field(page, name).fill('1');
    const numbers = Object.fromEntries(names.map((name) => [name, '1']));
    await host.wasAskedWith('chat/setParameters', { model, form: { ...emptyParameters().form, numbers } });
  });

  it('turns reasoning on or off if the model supports it, and has no field otherwise', async () => {
    const { page, host } = await open();
    await page.locator(button).click();
    const thinking = page.getByRole('combobox', { name: 'enable_thinking' });
    assert.deepEqual(await thinking.locator('option').allTextContents(), ['not sent', 'On', 'Off']);
    await thinking.selectOption('off');
    await page.getByRole('button', { name: 'Parameters, 1 set' }).waitFor();
    const form = { ...emptyParameters().form, enable_thinking: 'off' };
    await host.wasAskedWith('chat/setParameters', { model, form });
    const other = await open(emptySnapshot({ parameters: filled }));
    await other.page.locator(button).click();
    assert.equal(await other.page.getByRole('combobox', { name: 'enable_thinking' }).count(), 0);
  });

  it("explains at the field why a value isn't sent until it is fixed", async () => {
    const { page } = await open();
    await page.locator(button).click();
    await field(page, 'temperature').fill('3');
    await page.locator('.parameter-issue', { hasText: "temperature can't be greater than 2" }).waitFor();
    assert.equal(await field(page, 'temperature').getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Escape');
    await page.locator(`${button}[aria-label*="invalid values aren't sent"]`).waitFor();
    await page.locator(button).click();
    assert.equal(await field(page, 'temperature').inputValue(), '3');
    await field(page, 'temperature').fill('1.5');
    await page.getByRole('button', { name: 'Parameters, 1 set' }).waitFor();
    await page.locator('.parameter-issue').waitFor({ state: 'detached' });
  });

  it('works by keyboard alone: opens, fills fields, edits a list, and restores the focus on close', async () => {
    const { page, host } = await open();
    await page.locator(button).focus();
    await page.keyboard.press('Enter');
    await page.locator(panel).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('.parameter-text'));
    await page.keyboard.type('Be kind.');
    await page.locator('.parameter-add').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.matches('.parameter-code'));
    await page.keyboard.type('END');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.parameter-code')[1] === document.activeElement);
    await page.keyboard.press('Backspace');
    await page.waitForFunction(() => document.querySelectorAll('.parameter-code')[0] === document.activeElement);
    await page.keyboard.press('Escape');
    await page.locator(panel).waitFor({ state: 'detached' });
    await page.locator('.bar-parameters:focus').waitFor();
    await host.wasAskedWith('chat/setParameters', {
      model,
      form: { ...emptyParameters().form, system: 'Be kind.', stop_sequences: ['END'] },
    });
  });

  it('sends all values to the host before the question', async () => {
    const { page, host } = await open();
    await page.locator(button).click();
    await field(page, 'top_k').fill('7');
    await page.locator(box).fill('hello');
    await page.locator(box).press('Enter');
    await host.wasAsked('chat/ask');
    const methods = host.asked.map(({ method }) => method);
    assert.ok(methods.indexOf('chat/setParameters') >= 0);
    assert.ok(methods.indexOf('chat/setParameters') < methods.indexOf('chat/ask'));
  });

  it('saves, applies, renames, and deletes a preset', async () => {
    const { page } = await open();
    await page.locator(button).click();
    await field(page, 'System prompt').fill('Be brief.');
    await page.locator('.preset-save').click();
    const naming = () => document.activeElement?.matches('input.preset-choice');
    await page.waitForFunction(naming);
    await page.keyboard.type('Terse');
    await page.keyboard.press('Enter');
    await page.locator('option', { hasText: 'Terse' }).waitFor({ state: 'attached' });
    await field(page, 'System prompt').fill('Something else');
    await page.locator('select.preset-choice').selectOption('');
    await page.locator('select.preset-choice').selectOption({ label: 'Terse' });
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('.parameter-text')?.value === 'Be brief.',
    );
    await page.getByRole('button', { name: 'Rename Preset' }).click();
    await page.waitForFunction(naming);
    await page.keyboard.type('Short');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await page.locator('option', { hasText: 'Short' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Delete Preset' }).click();
    await page.locator('select.preset-choice').waitFor({ state: 'detached' });
    await page.locator(panel).waitFor();
  });

  it('retries without a rejected parameter, and sends it again on request', async () => {
    const error = {
      kind: 'badRequest',
      title: 'The service refused the request',
      detail: 'top_k is not supported',
      actions: [{ id: 'without:top_k', label: 'Send Without top_k' }],
    };
    const { page, host } = await open(emptySnapshot({ turns: [turn('Why?', { state: 'failed', error })] }));
    await page.locator('.note').getByRole('button', { name: 'Send Without top_k' }).click();
    assert.deepEqual(await host.wasAsked('chat/withoutParameter'), { model, parameter: 'top_k' });
    await host.wasAsked('chat/retry');
    await page.locator(button).click();
    await page.locator('.parameter-warning', { hasText: "doesn't support this parameter" }).waitFor();
    await page.getByRole('button', { name: 'Send Again' }).click();
    await page.locator('.parameter-warning').waitFor({ state: 'detached' });
  });

  it('sets max_tokens to the amount that the balance covers, and retries', async () => {
    const action = { id: 'maxTokens:2048', label: 'Set max_tokens to 2048 and Retry' };
    const error = { kind: 'balance', title: 'Too little', detail: '', actions: [action] };
    const { page, host } = await open(emptySnapshot({ turns: [turn('Why?', { state: 'failed', error })] }));
    await page.locator('.note').getByRole('button', { name: action.label }).click();
    const { form } = (await host.wasAsked('chat/setParameters')) as { form: { numbers: Record<string, string> } };
    assert.equal(form.numbers['max_tokens'], '2048');
    await host.wasAsked('chat/retry');
  });

  it('continues a truncated answer in place', async () => {
    const measured = { usage: { inputTokens: 13_100, outputTokens: 2140 }, firstTokenMs: 412, totalMs: 3920 };
    const snapshot = emptySnapshot({ turns: [{ ...cut, answer: { ...cut.answer, ...measured } }] });
    const { page, host } = await open(snapshot, { width: 260 });
    const facts = page.locator('.facts-text', { hasText: 'starts with your text' });
    const whole = 'starts with your text · 13,100 in · 2,140 out · first token after 0.4 s · 610 tok/s · 3.9 s';
    assert.equal((await facts.getAttribute('title'))?.split('\n')[1], whole);
    const { height } = (await facts.boundingBox())!;
    const line = await facts.locator('span').first().boundingBox();
    assert.ok(line && height < line.height * 1.5, `one line: ${height}`);
    await page.locator('.note', { hasText: 'reached its token limit' }).getByText('Continue').click();
    assert.deepEqual(await host.wasAsked('chat/continue'), { turnId: 'Go on' });
    assert.deepEqual(await host.wasAsked('chat/follow'), { turnId: 'Go on', have: [9] });
    host.emit({ type: 'append', block: 0, kind: 'text', text: ' three.' });
    await page.locator('.md', { hasText: 'One, two, three.' }).waitFor();
    host.finish({ state: 'done', model, stopReason: 'end_turn', blocks: [{ kind: 'text', text: 'One, two, three.' }] });
    await page.locator('.send', { hasText: 'Send' }).waitFor();
    assert.equal(await page.locator('.turn').count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0);
  });

  it('offers to continue after an interruption or failure, and explains a rejection', async () => {
    const text = [{ kind: 'text', text: 'Half' }] as const;
    const error = { kind: 'truncated', title: 'The response is incomplete', detail: '', actions: [] };
    for (const answer of [
      { state: 'interrupted', blocks: text, canContinue: true },
      { state: 'failed', blocks: text, error, canContinue: true },
      { state: 'stopped', blocks: text, canContinue: true },
    ] as const) {
      const { page } = await open(emptySnapshot({ turns: [turn('Q', answer)] }));
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    }
    const { page, host } = await open(emptySnapshot({ turns: [turn('Q', { stopReason: 'refusal', blocks: [] })] }));
    const note = page.locator('.note', { hasText: 'The model declined to answer' });
    await note.getByText('Choose Model').waitFor();
    assert.equal((await page.locator('.turn').innerText()).match(/declined/g)?.length, 1);
    await look(page, 'chat-refusal', { place: 'side' });
    await note.getByText('Try Again').click();
    assert.deepEqual(await host.wasAsked('chat/retry'), { turnId: 'Q', model });
    await note.waitFor({ state: 'detached' });
  });

  describe('appearance', () => {
    const state = emptySnapshot({ turns: [cut], parameters: filled });

    it('is readable and reachable', async () => {
      const { page } = await open(state);
      await page.locator(button).click();
      await page.locator(panel).waitFor();
      await look(page, 'parameters', { place: 'side', colours: true });
    });
  });
});
