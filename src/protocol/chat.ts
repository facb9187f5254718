import type { Call } from './call';
import type { CompareCalls, ComparedModels, Comparison } from './chatCompare';
import type { ChatStrings } from './chatStrings';
import type { CodeAction } from './codeActions';
import type { OfferCalls } from './chatOffers';
import type { ParametersCalls, ParametersState } from './chatParameters';
import type { ConversationList } from './chatConversations';
import type { LocationCalls } from './chatLocations';
import type { ToolCallView, ToolsCalls, TypedTools } from './chatTools';
import type { WireError } from './wire';

/** One piece of an answer, in the order it came. A kind the page does not know is shown as its JSON. */
export type AnswerBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  /** `call` is absent until its answer has come to an end. */
  | { readonly kind: 'toolUse'; readonly name: string; readonly text: string; readonly call?: ToolCallView }
  | { readonly kind: 'other'; readonly name: string; readonly text: string };

export interface AnswerUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The service did not count it. */
  readonly inputIsEstimate?: true;
  readonly outputIsEstimate?: true;
}

/** `interrupted`: the editor closed while the answer was coming; what came is kept. */
export type AnswerState = 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed' | 'interrupted';

export interface Answer {
  readonly state: AnswerState;
  readonly model: string;
  readonly blocks: readonly AnswerBlock[];
  /** The service's own word, e.g. `end_turn`, `max_tokens`. */
  readonly stopReason?: string;
  readonly stopSequence?: string;
  readonly usage?: AnswerUsage;
  readonly firstTokenMs?: number;
  readonly totalMs?: number;
  readonly error?: WireError;
  /** For the step `showExchange:<id>`; the host says so when it no longer keeps it. */
  readonly exchangeId?: string;
  /** While it is not sent yet because a limit holds it up; over when `until` has passed. */
  readonly wait?: AnswerWait;
  /** It begins with words of the person's. */
  readonly prefilled?: true;
  /** It broke off within text, or every tool it called has answered and that was not sent yet: it can go on from there. */
  readonly canContinue?: true;
  /** It stopped after so many rounds of tools in a row about which nobody was asked. */
  readonly toolLimit?: number;
}

export interface AnswerWait {
  /** What holds it up, worded. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** Something sent in front of a question. */
export interface AttachmentChip {
  /** In a turn its place among the others. */
  readonly id: string;
  readonly kind: 'file' | 'selection' | 'problems' | 'folder' | 'terminal';
  readonly label: string;
  readonly characters: number;
  /** An estimate. */
  readonly tokens: number;
}

export interface Turn {
  readonly id: string;
  readonly question: string;
  /** Absent: none. */
  readonly attachments?: readonly AttachmentChip[];
  /** Unix milliseconds. */
  readonly askedAt: number;
  readonly answer: Answer;
  /** The try that is shown; another one is another answer. */
  readonly tryId?: string;
  /** Where the question stands among those asked in its place; absent where it is the only one. */
  readonly questions?: Place;
  /** Where the answer stands among the tries at it; absent where it is the only one. */
  readonly tries?: Place;
  /** Its answers were begun together with several models. While they stand side by side `answer` is empty. */
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
  /** Of prompt and answer together; absent where that is not known. */
  readonly contextTokens?: number;
  /** It is known to call tools. */
  readonly tools?: true;
}

/** What the next request sends of the conversation. */
export interface Compaction {
  /** The most messages of one request; 0: no limit. */
  readonly limit: number;
  /** How many the next request holds, the question in the box included. */
  readonly messages: number;
  /** Only turns from this one on are sent; unset: all. */
  readonly startTurnId?: string;
  /** How many of the sent turns, oldest first, go along as one transcript. */
  readonly folded: number;
}

export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of it the service did not count. */
  readonly isEstimate?: true;
}

/** What was used. */
export interface Spent {
  readonly conversationId: string;
  readonly conversation: TokenCount;
  /** By all conversations and windows with the active profile. */
  readonly today: TokenCount;
  /** Tokens of a day, in and out together; 0 is no limit. */
  readonly budget: { readonly soft: number; readonly hard: number };
  readonly state: 'within' | 'soft' | 'hard';
}

