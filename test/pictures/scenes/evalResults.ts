import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Scene } from '../scene';

export const evalResults: Scene = async ({ desk, folder, openFile, hideSideBar }) => {
  for (const name of ['promptfooconfig.yaml', 'tickets.csv'])
    cpSync(path.join('media/samples', name), path.join(folder, name));
  await hideSideBar();
  await openFile('promptfooconfig.yaml');
  await desk.page.locator('.codelens-decoration a:visible', { hasText: 'Run Eval…' }).first().click();
  await desk.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Run Now' }).click();
  const regressions = desk.editorPage.getByRole('heading', { name: 'Regressions: 15' });
  await regressions.waitFor({ timeout: 60_000 });
  await desk.clearNotices();
  return () => regressions.waitFor();
};
