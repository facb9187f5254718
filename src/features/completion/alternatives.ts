import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Completion } from '../../core/api/completions/completionEvents';
import { toUsage, usageOf } from '../../core/usage/usageOf';
import { ageWords } from '../../platform/age';
import { UserError } from '../../platform/errors/userError';
import type { CompletionAnswer } from './asking';
import type { BesideTexts } from './besideTexts';
import type { Delivered, Delivery } from './delivery';
import { tellShortly } from './endings';
import { factsOf, tokensText } from './factsWords';
import type { AnswerHistory, SavedAnswers } from './logic/answerHistory';
import { isWritable, insertionPointAfter } from './insertionPoints';
import type { InsertionPoint, Way } from './insertionPoints';
import { rangeOf } from './trackedRange';
import { foldAlternatives } from '../../core/completion/alternatives';
import type { Alternative } from '../../core/completion/alternatives';
import { inert } from '../../core/text/foreignText';
import { numberText } from '../../platform/displayText';
import { DisposableStore } from '../../platform/disposables';
import { createQuickPick } from '../../platform/notify';
import { commandTitle } from '../../platform/contributions';

/** Several answers to one request, of which the user picks one. */
export interface Alternatives {
  /** Delivers the answer the user picks. `false` on cancel. */
  choose(came: Omit<Delivered, 'choice'>, way: Way): Promise<boolean>;
  /** Lets the user pick from the last answers, for the cursor of the active editor. */
  showLast(): Promise<void>;
}

export function createAlternatives(history: AnswerHistory, beside: BesideTexts, delivery: Delivery): Alternatives {
  return {
    async choose(came, way) {
      const { place, completion } = came;
      const { document, span } = place;
      const selection = span && way === 'replace' ? document.getText(rangeOf(document, span)) : undefined;
      const chosen = await chooseAlternative(
        {
          answers: savedAnswersOf(place, completion.answer, completion),
          hint: hintOf(way),
          like: document.uri,
          original: selection,
        },
        beside,
      );
      if (!chosen) {
        tellShortly(
          l10n.t('To see the completions again, run "{0}".', commandTitle('inferenceDesk.complete.alternatives')),
        );
        return false;
      }
      const choice = completion.answer.choices.find(({ index }) => index === chosen.index);
      if (!choice) return false;
      if (way === 'beside') await delivery.showBeside({ ...came, choice });
      else await delivery.write([{ ...came, choice }]);
      return true;
    },
    async showLast() {
      const answers = await history.read();
      if (!answers || answers.choices.length === 0) throw noneSaved();
      const editor = vscode.window.activeTextEditor;
      const way: Way = editor && isWritable(editor.document) ? 'insert' : 'beside';
      const age = ageWords(answers.at, Date.now(), vscode.env.language);
      const document = editor?.document ?? (await vscode.workspace.openTextDocument({ content: '' }));
      const place = insertionPointAfter(document, editor ? document.offsetAt(editor.selection.end) : 0, answers.prompt);
      try {
        const like = editor?.document.uri;
        const request = { answers, hint: `${hintOf(way)} · ${age}`, like, original: undefined };
        const chosen = await chooseAlternative(request, beside);
        const choice = answers.choices.find(({ index }) => index === chosen?.index);
        if (!choice) return;
        const delivered = { place, choice, completion: completionOf(answers) };
        if (way === 'beside') await delivery.showBeside(delivered);
        else await delivery.write([delivered]);
      } finally {
        place.dispose();
      }
    },
  };
}

/** Returns the answers in the form that is saved; without `asked`, they are still streaming. */
export function savedAnswersOf(place: InsertionPoint, answer: Completion, completion?: CompletionAnswer): SavedAnswers {
  const coming: CompletionAnswer = {
    usage: toUsage(usageOf('completions', place, answer)),
    end: 'stopped',
    ms: 0,
    exchangeId: undefined,
    traceId: undefined,
    request: { model: answer.model ?? '', prompt: place.prompt },
    answer,
  };
  const facts = factsOf(completion ?? coming, { finish: undefined, isPromptCut: place.isCut });
  return { at: Date.now(), prompt: place.prompt, choices: answer.choices, facts };
}

/** Returns saved answers as if they had just been received. */
function completionOf({ prompt, choices, facts }: SavedAnswers): CompletionAnswer {
  const { model, requestedModel = model, completionId, fingerprint, seed, usage, end, ms, exchangeId, traceId } = facts;
  const id = completionId === undefined ? {} : { id: completionId };
  return {
    request: { model: requestedModel, prompt, ...(seed !== undefined && { seed }) },
    answer: { ...id, model, choices, usage: {}, ...(fingerprint !== undefined && { system_fingerprint: fingerprint }) },
    usage,
    end,
    ms,
    exchangeId,
    traceId,
  };
}

function hintOf(way: Way): string {
  switch (way) {
    case 'insert':
      return l10n.t('Press Enter to insert the previewed completion');
    case 'replace':
      return l10n.t('Press Enter to replace the selection');
    case 'beside':
      return l10n.t('Press Enter to keep the completion open');
  }
}

function noneSaved(): UserError {
  return new UserError(l10n.t('No completions yet'), l10n.t('Run Complete Text first.'));
}

/** Characters of a row that can be read at a glance. */
const mostChars = 90;

interface AlternativesRequest {
  readonly answers: SavedAnswers;
  /** The effect of accepting one, for example "Enter inserts it". */
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
async function chooseAlternative(
  { answers, hint, like, original }: AlternativesRequest,
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
      ? l10n.t('Alternatives: {0}', count(alternatives.length))
      : l10n.t('Alternatives: {0} in {1} completions', count(alternatives.length), count(choices.length));
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
    description: count > 1 ? l10n.t('{0} identical', count) : '',
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
