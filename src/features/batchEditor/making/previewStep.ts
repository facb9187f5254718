import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { askPick } from '../../../platform/quickInput';
import type { StepResult } from '../../../platform/quickInput';
import type { VirtualDocuments } from '../../../platform/virtualDocuments';
import { chooseTarget, freePath } from '../../../platform/workspace/writeTarget';
import type { Target } from '../../../platform/workspace/writeTarget';
import { foreign } from '../../../core/text/foreignText';

interface PreviewStep {
  readonly title: string;
  readonly lines: readonly string[];
  readonly suggested: string;
  readonly previews: VirtualDocuments;
}

/** Previews the first lines and asks where to write the file. Back returns to the recipe. Closes the preview at the end. */
export async function askWrite({ title, lines, suggested, previews }: PreviewStep): Promise<StepResult<Target>> {
  const free = await freePath(suggested);
  const uri = previews.add(l10n.t('First requests of {0}', foreign(path.basename(free))), `${lines.join('\n')}\n`);
  await showBelow(uri);
  try {
    for (;;) {
      const answer = await askPick<'free' | 'other' | 'change' | 'cancel'>({
        title,
        placeholder: l10n.t('These are the first requests. Write the file?'),
        canGoBack: true,
        items: [
          {
            label: l10n.t('Write the file'),
            description: path.basename(free),
            detail: path.dirname(free),
            iconPath: new vscode.ThemeIcon('save'),
            value: 'free',
          },
          { label: l10n.t('Write to…'), iconPath: new vscode.ThemeIcon('save-as'), value: 'other' },
          { label: l10n.t('Change…'), iconPath: new vscode.ThemeIcon('edit'), value: 'change' },
          { label: l10n.t('Cancel'), iconPath: new vscode.ThemeIcon('close'), value: 'cancel' },
        ],
      });
      if (answer.kind !== 'value') return answer;
      if (answer.value === 'change') return { kind: 'back' };
      if (answer.value === 'cancel') return { kind: 'cancelled' };
      if (answer.value === 'free') return { kind: 'value', value: { target: free, replace: false } };
      const chosen = await chooseTarget(title, free);
      if (chosen) return { kind: 'value', value: chosen };
    }
  } finally {
    await closeTab(uri);
  }
}

/** Opens in a group below, where the quick pick at the top does not cover it. Long request lines are wrapped. */
async function showBelow(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.commands.executeCommand('workbench.action.newGroupBelow');
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Active, preview: true });
  const wrapping = vscode.workspace.getConfiguration('editor', document).get<string>('wordWrap');
  if (wrapping === 'off') await vscode.commands.executeCommand('editor.action.toggleWordWrap');
}

async function closeTab(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}
