import { env, l10n } from 'vscode';
import { documentedMessageLimit } from '../../core/conversation/requestMessages';
import type { Usage } from '../../core/usage/usage';
import { retry, step } from '../../platform/errorActions';
import { waitTitle } from '../../platform/limitWords';
import { UserError } from '../../platform/userError';
import { newConversation } from './chatHandlers';
import type { ChatWords } from './chatSessionOptions';

/** The chat's own errors in the editor's display language. */
export function chatWords(): ChatWords {
  return {
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
        l10n.t(
          'It was not sent, because the answer would be lost too. The disk may be full or read-only: {0}',
          cause instanceof Error ? cause.message : String(cause),
        ),
        [step('showLog')],
      ),
  };
}

/** Says that nothing more is sent today. The figures are tokens. */
export function budgetUsedUp({ inputTokens, outputTokens }: Usage, hard: number): UserError {
  const number = new Intl.NumberFormat(env.language);
  return new UserError(
    l10n.t('The token budget of today is used up'),
    l10n.t(
      '{0} of {1} tokens were used with this profile today, so nothing was sent. It starts anew at midnight, or change the budget.',
      number.format(inputTokens + outputTokens),
      number.format(hard),
    ),
    [step('budgetSetting')],
  );
}

const withoutParameter: ChatWords['withoutParameter'] = (name) => ({
  id: `without:${name}`,
  label: name === 'max_tokens' ? l10n.t('Send with the default of max_tokens') : l10n.t('Send without {0}', name),
});

const cannotContinue: ChatWords['cannotContinue'] = () =>
  new UserError(
    l10n.t('This answer cannot be continued'),
    l10n.t('Only one that broke off within its text can. Ask again instead.'),
  );

const emptyAnswer: ChatWords['emptyAnswer'] = () => ({
  kind: 'badResponse',
  title: l10n.t('The answer is empty'),
  detail: l10n.t(
    'The service ended the answer without a word. Mostly it is overloaded for a moment: ask again, or use another model.',
  ),
  actions: [retry()],
});
