import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { factsList, isCutShort } from './factsWords';
import type { NumberedResult } from './results';

export type FactsAction = 'goOn' | 'exchange' | 'copy' | 'hide' | 'none';

/** Shows everything known about an answer. Resolves to the action the user picks. */
export async function showFactsPick({ facts }: NumberedResult): Promise<FactsAction> {
  const action = (value: FactsAction, icon: string, label: string): PickItem<FactsAction> => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    value,
  });
  const items: readonly PickItem<FactsAction>[] = [
    ...(isCutShort(facts) ? [action('goOn', 'debug-continue', l10n.t('Go On'))] : []),
    action('copy', 'copy', l10n.t('Copy Answer')),
    ...(facts.exchangeId === undefined ? [] : [action('exchange', 'arrow-swap', l10n.t('Show exchange'))]),
    action('hide', 'eye-closed', l10n.t('Hide Facts')),
    { label: l10n.t('Facts'), kind: vscode.QuickPickItemKind.Separator },
    ...factsList(facts).flatMap(([label, value]): PickItem<FactsAction>[] =>
      value === undefined ? [] : [{ label, description: value, value: 'none' }],
    ),
  ];
  const answer = await askPick<FactsAction>({
    title: l10n.t('Facts of the Answer'),
    placeholder: l10n.t('What to do with it'),
    canGoBack: false,
    canFilter: true,
    items,
  });
  return answer.kind === 'value' ? answer.value : 'none';
}
