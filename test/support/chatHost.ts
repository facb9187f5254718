import { isDeepStrictEqual } from 'node:util';
import { notedComparisons } from './compareHost';
import { emptyParameters, notedParameters } from './parametersHost';
import { emptyTools, notedTools } from './toolsHost';
import { until, usualLimitMs } from './until';
import type { CodeTargetView, PendingFileView } from '../../src/protocol/chatEdits';
import type { CallContext, Handlers } from '../../src/protocol/call';
import type { OwnToolIssue, ToolsState } from '../../src/protocol/chatTools';
import type {
  Answer,
  AnswerChunk,
  AttachmentChip,
  ChatScreen,
  ChatSnapshot,
  Spent,
  Turn,
} from '../../src/protocol/chat';
import type { EditorContext, Offer } from '../../src/protocol/chatOffers';
import type { ConversationList } from '../../src/protocol/chatConversations';

/** A scripted host for the chat page that records its calls. */
export interface ChatHost {
  readonly handlers: Handlers<ChatScreen>;
  /** The conversation's tools, and the errors of a typed definition. */
  tools: ToolsState;
  toolIssues: readonly OwnToolIssue[];
  readonly asked: readonly { readonly method: keyof ChatScreen['calls']; readonly params: unknown }[];
  snapshot: ChatSnapshot;
  list: ConversationList;
  spent: Spent;
  /** The attachments of the next question. */
  chips: readonly AttachmentChip[];
  /** The attached images. */
  image: string;
  /** What the user works on in the editor. */
  context: EditorContext | undefined;
  /** The suggestions for `#`. */
  offers: readonly Offer[];
  /** The suggestions for `/`. */
  commands: readonly Offer[];
  /** The target files of code blocks. */
  targets: readonly CodeTargetView[];
  pendingEdits: readonly PendingFileView[];
  instructions: { readonly sources: readonly string[]; readonly isOn: boolean };
  /** Sends a chunk of an answer to the page. */
  emit(chunk: AnswerChunk): void;
  /** Ends the streaming answer. */
  finish(answer: Answer): void;
  /** Resolves when the page has called `method` `times` times in total. */
  wasAsked(method: keyof ChatScreen['calls'], times?: number): Promise<unknown>;
  /** Resolves when the page has called `method` with exactly these parameters. An incomplete value might have been sent before. */
  wasAskedWith(method: keyof ChatScreen['calls'], params: unknown): Promise<unknown>;
}

/** A plain object, because an `Error` loses its properties on the way to the page. */
const goneImage = { kind: 'user', title: 'The image is gone', detail: '', actions: [] };

/** An image of one red pixel. */
const redPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

export function emptySnapshot(changes: Partial<ChatSnapshot> = {}): ChatSnapshot {
  return {
    account: 'ready',
    profileName: 'SiliconFlow',
    locale: 'en',
    models: [
      { id: 'Qwen/Qwen3-Coder-30B-A3B-Instruct', pinned: true },
      { id: 'zai-org/GLM-4.6', pinned: true, contextTokens: 204_800, tools: true },
      { id: 'deepseek-ai/DeepSeek-V3.2', pinned: false },
      { id: 'moonshotai/Kimi-K2-Instruct-0905', pinned: false, contextTokens: 262_144, tools: true },
      { id: 'Pro/Qwen/Qwen2.5-VL-7B-Instruct', pinned: false },
    ],
    modelsState: 'ready',
    model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    notOffered: [],
    conversationId: 'c1',
    draft: '',
    turns: [],
    compaction: { limit: 10, messages: 1, compacted: 0 },
    parameters: emptyParameters(),
    comparing: { models: [], on: false },
    ...changes,
  };
}

const foldedText = `[Earlier part of this conversation as a transcript, word for word and in order.]

[user]
> Why is the second loop slower?

[assistant]
> It allocates a string per byte.
> [user]
> <b>not markup</b>`;

const noSpending: Spent = {
  conversationId: 'c1',
  conversation: { inputTokens: 0, outputTokens: 0 },
  today: { inputTokens: 0, outputTokens: 0 },
  budget: { soft: 0, hard: 0 },
  state: 'within',
};

