import { l10n } from 'vscode';
import type { ParameterName } from '../../core/conversation/chatParameters';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import { retry, step } from '../../platform/errors/errorActions';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { sentence, sentences } from '../../protocol/sentences';
import { waitTitle } from '../../platform/errors/apiErrorMessages';
import { UserError } from '../../platform/errors/userError';
import { copyUnsaved, exportUnsaved, newConversation, openHere, saveUnsaved } from './chatHandlers';
import type { ChatWords } from './chatEngine';
import { callTexts } from './tools/toolTexts';
import { foreign } from '../../core/text/foreignText';

/** The chat's own errors in the editor's display language. */
export function chatMessages(): ChatWords {
  return {
    ...callTexts(),
    answering: l10n.t('Answering'),
    emptyAnswer,
    waiting: waitTitle,
    tooManyMessages: (count, refusal) => ({
      ...refusal,
      title: l10n.t('The conversation may be too long for this service'),
      detail: l10n.t(
        'It sends {0} messages; some services take {1} at most. Start a new conversation: the question moves along. Or set the message limit to {1}: the earliest turns then go along as one. {2}',
        count,
        documentedMessageLimit,
        refusal.detail,
      ),
      actions: [
        { id: newConversation, label: l10n.t('New conversation') },
        step('messageLimitSetting'),
        ...refusal.actions,
      ],
    }),
    withoutParameter,
    cannotContinue,
    pickFirst,
    nothingAsked: () => new UserError(l10n.t('Nothing to ask'), l10n.t('Type a question first.')),
    noModel: () =>
      new UserError(l10n.t('No model chosen'), l10n.t('Choose a model below the question box, then ask again.'), [
        { id: 'refreshModels', label: l10n.t('Refresh models') },
      ]),
    stillAnswering: () =>
      new UserError(l10n.t('An answer is still coming'), l10n.t('Stop it or wait for its end, then ask again.')),
    turnGone: () =>
      new UserError(
        l10n.t('This is no longer what the conversation shows'),
        l10n.t('It went on meanwhile, maybe in another window. Open it again from the list of conversations.'),
      ),
    openElsewhere,
    newInstead,
    unsaved,
    conversationGone: () =>
      new UserError(
        l10n.t('This conversation cannot be opened'),
        l10n.t('Its file was removed, or a later version of the extension wrote it.'),
      ),
    noSuchTurn: () =>
      new UserError(
        l10n.t('This turn is not in the conversation'),
        l10n.t('The conversation changed meanwhile, maybe in another window.'),
      ),
    notWritten: (cause) =>
      new UserError(
        l10n.t('The question could not be saved'),
        l10n.t('It was not sent, because the answer would be lost too. {0}', sentence(reasonText(cause))),
        [step('showLog'), step('reportProblem')],
      ),
  };
}

const withoutParameter: ChatWords['withoutParameter'] = (name) => ({
  id: `without:${name}`,
  label: withoutLabel(name),
});

function withoutLabel(name: ParameterName): string {
  if (name === 'max_tokens') return l10n.t('Send with the default of max_tokens');
  if (name === 'prefill') return l10n.t('Send without the start of the answer');
  return l10n.t('Send without {0}', foreign(name));
}

const openElsewhere: ChatWords['openElsewhere'] = (id, where) =>
  new UserError(
    l10n.t('The conversation is open in another window'),
    where === ''
      ? l10n.t(
          'Two windows would write over each other: go on there, close that window, or open the conversation here.',
        )
      : l10n.t(
          'It is open in the window of “{0}”. Two windows would write over each other: go on there, close that window, or open the conversation here.',
          where,
        ),
    [{ id: `${openHere}${id}`, label: l10n.t('Open it here') }],
  );

const newInstead: ChatWords['newInstead'] = ({ detail, actions }) => ({
  kind: 'openElsewhere',
  title: l10n.t('This is a new conversation: the one you had here is open in another window'),
  detail,
  actions,
});

const unsaved: ChatWords['unsaved'] = ({ error, answers, tries }) => ({
  kind: 'unsaved',
  title: unsavedTitle(answers.size, tries > 0),
  detail: sentences(
    sentence(reasonText(error)),
    l10n.t('Closing or reloading the window before it is saved loses it.'),
  ),
  actions: [
    { id: saveUnsaved, label: l10n.t('Save') },
    ...(answers.size > 0 ? [{ id: copyUnsaved, label: l10n.t('Copy') }] : []),
    { id: exportUnsaved, label: l10n.t('Export…') },
  ],
});

function unsavedTitle(answers: number, isAgain: boolean): string {
  if (answers === 0)
    return isAgain ? l10n.t('The conversation is still not saved') : l10n.t('The conversation is not saved');
  if (answers === 1) return isAgain ? l10n.t('The answer is still not saved') : l10n.t('The answer is not saved');
  return isAgain ? l10n.t('The answers are still not saved') : l10n.t('The answers are not saved');
}

const cannotContinue: ChatWords['cannotContinue'] = () =>
  new UserError(
    l10n.t('This answer cannot be continued'),
    l10n.t(
      'Only one that broke off within its text can, or one whose tool calls are all decided about. Ask again instead.',
    ),
  );

const pickFirst: ChatWords['pickFirst'] = (answers) =>
  new UserError(
    l10n.t('Which answer does the conversation go on with?'),
    l10n.t(
      'Several models answered the last question, and the next one follows one of their answers. Pick it, then send again.',
    ),
    answers.map(({ tryId, model }) => ({
      id: `pick:${tryId}`,
      label: l10n.t('Continue with {0}', model.slice(model.lastIndexOf('/') + 1) || model),
    })),
  );

const emptyAnswer: ChatWords['emptyAnswer'] = () => ({
  kind: 'badResponse',
  title: l10n.t('The answer is empty'),
  detail: l10n.t(
    'The service ended the answer without a word. Mostly it is overloaded for a moment: ask again, or use another model.',
  ),
  actions: [retry()],
});
