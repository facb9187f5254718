import { existsSync } from 'node:fs';
import path from 'node:path';
import { startBrowser } from './browser.ts';
import { runMain, Trouble } from './command.ts';
import { newest, obtainEditor } from './obtain.ts';
import { root } from './places.ts';
import { openWindow } from './window.ts';

const question = 'Is everything in the package?';

/** `npm run test:package`: installs the packaged extension in a fresh editor, and gets an answer in its chat. */
await runMain(async () => {
  const vsix = path.join(root, 'dist/inference-desk.vsix');
  if (!existsSync(vsix)) throw new Trouble('There is no package yet: npm run package makes it.');
  const browser = await startBrowser();
  const desk = await openWindow({ editor: await obtainEditor(newest), browser, vsix });
  try {
    await desk.openView('Chat');
    await desk.webview.getByText('Try the demo', { exact: true }).click();
    await desk.webview.getByRole('button', { name: /Qwen/ }).waitFor();
    const box = desk.webview.getByRole('textbox', { name: 'Question' });
    await box.fill(question);
    await box.press('Enter');
    await desk.webview
      .locator('.facts')
      .getByText(/\d+ out/)
      .waitFor({ timeout: 60_000 });
    await desk.screenshot('packaged');
    if (desk.faults.length > 0) throw new Trouble(desk.faults.join('\n'));
    console.log('The packaged extension answers.');
  } catch (error) {
    await desk.screenshot('packaged-failed');
    throw error;
  } finally {
    await desk.close();
    await browser.close();
  }
});
