import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCommand, runMain, SetupError } from './command.ts';
import { isLane } from './lanes.ts';
import { runJourneys } from './journeys.ts';
import { floor, newest, obtainEditor, type Editor } from './obtain.ts';
import { packageFile } from './places.ts';
import { tryMcp } from './tryMcp.ts';

/** The journey through every action of every view, which opens the pages and the demo service of the package, and one through a chat. */
const journeys = ['viewActions.test', 'chat.test'];

async function tryInstalled(editor: Editor): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packaged-'));
  try {
    const extensions = path.join(folder, 'extensions');
    const places = ['--user-data-dir', path.join(folder, 'data'), '--extensions-dir', extensions];
    await runCommand(editor.node, [editor.entry, ...places, '--install-extension', packageFile], {
      purpose: 'install the package',
      timeoutMs: 120_000,
    });
    await tryMcp(extensions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `npm run test:package`: installs the packaged extension in new editors, and runs its MCP server, its demo service, and journeys in the
 * oldest supported VS Code. These windows load nothing from the repository.
 */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  if (!existsSync(packageFile)) throw new SetupError('There is no package yet: npm run package makes it.');
  const editor = await obtainEditor(floor);
  if (!isLane()) await tryInstalled(await obtainEditor(newest));
  await runJourneys(import.meta.filename, {
    kind: 'e2e',
    editor,
    requested: journeys,
    grep: undefined,
    vsix: packageFile,
  });
});
