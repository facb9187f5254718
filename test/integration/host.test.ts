import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { hiddenBeside } from '../../src/core/storage/temporaryFiles';

describe('the extension in the test host', () => {
  it('is built, in the current version', () => {
    const extension = vscode.extensions.getExtension('inference-desk.inference-desk');
    assert.ok(extension);
    assert.equal(extension.extensionUri.fsPath, process.env['INFERENCE_DESK_ROOT']);
  });

  it('hides files that the extension is still writing, also from users with their own files.exclude', async () => {
    const folder = await mkdtemp(path.join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'writing-'));
    const files = vscode.workspace.getConfiguration('files');
    try {
      await files.update('exclude', { '**/*.own': true }, vscode.ConfigurationTarget.Global);
      const written = [hiddenBeside(path.join(folder, 'a')), path.join(folder, `.${randomUUID()}-0.download`)];
      for (const file of [...written, ...['a.own', 'a.tmp', 'a.download', '.a'].map((name) => path.join(folder, name))])
        await writeFile(file, '');
      // Like the Explorer, this leaves out what files.exclude names.
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, '**'));
      assert.deepEqual(found.map(({ fsPath }) => path.basename(fsPath)).toSorted(), ['.a', 'a.download', 'a.tmp']);
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Global);
      await rm(folder, { recursive: true });
    }
  });
});
