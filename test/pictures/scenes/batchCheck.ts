import type { Scene } from '../scene';

export const batchCheck: Scene = async ({ desk, openFile, scrollUp }) => {
  const { page } = desk;
  await desk.command('View: Show Explorer');
  await desk.widenSideBar(230);
  await openFile('reviews.jsonl');
  await page.locator('.squiggly-error').first().waitFor();
  await desk.command('Problems: Focus on Problems View');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'closing brace' }).waitFor();
  return async () => {
    await scrollUp();
    await page.locator('.codelens-decoration', { hasText: '8 ' }).first().waitFor();
  };
};
