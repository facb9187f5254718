import type { Client } from '../../core/api/client';
import type { GateWait } from '../../core/api/transport/gate';
import type { KnownCapabilities } from '../../core/capabilities/capabilities';
import type { ListedModel } from '../../core/catalogue/model';
import type { ParameterName } from '../../core/conversation/chatParameters';
import { smallestMessageLimit } from '../../core/conversation/compaction';
import type { Conversation, ConversationFolder, Unsaved } from '../../core/conversation/conversationFolder';
import { shownAnswer, type TranscriptTurn } from '../../core/conversation/transcript';
import type { CallUsage } from '../../core/usage/usageOf';
import type { Activity } from '../../platform/activity';
import type { UserError } from '../../platform/errors/userError';
import type { Turn } from '../../protocol/chat';
import type { WireAction, WireError } from '../../protocol/wire';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import { AnswerRuns } from './answerRuns';
import { AnswerScheduler } from './answerScheduler';
import { ChatSession } from './chatSession';
import { withComparison } from './compare/toComparison';
import { ConversationPool } from './conversationPool';
import type { ParameterService } from './parameterService';
import type { ShownMemory } from './shownConversation';
import { ToolAccess, type CallWords, type EditorTools } from './tools/toolAccess';
import { toTurn, type CallViewsOf } from './toTurn';

/** The chat's own localized messages and errors. */
export interface ChatWords extends CallWords {
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

/** What the conversations of a window need of the editor, the service and the clock. */
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
  /** The most consecutive requests that may send tool results without user input; 0 for no limit. */
  readonly maxToolRounds: () => number;
}

/** The conversations and answers of a window, shared by all locations that show a conversation. */
export class ChatEngine {
  readonly pool: ConversationPool;
  readonly runs: AnswerRuns;
  readonly scheduler: AnswerScheduler;
  readonly tools: ToolAccess;

  constructor(readonly options: ChatEngineOptions) {
    this.pool = new ConversationPool(options.folder, options.words.openElsewhere);
    this.runs = new AnswerRuns(this);
    this.scheduler = new AnswerScheduler(this);
    this.tools = new ToolAccess(options.tools, options.words);
  }

  /** The most messages in one request; `undefined` for no limit. */
  get messageLimit(): number | undefined {
    const set = this.options.messageLimit();
    return set === 0 ? undefined : Math.max(set, smallestMessageLimit);
  }

  /** Opens a session for one location; the caller closes it. */
  openSession(memory: ShownMemory): ChatSession {
    return new ChatSession(this, memory);
  }

  /** Describes a turn with its shown try in its current state. */
  describeTurn({ transcript }: Conversation, turn: TranscriptTurn): Turn {
    const { runs } = this;
    const shown = shownAnswer(turn);
    const views: CallViewsOf = (answer) => this.tools.views(transcript, answer, runs.of(answer.id));
    const running = shown && runs.of(shown.id);
    return withComparison(toTurn(turn, running, transcript.siblings(turn.id), views), turn, runs, views);
  }

  /** Leaves running answers without an end and closes all files. */
  async dispose(): Promise<void> {
    await this.runs.dispose();
    await this.pool.close();
  }
}