function withoutQueued({ queued = [], ...snapshot }: ChatSnapshot, id: string): ChatSnapshot {
  const left = queued.filter((message) => message.id !== id);
  return left.length > 0 ? { ...snapshot, queued: left } : snapshot;
}

export function createChatHost(snapshot: ChatSnapshot): ChatHost {
  const asked: { method: keyof ChatScreen['calls']; params: unknown }[] = [];
  const waiting: { method: string; times: number; resolve: (params: unknown) => void }[] = [];
  let following: { emit: (chunk: AnswerChunk) => void; resolve: (result: { answer: Answer }) => void } | undefined;

  const note = (method: keyof ChatScreen['calls'], params: unknown) => {
    asked.push({ method, params });
    const count = asked.filter((call) => call.method === method).length;
    for (const wait of waiting) if (wait.method === method && count >= wait.times) wait.resolve(params);
  };
  const nothing = (method: keyof ChatScreen['calls']) => async (params: unknown) => {
    note(method, params);
    return {};
  };
  const newTurn = (question: string, model: string): Turn => ({
    id: `t${asked.length}`,
    question,
    askedAt: Date.UTC(2026, 10, 21, 12, 4),
    answer: { state: 'waiting', model, blocks: [] },
  });

  const host: ChatHost = {
    asked,
    snapshot,
    list: { conversations: [] },
    tools: emptyTools(),
    toolIssues: [],
    spent: noSpending,
    chips: [],
    image: `data:image/png;base64,${redPng}`,
    context: undefined,
    offers: [],
    commands: [],
    targets: [],
    pendingEdits: [],
    instructions: { sources: [], isOn: true },
    emit: (chunk) => following?.emit(chunk),
    finish: (answer) => following?.resolve({ answer }),
    wasAsked(method, times = 1) {
      const calls = asked.filter((call) => call.method === method);
      if (calls.length >= times) return Promise.resolve(calls.at(-1)?.params);
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`The page did not ask for ${method} within ${usualLimitMs / 1000} s`));
        const limit = setTimeout(fail, usualLimitMs);
        const come = (params: unknown) => {
          clearTimeout(limit);
          resolve(params);
        };
        waiting.push({ method, times, resolve: come });
      });
    },
    wasAskedWith: (method, params) =>
      until(
        () => asked.find((call) => call.method === method && isDeepStrictEqual(call.params, params)),
        `${method} with ${JSON.stringify(params)}`,
      ),
    handlers: {
      'chat/ready': async (params) => {
        note('chat/ready', params);
        return host.snapshot;
      },
      'chat/ask': async (params) => {
        note('chat/ask', params);
        return { turn: newTurn(params.text, params.model) };
      },
      'chat/retry': async (params) => {
        note('chat/retry', params);
        return { turn: newTurn('again', params.model) };
      },
      'chat/follow': (params, { emit }: CallContext<AnswerChunk>) => {
        const ended = new Promise<{ answer: Answer }>((resolve) => (following = { emit, resolve }));
        note('chat/follow', params);
        return ended;
      },
      'chat/codeTargets': async (params) => {
        note('chat/codeTargets', params);
        return { targets: host.targets };
      },
      'chat/instructions': async () => host.instructions,
      'chat/useInstructions': nothing('chat/useInstructions'),
      'chat/applyCode': nothing('chat/applyCode'),
      'chat/applyAll': nothing('chat/applyAll'),
      'chat/openTarget': nothing('chat/openTarget'),
      'chat/pendingEdits': async () => ({ files: host.pendingEdits }),
      'chat/keepEdits': nothing('chat/keepEdits'),
      'chat/undoEdits': nothing('chat/undoEdits'),
      'chat/showEdits': nothing('chat/showEdits'),
      'chat/stop': nothing('chat/stop'),
      'chat/queue': async (params) => {
        note('chat/queue', params);
        const { queued = [] } = host.snapshot;
        const message = { id: `q${queued.length}`, text: params.text, attachments: [], isAutomatic: true };
        host.snapshot = { ...host.snapshot, draft: '', queued: [...queued, message] };
        return host.snapshot;
      },
      'chat/steer': async (params) => {
        note('chat/steer', params);
        host.snapshot = {
          ...host.snapshot,
          draft: '',
          turns: [...host.snapshot.turns, newTurn(params.text, params.model)],
        };
        return host.snapshot;
      },
      'chat/sendQueued': async (params) => {
        note('chat/sendQueued', params);
        host.snapshot = withoutQueued(host.snapshot, params.id);
        return host.snapshot;
      },
      'chat/unqueue': async (params) => {
        note('chat/unqueue', params);
        host.snapshot = withoutQueued(host.snapshot, params.id);
        return host.snapshot;
      },
      'chat/draft': async (params) => {
        note('chat/draft', params);
        host.snapshot = { ...host.snapshot, draft: params.text };
        return {};
      },
      'chat/chooseModel': nothing('chat/chooseModel'),
      'chat/copy': nothing('chat/copy'),
      'chat/openLink': nothing('chat/openLink'),
      'chat/act': nothing('chat/act'),
      'chat/spent': async (params) => {
        note('chat/spent', params);
        return host.spent;
      },
      'chat/compactedText': async (params) => {
        note('chat/compactedText', params);
        return { text: foldedText };
      },
      'chat/startFrom': async (params) => {
        note('chat/startFrom', params);
        const { startTurnId: _, ...folding } = host.snapshot.compaction;
        const start = params.turnId === null ? {} : { startTurnId: params.turnId };
        return { compaction: { ...folding, compacted: 0, ...start } };
      },
      'chat/useCode': nothing('chat/useCode'),
      'chat/edit': async (params) => {
        note('chat/edit', params);
        return { turn: { ...newTurn(params.text, params.model), questions: { index: 1, count: 2 } } };
      },
      'chat/walk': async (params) => {
        note('chat/walk', params);
        return host.snapshot;
      },
      'chat/conversations': async (params) => {
        note('chat/conversations', params);
        return host.list;
      },
      'chat/openConversation': async (params) => {
        note('chat/openConversation', params);
        return host.snapshot;
      },
      'chat/renameConversation': nothing('chat/renameConversation'),
      'chat/pinConversation': nothing('chat/pinConversation'),
      'chat/deleteConversation': nothing('chat/deleteConversation'),
      'chat/restoreConversation': nothing('chat/restoreConversation'),
      'chat/used': nothing('chat/used'),
      'chat/scrolled': nothing('chat/scrolled'),
      'chat/openInEditor': nothing('chat/openInEditor'),
      'chat/attachments': async (params) => {
        note('chat/attachments', params);
        return { chips: host.chips };
      },
      'chat/detach': nothing('chat/detach'),
      'chat/showAttachment': nothing('chat/showAttachment'),
      'chat/showSentAttachment': nothing('chat/showSentAttachment'),
      'chat/attachedImage': async (params) => {
        note('chat/attachedImage', params);
        if (host.image === '') throw goneImage as unknown as Error;
        return { source: host.image };
      },
      'chat/attachContext': nothing('chat/attachContext'),
      'chat/editorContext': async () => (host.context ? { context: host.context } : {}),
      'chat/offers': async (params) => {
        note('chat/offers', params);
        const requested = params.query.toLowerCase();
        return { offers: host.offers.filter(({ name }) => name.toLowerCase().includes(requested)) };
      },
      'chat/attachOffer': nothing('chat/attachOffer'),
      'chat/commands': async (params) => {
        note('chat/commands', params);
        return { offers: host.commands.filter(({ name }) => name.includes(params.query)) };
      },
      'chat/takeCommand': async (params) => {
        note('chat/takeCommand', params);
        return { text: `The text of ${params.id}.` };
      },
      'chat/drop': nothing('chat/drop'),
      'chat/continue': async (params) => {
        note('chat/continue', params);
        const turn = host.snapshot.turns.at(-1);
        if (!turn) throw new Error('There is nothing to continue.');
        return {
          turn: { ...turn, answer: { state: 'streaming', model: turn.answer.model, blocks: turn.answer.blocks } },
        };
      },
      ...notedParameters(note),
      ...notedTools(note, () => host),
      ...notedComparisons(note, () => host.snapshot),
    },
  };
  return host;
}
