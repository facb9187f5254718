import * as vscode from 'vscode';
import type { Exchange } from '../../core/api/exchange';
import { ageWords } from '../../platform/age';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { Feature, Services } from '../../services';

/** The log, and the raw exchanges behind its lines. */
export const exchangesFeature: Feature = (services) => {
  const store = new DisposableStore();
  store.add(registerCommand(services, 'inferenceDesk.showLog', () => services.log.show(true)));
  store.add(registerCommand(services, 'inferenceDesk.showExchange', (asked) => showExchange(services, asked)));
  return store;
};

async function showExchange({ exchanges }: Pick<Services, 'exchanges'>, asked: unknown): Promise<void> {
  if (typeof asked === 'string' && (await exchanges.show(asked))) return;
  const isGone = typeof asked === 'string';
  const answer = await askPick({
    title: vscode.l10n.t('Show exchange'),
    placeholder:
      exchanges.recent.length === 0
        ? vscode.l10n.t('Nothing was exchanged with a service since this window opened.')
        : isGone
          ? vscode.l10n.t(
              'That one is no longer kept: only the last ones are, until the window closes. These are kept:',
            )
          : vscode.l10n.t('The last exchanges, newest first'),
    canGoBack: false,
    canFilter: true,
    items: exchanges.recent.map(exchangeItem),
  });
  if (answer.kind === 'value') await exchanges.show(answer.value);
}

function exchangeItem({ id, method, path, at, response, errorKind, durationMs, model }: Exchange): PickItem<string> {
  const outcome = response === undefined ? vscode.l10n.t('no answer') : String(response.status);
  const age = ageWords(at, Date.now(), vscode.env.language);
  return {
    label: `${method} ${path}`,
    iconPath: new vscode.ThemeIcon(errorKind === undefined ? 'check' : 'error'),
    description: model ?? '',
    detail: `${outcome}, ${Math.round(durationMs)} ms, ${age}`,
    value: id,
  };
}
