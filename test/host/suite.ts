import * as vscode from 'vscode';
import { settingDefaults, type SettingName } from '../../src/platform/contributions.ts';
import { takenFiles } from './lanes.ts';
import { leaveCounts, linePrefix, runMocha } from './mocha.ts';

/** The entry point that VS Code calls in its extension host. Rejects if a test failed. */
export async function run(): Promise<void> {
  const grep = process.env['INFERENCE_DESK_GREP'];
  const counts = await runMocha(takenFiles(), {
    timeoutMs: 120_000,
    grep: grep === '' ? undefined : grep,
    prepare: leaveNothing,
    // VS Code's console trims lines.
    print: (lines) => console.log(`${linePrefix}${JSON.stringify(lines)}`),
  });
  leaveCounts(counts);
  if (counts.failed > 0) throw new Error(`${counts.failed} failed`);
}

/** Closes editors, saved or not, and resets settings after a test file, so that the next one, which varies, isn't affected. */
async function leaveNothing(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await unsetSettings();
}

/**
 * Resets settings, except for the accounts, whose keys would be removed, and the status bar, which files turn off when they begin. Each
 * write takes a fifth of a second.
 */
async function unsetSettings(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('inferenceDesk');
  for (const name of Object.keys(settingDefaults) as SettingName[]) {
    if (name === 'profiles' || name === 'statusBar.show') continue;
    if (settings.inspect(name)?.globalValue !== undefined)
      await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
}
