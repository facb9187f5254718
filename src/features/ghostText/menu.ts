import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { runCommand } from '../../platform/contributions';
import { describe, runAction } from '../../platform/errors/reportError';
import { ghostWords } from './statusWords';
import type { GhostState } from './statusWords';
import { showQuickPick } from '../../platform/notify';

/** Next steps of an error that other menu entries already offer. */
const offeredElsewhere = /^(?:retry|chooseModel|useModel|showExchange)\b/;

interface Entry extends vscode.QuickPickItem {
  readonly act?: () => unknown;
}

export interface MenuActs {
  readonly setMode: (mode: 'off' | 'manual' | 'automatic') => Promise<void>;
  /** Shows the error in full, with its next steps. */
  readonly tell: (error: unknown) => void;
  readonly forgetError: () => void;
  readonly forgetRefusal: () => Promise<void>;
}

/** Shows what can be done about ghost text in its current state in the document. */
export async function showGhostMenu(state: GhostState, languageId: string | undefined, acts: MenuActs): Promise<void> {
  const { text, facts } = ghostWords(state, Date.now(), vscode.env.language);
  const chosen = await showQuickPick<Entry>(
    [...errorEntries(state, acts), ...switchEntries(state, languageId), ...settingEntries(state, acts)],
    { title: text, placeHolder: facts === '' ? l10n.t('Select a setting to change') : facts },
  );
  await chosen?.act?.();
}

function errorEntries({ failure, isSignedIn, refusedAt }: GhostState, acts: MenuActs): readonly Entry[] {
  if (!isSignedIn) {
    return [
      {
        iconPath: new vscode.ThemeIcon('sign-in'),
        label: l10n.t('Sign In'),
        act: () => runCommand('inferenceDesk.signIn'),
      },
    ];
  }
  const entries: Entry[] = [];
  if (failure) {
    const { kind, actions } = describe(failure.error);
    const fixes = actions.filter(({ id }) => !offeredElsewhere.test(id));
    for (const { id, label } of fixes) {
      entries.push({ iconPath: new vscode.ThemeIcon('lightbulb'), label, act: () => runAction(id) });
    }
    entries.push({
      iconPath: new vscode.ThemeIcon('info'),
      label: l10n.t('Description'),
      act: () => acts.tell(failure.error),
    });
    if (kind !== 'notOffered') {
      entries.push({ iconPath: new vscode.ThemeIcon('refresh'), label: l10n.t('Try Again'), act: acts.forgetError });
    }
  }
  if (refusedAt !== undefined) {
    entries.push({
      iconPath: new vscode.ThemeIcon('refresh'),
      label: l10n.t('Send Text After Cursor'),
      description: l10n.t('the model might support it now'),
      act: acts.forgetRefusal,
    });
  }
  return entries;
}

function switchEntries({ obstacle }: GhostState, languageId: string | undefined): readonly Entry[] {
  const run = (id: Parameters<typeof runCommand>[0]) => () => runCommand(id);
  const isSnoozed = obstacle?.kind === 'snoozed';
  const snooze: Entry = isSnoozed
    ? {
        iconPath: new vscode.ThemeIcon('play'),
        label: l10n.t('Resume Now'),
        act: run('inferenceDesk.ghostText.resume'),
      }
    : {
        iconPath: new vscode.ThemeIcon('bell-slash'),
        label: l10n.t('Snooze…'),
        act: run('inferenceDesk.ghostText.snooze'),
      };
  if (languageId === undefined) return [snooze];
  const language =
    obstacle?.kind === 'language' ? l10n.t('Turn On for {0}', languageId) : l10n.t('Turn Off for {0}', languageId);
  const file = obstacle?.kind === 'file' ? l10n.t('Turn On for This File') : l10n.t('Turn Off for This File');
  return [
    snooze,
    { iconPath: new vscode.ThemeIcon('symbol-file'), label: file, act: run('inferenceDesk.ghostText.toggleForFile') },
    { iconPath: new vscode.ThemeIcon('code'), label: language, act: run('inferenceDesk.ghostText.toggleForLanguage') },
  ];
}

function settingEntries({ mode, model }: GhostState, { setMode }: MenuActs): readonly Entry[] {
  const other = mode === 'automatic' ? 'manual' : 'automatic';
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      iconPath: new vscode.ThemeIcon('symbol-class'),
      label: l10n.t('Choose Model…'),
      description: model ?? '',
      act: () => runCommand('inferenceDesk.ghostText.chooseModel'),
    },
    other === 'manual'
      ? {
          iconPath: new vscode.ThemeIcon('record-keys'),
          label: l10n.t('On Request'),
          act: () => setMode('manual'),
        }
      : {
          iconPath: new vscode.ThemeIcon('zap'),
          label: l10n.t('When You Pause Typing'),
          act: () => setMode('automatic'),
        },
    {
      iconPath: new vscode.ThemeIcon('circle-slash'),
      label: l10n.t('Turn Off Inline Suggestions'),
      act: () => setMode('off'),
    },
    {
      iconPath: new vscode.ThemeIcon('gear'),
      label: l10n.t('Open Settings'),
      act: () => openSettings('inferenceDesk.ghostText'),
    },
  ];
}

async function openSettings(name: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', name);
}
