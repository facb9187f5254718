import type * as vscode from 'vscode';
import { l10n, ThemeIcon } from 'vscode';
import { showQuickPick } from '../../platform/notify';

export type OnMode = 'manual' | 'automatic';

/** Asks when ghost text should appear; `undefined` if the person cancels. */
export async function askForMode(): Promise<OnMode | undefined> {
  const chosen = await showQuickPick<vscode.QuickPickItem & { readonly mode: OnMode }>(
    [
      {
        mode: 'manual',
        iconPath: new ThemeIcon('record-keys'),
        label: l10n.t('Only when asked for'),
        description: 'Alt+\\',
        detail: l10n.t('One request each time you ask.'),
      },
      {
        mode: 'automatic',
        iconPath: new ThemeIcon('zap'),
        label: l10n.t('At each pause in typing'),
        detail: l10n.t('Many requests an hour, each with the text around the cursor.'),
      },
    ],
    { title: l10n.t('Ghost text: paid requests with your own key'), placeHolder: l10n.t('When shall it come?') },
  );
  return chosen?.mode;
}

/** Returns minutes; `Infinity`: until the window reloads. `undefined` if the person cancels. */
export async function askForSnooze(): Promise<number | undefined> {
  const times = [5, 15, 60].map((minutes) => ({ minutes, label: l10n.t('For {0} minutes', minutes) }));
  const chosen = await showQuickPick(
    [...times, { minutes: Infinity, label: l10n.t('Until this window starts anew') }],
    { title: l10n.t('Snooze ghost text') },
  );
  return chosen?.minutes;
}
