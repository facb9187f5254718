import { cpSync } from 'node:fs';
import path from 'node:path';
import type { Scene } from '../scene';

/** The sample that the extension brings. */
export const promptFile: Scene = async ({ desk, folder, openFile, scrollUp }) => {
  cpSync('media/samples/reply.desk.md', path.join(folder, 'reply.desk.md'));
  await desk.command('View: Show Explorer');
  await desk.widenSideBar(230);
  await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'reply.desk.md' }).waitFor();
  await openFile('reply.desk.md');
  return async () => {
    await scrollUp();
    await desk.page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
  };
};
