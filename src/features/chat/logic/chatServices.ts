import type { Client } from '../../../core/api/client';
import type { KnownCapabilities } from '../../../core/capabilities/capabilities';
import type { CatalogueModel } from '../../../core/catalogue/model';
import type { ConversationFolder } from '../../../core/conversation/conversationFolder';
import type { ConversationIndex } from '../../../core/conversation/conversationIndex';
import type { ConversationTrash } from '../../../core/conversation/conversationTrash';
import type { Leases } from '../../../core/storage/leases';
import type { CallUsage } from '../../../core/usage/usageOf';
import type { Activity } from '../../../platform/activity';
import type { WireError } from '../../../protocol/wire';
import type { LastModel } from '../../../services/models/lastModel';
import type { ModelCatalogue } from '../../../services/models/modelCatalogue';
import type { StandingInstructions } from '../instructions';
import type { ParameterService } from './parameterService';
import type { EditorTools } from './toolAccess';

/** What the conversations of a window need from VS Code, the service, and the clock. */
export interface ChatServices {
  readonly storage: ConversationStorage;
  readonly account: ChatAccount;
  readonly models: ChatModels;
  readonly parameters: ParameterService;
  readonly tools: EditorTools;
  /** Reads the standing instructions as they are now. */
  readonly instructions: () => Promise<StandingInstructions>;
  readonly activity: Activity;
  readonly window: ChatWindow;
  readonly clock: ChatClock;
}

/** The conversations on this machine. */
export interface ConversationStorage {
  readonly folder: ConversationFolder;
  readonly index: ConversationIndex;
  readonly trash: ConversationTrash;
  /** Disposed of with the engine. */
  readonly leases: Leases;
}

/** The active account, and the limits of its service. */
export interface ChatAccount {
  readonly name: () => string;
  /** Returns the name of the account with this ID; `undefined` if it no longer exists. */
  readonly nameOf: (id: string) => string | undefined;
  /** `undefined` if unknown. */
  readonly currency: () => string | undefined;
  /** Resolves to a metered client of the account with this ID. `onUsage` receives the request's usage once it is over, if there was any. */
  readonly client: (
    onUsage: (usage: CallUsage) => void,
    account: string | undefined,
  ) => Promise<{ readonly chat: Client['chat'] }>;
  /** Throws a localized error if today's token budget is used up. */
  readonly checkBudget: () => Promise<void>;
  /** The user's limit of messages in one request; 0 for no limit. */
  readonly messageLimit: () => number;
  /** The most messages of a request by the service's own reference or its refusal of more; `undefined` if no limit is known. */
  readonly advisedMessages: () => number | undefined;
  /** Remembers a limit that the service named. Resolves with whether the same request now has fewer messages. */
  readonly learnMessageLimit: (limit: number) => Promise<boolean>;
}

export interface ChatModels {
  /** Those of the active account. */
  readonly catalogue: ModelCatalogue;
  /** The model last chosen or used in any conversation of this workspace; new conversations begin with it. */
  readonly last: LastModel;
  /** Returns the known capabilities of a listed model. */
  readonly capabilities: (model: CatalogueModel) => KnownCapabilities;
}

/** An image that a model sent in its answer. */
export interface AnswerImage {
  readonly bytes: Uint8Array;
  readonly model: string;
  /** The question that it answers. */
  readonly prompt: string;
}

/** The editor window: its language, and what becomes of what happens in the chat. */
export interface ChatWindow {
  readonly locale: string;
  /** Formats the time elapsed since `at`. */
  readonly age: (at: number) => string;
  readonly describe: (error: unknown, hints?: { readonly nearestModels: readonly string[] }) => WireError;
  /** Saves an image of an answer like a generated one. */
  readonly saveImage: (image: AnswerImage) => Promise<void>;
  /** Receives errors that affect the history but not the answer. */
  readonly onError: (error: unknown) => void;
  /** Called when an answer is complete. */
  readonly onAnswer: () => void;
}

export interface ChatClock {
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly newId: () => string;
  /** Minimum interval between updates of an answer to the page. */
  readonly updateMs: number;
  /** How long a location waits for its previous conversation: after a reload, the old window may still be writing to it. */
  readonly reopenMs: number;
}
