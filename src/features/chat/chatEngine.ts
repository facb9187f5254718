import type { Client } from '../../core/api/client';
import type { KnownCapabilities } from '../../core/capabilities/capabilities';
import type { CatalogueModel } from '../../core/catalogue/model';
import type { LastModel } from '../../services/models/lastModel';
import { smallestMessageLimit } from '../../core/conversation/compaction';
import type { ConversationFolder } from '../../core/conversation/conversationFolder';
import type { ConversationIndex } from '../../core/conversation/conversationIndex';
import type { ConversationTrash } from '../../core/conversation/conversationTrash';
import type { Leases } from '../../core/storage/leases';
import type { CallUsage } from '../../core/usage/usageOf';
import type { Activity } from '../../platform/activity';
import type { WireError } from '../../protocol/wire';
import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import { AnswerRuns } from './answerRuns';
import { AnswerScheduler } from './answerScheduler';
import type { ChatWords } from './chatMessages';
import { ChatSession } from './chatSession';
import { ConversationPool } from './conversationPool';
import type { ParameterService } from './parameterService';
import type { ShownMemory } from './shownConversation';
import { ToolAccess, type EditorTools } from './tools/toolAccess';

/** An image that a model sent in its answer. */
export interface AnswerImage {
  readonly bytes: Uint8Array;
  readonly model: string;
  /** The question that it answers. */
  readonly prompt: string;
}

/** What the conversations of a window need of the editor, the service and the clock. */
export interface ChatEngineOptions {
  readonly folder: ConversationFolder;
  readonly index: ConversationIndex;
  readonly trash: ConversationTrash;
  /** Disposed of with the engine. */
  readonly leases: Leases;
  /** Formats the time elapsed since `at`. */
  readonly age: (at: number) => string;
  /** Resolves to a metered client of an account; `onUsage` receives what the request used once it is over, if it used anything. */
  readonly client: (
    onUsage: (usage: CallUsage) => void,
    account: string | undefined,
  ) => Promise<{ readonly chat: Client['chat'] }>;
  readonly models: ModelCatalogue;
  /** The known capabilities of a listed model. */
  readonly capabilities: (model: CatalogueModel) => KnownCapabilities;
  readonly activity: Activity;
  readonly parameters: ParameterService;
  /** The model last chosen or used in any conversation of this workspace; new conversations begin with it. */
  readonly lastModel: LastModel;
  /** The most messages of a request by the service's own reference or its refusal of more; `undefined` if no limit is known. */
  readonly advisedMessages: () => number | undefined;
  /** Remembers a limit that the service named. Resolves with whether the same request now has fewer messages. */
  readonly learnMessageLimit: (limit: number) => Promise<boolean>;
  readonly profileName: () => string;
  /** Of the active account; `undefined` if unknown. */
  readonly currency: () => string | undefined;
  readonly locale: string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  readonly words: ChatWords;
  /** Saves an image of an answer like a generated one. */
  readonly saveImage: (image: AnswerImage) => Promise<void>;
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

  /** Leaves running answers without an end and closes all files. */
  async dispose(): Promise<void> {
    this.options.leases.dispose();
    await this.runs.dispose();
    await this.pool.close();
  }
}
