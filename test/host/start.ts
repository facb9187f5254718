import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { findProgram } from './aptInstall.ts';
import { buildProduct } from './buildProduct.ts';
import { testOptions } from './bundle.ts';
import { startCodeServer } from './codeServer.ts';
import { runMain } from './command.ts';
import { withLock } from './folderLock.ts';
import { newest, obtainEditor } from './obtain.ts';
import { editorsFolder, root } from './places.ts';
import { workbenchAddress } from './workbenchAddress.ts';

/** The origin is the same in every run, because a browser stores the window's layout and secrets by origin. */
const usualPort = 8421;

/**
 * Installs an extension next to ours, so that the product needs no special startup. A server imports its extensions folder at its first
 * start, and a window accepts only one development path.
 */
async function installStarter(dataFolder: string): Promise<void> {
  const folder = path.join(dataFolder, 'extensions/inference-desk.starter-0.0.1');
  await build({ ...testOptions, entryPoints: [path.join(root, 'test/host/starter/starter.ts')], outdir: folder });
  copyFileSync(path.join(root, 'test/host/starter/package.json'), path.join(folder, 'package.json'));
}

/** Creates a workspace to open and ask about. The user's changes in it are kept. */
function prepareWorkspace(): string {
  const folder = path.join(editorsFolder, 'start/workspace');
  if (!existsSync(folder)) cpSync(path.join(root, 'test/host/starter/workspace'), folder, { recursive: true });
  return folder;
}

/** Returns whether a browser was asked to open the URL on a desktop. */
function openInBrowser(address: string): boolean {
  const hasDesktop =
    process.platform !== 'linux' ||
    process.env['DISPLAY'] !== undefined ||
    process.env['WAYLAND_DISPLAY'] !== undefined;
  const opener = findProgram(process.platform === 'darwin' ? 'open' : 'xdg-open');
  if (!hasDesktop || opener === undefined || process.env['CI'] !== undefined) return false;
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
  return true;
}

async function isFree(port: number): Promise<boolean> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** `npm start`: opens a window with the extension signed in to the demo service. Runs until Ctrl+C. */
await runMain(async () => {
  const editor = await obtainEditor(newest);
  await buildProduct();
  const dataFolder = path.join(editorsFolder, 'start');
  await installStarter(dataFolder);
  await withLock(path.join(dataFolder, 'lock'), async () => {
    const port = (await isFree(usualPort)) ? usualPort : 0;
    if (port === 0)
      console.log(
        `Port ${usualPort} is in use, so the window has another one: what the browser kept for the usual one is not there.`,
      );
    const server = await startCodeServer({ editor, dataFolder, port });
    const address = workbenchAddress(server, { folder: prepareWorkspace(), developmentPaths: [root] });
    const opened = openInBrowser(address);
    console.log(`\n${opened ? 'Opening' : 'Open'} this address in a browser (Ctrl+C ends it):\n\n${address}\n`);
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    });
    await server.stop();
  });
});
