import type { Scene } from '../scene';

export const images: Scene = async ({ desk, hideSideBar }) => {
  const { editorPage } = desk;
  await hideSideBar();
  await desk.command('Inference Desk: Generate Images');
  await editorPage
    .getByRole('textbox', { name: 'Prompt', exact: true })
    .fill('Mountains by a quiet lake at dusk, gouache');
  await editorPage.getByRole('button', { name: '1024 × 768', exact: true }).click();
  await editorPage.getByText('Variations', { exact: true }).click();
  await editorPage.getByLabel('Seeds').selectOption('sequence');
  await editorPage.getByRole('textbox', { name: 'Number of seeds', exact: true }).fill('4');
  await editorPage.getByRole('textbox', { name: 'Seed', exact: true }).fill('7');
  await editorPage.getByText('4 images').first().waitFor();
  await editorPage.getByRole('button', { name: 'Generate', exact: true }).click();
  const tiles = editorPage.locator('.images-thumb[data-state=shown] img');
  await tiles.nth(3).waitFor({ timeout: 180_000 });
  await editorPage.getByText('Variations', { exact: true }).click();
  await editorPage.getByText('Cost not measured yet').waitFor({ state: 'detached', timeout: 120_000 });
  return () => tiles.nth(3).waitFor();
};
