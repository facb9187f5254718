import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ageWords } from '../../../platform/age';
import { commandTitle } from '../../../platform/contributions';
import { askPick } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import type { RerankSourceKind } from '../../../protocol/rerank';
import type { EarlierPage } from '../logic/rerankStore';

export type ChosenSource =
  | { readonly kind: 'source'; readonly source: RerankSourceKind }
  | { readonly kind: 'page'; readonly id: string }
  | { readonly kind: 'ratings' };

const mostEarlier = 10;

/** Asks what to rank, offering earlier rankings and, if there are any, the relevance ratings too. `undefined` on cancel. */
export async function askSource(
  editor: vscode.TextEditor | undefined,
  earlier: readonly EarlierPage[],
  hasRatings: boolean,
): Promise<ChosenSource | undefined> {
  const answer = await askPick<ChosenSource>({
    title: l10n.t('Rerank'),
    placeholder: l10n.t('Select what to rank'),
    items: [...sources(editor), ...earlierItems(earlier), ...(hasRatings ? ratingsItems() : [])],
    canGoBack: false,
    canFilter: true,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

function sources(editor: vscode.TextEditor | undefined): readonly PickItem<ChosenSource>[] {
  const item = (source: RerankSourceKind, icon: string, label: string, detail?: string): PickItem<ChosenSource> => ({
    iconPath: new vscode.ThemeIcon(icon),
    label,
    ...(detail !== undefined && { description: detail }),
    value: { kind: 'source', source },
  });
  const name = editor && vscode.workspace.asRelativePath(editor.document.uri);
  const hasSelection = editor?.selections.some(({ isEmpty }) => !isEmpty) ?? false;
  return [
    ...(hasSelection ? [item('selection', 'list-selection', l10n.t('Selection'), name)] : []),
    ...(editor ? [item('file', 'file', l10n.t('Active File'), name)] : []),
    item('tabs', 'files', l10n.t('Open Tabs')),
    item('files', 'folder-opened', l10n.t('Files…')),
    item('search', 'search', l10n.t('Text Search…'), l10n.t('matches in your workspace')),
    item('problems', 'warning', l10n.t('Problems')),
    item('clipboard', 'clippy', l10n.t('Clipboard')),
  ];
}

function ratingsItems(): readonly PickItem<ChosenSource>[] {
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      iconPath: new vscode.ThemeIcon('thumbsup'),
      label: commandTitle('inferenceDesk.rerank.openJudgements'),
      value: { kind: 'ratings' },
    },
  ];
}

function earlierItems(earlier: readonly EarlierPage[]): readonly PickItem<ChosenSource>[] {
  if (earlier.length === 0) return [];
  return [
    { label: l10n.t('Recent Rankings'), kind: vscode.QuickPickItemKind.Separator },
    ...earlier.slice(0, mostEarlier).map(({ id, title, query, at }) => ({
      iconPath: new vscode.ThemeIcon('history'),
      label: query,
      description: title,
      detail: ageWords(at, Date.now(), vscode.env.language),
      value: { kind: 'page', id } as const,
    })),
  ];
}
