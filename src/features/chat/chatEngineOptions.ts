import type { Client } from '../../core/api/client';
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

/** The errors of the chat itself, worded. */
export interface ChatWords {
  /** What the status bar calls a running answer. */
  readonly answering: string;
  readonly emptyAnswer: () => WireError;
  /** What holds up an answer that is not sent yet. */
  readonly waiting: (wait: GateWait) => string;
  /** The service refused a request, most likely because it holds so many messages. */
  readonly tooManyMessages: (count: number, refusal: WireError) => WireError;
  /** Offers to send without a parameter the service refused. */
  readonly withoutParameter: (name: ParameterName) => WireAction;
  readonly nothingAsked: () => Error;
  readonly noModel: () => Error;
  readonly stillAnswering: () => Error;
  readonly turnGone: () => Error;
  readonly cannotContinue: () => Error;
  /** Answers stand side by side, and one of these is to be picked before the next question. */
  readonly pickFirst: (answers: readonly { readonly tryId: string; readonly model: string }[]) => Error;
  /** A turn that is not in the conversation any more. */
  readonly noSuchTurn: () => Error;
  readonly conversationGone: () => Error;
  /** Another window has it open; `where` names that, where it has a name. */
  readonly openElsewhere: (id: string, where: string) => UserError;
  /** Says that because of this a new conversation is shown. */
  readonly newInstead: (elsewhere: UserError) => WireError;
  /** `cause` says why the disk refused. */
  readonly notWritten: (cause: unknown) => Error;
  /** Some of a conversation is in memory only. */
  readonly unsaved: (unsaved: Unsaved) => WireError;
}

/** What all conversations of a window need, wherever they are shown. */
export interface ChatEngineOptions {
  readonly folder: Pick<ConversationFolder, 'open' | 'newestId'>;
  readonly client: () => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  readonly models: Pick<ModelCatalogue, 'state' | 'ready' | 'ensureFresh' | 'refresh'>;
  /** What is known of a model that is listed. */
  readonly capabilities: (model: ListedModel) => KnownCapabilities;
  readonly activity: Pick<Activity, 'start'>;
  readonly parameters: Pick<ParameterService, 'notTaken' | 'describe'>;
  /** The model chosen or asked last, in whichever conversation of this workspace: a new one begins with it. */
  readonly lastModel: { get(): string | undefined; set(model: string): PromiseLike<void> };
  readonly profileName: () => string;
  readonly locale: string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  readonly words: ChatWords;
  /** What costs the history but not the answer. */
  readonly onTrouble: (error: unknown) => void;
  /** An answer came to its end. */
  readonly onAnswer: () => void;
  readonly newId: () => string;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly gatherMs: number;
  /** So long a place waits for what it showed: a window that is loaded again may find its predecessor still writing. */
  readonly reopenMs: number;
  /** The most messages of one request, as the person set it; 0: no limit. */
  readonly messageLimit: () => number;
  readonly tools: EditorTools;
  readonly callWords: CallWords;
  /** How many requests in a row may send the results of tools without a word of the person; 0: any number. */
  readonly maxToolRounds: () => number;
}
