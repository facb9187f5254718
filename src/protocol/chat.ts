import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import { compareCalls, type ComparedModels, type Comparison } from './chatCompare';
import { codeActions } from './codeActions';
import { attachments, conversationId, id, model, question } from './chatFields';
import { editCalls, type PendingFileView } from './chatEdits';
import { offerCalls } from './chatOffers';
import { parameterCalls, type ParametersState } from './chatParameters';
import type { ConversationList } from './chatConversations';
import { locationCalls } from './chatLocations';
import { toolCalls, type ToolCallView, type TypedTools } from './chatTools';
import type { WireError } from './wire';

const instructionCalls = {
  /** Returns the files and the setting whose instructions the next request of this conversation sends, unless it is off. */
  'chat/instructions': call(
    z.strictObject({}),
    returns<{ readonly sources: readonly string[]; readonly isOn: boolean }>(),
  ),
  /** Turns the instructions on or off in the shown conversation. */
  'chat/useInstructions': call(z.strictObject({ isOn: z.boolean() })),
};

/** One part of an answer, in order of arrival. The page shows an unknown kind as its JSON. */
export type AnswerBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** `call` is absent until the answer that contains it has ended. */
  | { readonly kind: 'toolUse'; readonly name: string; readonly text: string; readonly call?: ToolCallView }
  /** `text` describes it. `source` is its data URL, or its web address, which the page doesn't load. */
  | { readonly kind: 'image'; readonly text: string; readonly source: string }
  | { readonly kind: 'other'; readonly name: string; readonly text: string };

export interface AnswerUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The service did not report this count. */
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
  /** The cost of the answer. Missing if unknown. */
  readonly cost?: number;
  readonly currency?: string;
}

/** `interrupted`: VS Code closed during the answer, and what had arrived by then is saved. */
export type AnswerState = 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';

export interface Answer {
  readonly state: AnswerState;
  readonly model: string;
  readonly blocks: readonly AnswerBlock[];
  /** The service's own value, e.g. `end_turn`, `max_tokens`. */
  readonly stopReason?: string;
  readonly stopSequence?: string;
  readonly usage?: AnswerUsage;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  readonly error?: WireError;
  /** For the action `showExchange:<id>`; the host reports if it no longer has the exchange. */
  readonly exchangeId?: string;
  /** The model that answered, if the service named another than `model`. */
  readonly answeredBy?: string;
  /** The service's ids: of the message or completion, of the request, and of its trace. */
  readonly responseId?: string;
  readonly requestId?: string;
  readonly traceId?: string;
  /** While no part of it has arrived: since when, in Unix milliseconds. */
  readonly waitingSince?: number;
  /** Set while a rate limit delays the request; over once `until` has passed. */
  readonly wait?: AnswerWait;
  /** The answer begins with text the user provided. */
  readonly prefilled?: true;
  /** The answer can continue: it broke off within text, or all its tool calls have results that have not been sent yet. */
  readonly canContinue?: true;
  /** Set if the answer stopped after this many consecutive rounds of tool calls without asking the user. */
  readonly toolLimit?: number;
  /** The answer is over without content, so later requests omit the turn. */
  readonly omitted?: true;
  /** The sources of the answer, in the order of the numbers in its text. */
  readonly citations?: readonly AnswerCitation[];
  /** The model wrote a tool call as text that could not be read as one. */
  readonly unreadCall?: true;
}

/** A source; without `url` it is a document that was sent. */
export interface AnswerCitation {
  readonly url?: string;
  readonly title?: string;
}

