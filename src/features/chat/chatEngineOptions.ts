import type { Client } from '../../core/api/client';
import type { CallUsage } from '../../core/usage/usageOf';
import type { GateWait } from '../../core/api/transport/gate';
import type { KnownCapabilities } from '../../core/capabilities/capabilities';
import type { ListedModel } from '../../core/catalogue/model';
import type { ParameterName } from '../../core/conversation/chatParameters';
import type { ConversationFolder, Unsaved } from '../../core/conversation/conversationFolder';
import type { Activity } from '../../platform/activity';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { UserError } from '../../platform/errors/userError';
import type { WireAction, WireError } from '../../protocol/wire';
import type { ParameterService } from './parameterService';
import type { CallWords } from './tools/callViews';
import type { EditorTools } from './tools/toolAccess';

/** The chat's own localized messages and errors. */
export interface ChatWords {
  /** The status bar text for a running answer. */
  readonly answering: string;
  readonly emptyAnswer: () => WireError;
  /** The reason why an answer's request is delayed. */
  readonly waiting: (wait: GateWait) => string;
  /** The service refused a request, most likely because it has too many messages. */
  readonly tooManyMessages: (count: number, refusal: WireError) => WireError;
  /** An action that sends without a parameter the service refused. */
  readonly withoutParameter: (name: ParameterName) => WireAction;
  readonly nothingAsked: () => Error;
  readonly noModel: () => Error;
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

/** Dependencies shared by all conversations of a window, wherever they are shown. */
export interface ChatEngineOptions {
  readonly folder: ConversationFolder;
  /** Resolves to a metered client; `onUsage` receives what the request used once it is over, if it used anything. */
  readonly client: (onUsage: (usage: CallUsage) => void) => Promise<{ readonly messages: Client['messages'] }>;
  readonly models: ModelCatalogue;
  /** The known capabilities of a listed model. */
  readonly capabilities: (model: ListedModel) => KnownCapabilities;
  readonly activity: Activity;
  readonly parameters: ParameterService;
  /** The model last chosen or used in any conversation of this workspace; new conversations begin with it. */
  readonly lastModel: { get(): string | undefined; set(model: string): PromiseLike<void> };
  readonly profileName: () => string;
  readonly locale: string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  readonly words: ChatWords;
  /** Receives errors that affect the history but not the answer. */
  readonly onTrouble: (error: unknown) => void;
  /** Called when an answer is complete. */
  readonly onAnswer: () => void;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly gatherMs: number;
  /** How long a location waits for its previous conversation: after a reload, the old window may still be writing to it. */
  readonly reopenMs: number;
  /** The user's limit of messages in one request; 0 for no limit. */
  readonly messageLimit: () => number;
  readonly tools: EditorTools;
  readonly callWords: CallWords;
  /** The most consecutive requests that may send tool results without user input; 0 for no limit. */
  readonly maxToolRounds: () => number;
}
