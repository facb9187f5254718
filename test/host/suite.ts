import * as vscode from 'vscode';
import { settingDefaults, type SettingName } from '../../src/platform/contributions.ts';
import { takenFiles } from './lanes.ts';
import { leaveCounts, linePrefix, runMocha } from './mocha.ts';

/** What the editor calls in its extension host, instead of a person using it. Rejects when a test failed. */
export async function run(): Promise<void> {
  const grep = process.env['INFERENCE_DESK_GREP'];
  const counts = await runMocha(takenFiles(), {
    timeoutMs: 120_000,
    grep: grep === '' ? undefined : grep,
    prepare: leaveNothing,
    // The editor's console trims.
    print: (lines) => console.log(`${linePrefix}${JSON.stringify(lines)}`),
  });
  leaveCounts(counts);
  if (counts.failed > 0) throw new Error(`${counts.failed} failed`);
}

/** What a file of tests left open, saved or not, or set is not seen by the next one: which that is differs from run to run. */
async function leaveNothing(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await unsetSettings();
}

/** Not the accounts, whose keys go with them, and not the status bar, which files turn off as they begin: each write takes a fifth of a second. */
async function unsetSettings(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('inferenceDesk');
  for (const name of Object.keys(settingDefaults) as SettingName[]) {
    if (name === 'profiles' || name === 'statusBar.show') continue;
    if (settings.inspect(name)?.globalValue !== undefined)
      await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}
