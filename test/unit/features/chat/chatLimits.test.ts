import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { ChatSession } from '../../../../src/features/chat/chatSession';
import type { CatalogueState } from '../../../../src/platform/modelCatalogue';
import { createHandFedService } from './handFedService';
import { createParameters } from '../../../support/parametersHost';

const catalogue: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [{ id: 'vendor/first', types: ['text'], subTypes: ['chat'] }],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: [],
  defaults: {},
  changes: { appeared: new Set(), vanished: [] },
};
const said: readonly MessageEvent[] = [
  { type: 'blockStart', index: 0, block: { type: 'text' } },
  { type: 'text', index: 0, text: 'Because' },
  { type: 'end', message: { content: [], usage: { input_tokens: 30, output_tokens: 12 } } },
];

describe('a chat session at a limit', () => {
  let folder: string;
  let service: ReturnType<typeof createHandFedService>;
  let session: ChatSession;
  const clock = 1000;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chat-'));
    service = createHandFedService();
    let current: string | undefined;
    let count = 0;
    const state = async () => catalogue;
    const wire = (kind: string) => ({ kind, title: kind, detail: '', actions: [] });
    const error = (name: string) => () => new Error(name);
    session = new ChatSession({
      folder: createConversationFolder(folder, () => clock),
      currentId: { get: () => current, set: async (id) => void (current = id) },
      client: async () => ({ messages: service }),
      models: { state: catalogue, ready: state, ensureFresh: state, refresh: state },
      activity: { start: () => ({ dispose: () => undefined }) },
      parameters: createParameters().desk,
      profileName: () => 'Work',
      locale: 'en',
      describe: () => wire('error'),
      words: {
        answering: 'Answering',
        emptyAnswer: () => wire('emptyAnswer'),
        waiting: ({ limit }) => `waits for ${limit}`,
        tooManyMessages: () => wire('tooMany'),
        withoutParameter: () => ({ id: '', label: '' }),
        cannotContinue: error('cannotContinue'),
        nothingAsked: error('nothingAsked'),
        noModel: error('noModel'),
        stillAnswering: error('stillAnswering'),
        conversationGone: () => new Error('conversationGone'),
        turnGone: error('turnGone'),
        noSuchTurn: error('noSuchTurn'),
        notWritten: error('notWritten'),
      },
      onTrouble: (trouble) => assert.fail(String(trouble)),
      onRunningChange: () => {},
      newId: () => `id-${++count}`,
      now: () => clock,
      gatherMs: 1,
      messageLimit: () => 10,
    });
  });
  afterEach(async () => {
    await session.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('tells what holds it up, and gives the wait up for another model', async () => {
    const { id } = await session.ask('Why?', 'vendor/first');
    await service.asked;
    service.watch?.onWait?.({ reason: 'network', endpoint: 'POST /messages', until: clock + 500, attempt: 2 });
    assert.equal((await session.snapshot()).turns[0]?.answer.wait, undefined);
    const limited = { reason: 'rateLimit', limit: 'TPM', endpoint: 'POST /messages', attempt: 2 } as const;
    service.watch?.onWait?.({ ...limited, until: clock + 23_000 });
    const wait = { title: 'waits for TPM', until: clock + 23_000 };
    assert.deepEqual((await session.snapshot()).turns[0]?.answer.wait, wait);
    service.awaitNext();
    const turn = await session.retry(id, 'vendor/second');
    await service.asked;
    assert.deepEqual(turn.answer, { model: 'vendor/second', state: 'waiting', blocks: [] });
    assert.equal(service.requests.at(-1)?.model, 'vendor/second');
  });

  it('keeps with the answer which exchange it came by', async () => {
    const { id } = await session.ask('Why?', 'vendor/first');
    await service.asked;
    service.watch?.onStart?.('e1');
    service.say(...said, undefined);
    const signal = new AbortController().signal;
    assert.equal((await session.follow(id, [], { signal, emit: () => {} })).exchangeId, 'e1');
    assert.equal((await session.snapshot()).turns[0]?.answer.exchangeId, 'e1');
  });
});
