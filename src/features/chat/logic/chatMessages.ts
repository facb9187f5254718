import * as l10n from '@vscode/l10n';
import { thoughtOnlyKind } from '../../../core/conversation/requestMessages';
import type { ParameterName } from '../../../core/conversation/chatParameters';
import type { Unsaved } from '../../../core/conversation/conversationFolder';
import { retry, step } from '../../../platform/errors/errorActions';
import { reasonText } from '../../../platform/errors/fileErrorMessages';
import { sentence, sentences } from '../../../protocol/sentences';
import type { WireAction, WireError } from '../../../protocol/wire';
import { UserError } from '../../../platform/errors/userError';
import { foreign } from '../../../core/text/foreignText';

/** Id of the action that leaves a conversation that is too long. */
export const newConversation = 'newConversation';

/** Id of the action that sends tool calls to a model as text from now on. */
export const withoutCalls = 'withoutToolCalls';

/** Ids of the actions for content that could not be saved to disk. */
export const saveUnsaved = 'saveUnsaved';
export const copyUnsaved = 'copyUnsaved';
export const exportUnsaved = 'exportUnsaved';

/** Prefix of the id of the action that takes a conversation over from another window. */
export const openHere = 'openHere:';

export function noQuestion(): UserError {
  return new UserError(l10n.t('No question'), l10n.t('Type a question first.'));
}

export function stillAnswering(): UserError {
  return new UserError(l10n.t('A response is in progress'), l10n.t('Stop the response, or wait until it ends.'));
}

/** What the user acted on is no longer there. */
export function turnGone(): UserError {
  return new UserError(l10n.t('The conversation has changed'), l10n.t('Reopen the conversation from the list.'));
}

export function noSuchTurn(): UserError {
  return new UserError(l10n.t('This turn no longer exists'), l10n.t('The conversation has changed in another window.'));
}

export function conversationGone(): UserError {
  return new UserError(
    l10n.t("Couldn't open the conversation"),
    l10n.t('The file is missing or from a newer version of Inference Desk.'),
  );
}

export function cannotContinue(): UserError {
  return new UserError(
    l10n.t("Couldn't continue the response"),
    l10n.t(
      "You can continue only incomplete responses and tool calls that you've allowed or denied. Regenerate this response instead.",
    ),
  );
}

/** `cause` is the disk's error. */
export function notWritten(cause: unknown): UserError {
  return new UserError(
    l10n.t("Couldn't save the question"),
    l10n.t("The question wasn't sent because responses can't be saved. {0}", sentence(reasonText(cause))),
    [step('showLog'), step('reportProblem')],
  );
}

/** An action that sends without a parameter the service refused. */
export function withoutParameter(name: ParameterName): WireAction {
  return { id: `without:${name}`, label: withoutLabel(name) };
}

/** The service refused a request, most likely because it has too many messages. */
export function tooManyMessages(count: number, limit: number, refusal: WireError): WireError {
  return {
    ...refusal,
    title: l10n.t('The conversation might be too long'),
    detail: l10n.t(
      'The request has {0} messages. Some services accept only {1}. Start a new conversation, or set the message limit to {1}. {2}',
      count,
      limit,
      refusal.detail,
    ),
    actions: [
      { id: newConversation, label: l10n.t('New Conversation') },
      step('messageLimitSetting'),
      ...refusal.actions,
    ],
  };
}

/** An action that continues with a history without tool calls, and without tools. */
export function continueWithoutCalls(): WireAction {
  return { id: withoutCalls, label: l10n.t('Continue with Tool Calls as Text') };
}

function withoutLabel(name: ParameterName): string {
  if (name === 'max_tokens') return l10n.t('Send with Default max_tokens');
  if (name === 'prefill') return l10n.t('Send Without Prefilled Response');
  return l10n.t('Send Without {0}', foreign(name));
}

/** Another window has the conversation open; `where` is that window's name, or empty. */
export function openElsewhere(id: string, where: string): UserError {
  return new UserError(
    l10n.t('The conversation is open in another window'),
    where === ''
      ? l10n.t('Continue there, or open it here.')
      : l10n.t('The conversation is open in the window of "{0}". Continue there, or open it here.', where),
    [{ id: `${openHere}${id}`, label: l10n.t('Open Here') }],
  );
}

/** Reports that a new conversation is shown for this reason. */
export function newInstead({ detail, actions }: UserError): WireError {
  return {
    kind: 'openElsewhere',
    title: l10n.t('Started a new conversation because the previous one is open in another window'),
    detail,
    actions,
  };
}

/** Part of a conversation is only in memory. */
export function notSaved({ error, answers, tries }: Unsaved): WireError {
  return {
    kind: 'unsaved',
    title: unsavedTitle(answers.size, tries > 0),
    detail: sentences(sentence(reasonText(error)), l10n.t('Unsaved text is lost when this window closes.')),
    actions: [
      { id: saveUnsaved, label: l10n.t('Save') },
      ...(answers.size > 0 ? [{ id: copyUnsaved, label: l10n.t('Copy') }] : []),
      { id: exportUnsaved, label: l10n.t('Export…') },
    ],
  };
}

function unsavedTitle(answers: number, isAgain: boolean): string {
  if (answers === 0)
    return isAgain ? l10n.t("The conversation still isn't saved") : l10n.t("The conversation isn't saved");
  if (answers === 1) return isAgain ? l10n.t("The response still isn't saved") : l10n.t("The response isn't saved");
  return isAgain ? l10n.t("The responses still aren't saved") : l10n.t("The responses aren't saved");
}

export function emptyAnswer(): WireError {
  return {
    kind: 'badResponse',
    title: l10n.t('The response is empty'),
    detail: l10n.t('The service might be overloaded. Try again, or use another model.'),
    actions: [retry()],
  };
}

/** The response has only thinking. `isLimit`: because it reached its token limit. */
export function thoughtOnly(isLimit: boolean): WireError {
  return isLimit
    ? {
        kind: 'badResponse',
        title: l10n.t('Token limit reached before the model responded'),
        detail: l10n.t('The model used all its tokens for reasoning. Raise max_tokens, or turn off reasoning.'),
        actions: [retry()],
      }
    : {
        kind: thoughtOnlyKind,
        title: l10n.t("The model didn't answer"),
        detail: l10n.t('Only reasoning was received. Continue the response.'),
        actions: [retry()],
      };
}

/** The response ended within the input of this tool. */
export function callCutOff(tool: string, isLimit: boolean): WireError {
  return {
    kind: 'badResponse',
    title: l10n.t('The tool call is incomplete'),
    detail: isLimit
      ? l10n.t("The token limit truncated the input for {0}, so the tool wasn't run. Raise max_tokens.", foreign(tool))
      : l10n.t("The input for {0} is incomplete, so the tool wasn't run. Try again.", foreign(tool)),
    actions: [retry()],
  };
}

/** The service's finish reason is an error. */
export function endedWithError(reason: string): WireError {
  return {
    kind: 'server',
    title: l10n.t('The response ended with an error'),
    detail: l10n.t('The service\'s reason: "{0}". Try again, or use another model.', foreign(reason)),
    actions: [retry()],
  };
}
