import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Alternative } from '../../core/completion/alternatives';
import { foldAlternatives } from '../../core/completion/alternatives';
import { inert } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import { DisposableStore } from '../../platform/disposables';
import type { BesideTexts } from './besideTexts';
import { tokensText } from './factsWords';
import type { SavedAnswers } from './answerHistory';
import { createQuickPick } from '../../platform/notify';

/** Characters of a row that can be read at a glance. */
const mostChars = 90;

export interface AlternativesAsked {
  readonly answers: SavedAnswers;
  /** What accepting one does, for example "Enter inserts it". */
  readonly hint: string;
  /** A document whose language the texts get. */
  readonly like: vscode.Uri | undefined;
  /** The text that the answer would replace. */
  readonly original: string | undefined;
}

interface AlternativeItem extends vscode.QuickPickItem {
  readonly alternative: Alternative;
}

/**
 * Lets the user pick an answer. The active one is previewed below, and its button compares it with the first, or the first with the text
 * that it would replace. Resolves to `undefined` on cancel.
 */
export async function chooseAlternative(
  { answers, hint, like, original }: AlternativesAsked,
  beside: BesideTexts,
): Promise<Alternative | undefined> {
  const alternatives = foldAlternatives(answers.choices);
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<AlternativeItem>());
  const compare: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('diff'), tooltip: l10n.t('Compare') };
  Object.assign(pick, { title: titleOf(alternatives, answers), placeholder: hint, ignoreFocusOut: true });
  pick.matchOnDetail = true;
  pick.items = alternatives.map((alternative, position) => ({
    ...rowOf(alternative),
    alternative,
    buttons: position > 0 || original !== undefined ? [compare] : [],
  }));
  // The list covers the upper half of the window.
  await vscode.commands.executeCommand('workbench.action.newGroupBelow');
  const below = { viewColumn: vscode.window.tabGroups.activeTabGroup.viewColumn, preserveFocus: true, preview: true };
  const preview = beside.add(l10n.t('Alternative'), like);
  const made = [preview];
  let showing: Promise<unknown> = Promise.resolve();
  store.add(
    pick.onDidChangeActive(([item]) => {
      if (!item) return;
      beside.set(preview, item.alternative.text, { atOnce: true });
      showing = showing.then(() => vscode.window.showTextDocument(preview, below)).catch(() => undefined);
    }),
  );
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      const isFirst = item.alternative === alternatives[0];
      const left = beside.add(
        isFirst ? l10n.t('Selection') : nameOf(alternatives[0]!),
        like,
        isFirst ? original : alternatives[0]!.text,
      );
      const right = beside.add(nameOf(item.alternative), like, item.alternative.text);
      made.push(left, right);
      const title = isFirst
        ? l10n.t('Selection ↔ {0}', nameOf(item.alternative))
        : l10n.t('{0} ↔ {1}', nameOf(alternatives[0]!), nameOf(item.alternative));
      void vscode.commands.executeCommand('vscode.diff', left, right, title, below);
    }),
  );
  try {
    return await new Promise<Alternative | undefined>((resolve) => {
      store.add(pick.onDidAccept(() => resolve(pick.selectedItems[0]?.alternative)));
      store.add(pick.onDidHide(() => resolve(undefined)));
      pick.show();
    });
  } finally {
    store.dispose();
    await showing;
    await beside.close(made);
  }
}

function titleOf(alternatives: readonly Alternative[], { choices, facts }: SavedAnswers): string {
  const count = (value: number) => numberText(value, vscode.env.language);
  const words =
    alternatives.length === choices.length
      ? l10n.t('{0} alternatives', count(alternatives.length))
      : l10n.t('{0} alternatives in {1} answers', count(alternatives.length), count(choices.length));
  return `${words} · ${tokensText(facts.usage)}`;
}

function nameOf({ index }: Alternative): string {
  return l10n.t('Alternative {0}', index + 1);
}

function rowOf(alternative: Alternative): vscode.QuickPickItem {
  const { text, count, finishReasons } = alternative;
  const [first = '', ...rest] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  const lines = text.split(/\r\n|\r|\n/).length;
  return {
    label: `${alternative.index + 1}. ${first === '' ? l10n.t('(empty)') : shown(first)}`,
    description: count > 1 ? l10n.t('{0} the same', count) : '',
    detail: [
      l10n.t('{0} characters', numberText(text.length, vscode.env.language)),
      lines > 1 ? l10n.t('{0} lines', numberText(lines, vscode.env.language)) : undefined,
      ...finishReasons,
      rest.length > 0 ? shown(rest.join(' ')) : undefined,
    ]
      .filter(Boolean)
      .join(' · '),
  };
}

/** Escapes `$(name)`, which a row would draw as an icon. */
function shown(text: string): string {
  const characters = Array.from(text.trim().replaceAll(/\s+/g, ' '));
  const short = characters.length > mostChars ? `${characters.slice(0, mostChars - 1).join('')}…` : characters.join('');
  return inert(short);
}
