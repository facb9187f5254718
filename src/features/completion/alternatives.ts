import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Completion } from '../../core/api/completions/completionEvents';
import { toUsage, usageOf } from '../../core/usage/usageOf';
import { ageWords } from '../../platform/age';
import { UserError } from '../../platform/errors/userError';
import { chooseAlternative } from './alternativesPick';
import type { Asked } from './asking';
import type { BesideTexts } from './besideTexts';
import type { Delivered, Delivery } from './delivery';
import { tellShortly } from './endings';
import { factsOf } from './factsWords';
import type { AnswerHistory, SavedAnswers } from './answerHistory';
import { isWritable, insertionPointAfter } from './insertionPoints';
import type { InsertionPoint } from './insertionPoints';
import type { Way } from './prompts';
import { rangeOf } from './trackedRange';

/** Several answers to one request, of which the user picks one. */
export interface Alternatives {
  /** Delivers the answer the user picks. `false` on cancel. */
  choose(came: Omit<Delivered, 'choice'>, way: Way): Promise<boolean>;
  /** Lets the user pick from the last answers, for the cursor of the active editor. */
  showLast(): Promise<void>;
}

export function createAlternatives(shelf: AnswerHistory, beside: BesideTexts, delivery: Delivery): Alternatives {
  return {
    async choose(came, way) {
      const { place, asked } = came;
      const { document, span } = place;
      const selection = span && way === 'replace' ? document.getText(rangeOf(document, span)) : undefined;
      const chosen = await chooseAlternative(
        {
          answers: keptOf(place, asked.answer, asked),
          hint: hintOf(way),
          like: document.uri,
          original: selection,
        },
        beside,
      );
      if (!chosen) {
        tellShortly(l10n.t('The alternatives are kept: "Complete: Show Last Alternatives" brings them back.'));
        return false;
      }
      const choice = asked.answer.choices.find(({ index }) => index === chosen.index);
      if (!choice) return false;
      if (way === 'beside') await delivery.showBeside({ ...came, choice });
      else await delivery.write([{ ...came, choice }]);
      return true;
    },
    async showLast() {
      const answers = await shelf.read();
      if (!answers || answers.choices.length === 0) throw noneKept();
      const editor = vscode.window.activeTextEditor;
      const way: Way = editor && isWritable(editor.document) ? 'insert' : 'beside';
      const age = ageWords(answers.at, Date.now(), vscode.env.language);
      const document = editor?.document ?? (await vscode.workspace.openTextDocument({ content: '' }));
      const place = insertionPointAfter(document, editor ? document.offsetAt(editor.selection.end) : 0, answers.prompt);
      try {
        const like = editor?.document.uri;
        const asked = { answers, hint: `${hintOf(way)} · ${age}`, like, original: undefined };
        const chosen = await chooseAlternative(asked, beside);
        const choice = answers.choices.find(({ index }) => index === chosen?.index);
        if (!choice) return;
        const delivered = { place, choice, asked: askedOf(answers) };
        if (way === 'beside') await delivery.showBeside(delivered);
        else await delivery.write([delivered]);
      } finally {
        place.dispose();
      }
    },
  };
}

/** Returns the answers in the form that is saved; without `asked`, they are still streaming. */
export function keptOf(place: InsertionPoint, answer: Completion, asked?: Asked): SavedAnswers {
  const coming: Asked = {
    usage: toUsage(usageOf('completions', place, answer)),
    end: 'stopped',
    ms: 0,
    exchangeId: undefined,
    request: { model: answer.model ?? '', prompt: place.prompt },
    answer,
  };
  const facts = factsOf(asked ?? coming, { finish: undefined, isPromptCut: place.isCut });
  return { at: Date.now(), prompt: place.prompt, choices: answer.choices, facts };
}

/** Returns saved answers as if they had just been received. */
function askedOf({ prompt, choices, facts }: SavedAnswers): Asked {
  const { model, fingerprint, seed, usage, end, ms, exchangeId } = facts;
  return {
    request: { model, prompt, ...(seed !== undefined && { seed }) },
    answer: { model, choices, usage: {}, ...(fingerprint !== undefined && { system_fingerprint: fingerprint }) },
    usage,
    end,
    ms,
    exchangeId,
  };
}

function hintOf(way: Way): string {
  switch (way) {
    case 'insert':
      return l10n.t('Enter inserts the one that is looked at');
    case 'replace':
      return l10n.t('Enter replaces the selection by the one that is looked at');
    case 'beside':
      return l10n.t('Enter keeps the one that is looked at open beside');
  }
}

function noneKept(): UserError {
  return new UserError(
    l10n.t('No completion came yet'),
    l10n.t('Run one of the Complete commands. The answers of the last one are kept, also over a reload.'),
  );
}
