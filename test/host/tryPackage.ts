import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCommand, runMain, SetupError } from './command.ts';
import { isLane } from './lanes.ts';
import { runJourneys } from './journeys.ts';
import { newest, obtainEditor, type Editor } from './obtain.ts';
import { packageFile } from './places.ts';
import { tryMcp } from './tryMcp.ts';

/** Journeys that between them load the greatest part of what is in the package. */
const journeys = ['chat.test', 'batchAnswers.test', 'images.test'];

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
 * `npm run test:package`: the packaged extension, installed in fresh editors. Its MCP server and its demo service run, and journeys
 * are made with it; nothing of the repository is loaded into those windows.
 */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  if (!existsSync(packageFile)) throw new SetupError('There is no package yet: npm run package makes it.');
  const editor = await obtainEditor(newest);
  if (!isLane()) await tryInstalled(editor);
  await runJourneys(import.meta.filename, {
    kind: 'e2e',
    editor,
    requested: journeys,
    grep: undefined,
    vsix: packageFile,
  });
});
