import * as vscode from 'vscode';
import type { Exchange } from '../../core/api/exchange';
import { isFailed, listCalls } from '../../core/diagnosis/listCalls';
import type { ListedCall } from '../../core/diagnosis/listCalls';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import type { ExchangeLog } from '../../services/diagnostics/diagnostics';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { listText, numberFormat } from '../../protocol/formats';

/** Returns the exchange with the requested id; without one, or if it is no longer stored, the one the person picks. */
export async function chooseExchange(
  { recent }: ExchangeLog,
  title: string,
  asked: unknown,
): Promise<Exchange | undefined> {
  const named = typeof asked === 'string';
  const found = named ? recent.find(({ id }) => id === asked) : undefined;
  if (found) return found;
  const answer = await askPick({
    title,
    placeholder:
      recent.length === 0
        ? vscode.l10n.t('Nothing was exchanged with a service since this window opened.')
        : named
          ? vscode.l10n.t(
              'That one is no longer kept: only the last ones are, until the window closes. These are kept:',
            )
          : vscode.l10n.t('The last exchanges, failed ones first'),
    canGoBack: false,
    canFilter: true,
    items: exchangeItems(recent),
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function exchangeItems(recent: readonly Exchange[]): readonly PickItem<Exchange>[] {
  const listed = listCalls(recent);
  const group = (label: string, calls: readonly ListedCall[]): readonly PickItem<Exchange>[] =>
    calls.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...calls.map(exchangeItem)];
  const failed = listed.filter(({ call }) => isFailed(call));
  return [
    ...group(vscode.l10n.t('Failed'), failed),
    ...group(failed.length > 0 ? vscode.l10n.t('Others') : '', listed.slice(failed.length)),
  ];
}

function exchangeItem({ call: exchange, repeats }: ListedCall): PickItem<Exchange> {
  const { method, path, at, response, errorKind, durationMs, model } = exchange;
  const outcome = response === undefined ? vscode.l10n.t('no answer') : String(response.status);
  const age = ageWords(at, Date.now(), vscode.env.language);
  const took = numberFormat(vscode.env.language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  return {
    label: `${method} ${path}`,
    iconPath: new vscode.ThemeIcon(errorKind === undefined ? 'check' : 'error'),
    description: model ?? '',
    detail: listText(
      [
        outcome,
        took.format(durationMs),
        age,
        ...(repeats === 0 ? [] : [vscode.l10n.t('{0} more before it', numberText(repeats, vscode.env.language))]),
      ],
      vscode.env.language,
    ),
    value: exchange,
  };
}