/** Everything the page needs to draw itself anew. */
export interface ChatSnapshot {
  /** `signedOut`: no usable key; the page shows what to do instead of a composer that cannot send. */
  readonly account: 'signedOut' | 'ready';
  readonly profileName: string;
  /** The editor's display language, for numbers and times. */
  readonly locale: string;
  readonly models: readonly ChatModel[];
  /** `unknown` until the list was read once; `failed` comes with the error. */
  readonly modelsState: 'unknown' | 'loading' | 'ready' | 'failed';
  readonly modelsError?: WireError;
  readonly model?: string;
  readonly conversationId: string;
  readonly draft: string;
  readonly turns: readonly Turn[];
  readonly compaction: Compaction;
  /** Why this conversation is shown and not another, while it is empty. */
  readonly notice?: WireError;
  /** The disk refused some of the conversation, which is in memory only. */
  readonly unsaved?: WireError;
  readonly parameters: ParametersState;
  readonly comparing: ComparedModels;
  /** Where the log stood in the page before, as `PlacesCalls` tells it. */
  readonly scrollTop?: number;
}

/** What grew since the last chunk: text for the block at `block`, or a whole new state of the answer. */
export type AnswerChunk =
  | {
      readonly type: 'append';
      readonly block: number;
      readonly kind: AnswerBlock['kind'];
      readonly name?: string;
      readonly text: string;
    }
  | { readonly type: 'state'; readonly answer: Omit<Answer, 'blocks'> }
  /** The call of the tool in this block stands otherwise. */
  | { readonly type: 'toolCall'; readonly block: number; readonly call: ToolCallView };

/** A code block of an answer, and what is to be done with it. */
export interface UsedCode {
  readonly turnId: string;
  readonly action: CodeAction;
  readonly code: string;
  /** As the answer names it; empty where it does not. */
  readonly language: string;
}

/** The calls that have files of their own. */
type PartCalls = ParametersCalls & ToolsCalls<Turn> & CompareCalls & OfferCalls & LocationCalls;

