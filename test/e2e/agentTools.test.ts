import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { tryDemo } from '../support/chatJourney';
import { inOrder } from '../support/inOrder';

describe('tools for models, in a conversation of ours', function () {
  inOrder(this);
  let desk: DeskWindow;

  before(async function () {
    desk = await this.openDesk();
    await tryDemo(desk);
    await desk.widenSideBar(520);
  });
  after(() => desk?.close());

  const box = (): Locator => desk.webview.getByRole('textbox', { name: 'Question' });
  const panel = (): Locator => desk.webview.locator('.tools-panel');
  const button = (text: string): Locator => desk.webview.locator('vscode-button', { hasText: text });
  const lastTurn = (): Locator => desk.webview.locator('.turn').last();
  const dialog = (): Locator => desk.page.locator('.monaco-dialog-box');
  const offer = async (search: string, name: string, offered: number) => {
    await desk.webview.locator('.bar-tools').click();
    await desk.webview.getByRole('textbox', { name: 'Search tools', exact: true }).fill(search);
    await panel()
      .getByRole('checkbox', { name: new RegExp(`^${name} `) })
      .check();
    await desk.webview.locator('.bar-tools', { hasText: `${offered} offered` }).waitFor();
  };
  const answered = async (text: RegExp) => {
    await lastTurn().locator('.md').getByText(text).last().waitFor({ timeout: 60_000 });
    await lastTurn()
      .locator('.facts')
      .getByText(/\d+ in/)
      .waitFor({ timeout: 60_000 });
  };

  it('are listed under our name, and one that costs little runs once it is allowed', async () => {
    await offer('inferenceDesk', 'Rerank', 1);
    await desk.screenshot('agentTools-panel');
    await desk.page.keyboard.press('Escape');
    await box().fill('Use inferenceDesk_rerank with the query "growing tomatoes" on the documents');
    await box().press('Enter');
    await button('Allow').first().click();
    await answered(/ranked by/);
    await desk.screenshot('agentTools-ranked');
  });

  it('asks in the editor before a picture is paid for, and makes none where that is declined', async () => {
    await offer('inferenceDesk', 'Generate Image', 2);
    await desk.page.keyboard.press('Escape');
    await box().fill('Use inferenceDesk_generateImage on "A red fox asleep under a birch in the snow"');
    await box().press('Enter');
    await button('Allow').first().click();
    await dialog().getByText('Generate a picture?').waitFor();
    await dialog()
      .getByText(/at the price of the model, from the balance of Demo/)
      .waitFor();
    await desk.screenshot('agentTools-confirmation');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await answered(/The person did not allow it/);
    await desk.screenshot('agentTools-declined');
  });

  it('makes it where that is confirmed, and says where it is', async () => {
    await box().fill('Use inferenceDesk_generateImage on "A red fox in the snow"');
    await box().press('Enter');
    await button('Allow').first().click();
    await dialog().getByText('Generate a picture?').waitFor();
    await desk.page.keyboard.press('Enter');
    await answered(/The picture is saved/);
    await desk.screenshot('agentTools-made');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});
