import * as vscode from 'vscode';
import { takenFiles } from './lanes.ts';
import { leaveCounts, linePrefix, runMocha } from './mocha.ts';

/** What the editor calls in its extension host, instead of a person using it. Rejects when a test failed. */
export async function run(): Promise<void> {
  const grep = process.env['INFERENCE_DESK_GREP'];
  const counts = await runMocha(takenFiles(), {
    timeoutMs: 60_000,
    triesAgain: true,
    grep: grep === '' ? undefined : grep,
    prepare: closeEditors,
    // The editor's console trims.
    print: (lines) => console.log(`${linePrefix}${JSON.stringify(lines)}`),
  });
  leaveCounts(counts);
  if (counts.failed > 0) throw new Error(`${counts.failed} failed`);
}

/** What a file of tests left open, saved or not, is not seen by the next one. */
async function closeEditors(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
