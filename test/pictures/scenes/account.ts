import type { Scene } from '../scene';

/** Models and account beside one question to two models. */
export const account: Scene = async ({ desk, showViews, makeHigher }) => {
  await makeHigher(60);
  await showViews('Models', 'Account');
  await desk.widenSideBar(330);
  const models = await desk.openView('Models');
  await models.locator('.monaco-list-row', { hasText: 'Chat' }).first().click();
  const balance = desk.page.locator('.sidebar .monaco-list-row', { hasText: 'Balance' });
  // Folded, so that the whole of the account is seen.
  await balance.first().click();
  await desk.command('Inference Desk: Open Chat in Editor');
  const page = desk.editorPage;
  await page.getByRole('button', { name: 'Compare models' }).click();
  await desk.page.keyboard.press('ArrowDown');
  await desk.page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Compare 2 models' }).click();
  const box = page.getByRole('textbox', { name: 'Question' });
  await box.click();
  await box.fill('What is a rate limit, and what is a reranker?');
  await box.press('Enter');
  const counted = page
    .locator('.compare-column')
    .nth(1)
    .locator('.facts-text', { hasText: /\d+ in · .*first token/ });
  await counted.waitFor({ timeout: 60_000 });
  return () => counted.waitFor();
};
