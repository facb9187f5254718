import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../../platform/displayText';
import { createQuickPick } from '../../../platform/notify';

export interface ModelsToAsk {
  /** Says what the model is for. */
  readonly title: string;
  /** The number of requests in the file for each model. */
  readonly requested: ReadonlyMap<string, number>;
  /** Ids to offer besides, best first. */
  readonly offered: readonly string[];
}

interface ModelItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** Asks for one model: one from the file, one from the list, or any typed id. `undefined` if canceled. */
export function askModel({ title, requested, offered }: ModelsToAsk): Promise<string | undefined> {
  const pick = createQuickPick<ModelItem>();
  const known = [
    ...[...requested]
      .toSorted(([, a], [, b]) => b - a)
      .map(([id, count]) => ({ id, label: id, description: usesText(count) })),
    ...offered.filter((id) => !requested.has(id)).map((id) => ({ id, label: id })),
  ];
  const items = (typed: string): readonly ModelItem[] => {
    if (typed === '' || known.some(({ id }) => id === typed)) return known;
    return [...known, { id: typed, label: typed, description: l10n.t('use this ID'), alwaysShow: true }];
  };
  pick.title = title;
  pick.placeholder = l10n.t('Model ID');
  pick.items = items('');
  return new Promise<string | undefined>((resolve) => {
    pick.onDidChangeValue((value) => void (pick.items = items(value.trim())));
    pick.onDidAccept(() => {
      // A fast typist accepts before the typed id is in the list.
      resolve(pick.selectedItems[0]?.id ?? (pick.value.trim() || undefined));
      pick.hide();
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

function usesText(count: number): string {
  return count === 1
    ? l10n.t('used by 1 request')
    : l10n.t('used by {0} requests', numberText(count, vscode.env.language));
}
