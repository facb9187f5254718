import type { Scene } from '../scene';

export const rerank: Scene = async ({ desk, openFile, hideSideBar, lines }) => {
  const { page, editorPage } = desk;
  await hideSideBar();
  await openFile('wishes.md');
  await lines.getByText('Gift wrapping').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Control+Shift+End');
  await desk.command('Inference Desk: Rerank…');
  await desk.pick('Selection');
  await editorPage.getByRole('textbox', { name: 'Query' }).fill('pay faster on the phone');
  await editorPage.getByRole('button', { name: 'Rerank' }).click();
  const rows = editorPage.locator('.virtual-rows .ranking-row');
  await rows.nth(9).waitFor();
  await editorPage.getByRole('button', { name: /^Show Scores in Editor/ }).click();
  const right = await page.locator('.editor-group-container').nth(1).boundingBox();
  if (right !== null) {
    await page.mouse.move(right.x, 400);
    await page.mouse.down();
    await page.mouse.move(520, 400, { steps: 8 });
    await page.mouse.up();
  }
  // The choice of documents goes: the text is to be read.
  await lines.getByText('Gift wrapping').click();
  return () => rows.nth(9).waitFor();
};