export interface AnswerWait {
  /** The localized reason for the delay. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** Something sent before a question. */
export interface AttachmentChip {
  /** Within a turn: the index of the attachment. */
  readonly id: string;
  readonly kind: 'file' | 'selection' | 'problems' | 'folder' | 'terminal' | 'changes' | 'image';
  readonly label: string;
  readonly characters: number;
  /** In pixels. Set for an image. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Estimated. */
  readonly tokens: number;
}

export interface Turn {
  readonly id: string;
  readonly question: string;
  /** Absent if there are none. */
  readonly attachments?: readonly AttachmentChip[];
  /** Unix milliseconds. */
  readonly askedAt: number;
  readonly answer: Answer;
  /** The attempt shown; each attempt has its own answer. */
  readonly tryId?: string;
  /** Position among the alternative versions of this question; absent if there is only one. */
  readonly questions?: Place;
  /** Position among the attempts at the answer; absent if there is only one. */
  readonly tries?: Place;
  /** Set if the question was sent to several models at once. While the answers are shown side by side, `answer` is empty. */
  readonly comparison?: Comparison;
}

export interface Place {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

export interface ChatModel {
  readonly id: string;
  readonly pinned: boolean;
  /** For prompt and answer together; absent if unknown. */
  readonly contextTokens?: number;
  /** Set if the model is known to support tool calls. */
  readonly tools?: true;
  /** Whether the model accepts images; absent if unknown. */
  readonly images?: boolean;
  /** Set if the model's purpose is unknown. */
  readonly isUnknown?: true;
}

/** The part of the conversation that the next request sends. */
export interface Compaction {
  /** Maximum number of messages per request; 0 for no limit. */
  readonly limit: number;
  /** Number of messages in the next request, including the question being typed. */
  readonly messages: number;
  /** Only turns from this one on are sent; unset for all. */
  readonly startTurnId?: string;
  /** How many of the sent turns, oldest first, are sent as one transcript. */
  readonly compacted: number;
}

export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of it was not counted by the service. */
  readonly isEstimate?: true;
}

/** Token usage. */
export interface Spent {
  readonly conversationId: string;
  readonly conversation: TokenCount;
  /** Usage of the active profile today, across all conversations and windows. */
  readonly today: TokenCount;
  /** Tokens per day, input plus output; 0 for no limit. */
  readonly budget: { readonly soft: number; readonly hard: number };
  readonly state: 'within' | 'soft' | 'hard';
}

/** A message that waits for the running answer. */
export interface QueuedMessageView {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentChip[];
  /** It is sent once the answer before it is complete. Otherwise the user sends or removes it. */
  readonly isAutomatic: boolean;
  /** Why it couldn't be sent. */
  readonly error?: WireError;
}

/** The start of the action ID for the command that an answer of the demo service ends with. */
export const demoStep = 'demoStep:';

/** The commands that an answer of the demo service can end with, as a Markdown link with the scheme `command`. */
export const demoSteps = [
  'inferenceDesk.activity.open',
  'inferenceDesk.batchFile.new',
  'inferenceDesk.batchFile.newFromRows',
  'inferenceDesk.batchFile.runLocally',
  'inferenceDesk.batches.retryFailed',
  'inferenceDesk.chat.attach',
  'inferenceDesk.chat.conversations',
  'inferenceDesk.chat.export',
  'inferenceDesk.chat.new',
  'inferenceDesk.complete.insert',
  'inferenceDesk.demo.stop',
  'inferenceDesk.editorChat.open',
  'inferenceDesk.findByMeaning',
  'inferenceDesk.getStarted',
  'inferenceDesk.ghostText.chooseModel',
  'inferenceDesk.images.open',
  'inferenceDesk.manageAccounts',
  'inferenceDesk.models.search',
  'inferenceDesk.prompts.new',
  'inferenceDesk.reportProblem',
  'inferenceDesk.rerank.open',
  'inferenceDesk.samples.open',
  'inferenceDesk.signIn',
  'inferenceDesk.videos.open',
  'inferenceDesk.voices.transcribe',
  'inferenceDesk.voices.upload',
] as const;

/** Everything the page needs to render from scratch. */
export interface ChatSnapshot {
  /** `signedOut`: there is no usable key, so the page shows how to sign in instead of a composer that can't send. */
  readonly account: 'signedOut' | 'ready';
  readonly profileName: string;
  /** The active account is the demo service, whose answers are scripted. */
  readonly isDemo?: boolean;
  /** The editor's display language, for numbers and times. */
  readonly locale: string;
  readonly models: readonly ChatModel[];
  /** `unknown` until the list has been loaded once; `failed` comes with `modelsError`. */
  readonly modelsState: 'unknown' | 'loading' | 'ready' | 'failed';
  readonly modelsError?: WireError;
  /** The model of the next question, which the account has as far as is known; absent if the user is to choose one. */
  readonly model?: string;
  /** Models chosen in this conversation for the next question that the account does not offer. */
  readonly notOffered: readonly string[];
  readonly conversationId: string;
  /** Set by the user, or derived from the first question. Missing without both. */
  readonly title?: string;
  readonly draft: string;
  /** The conversation from which the draft moved along to this one: text typed there belongs here. */
  readonly draftMovedFrom?: string;
  readonly turns: readonly Turn[];
  /** The messages that wait for the running answer, oldest first; absent if there are none. */
  readonly queued?: readonly QueuedMessageView[];
  readonly compaction: Compaction;
  /** Why this conversation is shown and not another; only while it is empty. */
  readonly notice?: WireError;
  /** Set if part of the conversation could not be written to disk and is in memory only. */
  readonly unsaved?: WireError;
  readonly parameters: ParametersState;
  readonly comparing: ComparedModels;
  /** Scroll position of the log in the previous page, as reported through `chat/scrolled`. */
  readonly scrollTop?: number;
}

/** Changes since the last chunk: text for the block at index `block`, or a complete new state of the answer. */
export type AnswerChunk =
  | {
      readonly type: 'append';
      readonly block: number;
      readonly kind: AnswerBlock['kind'];
      readonly name?: string;
      readonly text: string;
    }
  /** All of the text of a block was something else. */
  | { readonly type: 'replace'; readonly block: number; readonly as: AnswerBlock }
  | { readonly type: 'state'; readonly answer: Omit<Answer, 'blocks'> }
  /** The state of the tool call in this block changed. */
  | { readonly type: 'toolCall'; readonly block: number; readonly call: ToolCallView };

/** A code block of an answer, and the action to run on it. */
const usedCode = z.strictObject({
  turnId: id,
  action: z.enum(codeActions),
  code: z.string().check(z.maxLength(1_000_000)),
  /** As stated in the answer, or empty. */
  language: z.string().check(z.maxLength(100)),
});
export type UsedCode = Accepted<typeof usedCode>;

const nothing = z.strictObject({});
const index = z.int().check(z.nonnegative());
const ofTurn = z.strictObject({ turnId: id });
const ofConversation = z.strictObject({ id: conversationId });
const ofChip = z.strictObject({ id });
const turn = returns<{ readonly turn: Turn }>();

const ownCalls = {
  /** Called on mount and whenever the page becomes visible again. */
  'chat/ready': call(nothing, returns<ChatSnapshot>()),
  /** Saves the question, starts the answer, and returns at once. The answer continues even if the page is closed. */
  'chat/ask': call(z.strictObject({ text: question, model, attachments }), turn),
  /**
   * Streams an answer until it ends: that of `tryId`, by default the one shown. `have` is the number of characters of each block that the
   * page already has, so that nothing is sent twice. Canceling stops the stream, not the answer.
   */
  'chat/follow': call(
    z.strictObject({ turnId: id, tryId: z.exactOptional(id), have: z.array(index).check(z.maxLength(10_000)) }),
    returns<{ readonly answer: Answer }, AnswerChunk>(),
  ),
  'chat/stop': call(ofTurn),
  /** Sends the message once the running answer is complete. */
  'chat/queue': call(z.strictObject({ text: question, model, attachments }), returns<ChatSnapshot>()),
  /** Stops the running answer and sends the message. */
  'chat/steer': call(z.strictObject({ text: question, model, attachments }), returns<ChatSnapshot>()),
  /** Stops the running answer and sends a message of the queue. */
  'chat/sendQueued': call(z.strictObject({ id, model }), returns<ChatSnapshot>()),
  /** Removes a message from the queue. Its attachments return to the question box if `isEdited`. */
  'chat/unqueue': call(z.strictObject({ id, isEdited: z.boolean() }), returns<ChatSnapshot>()),
  /** Asks a visible question again. Earlier attempts are retained, with the turns that followed them. */
  'chat/retry': call(z.strictObject({ turnId: id, model }), turn),
  /** `conversationId` is the one that was shown while the text was typed; without it, the one shown now. */
  'chat/draft': call(z.strictObject({ text: question, conversationId: z.exactOptional(conversationId) })),
  'chat/chooseModel': call(z.strictObject({ model })),
  'chat/copy': call(z.strictObject({ text: question })),
  /** Opens the link externally, if it is http, https or mailto. */
  'chat/openLink': call(z.strictObject({ url: z.string().check(z.maxLength(10_000)) })),
  /** A `WireAction` of an error, or `signIn`, `tryDemo`, `getStarted`, `refreshModels`. */
  'chat/act': call(z.strictObject({ action: z.string().check(z.maxLength(600)), turnId: z.exactOptional(id) })),
  /** The transcript of the compacted turns as it is sent. Empty if none are compacted. */
  'chat/compactedText': call(nothing, returns<{ readonly text: string }>()),
  /** Later requests send only turns from this one on; `null` to send all again. */
  'chat/startFrom': call(z.strictObject({ turnId: z.nullable(id) }), returns<{ readonly compaction: Compaction }>()),
  'chat/useCode': call(usedCode),
  /** Asks `text` in place of a visible question. The old question is retained, with everything that followed. */
  'chat/edit': call(z.strictObject({ turnId: id, text: question, model }), turn),
  /** Shows another version of the question, or another attempt at its answer, by index. */
  'chat/walk': call(
    z.strictObject({ turnId: id, among: z.enum(['questions', 'tries']), index }),
    returns<ChatSnapshot>(),
  ),
  /** Returns conversations, pinned ones first, then newest first. The query is matched against titles and texts. */
  'chat/conversations': call(
    z.strictObject({ query: z.string().check(z.maxLength(1000)) }),
    returns<ConversationList>(),
  ),
  /** Shows another conversation. An answer in progress in the current one continues. */
  'chat/openConversation': call(ofConversation, returns<ChatSnapshot>()),
  /** An empty title restores the one derived from the first question. */
  'chat/renameConversation': call(z.strictObject({ id: conversationId, title: z.string().check(z.maxLength(500)) })),
  'chat/pinConversation': call(z.strictObject({ id: conversationId, pinned: z.boolean() })),
  /** Keeps it recoverable for a while, then deletes it. If it is the one shown, another is shown and the page is notified. */
  'chat/deleteConversation': call(ofConversation),
  'chat/restoreConversation': call(ofConversation),
  /** Called when an answer ends and when another conversation or profile is shown. */
  'chat/spent': call(nothing, returns<Spent>()),
  /** Returns the attachments of the next question. */
  'chat/attachments': call(nothing, returns<{ readonly chips: readonly AttachmentChip[] }>()),
  'chat/detach': call(ofChip),
  /** Opens exactly what is sent for this attachment. */
  'chat/showAttachment': call(ofChip),
  'chat/showSentAttachment': call(z.strictObject({ turnId: id, index })),
  /** Returns an attached image as a `data:` URL: of the next question, or with `turnId`, of a question that was sent. */
  'chat/attachedImage': call(
    z.strictObject({ id, turnId: z.exactOptional(id) }),
    returns<{ readonly source: string }>(),
  ),
  /** Continues the last answer, which broke off. */
  'chat/continue': call(ofTurn, turn),
};

export const chatCalls = {
  ...ownCalls,
  ...parameterCalls,
  ...toolCalls,
  ...compareCalls,
  ...offerCalls,
  ...editCalls,
  ...instructionCalls,
  ...locationCalls,
};

export interface ChatScreen {
  /** `scrollTop` in pixels; -1 for the end of the log, wherever that is. */
  readonly state: {
    readonly draft: string;
    readonly scrollTop: number;
    /** The conversation that `draft` and `scrollTop` belong to; an earlier version did not save it. */
    readonly conversationId?: string;
    readonly tools?: TypedTools;
  };
  readonly calls: CallsOf<typeof chatCalls>;
  readonly events: {
    /** Profile, models, conversation or draft changed outside the page. */
    readonly 'chat/changed': ChatSnapshot;
    /** A command focused the chat view: closes the list of conversations. */
    readonly 'chat/focusComposer': Record<never, never>;
    /** The user works on something else in the editor: the page must ask for it. */
    readonly 'chat/editorContextChanged': Record<never, never>;
    /** An image is too large to be attached: the page is to scale it down and drop it. */
    readonly 'chat/scaleImage': { readonly name: string; readonly base64: string };
    readonly 'chat/attachmentsChanged': { readonly chips: readonly AttachmentChip[] };
    /** The changes of answers to files that wait to be kept or undone. */
    readonly 'chat/editsChanged': { readonly files: readonly PendingFileView[] };
    /** A question, an answer or a setting changed what the next request sends. */
    readonly 'chat/compaction': { readonly conversationId: string; readonly compaction: Compaction };
    /** A command asked for the list of conversations, which closes if it is open. */
    readonly 'chat/showConversations': Record<never, never>;
    /** An answer started or ended in any conversation: a visible list must reload. */
    readonly 'chat/conversationsChanged': Record<never, never>;
    /** The budget changed. */
    readonly 'chat/budget': Spent;
    /** The editor's colors for code, by syntax element; empty if unknown. */
    readonly 'chat/codeColours': { readonly colours: Readonly<Record<string, string>> };
    /** Tools were added, removed or edited elsewhere: a page that shows them must reload. */
    readonly 'chat/toolsChanged': Record<never, never>;
  };
}
