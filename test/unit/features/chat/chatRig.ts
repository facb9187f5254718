import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/core/api/errors';
import type { Message, MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import type { ConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../../../src/core/conversation/conversationIndex';
import { createConversationTrash } from '../../../../src/core/conversation/conversationTrash';
import { Leases } from '../../../../src/core/storage/leases';
import { readRecords } from '../../../../src/core/conversation/record';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import type { Client } from '../../../../src/core/api/client';
import { inEach } from '../../../../src/core/usage/dayTokens';
import { meteredClient } from '../../../../src/core/usage/meteredClient';
import { noTools } from '../../../support/noTools';
import { ChatEngine } from '../../../../src/features/chat/logic/chatEngine';
import type { AnswerImage } from '../../../../src/features/chat/logic/chatServices';
import { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import type { EditorTools } from '../../../../src/features/chat/logic/toolAccess';
import type { Activity } from '../../../../src/platform/activity';
import type { CatalogueState, ModelCatalogue } from '../../../../src/services/models/modelCatalogue';
import { catalogue, plainWords } from '../../../support/engineParts';
import { createParameters } from '../../../support/parametersHost';
import { createHandFedService } from './handFedService';

export const text = (value: string, index = 0): MessageEvent => ({ type: 'text', index, text: value });
export const open = (index = 0, type: 'text' | 'thinking' = 'text'): MessageEvent => ({
  type: 'blockStart',
  index,
  block: { type },
});
export const ended = (message: Partial<Message> = {}): readonly [MessageEvent, undefined] => [
  { type: 'end', message: { content: [], usage: {}, ...message } },
  undefined,
];

/** The chat's own parts over a folder and a service that the test feeds by hand. A test may set every field. */
export interface ChatRig {
  /** Removed after the test. */
  folder: string;
  service: ReturnType<typeof createHandFedService>;
  parameters: ReturnType<typeof createParameters>['desk'];
  catalogue: CatalogueState;
  /** What the window remembers as shown. */
  current: string | undefined;
  lastModel: string | undefined;
  savedImages: AnswerImage[];
  /** The account of each request. */
  accounts: (string | undefined)[];
  clock: number;
  now: () => number;
  /** The most messages of one request. */
  messageLimit: number;
  diskFails: boolean;
  /** Whether the daily token budget is used up. */
  isOverBudget: boolean;
  /** What the window has of tools; none by default. */
  tools: EditorTools;
  /** How the next window sees to it that no other has its conversations open; without it, it does not. */
  openLeases: (() => Leases) | undefined;
  /** How many answers are told to run, how often the list of models was read again, what went wrong behind the scenes. */
  running: number;
  refreshed: number;
  errors: unknown[];
  /** Answers that came to their end. */
  answered: number;
  /** The message limits that the service named. */
  learned: number[];
  /** The newest of the windows. */
  engine: ChatEngine;
  /** A window is opened on the folder and shows what it remembers. Closed after the test. */
  openWindow(): ChatSession;
  transcript(id?: string): Promise<Transcript>;
}

/** A fresh rig for each test of the surrounding `describe`. */
export function setUpChat(): ChatRig {
  const rig = {} as ChatRig;
  const engines: ChatEngine[] = [];
  beforeEach(async () => {
    let count = 0;
    Object.assign(rig, {
      folder: await mkdtemp(join(tmpdir(), 'chat-')),
      service: createHandFedService(),
      parameters: createParameters().desk,
      // What it does not list may be asked too, unless a test says otherwise.
      catalogue: { ...catalogue, isPartial: true },
      accounts: [],
      savedImages: [],
      current: undefined,
      lastModel: undefined,
      clock: 1000,
      now: () => rig.clock,
      messageLimit: 10,
      tools: noTools,
      diskFails: false,
      isOverBudget: false,
      openLeases: undefined,
      running: 0,
      refreshed: 0,
      errors: [],
      answered: 0,
      learned: [],
      openWindow() {
        rig.engine = createEngine(rig, () => `id-${++count}`);
        engines.push(rig.engine);
        return new ChatSession(rig.engine, { get: () => rig.current, set: async (id) => void (rig.current = id) });
      },
      transcript: async (id = rig.current) =>
        createTranscript(readRecords(await readFile(join(rig.folder, `${id}.jsonl`), 'utf8'))),
    } satisfies Omit<ChatRig, 'engine'>);
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.dispose();
    await rm(rig.folder, { recursive: true, force: true });
  });
  return rig;
}

function createEngine(rig: ChatRig, newId: () => string): ChatEngine {
  const leases = rig.openLeases?.();
  return new ChatEngine({
    storage: {
      folder: failingFolder(
        createConversationFolder(rig.folder, () => rig.clock, leases),
        rig,
      ),
      index: createConversationIndex(rig.folder),
      trash: createConversationTrash(rig.folder, 1000, () => rig.clock),
      leases: leases ?? new Leases(join(rig.folder, 'open'), () => ''),
    },
    account: {
      name: () => 'Work',
      nameOf: (id) => (id === 'p' ? 'Work' : undefined),
      currency: () => undefined,
      client: async (onUsage, account) => {
        rig.accounts.push(account);
        return meteredClient({ chat: rig.service } as Partial<Client> as Client, inEach([]), { onUsage });
      },
      checkBudget: async () => {
        if (rig.isOverBudget) throw new Error('budget');
      },
      messageLimit: () => rig.messageLimit,
      advisedMessages: () => 10,
      learnMessageLimit: async (limit) => {
        rig.learned.push(limit);
        // A person's own limit holds.
        if (rig.messageLimit !== 0) return false;
        rig.messageLimit = limit;
        return true;
      },
    },
    models: {
      catalogue: {
        get state() {
          return rig.catalogue;
        },
        ready: async () => rig.catalogue,
        ensureFresh: async () => rig.catalogue,
        refresh: async () => {
          rig.refreshed++;
          return rig.catalogue;
        },
      } as ModelCatalogue,
      last: { get: () => rig.lastModel, set: async (model) => void (rig.lastModel = model) },
      capabilities: ({ id }) => (id === 'vendor/first' ? { contextTokens: 131_072, tools: true } : { tools: false }),
    },
    parameters: rig.parameters,
    tools: rig.tools,
    instructions: async () => ({ text: '', sources: [] }),
    activity: {
      start() {
        rig.running++;
        return { report: () => {}, dispose: () => rig.running-- };
      },
    } as Partial<Activity> as Activity,
    window: {
      locale: 'en',
      age: (at) => `${at}`,
      describe: (cause, hints) => ({
        ...plainWords(cause instanceof ApiError ? cause.kind : 'unexpected'),
        detail: (hints?.nearestModels ?? []).join(),
      }),
      saveImage: async (image) => void rig.savedImages.push(image),
      onError: (cause) => rig.errors.push(cause),
      onAnswer: () => rig.answered++,
    },
    clock: { now: () => rig.now(), newId, updateMs: 1, reopenMs: 300 },
  });
}

/** As it is, but for a disk that takes nothing durably when the test says so. */
function failingFolder(real: ConversationFolder, rig: ChatRig): ConversationFolder {
  return {
    ...real,
    async open(id, options) {
      const conversation = await real.open(id, options);
      return (
        conversation &&
        Object.assign(Object.create(conversation) as typeof conversation, {
          async record(...[records, options]: Parameters<typeof conversation.record>) {
            if (rig.diskFails && options?.durable) throw new Error('disk full');
            await conversation.record(records, options);
          },
        })
      );
    },
  };
}