export interface ChatScreen {
  /** `scrollTop` in pixels; -1 is the end of the log, wherever that is. */
  readonly state: {
    readonly draft: string;
    readonly scrollTop: number;
    /** Whose draft and place in the log these are; an earlier version kept none. */
    readonly conversationId?: string;
    readonly tools?: TypedTools;
  };
  readonly strings: ChatStrings;
  readonly calls: PartCalls & {
    /** Asked at mount and whenever the page becomes visible again. */
    readonly 'chat/ready': Call<Record<never, never>, ChatSnapshot>;
    /** Writes the question down, starts the answer, and returns at once. The answer goes on even when the page goes. */
    readonly 'chat/ask': Call<
      {
        readonly text: string;
        readonly model: string;
        /** Ids of the chips that go along. */
        readonly attachments?: readonly string[];
      },
      { readonly turn: Turn }
    >;
    /**
     * Follows an answer until it ends: this try, by default the one that is shown. `have` is how many characters of each block the page already has, so that
     * nothing is sent twice. Cancelling stops following, not the answer.
     */
    readonly 'chat/follow': Call<
      { readonly turnId: string; readonly tryId?: string; readonly have: readonly number[] },
      { readonly answer: Answer },
      AnswerChunk
    >;
    readonly 'chat/stop': Call<{ readonly turnId: string }, Record<never, never>>;
    /** Asks a question that is shown again. The tries before are kept, and with them what followed. */
    readonly 'chat/retry': Call<{ readonly turnId: string; readonly model: string }, { readonly turn: Turn }>;
    readonly 'chat/draft': Call<{ readonly text: string }, Record<never, never>>;
    readonly 'chat/chooseModel': Call<{ readonly model: string }, Record<never, never>>;
    readonly 'chat/copy': Call<{ readonly text: string }, Record<never, never>>;
    /** Only http, https and mailto; the host checks again and opens it outside. */
    readonly 'chat/openLink': Call<{ readonly url: string }, Record<never, never>>;
    /** A `WireAction` of an error, or `signIn`, `tryDemo`, `getStarted`, `refreshModels`. */
    readonly 'chat/act': Call<{ readonly action: string; readonly turnId?: string }, Record<never, never>>;
    /** The transcript of the folded turns as it is sent; empty when none is. */
    readonly 'chat/compactedText': Call<Record<never, never>, { readonly text: string }>;
    /** Later requests send only turns from this one on; `null`: all again. */
    readonly 'chat/startFrom': Call<{ readonly turnId: string | null }, { readonly compaction: Compaction }>;
    readonly 'chat/useCode': Call<UsedCode, Record<never, never>>;
    /** Asks `text` in the place of a question that is shown. The old one is kept, with all that followed. */
    readonly 'chat/edit': Call<
      { readonly turnId: string; readonly text: string; readonly model: string },
      { readonly turn: Turn }
    >;
    /** Shows another of the questions in this place, or another try at its answer, by its index. */
    readonly 'chat/walk': Call<
      { readonly turnId: string; readonly among: 'questions' | 'tries'; readonly index: number },
      ChatSnapshot
    >;
    /** Pinned first, then the newest. A query is searched for in titles and texts. */
    readonly 'chat/conversations': Call<{ readonly query: string }, ConversationList>;
    /** Shows another conversation. An answer that is coming in the one shown goes on. */
    readonly 'chat/openConversation': Call<{ readonly id: string }, ChatSnapshot>;
    /** An empty title is the one made from the first question. */
    readonly 'chat/renameConversation': Call<{ readonly id: string; readonly title: string }, Record<never, never>>;
    readonly 'chat/pinConversation': Call<{ readonly id: string; readonly pinned: boolean }, Record<never, never>>;
    /** Puts it aside for a while, then removes it. If it is shown another is, and the page is told. */
    readonly 'chat/deleteConversation': Call<{ readonly id: string }, Record<never, never>>;
    readonly 'chat/restoreConversation': Call<{ readonly id: string }, Record<never, never>>;
    /** Asked when an answer ends and when another conversation or profile is shown. */
    readonly 'chat/spent': Call<Record<never, never>, Spent>;
    /** What goes along with the next question. */
    readonly 'chat/attachments': Call<Record<never, never>, { readonly chips: readonly AttachmentChip[] }>;
    /** Lets the person choose what to attach. */
    readonly 'chat/attach': Call<Record<never, never>, Record<never, never>>;
    readonly 'chat/detach': Call<{ readonly id: string }, Record<never, never>>;
    /** Opens exactly what is sent of it. */
    readonly 'chat/showAttachment': Call<{ readonly id: string }, Record<never, never>>;
    readonly 'chat/showSentAttachment': Call<{ readonly turnId: string; readonly index: number }, Record<never, never>>;
    /** Lets the last answer, which broke off, go on. */
    readonly 'chat/continue': Call<{ readonly turnId: string }, { readonly turn: Turn }>;
  };
  readonly events: {
    /** Profile, models, conversation or draft changed outside the page. */
    readonly 'chat/changed': ChatSnapshot;
    /** The chat view was focused by a command. */
    readonly 'chat/focusComposer': Record<never, never>;
    readonly 'chat/attachmentsChanged': { readonly chips: readonly AttachmentChip[] };
    /** A question, an answer or a setting changed what the next request sends. */
    readonly 'chat/compaction': { readonly conversationId: string; readonly compaction: Compaction };
    /** The list of conversations was asked for by a command. */
    readonly 'chat/showConversations': Record<never, never>;
    /** An answer began or ended, in whichever conversation: a list that is shown asks again. */
    readonly 'chat/conversationsChanged': Record<never, never>;
    /** The budget changed. */
    readonly 'chat/budget': Spent;
    /** What colours the editor gives code, by part of code; empty where that is not known. */
    readonly 'chat/codeColours': { readonly colours: Readonly<Record<string, string>> };
    /** Tools came or went, or own ones were changed elsewhere: a page that shows them asks again. */
    readonly 'chat/toolsChanged': Record<never, never>;
  };
}
