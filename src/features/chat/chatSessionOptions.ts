import type { Client } from '../../core/api/client';
import type { GateWait } from '../../core/api/transport/gate';
import type { ParameterName } from '../../core/conversation/chatParameters';
import type { Activity } from '../../platform/activity';
import type { ModelCatalogue } from '../../platform/modelCatalogue';
import type { WireAction, WireError } from '../../protocol/wire';
import type { OpenConversationsOptions } from './openConversations';
import type { ParameterDesk } from './parameterDesk';

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
  /** A turn that is not in the conversation any more. */
  readonly noSuchTurn: () => Error;
  readonly conversationGone: () => Error;
  /** `cause` says why the disk refused. */
  readonly notWritten: (cause: unknown) => Error;
}

export interface ChatSessionOptions extends OpenConversationsOptions {
  readonly client: () => Promise<{ readonly messages: Pick<Client['messages'], 'stream'> }>;
  readonly models: Pick<ModelCatalogue, 'state' | 'ready' | 'ensureFresh' | 'refresh'>;
  readonly activity: Pick<Activity, 'start'>;
  readonly parameters: Pick<ParameterDesk, 'notTaken' | 'describe'>;
  readonly profileName: () => string;
  readonly locale: string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  readonly words: ChatWords;
  /** What costs the history but not the answer. */
  readonly onTrouble: (error: unknown) => void;
  /** An answer began or ended, or another conversation is shown. `running`: an answer comes in the one that is shown. */
  readonly onRunningChange: (running: boolean) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly gatherMs: number;
  /** The most messages of one request, as the person set it; 0: no limit. */
  readonly messageLimit: () => number;
}
