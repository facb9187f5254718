import type { Scene } from '../scene';

export const ghostText: Scene = async ({ desk, openFile, lines, scrollUp }) => {
  const { page } = desk;
  await desk.command('View: Show Explorer');
  await desk.widenSideBar(250);
  await openFile('prices.py');
  await lines.click();
  return async () => {
    await lines.click();
    await page.keyboard.press('Control+G');
    await desk.answer(':18:5');
    await desk.status('Ln 18, Col 5').waitFor();
    await scrollUp();
    await page.keyboard.press('Alt+\\');
    await page.locator('[class*="ghost-text"]').first().waitFor();
  };
};
