import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { SubmitOutcome, SubmitView } from '../../src/protocol/batchSubmit';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { createSubmitHost, problem } from '../support/submitHost';
import type { SubmitHost } from '../support/submitHost';
import { until } from '../support/until';
import type { Theme } from '../support/webviewPage';

describe('the page for submitting a batch', () => {
  const openPage = screenPages();

  interface Looks {
    readonly theme?: Theme;
    readonly width?: number;
    readonly height?: number;
  }
  async function open(view: Partial<SubmitView> = {}, { theme = 'dark', width = 800, height = 900 }: Looks = {}) {
    const ours = createSubmitHost(view);
    const one = await openPage('batchSubmit', { theme, width, height, handlers: ours.handlers });
    const { page, host } = one;
    const show = (part: Partial<SubmitView>) => {
      ours.view = { ...ours.view, ...part };
      host.tell('submit/changed', ours.view);
    };
    const submit = page.locator('vscode-button', { hasText: 'Submit' });
    await page.getByRole('heading', { name: 'support-triage.jsonl' }).waitFor();
    return { ...one, ours, show, submit };
  }
  const isDisabled = (button: Awaited<ReturnType<typeof open>>['submit']) =>
    button.evaluate((element) => (element as unknown as { disabled: boolean }).disabled);
  const hasFocus = (page: Page, label: string) =>
    page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label);
  const ordered = (ours: SubmitHost, count = 1) =>
    until(() => (ours.orders.length === count ? ours.orders.at(-1) : undefined), 'an order');
  const asked = (ours: SubmitHost, name: string) => until(() => (ours.asked.includes(name) ? true : undefined), name);

  it('submits filled fields, and omits empty ones', async () => {
    const { page, ours, submit } = await open();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'support-triage');
    await submit.locator('button').click();
    assert.deepEqual(await ordered(ours), {
      profileId: 'work',
      hours: 24,
      metadata: { name: 'support-triage' },
      takeErrors: false,
    });
    await page.getByLabel('Name', { exact: true }).fill(' March ');
    await page.getByLabel('Description').fill('Sort the tickets');
    await page.getByLabel('Completion window').fill('336');
    await page.getByText('More than 24 hours might be rejected').waitFor();
    await page.getByLabel('Model for all requests').fill('my/own-model');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add Pair' }).click();
    await hasFocus(page, 'Key of pair 1');
    await page.keyboard.type('team');
    await page.getByLabel('Value of pair 1').fill('support');
    await page.getByRole('button', { name: 'Add Pair' }).click();
    await submit.locator('button').click();
    assert.deepEqual(await ordered(ours, 2), {
      profileId: 'work',
      hours: 336,
      model: 'my/own-model',
      metadata: { name: 'March', batch_description: 'Sort the tickets', team: 'support' },
      takeErrors: false,
    });
  });

  it("shows the cost of the last batch with the file's or the chosen model", async () => {
    const hint = 'Your balance decreased by 0.28.';
    const cost = (model: string, text: string) => ({ model, text, hint });
    const { page } = await open({ costs: [cost('Qwen/Qwen3-32B', 'Last: 0.28'), cost('my/own-model', 'Last: 0.41')] });
    assert.equal(await page.locator('#send-about').getByText('Last: 0.28').getAttribute('title'), hint);
    await page.getByLabel('Model for all requests').fill('my/own-model');
    await page.locator('#send-about').getByText('Last: 0.41').waitFor();
  });

  it('counts metadata while typing, and omits invalid pairs', async () => {
    const { page, submit } = await open();
    const add = page.getByRole('button', { name: 'Add Pair' });
    await add.click();
    await hasFocus(page, 'Key of pair 1');
    await page.getByLabel('Key of pair 1').fill('k'.repeat(65));
    await page.getByText('65 / 64').waitFor();
    await page.getByText('Use up to 64 characters.').waitFor();
    assert.equal(await isDisabled(submit), true);
    await page.getByText('Fix the highlighted fields.').waitFor();
    await page.getByLabel('Key of pair 1').fill('name');
    await page.getByText('This key is reserved').waitFor();
    await page.getByLabel('Key of pair 1').fill('');
    await page.getByLabel('Value of pair 1').fill('v'.repeat(513));
    await page.getByText('Enter a key for this value.').waitFor();
    await page.getByLabel('Key of pair 1').fill('team');
    await page.getByText('513 / 512').waitFor();
    await page.getByText('Use up to 512 characters.').waitFor();
    await page.getByLabel('Value of pair 1').fill('v'.repeat(512));
    await page.getByText('1 of 13 pairs').waitFor();
    assert.equal(await isDisabled(submit), false);
    await add.click();
    await page.getByLabel('Key of pair 2').fill('team');
    await page.getByText('This key already exists.').waitFor();
    await page.getByRole('button', { name: 'Remove Pair 2' }).click();
    for (let count = 1; count < 13; count++) await add.click();
    await add.waitFor({ state: 'detached' });
  });

  it('accepts a listed model by mouse and keyboard, and any other ID', async () => {
    const { page, ours, submit } = await open({ modelCount: 3 });
    await page.getByText('The lines use 3 models').waitFor();
    const box = page.getByRole('combobox', { name: 'Model for all requests' });
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Qwen/Qwen3-8B' }).waitFor();
    await look(page, 'submit-models');
    await box.fill('qwen');
    await page.getByRole('option', { name: 'deepseek' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.equal(await box.inputValue(), 'Qwen/Qwen3-8B');
    await page.getByText('A copy of the file with this model is uploaded').waitFor();
    await page.getByRole('button', { name: 'Show Models' }).click();
    await page.getByRole('option', { name: 'deepseek-ai/DeepSeek-V3' }).click();
    assert.equal(await box.inputValue(), 'deepseek-ai/DeepSeek-V3');
    await box.fill('nothing like it');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Escape');
    await submit.locator('button').click();
    assert.equal((await ordered(ours))?.model, 'nothing like it');
  });

  it("isn't submitted with errors unless allowed, and a model for all lines clears model errors", async () => {
    const ofModel = problem({ message: 'The model "x" is not listed.', isOfModel: true });
    const errors = { state: 'done', text: '2 errors in 5,000 requests.', problems: [problem(), ofModel] } as const;
    const { page, ours, submit, show } = await open({ check: errors });
    assert.equal(await isDisabled(submit), true);
    await page.getByText('Fix the errors, or choose to submit with them.').waitFor();
    await page.getByRole('button', { name: 'Line 12' }).first().click();
    await asked(ours, 'goTo 11');
    await page.getByRole('button', { name: 'Show All Problems' }).click();
    await asked(ours, 'report');
    await look(page, 'submit-errors');
    await page.getByLabel('Submit with these errors').check();
    await submit.locator('button').click();
    assert.equal((await ordered(ours))?.takeErrors, true);
    await page.getByLabel('Submit with these errors').uncheck();
    show({ check: { ...errors, problems: [ofModel] } });
    await page.getByRole('button', { name: 'Line 12' }).nth(1).waitFor({ state: 'detached' });
    assert.equal(await isDisabled(submit), true);
    await page.getByLabel('Model for all requests').fill('Qwen/Qwen3-8B');
    await page.keyboard.press('Escape');
    await submit.locator('button').click();
    assert.deepEqual((await ordered(ours, 2))?.takeErrors, false);
  });

  it("isn't submitted if the service would reject the file, and offers alternatives", async () => {
    const refused = problem({
      message: 'From here on the file has more than 5,000 requests.',
      refusesFile: true,
      step: { id: 'split', label: 'Split…' },
    });
    const ofModel = problem({ message: 'A batch wants one model in all lines.', isOfModel: true, refusesFile: true });
    const check = { state: 'done', text: '1 error in 5,001 requests.', problems: [refused] } as const;
    const { page, ours, submit, show } = await open({ check });
    await page.locator('.note-error', { hasText: 'The service will reject this file' }).waitFor();
    assert.equal(await isDisabled(submit), true);
    assert.equal(await page.getByLabel('Submit with these errors').count(), 0);
    await look(page, 'submit-blocked');
    await page.getByRole('button', { name: 'Split…' }).click();
    await asked(ours, 'act split');
    show({ check: { ...check, problems: [ofModel] } });
    await page.getByText('Choose one model below').waitFor();
    await page.getByLabel('Model for all requests').fill('Qwen/Qwen3-8B');
    await page.keyboard.press('Escape');
    await submit.locator('button').click();
    assert.equal((await ordered(ours))?.model, 'Qwen/Qwen3-8B');
  });

  it('shows check progress, a stopped check, and why a check failed', async () => {
    const { page, ours, show, submit } = await open({ check: { state: 'running', part: 0.4, text: '40 % of 1 GB' } });
    await page.getByText('40 % of 1 GB').waitFor();
    assert.equal(await isDisabled(submit), true);
    await look(page, 'submit-checking');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await asked(ours, 'stopCheck');
    show({ check: { state: 'stopped' } });
    await page.getByText('Check stopped.').waitFor();
    await page.getByRole('button', { name: 'Check Again' }).click();
    await asked(ours, 'check');
    const error = {
      kind: 'user',
      title: "Couldn't read the file",
      detail: "You don't have permission to read the file.",
      actions: [],
    };
    show({ check: { state: 'failed', error } });
    await page.locator('.note-error', { hasText: "Couldn't read the file" }).waitFor();
    assert.equal(await isDisabled(submit), true);
  });

  it('says that the file changed, and waits until it is fixed', async () => {
    const { page, ours, show, submit } = await open({ isUnsaved: true });
    await page.getByText('The file has unsaved changes').waitFor();
    assert.equal(await isDisabled(submit), true);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await asked(ours, 'save');
    show({ isUnsaved: false, file: 'changed' });
    await page.getByText('The file has changed since the check').waitFor();
    assert.equal(await isDisabled(submit), true);
    show({ file: 'gone' });
    await page.getByText('The file no longer exists').waitFor();
    await look(page, 'submit-gone');
    assert.equal(await isDisabled(submit), true);
    show({ file: 'same' });
    await page.getByText('Uploads the file and creates the batch.').waitFor();
    assert.equal(await isDisabled(submit), false);
  });

  it('suggests reusing identical content, but only mentions similar files', async () => {
    const sure = { id: 'file-1', text: 'support-triage.jsonl · 2 days ago · file-1' };
    const alike = { ...sure, id: 'file-2', doubt: 'The contents might differ.' };
    const { page, ours, show, submit } = await open({ uploads: [sure, alike] });
    await page.getByText('Creates the batch from the uploaded file.').waitFor();
    await look(page, 'submit-uploads');
    await submit.locator('button').click();
    assert.equal((await ordered(ours))?.upload, 'file-1');
    await page.getByLabel('Upload again').check();
    await submit.locator('button').click();
    assert.equal((await ordered(ours, 2))?.upload, undefined);
    show({ uploads: [alike] });
    await page.getByLabel('Use uploaded file').and(page.getByRole('radio')).nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Use uploaded file').check();
    await submit.locator('button').click();
    assert.equal((await ordered(ours, 3))?.upload, 'file-2');
    show({ uploads: [] });
    await page.getByLabel('Upload again').waitFor({ state: 'detached' });
    await submit.locator('button').click();
    assert.equal((await ordered(ours, 4))?.upload, undefined);
  });

  it('shows its progress, and can be canceled until the batch is created', async () => {
    const { page, ours, show, submit } = await open();
    show({ progress: { text: 'Uploading: 40 % of 1.2 MB', part: 0.4, canStop: true } });
    await page.getByText('Uploading: 40 % of 1.2 MB').first().waitFor();
    assert.equal(await submit.count(), 0);
    await look(page, 'submit-uploading');
    await page.locator('vscode-button', { hasText: 'Cancel' }).locator('button').click();
    await asked(ours, 'stop');
    show({ progress: { text: 'Creating batch…', canStop: false } });
    await page.locator('vscode-button', { hasText: 'Cancel' }).waitFor({ state: 'detached' });
  });

  it('retries a rejected batch with the entered values', async () => {
    const { page, ours, show } = await open();
    await page.getByLabel('Description').fill('Sort the tickets');
    show({
      uploads: [{ id: 'file-9', text: 'Uploaded for this batch' }],
      outcome: {
        kind: 'failed',
        title: 'The balance is used up',
        detail: "The batch wasn't created. Top it up, then try again.",
        facts: [],
        actions: [
          { id: 'retry', label: 'Try Again' },
          { id: 'showExchange:1', label: 'Show Request and Response' },
        ],
      },
    });
    await page.locator('.note-error', { hasText: 'The balance is used up' }).waitFor();
    await look(page, 'submit-refused');
    await page.getByRole('button', { name: 'Show Request and Response' }).click();
    await asked(ours, 'act showExchange:1');
    await page.getByRole('button', { name: 'Try Again' }).click();
    const order = await ordered(ours);
    assert.deepEqual([order?.upload, order?.metadata['batch_description']], ['file-9', 'Sort the tickets']);
  });

  it('offers no action that could create the batch twice while its outcome is unknown', async () => {
    const { page, ours, show, submit } = await open();
    show({
      outcome: {
        kind: 'unknown',
        title: 'The batch may or may not exist',
        detail: "The service didn't respond.",
        facts: [],
        actions: [
          { id: 'lookNow', label: 'Check Now' },
          { id: 'askCreateAgain', label: 'Create Again…' },
        ],
      },
    });
    await page.locator('.note-warning', { hasText: 'may or may not exist' }).waitFor();
    assert.equal(await submit.count(), 0);
    await look(page, 'submit-unknown');
    await page.getByRole('button', { name: 'Check Now' }).click();
    await asked(ours, 'act lookNow');
    assert.equal(ours.orders.length, 0);
  });

  it('shows the created batch, and focuses it', async () => {
    const { page, ours, show } = await open();
    show({ outcome: created });
    await page.getByRole('heading', { name: 'Batch submitted' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Batch submitted');
    await look(page, 'submit-created');
    await page.locator('vscode-button', { hasText: 'Show in Batches' }).locator('button').click();
    await asked(ours, 'act showBatches');
    assert.equal(await page.getByLabel('Name', { exact: true }).count(), 0);
  });

  it('keeps entered values through a reload', async () => {
    const { page } = await open();
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByLabel('Description').fill('Sort the tickets');
    await page.getByLabel('Completion window').fill('7');
    await page.getByRole('button', { name: 'Add Pair' }).click();
    await page.getByLabel('Key of pair 1').fill('team');
    await page.reload();
    await page.getByText('1 of 13 pairs').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '');
    assert.equal(await page.getByLabel('Description').inputValue(), 'Sort the tickets');
    assert.equal(await page.getByLabel('Completion window').inputValue(), '7');
    assert.equal(await page.getByLabel('Key of pair 1').inputValue(), 'team');
    await page.getByText('Enter a whole number from 24 to 336.').waitFor();
  });

  it('shows the model and the other actions of a retry', async () => {
    const view = {
      heading: 'Retry support-triage.jsonl',
      place:
        'Retries the requests from support-triage.jsonl that have no response, and adds the responses to the results.',
      suggestedName: 'Retry of support-triage',
      suggestedModel: 'Qwen/Qwen3-8B',
      otherSteps: [{ id: 'runNow', label: 'Run Now at Full Price…' }],
    };
    const { page, ours, submit } = await open(view);
    await look(page, 'submit-retry');
    await page.locator('vscode-button', { hasText: 'Run Now at Full Price…' }).click();
    await asked(ours, 'act runNow');
    await submit.locator('button').click();
    const { model, metadata } = await ordered(ours);
    assert.deepEqual([model, metadata], ['Qwen/Qwen3-8B', { name: 'Retry of support-triage' }]);
  });

  it('says that submitting requires an account', async () => {
    const { page, ours, show, submit } = await open();
    const { profileId: _gone, ...signedOut } = ours.view;
    ours.view = signedOut;
    show({});
    await page.getByText('Sign in first.').waitFor();
    assert.equal(await isDisabled(submit), true);
  });

  const long = 'x'.repeat(200);
  it('is readable and reachable', async () => {
    const view: Partial<SubmitView> = {
      name: `support-triage.jsonl`,
      place: `batches/${long}/support-triage.jsonl`,
      isUnsaved: true,
      modelCount: 2,
      check: {
        state: 'done',
        text: '13 errors, 1 warning in 5,000 requests.',
        problems: [
          problem({
            message: `"${long}" is not what a message's role can be.`,
            count: 12,
            where: 'Line 12 and 11 more',
          }),
          problem({ message: '消息必须以用户的消息结束。', where: 'Line 40' }),
          problem({
            severity: 'warning',
            message: 'The model "x" is not in the list of the service.',
            where: 'Line 7',
          }),
          problem({
            severity: 'hint',
            message: '"stream" has no effect in a batch.',
            where: 'Line 1 and 4,999 more',
          }),
        ],
      },
      uploads: [{ id: 'file-2', text: `${long} · 2 days ago`, doubt: 'The contents might differ.' }],
    };
    const { page, show } = await open(view);
    await page.getByRole('button', { name: 'Add Pair' }).click();
    await page.getByLabel('Key of pair 1').fill('name');
    await page.getByLabel('Value of pair 1').fill(long);
    await page.getByText('This key is reserved').waitFor();
    await look(page, 'submit', { colours: true });
    show({ outcome: created });
    await page.getByRole('heading', { name: 'Batch submitted' }).waitFor();
    await look(page, 'submit-created');
  });
});

const created: SubmitOutcome = {
  kind: 'created',
  title: 'Batch submitted',
  detail: "You'll be notified when the batch ends.",
  facts: [
    { label: 'Batch', value: 'batch_7f21…9c', title: 'batch_7f21000000009c' },
    { label: 'Status', value: 'queued' },
    { label: 'Requests', value: '0 of 5,000' },
    { label: 'Completion window', value: '24h' },
  ],
  actions: [
    { id: 'showBatches', label: 'Show in Batches' },
    { id: 'copyId', label: 'Copy ID' },
  ],
};
