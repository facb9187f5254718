import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../host/places';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

const toolExtension = path.join(root, 'test/fixtures/toolExtension');

describe('tools in a conversation', function () {
  inOrder(this);
  let desk: DeskWindow;

  before(async function () {
    desk = await this.openDesk({ extensions: [toolExtension] });
    await tryDemo(desk);
    await desk.widenSideBar(520);
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const openTools = () => desk.webview.locator('.bar-tools').click();
  const panel = (): Locator => desk.webview.locator('.tools-panel');
  const field = (name: string): Locator => desk.webview.getByRole('textbox', { name, exact: true });
  const button = (text: string): Locator => desk.webview.locator('vscode-button', { hasText: text });
  const lastTurn = (): Locator => desk.webview.locator('.turn').last();
  const answered = async (text: RegExp) => {
    await lastTurn().locator('.md').getByText(text).last().waitFor({ timeout: 60_000 });
    await lastTurn()
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
  };

  it('takes a tool written by hand, and says where its schema is wrong', async () => {
    await openTools();
    await desk.webview.getByRole('button', { name: 'New tool…' }).click();
    await field('Name').fill('get_weather');
    await field('Description').fill('Gives the weather of a city.');
    const schema = field('Input as a JSON schema');
    const starting = await schema.inputValue();
    await schema.fill('{\n  "type": "object"\n  "properties": {}\n}');
    await panel()
      .getByText(/^\s*Line \d, column \d+: A comma is missing here\./)
      .waitFor();
    await desk.screenshot('tools-form-wrong');
    await schema.fill(starting);
    await button('Save').locator('button').click();
    await panel().locator('.tool', { hasText: 'get_weather' }).waitFor();
    await desk.webview.locator('.bar-tools', { hasText: '1 offered' }).waitFor();
    await desk.screenshot('tools-panel');
    await desk.page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
  });

  it('waits for the result of a call', async () => {
    await box().fill('Use get_weather: how is the weather in Paris?');
    await box().press('Enter');
    await desk.webview.getByText('The answer waits for you: get_weather needs a result.').waitFor({ timeout: 60_000 });
    await field('Result of get_weather').fill('21 °C and sunny');
    await desk.screenshot('tools-awaiting');
  });

  it('keeps what is typed while another view is shown, and goes on with it', async () => {
    await desk.command('View: Show Explorer');
    await desk.openView('Chat');
    await desk.webview.locator('.call-awaitingResult').waitFor();
    assert.equal(await field('Result of get_weather').inputValue(), '21 °C and sunny');
    await button('Send result').locator('button').click();
    await desk.webview.locator('.call-done', { hasText: 'answered by you' }).waitFor();
    await answered(/21 °C and sunny/);
    await desk.screenshot('tools-result-sent');
  });

  it('runs a tool of the editor only when it is allowed', async () => {
    await openTools();
    await field('Search tools').fill('echo');
    await panel().locator('.tool', { hasText: 'Echo' }).locator('input').check();
    await desk.webview.locator('.bar-tools', { hasText: '2 offered' }).waitFor();
    await desk.screenshot('tools-search');
    await desk.page.keyboard.press('Escape');
    await box().fill('Use desk_echo on "well met"');
    await box().press('Enter');
    await desk.webview.getByText('The answer waits for you: Echo asks to run.').waitFor({ timeout: 60_000 });
    await lastTurn().locator('.call-text', { hasText: '"text": "well met"' }).waitFor();
    await desk.screenshot('tools-asking');
    await desk.webview.getByRole('button', { name: 'Go there' }).click();
    await desk.page.keyboard.press('Enter');
    await lastTurn().locator('.call-done', { hasText: 'has run' }).waitFor();
    await answered(/You said: well met/);
    await desk.screenshot('tools-allowed');
  });

  it('runs it without asking once that is allowed, and asks again when it is taken back', async () => {
    await box().fill('Use desk_echo on "once more" 2 times');
    await box().press('Enter');
    await button('Always allow here').locator('button').click();
    await answered(/You said: once more/);
    await lastTurn().locator('.call-done', { hasText: 'has run without asking' }).first().waitFor();
    await openTools();
    await panel().getByText('Runs without asking in this conversation.').waitFor();
    await desk.screenshot('tools-always');
    await panel().getByRole('button', { name: 'Ask again' }).click();
    await panel().locator('.tool-allowed').waitFor({ state: 'detached' });
    await desk.page.keyboard.press('Escape');
    await box().fill('Use desk_echo on "a last time"');
    await box().press('Enter');
    await button('Deny').first().locator('button').click();
    await lastTurn().locator('.call-denied').waitFor();
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
