import * as l10n from '@vscode/l10n';
import type { GateWait } from '../../core/api/transport/gate';
import { thoughtOnlyKind } from '../../core/conversation/requestMessages';
import type { ParameterName } from '../../core/conversation/chatParameters';
import type { Unsaved } from '../../core/conversation/conversationFolder';
import { retry, step } from '../../platform/errors/errorActions';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import { sentence, sentences } from '../../protocol/sentences';
import type { WireAction, WireError } from '../../protocol/wire';
import { modelNotOffered } from '../../services/models/modelNotOffered';
import { waitTitle } from '../../platform/errors/rateLimitMessages';
import { UserError } from '../../platform/errors/userError';
import type { CallWords } from './logic/toolAccess';
import { foreign } from '../../core/text/foreignText';

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

/** The chat's own localized messages and errors. */
export interface ChatWords extends CallWords {
  /** The status bar text for a running answer. */
  readonly answering: string;
  readonly emptyAnswer: () => WireError;
  /** The response has only thinking. `isLimit`: because it reached its token limit. */
  readonly thoughtOnly: (isLimit: boolean) => WireError;
  /** The response ended within the input of this tool. */
  readonly cutCall: (tool: string, isLimit: boolean) => WireError;
  /** The service's finish reason is an error. */
  readonly endedWithError: (reason: string) => WireError;
  /** The reason why an answer's request is delayed. */
  readonly waiting: (wait: GateWait) => string;
  /** The service refused a request, most likely because it has too many messages. */
  readonly tooManyMessages: (count: number, limit: number, refusal: WireError) => WireError;
  /** An action that sends without a parameter the service refused. */
  readonly withoutParameter: (name: ParameterName) => WireAction;
  /** An action that continues with a history without tool calls, and without tools. */
  readonly withoutCalls: () => WireAction;
  /** An action that checks what a model really does. */
  readonly checkModel: (model: string) => WireAction;
  readonly noQuestion: () => Error;
  readonly noModel: () => Error;
  /** A queued message was not sent because another account became active; `before` is `undefined` if the first one no longer exists. */
  readonly accountChanged: (before: string | undefined, now: string) => WireError;
  /** The account does not offer these models. `isBound`: what would be sent can go to no other model. */
  readonly modelNotOffered: (models: readonly string[], account: string, isBound: boolean) => Error;
  readonly stillAnswering: () => Error;
  readonly turnGone: () => Error;
  readonly cannotContinue: () => Error;
  /** Several answers are shown side by side, and one of these must be picked before the next question. */
  readonly pickFirst: (answers: readonly { readonly tryId: string; readonly model: string }[]) => Error;
  /** The turn is no longer in the conversation. */
  readonly noSuchTurn: () => Error;
  readonly conversationGone: () => Error;
  /** Another window has the conversation open; `where` is that window's name, or empty. */
  readonly openElsewhere: (id: string, where: string) => UserError;
  /** Reports that a new conversation is shown for this reason. */
  readonly newInstead: (elsewhere: UserError) => WireError;
  /** `cause` is the disk's error. */
  readonly notWritten: (cause: unknown) => Error;
  /** Part of a conversation is only in memory. */
  readonly unsaved: (unsaved: Unsaved) => WireError;
}

/** The chat's own errors in the editor's display language. */
export function chatMessages(): ChatWords {
  return {
    ...callMessages(),
    answering: l10n.t('Answering'),
    emptyAnswer,
    ...incomplete,
    waiting: waitTitle,
    tooManyMessages,
    withoutParameter,
    withoutCalls: callsLeftOut,
    checkModel: (model) => step('checkModel', model),
    cannotContinue,
    pickFirst,
    noQuestion: () => new UserError(l10n.t('No question'), l10n.t('Type a question first.')),
    noModel: () =>
      new UserError(l10n.t('No model chosen'), l10n.t('Choose a model below the chat input.'), [
        { id: 'refreshModels', label: l10n.t('Refresh Models') },
      ]),
    accountChanged,
    stillAnswering: () =>
      new UserError(l10n.t('A response is in progress'), l10n.t('Stop the response, or wait until it ends.')),
    turnGone: () =>
      new UserError(l10n.t('The conversation has changed'), l10n.t('Reopen the conversation from the list.')),
    openElsewhere,
    newInstead,
    unsaved,
    modelNotOffered,
    conversationGone: () =>
      new UserError(
        l10n.t("Couldn't open the conversation"),
        l10n.t('The file is missing or from a newer version of Inference Desk.'),
      ),
    noSuchTurn: () =>
      new UserError(l10n.t('This turn no longer exists'), l10n.t('The conversation has changed in another window.')),
    notWritten: (cause) =>
      new UserError(
        l10n.t("Couldn't save the question"),
        l10n.t("The question wasn't sent because responses can't be saved. {0}", sentence(reasonText(cause))),
        [step('showLog'), step('reportProblem')],
      ),
  };
}

const accountChanged: ChatWords['accountChanged'] = (before, now) => ({
  kind: 'accountChanged',
  title: l10n.t('The account has changed'),
  detail:
    before === undefined
      ? l10n.t('Not sent to {0}. The message was queued for an account that no longer exists.', foreign(now))
      : l10n.t('Queued for {0}, so not sent to {1}.', foreign(before), foreign(now)),
  actions: [],
});

