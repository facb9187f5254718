import { equal } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { collectGarbage } from '../../support/collectGarbage';
import { deskServices } from '../../support/deskServices';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

// Among the first tests, because VS Code keeps documents that tests before it opened as an extension, and with them what refers to others.
describe('a closed file', () => {
  const folder = setUpFolder();
  before(async () => {
    await deskServices();
  });

  it('is released', async () => {
    const openAndClose = async (name: string) => {
      await writeFile(folder.in(name), 'A text that is as large as files of requests are');
      const uri = vscode.Uri.file(folder.in(name));
      await vscode.commands.executeCommand('vscode.open', uri);
      const document = vscode.window.activeTextEditor?.document;
      equal(document?.uri.toString(), uri.toString());
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      return new WeakRef(document!);
    };
    const closed = await openAndClose('closed.txt');
    await until(() => {
      collectGarbage();
      return closed.deref() ? undefined : true;
    }, 'the end of the closed document');
  });
});
