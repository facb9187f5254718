// One session, service and page serve all of these tests.
/* oxlint-disable max-lines */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/core/api/errors';
import type { Message, MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import type { ConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { readRecords } from '../../../../src/core/conversation/record';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import { ChatSession } from '../../../../src/features/chat/chatSession';
import type { CatalogueState } from '../../../../src/platform/modelCatalogue';
import type { Answer, AnswerBlock, AnswerChunk } from '../../../../src/protocol/chat';
import type { WireError } from '../../../../src/protocol/wire';
import { until } from '../../../support/until';
import { createParameters } from '../../../support/parametersHost';
import { createHandFedService } from './handFedService';

const catalogue: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [
    { id: 'vendor/first', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/second', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/ranker', types: ['text'], subTypes: ['reranker'] },
  ],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: ['vendor/second'],
  defaults: {},
  changes: { appeared: new Set(), vanished: [] },
};

const text = (value: string, index = 0): MessageEvent => ({ type: 'text', index, text: value });
const open = (index = 0, type: 'text' | 'thinking' = 'text'): MessageEvent => ({
  type: 'blockStart',
  index,
  block: { type },
});
const ended = (message: Partial<Message> = {}): readonly [MessageEvent, undefined] => [
  { type: 'end', message: { content: [], usage: {}, ...message } },
  undefined,
];

describe('a chat session', () => {
  const sessions: ChatSession[] = [];
  let folder: string;
  let diskFails: boolean;
  let desk: ReturnType<typeof createParameters>['desk'];
  let service: ReturnType<typeof createHandFedService>;
  let current: string | undefined;
  let state: CatalogueState;
  let running: number;
  let refreshed: number;
  let troubles: unknown[];
  let clock: number;
  let count: number;
  let limit: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chat-'));
    service = createHandFedService();
    current = undefined;
    state = catalogue;
    diskFails = false;
    limit = 10;
    ({ desk } = createParameters());
    [running, refreshed, troubles, clock, count] = [0, 0, [], 1000, 0];
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const words = (kind: string): WireError => ({ kind, title: kind, detail: '', actions: [] });
  const createSession = () => {
    const session = new ChatSession({
      folder: failingFolder(createConversationFolder(folder, () => clock)),
      currentId: {
        get: () => current,
        set: async (id) => {
          current = id;
        },
      },
      client: async () => ({ messages: service }),
      models: {
        get state() {
          return state;
        },
        ready: async () => state,
        ensureFresh: async () => state,
        refresh: async () => {
          refreshed++;
          return state;
        },
      },
      activity: {
        start() {
          running++;
          return { dispose: () => running-- };
        },
      },
      parameters: desk,
      profileName: () => 'Work',
      locale: 'en',
      describe: (error, hints) => ({
        ...words(error instanceof ApiError ? error.kind : 'unexpected'),
        detail: (hints?.nearestModels ?? []).join(),
      }),
      words: {
        answering: 'Answering',
        emptyAnswer: () => words('emptyAnswer'),
        waiting: ({ limit }) => `waits for ${limit}`,
        tooManyMessages: (messages) => words(`tooMany ${messages}`),
        withoutParameter: (name) => ({ id: `without:${name}`, label: '' }),
        cannotContinue: () => new Error('cannotContinue'),
        nothingAsked: () => new Error('nothingAsked'),
        noModel: () => new Error('noModel'),
        stillAnswering: () => new Error('stillAnswering'),
        turnGone: () => new Error('turnGone'),
        noSuchTurn: () => new Error('noSuchTurn'),
        conversationGone: () => new Error('conversationGone'),
        notWritten: () => new Error('notWritten'),
      },
      onTrouble: (error) => troubles.push(error),
      onRunningChange: () => {},
      newId: () => `id-${++count}`,
      now: () => clock,
      gatherMs: 1,
      messageLimit: () => limit,
    });
    sessions.push(session);
    return session;
  };

  /** As it is, but for a disk that fills up when the test says so. */
  const failingFolder = (real: ConversationFolder): ConversationFolder => ({
    ...real,
    async open(id) {
      const conversation = await real.open(id);
      return (
        conversation && {
          ...conversation,
          async record(records, options) {
            await conversation.record(records, options);
            if (diskFails) throw new Error('disk full');
          },
        }
      );
    },
  });

  /** Follows like a page: puts chunks together. */
  function createPage(session: ChatSession, turnId: string, have: readonly AnswerBlock[] = []) {
    const blocks: AnswerBlock[] = [...have];
    const chunks: AnswerChunk[] = [];
    const leaving = new AbortController();
    let wake = () => {};
    const answer = session.follow(
      turnId,
      blocks.map((block) => block.text.length),
      {
        signal: leaving.signal,
        emit(chunk) {
          chunks.push(chunk);
          if (chunk.type === 'append') {
            const before = blocks[chunk.block]?.text ?? '';
            const named = chunk.name === undefined ? {} : { name: chunk.name };
            blocks[chunk.block] = { kind: chunk.kind, ...named, text: before + chunk.text } as AnswerBlock;
          }
          wake();
        },
      },
    );
    const shows = async (wanted: string) => {
      while (!blocks.some((block) => block.text.includes(wanted)))
        await new Promise<void>((resolve) => (wake = resolve));
    };
    return { blocks, chunks, answer, shows, leave: () => leaving.abort() };
  }

  const onDisk = async () => {
    const lines = await readFile(join(folder, `${current}.jsonl`), 'utf8');
    return createTranscript(readRecords(lines));
  };

  it('writes the question down before anything is sent', async () => {
    const session = createSession();
    const seen = service.asked.then(onDisk);
    const turn = await session.ask('Why?', 'vendor/first');
    assert.equal(turn.answer.state, 'waiting');
    assert.deepEqual(
      (await seen).turns().map(({ question }) => question),
      ['Why?'],
    );
    assert.deepEqual(service.requests, [{ model: 'vendor/first', messages: [{ role: 'user', content: 'Why?' }] }]);
    assert.equal(running, 1);
  });

  it('tells a page everything once, in order, and ends with the whole answer', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await service.asked;
    clock += 120;
    service.say(open(0, 'thinking'), { type: 'thinking', index: 0, text: 'Hm' });
    await page.shows('Hm');
    service.say(open(1), text('Be', 1), text('cause', 1));
    await page.shows('Because');
    clock += 80;
    service.say(...ended({ stop_reason: 'end_turn', usage: { input_tokens: 7, output_tokens: 2 } }));
    const answer = await page.answer;
    assert.deepEqual(answer, {
      state: 'done',
      model: 'm',
      blocks: [
        { kind: 'thinking', text: 'Hm' },
        { kind: 'text', text: 'Because' },
      ],
      stopReason: 'end_turn',
      usage: { inputTokens: 7, outputTokens: 2 },
      firstTokenMs: 120,
      totalMs: 200,
    } satisfies Answer);
    assert.deepEqual(page.blocks, answer.blocks);
    const states = page.chunks.flatMap((chunk) => (chunk.type === 'state' ? [chunk.answer.state] : []));
    assert.deepEqual(states, ['waiting', 'streaming', 'done']);
    assert.equal(running, 0);
  });

  it('has on disk whatever a page shows, before it shows it', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await service.asked;
    service.say(open());
    for (let piece = 0; piece < 20; piece++) {
      service.say(text(`piece ${piece}, `));
      await page.shows(`piece ${piece},`);
      const written = (await onDisk()).turn(id)?.answers[0]?.blocks[0]?.text;
      assert.ok(written?.startsWith(page.blocks[0]!.text));
    }
  });

  it('goes on without a page, and sends a page that comes back only what it lacks', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const first = createPage(session, id);
    await service.asked;
    service.say(open(), text('seen '));
    await first.shows('seen');
    first.leave();
    assert.equal((await first.answer).state, 'streaming');
    const watcher = createPage(session, id);
    service.say(text('unseen '));
    await watcher.shows('unseen');
    assert.equal(first.blocks[0]?.text, 'seen ');
    const second = createPage(session, id, [{ kind: 'text', text: 'seen ' }]);
    await second.shows('unseen');
    assert.equal(
      second.chunks
        .filter((chunk) => chunk.type === 'append')
        .map((chunk) => chunk.text)
        .join(),
      'unseen ',
    );
    service.say(...ended());
    assert.equal((await second.answer).blocks[0]?.text, 'seen unseen ');
  });

  it('stops: the request is aborted, what came is kept, and the next question holds it', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await service.asked;
    service.say(open(), text('Half'));
    await page.shows('Half');
    session.stop(id);
    const answer = await page.answer;
    assert.deepEqual([answer.state, answer.blocks, service.aborted], ['stopped', [{ kind: 'text', text: 'Half' }], 1]);
    assert.equal(answer.error, undefined);
    service.awaitNext();
    await session.ask('Go on', 'm');
    await service.asked;
    assert.deepEqual(
      service.requests[1]?.messages.map(({ content }) => content),
      ['Why?', 'Half', 'Go on'],
    );
  });

  it('turns an error into the trouble of its turn and keeps what came', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await service.asked;
    service.say(open(), text('Part'), new ApiError({ kind: 'truncated', message: 'cut' }));
    const answer = await page.answer;
    assert.deepEqual([answer.state, answer.error?.kind, answer.blocks[0]?.text], ['failed', 'truncated', 'Part']);
    assert.equal((await onDisk()).turn(id)?.answers[0]?.end?.error?.kind, 'truncated');
  });

  it('names the nearest models and reads the list again when the service does not know one', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'vendor/frist');
    const page = createPage(session, id);
    await service.asked;
    service.say(new ApiError({ kind: 'unknownModel', message: 'no such model' }));
    assert.equal((await page.answer).error?.detail.split(',')[0], 'vendor/first');
    assert.equal(refreshed, 1);
  });

  it('says so when a long conversation is refused, and takes its question along to a new one', async () => {
    const session = createSession();
    const askAndAnswer = async (question: string, answer: MessageEvent | Error) => {
      service.awaitNext();
      const { id } = await session.ask(question, 'm');
      await service.asked;
      service.say(...(answer instanceof Error ? [answer] : [open(), answer, ...ended()]));
      return createPage(session, id).answer;
    };
    limit = 0;
    for (let round = 1; round <= 5; round++) await askAndAnswer(`Question ${round}`, text('Fine.'));
    const refused = await askAndAnswer('Question 6', new ApiError({ kind: 'badRequest', message: 'too many' }));
    assert.equal(refused.error?.kind, 'tooMany 11');
    await session.startNew();
    const { turns, draft } = await session.snapshot();
    assert.deepEqual([turns, draft], [[], 'Question 6']);
  });

  it('calls an answer without a word failed, but not a refusal', async () => {
    const session = createSession();
    const first = await session.ask('Why?', 'm');
    const empty = createPage(session, first.id);
    await service.asked;
    service.say(open(), text('  '), ...ended({ stop_reason: 'end_turn' }));
    assert.equal((await empty.answer).error?.kind, 'emptyAnswer');
    service.awaitNext();
    const second = await session.ask('Well?', 'm');
    const refusal = createPage(session, second.id);
    await service.asked;
    service.say(...ended({ stop_reason: 'refusal' }));
    const { state: how, stopReason } = await refusal.answer;
    assert.deepEqual([how, stopReason], ['done', 'refusal']);
  });

  it('shows tool calls and blocks it does not know, whole', async () => {
    const session = createSession();
    const { id } = await session.ask('Use it', 'm');
    const page = createPage(session, id);
    await service.asked;
    const raw = { type: 'hologram', data: 1 };
    service.say(
      { type: 'blockStart', index: 0, block: { type: 'tool_use', id: 't', name: 'weather' } },
      { type: 'toolInput', index: 0, text: '{"city":' },
      { type: 'toolInput', index: 0, text: '"Bern"}' },
      { type: 'blockStop', index: 0, block: { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Bern' } } },
      { type: 'blockStart', index: 1, block: { type: 'unknown', raw } },
      { type: 'blockStop', index: 1, block: { type: 'unknown', raw } },
      ...ended({ stop_reason: 'tool_use' }),
    );
    assert.deepEqual((await page.answer).blocks, [
      { kind: 'toolUse', name: 'weather', text: '{"city":"Bern"}' },
      { kind: 'other', name: 'hologram', text: JSON.stringify(raw, undefined, 2) },
    ]);
    assert.deepEqual((await onDisk()).turn(id)?.answers[0]?.blocks[0]?.whole, {
      type: 'tool_use',
      id: 't',
      name: 'weather',
      input: { city: 'Bern' },
    });
  });

  it('answers one question at a time', async () => {
    const session = createSession();
    const both = await Promise.allSettled([session.ask('one', 'm'), session.ask('two', 'm')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await assert.rejects(session.ask('three', 'm'), /stillAnswering/);
    await assert.rejects(session.ask('  ', 'm'), /nothingAsked/);
    assert.equal((await session.snapshot()).turns.length, 1);
  });

  it('sends nothing and keeps the draft when the question cannot be written', async () => {
    const session = createSession();
    await session.setDraft('precious');
    await mkdir(join(folder, `${current}.jsonl`));
    await assert.rejects(session.ask('precious', 'm'), /notWritten/);
    const { draft, turns } = await session.snapshot();
    assert.deepEqual([draft, turns, service.requests], ['precious', [], []]);
  });

  it('asks again in place of the last answer only', async () => {
    const session = createSession();
    const first = await session.ask('one', 'm');
    await service.asked;
    service.say(new ApiError({ kind: 'overloaded', message: 'busy' }));
    await createPage(session, first.id).answer;
    service.awaitNext();
    const again = await session.retry(first.id, 'other');
    assert.deepEqual([again.id, again.answer.model, again.answer.state], [first.id, 'other', 'waiting']);
    await service.asked;
    assert.deepEqual(service.requests[1]?.messages, [{ role: 'user', content: 'one' }]);
    service.say(open(), text('Fine'), ...ended());
    const page = createPage(session, first.id);
    assert.equal((await page.answer).state, 'done');
    await assert.rejects(session.retry('another turn', 'm'), /turnGone/);
    assert.equal((await onDisk()).turn(first.id)?.answers.length, 2);
  });

  it('shows after a restart what was there, the draft too, and a cut answer as interrupted', async () => {
    const before = createSession();
    const { id } = await before.ask('Why?', 'm');
    const page = createPage(before, id);
    await service.asked;
    service.say(open(), text('Half'));
    await page.shows('Half');
    await before.setDraft('next question');
    await before.dispose();
    await page.answer;
    assert.equal(service.aborted, 1);
    const after = await createSession().snapshot();
    assert.equal(after.draft, 'next question');
    assert.deepEqual(after.turns[0]?.answer, {
      state: 'interrupted',
      model: 'm',
      canContinue: true,
      blocks: [{ kind: 'text', text: 'Half' }],
    });
  });

  it('starts an answer with the prefill, and goes on from where it was cut', async () => {
    const session = createSession();
    await session.parameters.set({ temperature: 0, stop_sequences: ['END'], prefill: '{"a":' });
    const { id } = await session.ask('JSON?', 'm');
    await service.asked;
    const { messages, ...sent } = service.requests[0]!;
    assert.deepEqual(messages, [
      { role: 'user', content: 'JSON?' },
      { role: 'assistant', content: '{"a":' },
    ]);
    assert.deepEqual([sent.model, sent.temperature, sent.stop_sequences], ['m', 0, ['END']]);
    service.say(open(), text(' 1,'), ...ended({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } }));
    const cut = await createPage(session, id).answer;
    assert.deepEqual(cut.blocks, [{ kind: 'text', text: '{"a": 1,' }]);
    assert.deepEqual([cut.prefilled, cut.canContinue], [true, true]);
    service.awaitNext();
    await session.continue(id);
    await service.asked;
    assert.deepEqual(service.requests[1]?.messages.at(-1), { role: 'assistant', content: '{"a": 1,' });
    service.say(open(0, 'thinking'), { type: 'thinking', index: 0, text: 'hm' }, open(1), text(' "b": 2}', 1));
    service.say(...ended({ stop_reason: 'end_turn', usage: { output_tokens: 3 } }));
    const whole = await createPage(session, id).answer;
    assert.deepEqual(whole.blocks, [
      { kind: 'text', text: '{"a": 1, "b": 2}' },
      { kind: 'thinking', text: 'hm' },
    ]);
    assert.deepEqual([whole.stopReason, whole.usage?.outputTokens, whole.canContinue], ['end_turn', 5, undefined]);
    assert.equal((await onDisk()).turn(id)?.answers.length, 1);
    await assert.rejects(session.continue(id), /cannotContinue/);
  });

  it('calls an answer that brought nothing but the prefill empty', async () => {
    const session = createSession();
    await session.parameters.set({ prefill: '{' });
    const { id } = await session.ask('?', 'm');
    await service.asked;
    service.say(open(), ...ended({ stop_reason: 'end_turn' }));
    assert.equal((await createPage(session, id).answer).error?.kind, 'emptyAnswer');
  });

  it('offers to send without what the service refused, and then does', async () => {
    const session = createSession();
    await session.parameters.set({ top_k: 90, temperature: 1 });
    const { id } = await session.ask('?', 'm');
    await service.asked;
    service.say(new ApiError({ kind: 'badRequest', message: 'no', parameter: 'top_k' }));
    const { error } = await createPage(session, id).answer;
    assert.deepEqual(error?.actions, [{ id: 'without:top_k', label: '' }]);
    await desk.setTaken('m', 'top_k', false);
    service.awaitNext();
    await session.retry(id, 'm');
    await service.asked;
    const { top_k, temperature } = service.requests[1]!;
    assert.deepEqual([top_k, temperature], [undefined, 1]);
  });

  it('finds the conversation written last in a window that never showed one', async () => {
    const before = createSession();
    await before.ask('Why?', 'm');
    await before.dispose();
    current = undefined;
    assert.equal((await createSession().snapshot()).turns[0]?.question, 'Why?');
  });

  it('begins a new conversation, lets the answer that comes go on, and takes the draft along', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    await service.asked;
    service.say(open(), text('Half'));
    await session.setDraft('draft');
    const old = current;
    await session.startNew();
    const { turns, draft, conversationId } = await session.snapshot();
    assert.deepEqual([turns, draft, conversationId !== old, service.aborted], [[], 'draft', true, 0]);
    assert.equal(session.isRunningIn(old!), true);
    service.say(text(' and whole'), ...ended());
    await until(() => (session.isRunningIn(old!) ? undefined : true), 'the end of the answer');
    const lines = await readFile(join(folder, `${old}.jsonl`), 'utf8');
    const answer = createTranscript(readRecords(lines)).turn(id)?.shown;
    assert.deepEqual([answer?.end?.state, answer?.blocks[0]?.text], ['done', 'Half and whole']);
    const same = conversationId;
    await session.startNew();
    assert.equal((await session.snapshot()).conversationId, same);
  });

  it('chooses the model of the conversation, else the default, else the first pinned', async () => {
    const session = createSession();
    assert.equal((await session.snapshot()).model, 'vendor/second');
    state = { ...catalogue, defaults: { chat: 'vendor/first' } };
    assert.equal((await session.snapshot()).model, 'vendor/first');
    await session.chooseModel('vendor/gone');
    assert.equal((await session.snapshot()).model, 'vendor/gone');
    assert.equal((await createSession().snapshot()).model, 'vendor/gone');
  });

  it('offers the chat models only, pins first, and says how the list stands', async () => {
    const session = createSession();
    const { models, modelsState, account, profileName } = await session.snapshot();
    assert.deepEqual(models, [
      { id: 'vendor/second', pinned: true },
      { id: 'vendor/first', pinned: false },
    ]);
    assert.deepEqual([modelsState, account, profileName], ['ready', 'ready', 'Work']);
    state = { ...catalogue, models: [], error: new ApiError({ kind: 'network', message: 'no' }) };
    const failed = await session.snapshot();
    assert.deepEqual([failed.modelsState, failed.modelsError?.kind], ['failed', 'network']);
    state = { ...catalogue, models: [], fetchedAt: undefined, session: 'signedOut' };
    const out = await session.snapshot();
    assert.deepEqual([out.modelsState, out.account], ['unknown', 'signedOut']);
  });

  it('goes on when the disk fills up in the middle, and says so', async () => {
    const session = createSession();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await service.asked;
    diskFails = true;
    service.say(open(), text('on screen'), ...ended());
    const answer = await page.answer;
    assert.deepEqual([answer.state, answer.blocks[0]?.text], ['done', 'on screen']);
    assert.ok(troubles.length > 0);
  });
});