const withoutParameter: ChatWords['withoutParameter'] = (name) => ({
  id: `without:${name}`,
  label: withoutLabel(name),
});

const tooManyMessages: ChatWords['tooManyMessages'] = (count, limit, refusal) => ({
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
});

const callsLeftOut: ChatWords['withoutCalls'] = () => ({
  id: withoutCalls,
  label: l10n.t('Continue with Tool Calls as Text'),
});

function withoutLabel(name: ParameterName): string {
  if (name === 'max_tokens') return l10n.t('Send with Default max_tokens');
  if (name === 'prefill') return l10n.t('Send Without Prefilled Response');
  return l10n.t('Send Without {0}', foreign(name));
}

const openElsewhere: ChatWords['openElsewhere'] = (id, where) =>
  new UserError(
    l10n.t('The conversation is open in another window'),
    where === ''
      ? l10n.t('Continue there, or open it here.')
      : l10n.t('The conversation is open in the window of "{0}". Continue there, or open it here.', where),
    [{ id: `${openHere}${id}`, label: l10n.t('Open Here') }],
  );

const newInstead: ChatWords['newInstead'] = ({ detail, actions }) => ({
  kind: 'openElsewhere',
  title: l10n.t('Started a new conversation because the previous one is open in another window'),
  detail,
  actions,
});

const unsaved: ChatWords['unsaved'] = ({ error, answers, tries }) => ({
  kind: 'unsaved',
  title: unsavedTitle(answers.size, tries > 0),
  detail: sentences(sentence(reasonText(error)), l10n.t('Unsaved text is lost when this window closes.')),
  actions: [
    { id: saveUnsaved, label: l10n.t('Save') },
    ...(answers.size > 0 ? [{ id: copyUnsaved, label: l10n.t('Copy') }] : []),
    { id: exportUnsaved, label: l10n.t('Export…') },
  ],
});

function unsavedTitle(answers: number, isAgain: boolean): string {
  if (answers === 0)
    return isAgain ? l10n.t("The conversation still isn't saved") : l10n.t("The conversation isn't saved");
  if (answers === 1) return isAgain ? l10n.t("The response still isn't saved") : l10n.t("The response isn't saved");
  return isAgain ? l10n.t("The responses still aren't saved") : l10n.t("The responses aren't saved");
}

const cannotContinue: ChatWords['cannotContinue'] = () =>
  new UserError(
    l10n.t("Couldn't continue the response"),
    l10n.t(
      "You can continue only incomplete responses and tool calls that you've allowed or denied. Regenerate this response instead.",
    ),
  );

const pickFirst: ChatWords['pickFirst'] = (answers) =>
  new UserError(
    l10n.t('Choose the response to continue with'),
    l10n.t('Choose a response to the last question first.'),
    answers.map(({ tryId, model }) => ({
      id: `pick:${tryId}`,
      label: l10n.t('Continue with {0}', model.slice(model.lastIndexOf('/') + 1) || model),
    })),
  );

const emptyAnswer: ChatWords['emptyAnswer'] = () => ({
  kind: 'badResponse',
  title: l10n.t('The response is empty'),
  detail: l10n.t('The service might be overloaded. Try again, or use another model.'),
  actions: [retry()],
});

const thoughtOnly: Incomplete['thoughtOnly'] = (isLimit) =>
  isLimit
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

const cutCall: Incomplete['cutCall'] = (tool, isLimit) => ({
  kind: 'badResponse',
  title: l10n.t('The tool call is incomplete'),
  detail: isLimit
    ? l10n.t("The token limit truncated the input for {0}, so the tool wasn't run. Raise max_tokens.", foreign(tool))
    : l10n.t("The input for {0} is incomplete, so the tool wasn't run. Try again.", foreign(tool)),
  actions: [retry()],
});

const endedWithError: Incomplete['endedWithError'] = (reason) => ({
  kind: 'server',
  title: l10n.t('The response ended with an error'),
  detail: l10n.t('The service\'s reason: "{0}". Try again, or use another model.', foreign(reason)),
  actions: [retry()],
});

/** The missing content of a completed response. */
type Incomplete = Pick<ChatWords, 'thoughtOnly' | 'cutCall' | 'endedWithError'>;
const incomplete: Incomplete = { thoughtOnly, cutCall, endedWithError };

/** Messages about tool calls. */
function callMessages(): CallWords {
  return {
    restricted: restrictedMessage,
    cutInput: () => l10n.t("Not run, because the tool's input is incomplete."),
    noSuchTool: () => l10n.t("This tool isn't available. Enter a result, or deny the call."),
    cutOff: () => l10n.t('VS Code closed while this tool was running. To rerun it, allow the call.'),
    callGone: () =>
      new UserError(
        l10n.t("Couldn't allow or deny the tool call"),
        l10n.t("The call already has a result, or its tool isn't available."),
      ),
  };
}

/** No tool of the editor is run in Restricted Mode. */
function restrictedMessage(): string {
  return l10n.t('Trust the workspace to use VS Code tools.');
}
