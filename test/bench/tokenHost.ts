import { join } from 'node:path';
import { createClient } from '../../src/core/api/client';
import { createOfferStore } from '../../src/core/api/offers';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';
import { createConversationFolder } from '../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../src/core/conversation/conversationIndex';
import { createConversationTrash } from '../../src/core/conversation/conversationTrash';
import { Leases } from '../../src/core/storage/leases';
import { ChatEngine } from '../../src/features/chat/logic/chatEngine';
import { ChatSession } from '../../src/features/chat/logic/chatSession';
import type { Handlers } from '../../src/protocol/call';
import type { ChatScreen } from '../../src/protocol/chat';
import { testKey } from '../support/apiClient';
import { createChatHost, emptySnapshot } from '../support/chatHost';
import type { Activity } from '../../src/platform/activity';
import type { ModelCatalogue } from '../../src/services/models/modelCatalogue';
import { catalogue, plainWords } from '../support/engineParts';
import { noTools } from '../support/noTools';
import { createParameters } from '../support/parametersHost';

export interface TokenHost {
  readonly handlers: Handlers<ChatScreen>;
  close(): Promise<void>;
}

export interface TokenHostOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly updateMs: number;
}

/** Opens the host's real session, answers, history, and client, as far as questions and answers require them. */
export async function openTokenHost({ folder, baseUrl, updateMs }: TokenHostOptions): Promise<TokenHost> {
  const stack = createUndiciStack();
  const client = createClient({ baseUrl, apiKey: async () => testKey, stack, offers: createOfferStore() });
  const models = { state: catalogue, ready: async () => catalogue, refresh: async () => catalogue };
  let current: string | undefined;
  const engine = new ChatEngine({
    storage: {
      folder: createConversationFolder(folder, Date.now),
      index: createConversationIndex(folder),
      trash: createConversationTrash(folder, 0),
      leases: new Leases(join(folder, 'open'), () => ''),
    },
    account: {
      name: () => 'Bench',
      nameOf: () => 'Bench',
      currency: () => undefined,
      client: async () => client,
      checkBudget: async () => undefined,
      messageLimit: () => 10,
      advisedMessages: () => 10,
      learnMessageLimit: async () => false,
    },
    models: {
      catalogue: { ...models, ensureFresh: models.refresh } as ModelCatalogue,
      last: { get: () => undefined, set: async () => {} },
      capabilities: () => ({}),
    },
    parameters: createParameters().desk,
    tools: noTools,
    instructions: async () => ({ text: '', sources: [] }),
    activity: { start: () => ({ dispose: () => {} }) } as unknown as Activity,
    window: {
      locale: 'en',
      age: () => '',
      describe: (cause) => ({ ...plainWords('failed'), detail: String(cause) }),
      saveImage: () => Promise.resolve(),
      onError: (cause) => console.error(cause),
      onAnswer: () => undefined,
    },
    clock: { now: Date.now, newId: () => crypto.randomUUID(), updateMs, reopenMs: 300 },
  });
  const session = new ChatSession(engine, { get: () => current, set: async (id) => void (current = id) });
  await session.chooseModel('vendor/first');
  return {
    handlers: {
      ...createChatHost(emptySnapshot()).handlers,
      'chat/ready': () => session.snapshot(),
      'chat/ask': async ({ text, model }) => ({ turn: await session.ask(text, model, []) }),
      'chat/follow': async (followed, context) => ({ answer: await session.follow(followed, context) }),
    },
    close: () => engine.dispose(),
  };
}
