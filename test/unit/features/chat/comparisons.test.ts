import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import type { ChatSession } from '../../../../src/features/chat/logic/chatSession';
import { compareCalls } from '../../../../src/protocol/chatCompare';
import type { Answer, AnswerChunk } from '../../../../src/protocol/chat';
import { ended as theEnd, open, setUpChat, text } from './chatRig';

const models = ['m/one', 'm/two', 'm/three'] as const;

describe('comparing models', () => {
  const rig = setUpChat();

  const lastTurn = async (session: ChatSession) => (await session.snapshot()).turns.at(-1);
  const columns = async (session: ChatSession): Promise<Readonly<Record<string, Answer>>> =>
    Object.fromEntries(
      ((await lastTurn(session))?.comparison?.columns ?? []).map(({ answer }) => [answer.model, answer]),
    );
  const tryOf = async (session: ChatSession, model: string) =>
    (await lastTurn(session))?.comparison?.columns.find(({ answer }) => answer.model === model)?.tryId ?? '';
  /** Follows a column to its end; `onText` is told of each piece. */
  const ended = async (session: ChatSession, model: string, onText = () => {}): Promise<Answer> => {
    const turnId = (await lastTurn(session))?.id ?? '';
    const followed = { turnId, tryId: await tryOf(session, model), have: [] };
    const emit = ({ type }: AnswerChunk) => type === 'append' && onText();
    return session.follow(followed, { signal: new AbortController().signal, emit });
  };
  const says = async (session: ChatSession, model: string, words: string) => {
    const end = ended(session, model);
    rig.service.sayTo(model, open(), text(words), ...theEnd({ stop_reason: 'end_turn' }));
    await end;
  };
  const begins = async (session: ChatSession, model: string, words: string) => {
    const begun = new Promise<void>((resolve) => void ended(session, model, resolve));
    rig.service.sayTo(model, open(), text(words));
    await begun;
  };
  const fails = async (session: ChatSession, model: string) => {
    const end = ended(session, model);
    rig.service.sayTo(model, new ApiError({ kind: 'overloaded', message: '' }));
    await end;
  };
  /** Asks a column again; its request was sent when this resolves. */
  const again = async (session: ChatSession, ...column: Parameters<ChatSession['comparisons']['again']>) => {
    rig.service.awaitNext();
    const turn = await session.comparisons.again(...column);
    await rig.service.asked;
    return turn;
  };
  /** Asks all three; their requests were sent when this resolves. */
  const compare = async (session: ChatSession) => {
    const turn = await session.comparisons.ask('Which?', models, []);
    while (models.some((model) => !rig.service.requests.some((request) => request.model === model))) {
      rig.service.awaitNext();
      await rig.service.asked;
    }
    return turn;
  };

  it('sends one question to all models at the same time, and keeps their answers separate', async () => {
    const session = rig.openWindow();
    const turn = await compare(session);
    assert.deepEqual(
      turn.comparison?.columns.map(({ answer }) => [answer.model, answer.state]),
      models.map((model) => [model, 'waiting']),
    );
    assert.deepEqual(
      rig.service.requests,
      models.map((model) => ({ model, messages: [{ role: 'user', content: 'Which?' }] })),
    );
    assert.equal(rig.running, 3);
    await says(session, 'm/two', 'Two.');
    await fails(session, 'm/three');
    const { 'm/one': one, 'm/two': two, 'm/three': three } = await columns(session);
    assert.deepEqual(
      [one?.state, two?.state, three?.state, two?.blocks],
      ['waiting', 'done', 'failed', [{ kind: 'text', text: 'Two.' }]],
    );
  });

  it('saves the complete comparison before a request', async () => {
    const session = rig.openWindow();
    const seen = rig.service.asked.then(() => rig.transcript());
    await compare(session);
    assert.deepEqual((await seen).turns()[0]?.comparison?.tries.length, 3);
  });

  it('stops one answer, or all of them', async () => {
    const session = rig.openWindow();
    const { id } = await compare(session);
    const one = ended(session, 'm/one');
    session.comparisons.stop(id, await tryOf(session, 'm/one'));
    assert.equal((await one).state, 'stopped');
    assert.equal((await columns(session))['m/two']?.state, 'waiting');
    const others = [ended(session, 'm/two'), ended(session, 'm/three')];
    session.stop(id);
    assert.deepEqual(
      (await Promise.all(others)).map(({ state }) => state),
      ['stopped', 'stopped'],
    );
    assert.equal(rig.running, 0);
  });

  it('regenerates one column while others continue, also with another model', async () => {
    const session = rig.openWindow();
    const { id } = await compare(session);
    await fails(session, 'm/one');
    const turn = await again(session, id, await tryOf(session, 'm/one'), 'm/four');
    assert.deepEqual(
      turn.comparison?.columns.map(({ answer }) => answer.model),
      ['m/four', 'm/two', 'm/three'],
    );
    await says(session, 'm/four', 'Four.');
    assert.equal((await columns(session))['m/two']?.state, 'waiting');
    await assert.rejects(
      session.comparisons.again(id, await tryOf(session, 'm/two'), 'm/two'),
      /The conversation has changed/,
    );
  });

  it("omits parameters that a model doesn't support, and reports them", async () => {
    await rig.parameters.setTaken('m/two', 'top_k', false);
    await rig.parameters.setTaken('m/three', 'temperature', false);
    const session = rig.openWindow();
    await session.parameters.set({ top_k: 3, max_tokens: 100 });
    const turn = await compare(session);
    assert.deepEqual(
      turn.comparison?.columns.map(({ leftOut }) => leftOut),
      [undefined, ['top_k'], undefined],
    );
    assert.deepEqual(
      rig.service.requests.map(({ top_k, max_tokens }) => [top_k, max_tokens]),
      [
        [3, 100],
        [undefined, 100],
        [3, 100],
      ],
    );
  });

  it('sends tools to no compared model, and again to a single one', async () => {
    const session = rig.openWindow();
    const input_schema = { type: 'object' as const };
    await session.parameters.set({ tools: [{ source: 'own', name: 'look_up', description: '', input_schema }] });
    const { id } = await compare(session);
    assert.deepEqual(
      rig.service.requests.map(({ tools }) => tools),
      [undefined, undefined, undefined],
    );
    await says(session, 'm/one', 'One.');
    await session.comparisons.pick(id, await tryOf(session, 'm/one'));
    rig.service.awaitNext();
    await session.ask('Why?', 'm/one');
    await rig.service.asked;
    assert.equal(rig.service.requests.at(-1)?.tools?.[0]?.name, 'look_up');
  });

  it('continues with the selected answer and its model, and stops and keeps the others', async () => {
    const session = rig.openWindow();
    await session.comparisons.choose({ models, on: true });
    const { id } = await compare(session);
    await says(session, 'm/two', 'Two.');
    const actions = [{ id: `pick:${await tryOf(session, 'm/two')}`, label: 'Continue with two' }];
    const title = 'Choose the response to continue with';
    await assert.rejects(session.comparisons.checkPicked(), { title, actions });
    await session.comparisons.pick(id, await tryOf(session, 'm/two'));
    const { turns, model, comparing } = await session.snapshot();
    assert.deepEqual([model, comparing], ['m/two', { models, on: false }]);
    assert.deepEqual([turns[0]?.answer.model, turns[0]?.comparison], ['m/two', { count: 3, columns: [] }]);
    assert.deepEqual(turns[0]?.tries, { index: 1, count: 3 });
    assert.equal(rig.running, 0);
    await session.comparisons.checkPicked();
    await session.ask('Why?', 'm/two');
    assert.deepEqual(
      rig.service.requests.at(-1)?.messages.map(({ content }) => content),
      ['Which?', 'Two.', 'Why?'],
    );
  });

  it('has no answer to select if all failed, and is replaced by the next question', async () => {
    const session = rig.openWindow();
    await compare(session);
    for (const model of models) await fails(session, model);
    await session.comparisons.checkPicked();
    rig.service.awaitNext();
    await session.ask('Why?', 'm/two');
    await rig.service.asked;
    assert.deepEqual(rig.service.requests.at(-1)?.messages, [{ role: 'user', content: 'Why?' }]);
  });

  it('continues a selected answer that is still in progress', async () => {
    const session = rig.openWindow();
    const { id } = await compare(session);
    await begins(session, 'm/one', 'On');
    const end = ended(session, 'm/one');
    await session.comparisons.pick(id, await tryOf(session, 'm/one'));
    assert.deepEqual([(await lastTurn(session))?.answer.state, rig.running], ['streaming', 1]);
    rig.service.sayTo('m/one', text('e.'), ...theEnd());
    assert.equal((await end).state, 'done');
    assert.deepEqual((await lastTurn(session))?.answer.blocks, [{ kind: 'text', text: 'One.' }]);
  });

  it('shows the answers side by side again, but not during a response', async () => {
    const session = rig.openWindow();
    const { id } = await compare(session);
    for (const model of models) await says(session, model, `${model}.`);
    await session.comparisons.pick(id, await tryOf(session, 'm/three'));
    await session.comparisons.showAgain(id);
    assert.deepEqual(
      (await lastTurn(session))?.comparison?.columns.map(({ picked }) => picked),
      [undefined, undefined, true],
    );
    await session.comparisons.pick(id, await tryOf(session, 'm/one'));
    await session.ask('Why?', 'm/one');
    await assert.rejects(session.comparisons.showAgain(id), /A response is in progress/);
    await assert.rejects(
      session.comparisons.showAgain('nobody'),
      /A response is in progress|The conversation has changed/,
    );
  });

  it('restores the columns with partial answers after VS Code closed', async () => {
    const session = rig.openWindow();
    await compare(session);
    await says(session, 'm/one', 'One.');
    await begins(session, 'm/two', 'Half');
    await rig.engine.dispose();
    const later = rig.openWindow();
    const states = Object.values(await columns(later)).map(({ state, blocks }) => [state, blocks[0]?.text]);
    assert.deepEqual(states, [
      ['done', 'One.'],
      ['interrupted', 'Half'],
      ['interrupted', undefined],
    ]);
    const { id } = (await lastTurn(later))!;
    await again(later, id, await tryOf(later, 'm/three'), 'm/three');
    await says(later, 'm/three', 'Three.');
    assert.equal((await columns(later))['m/three']?.blocks[0]?.text, 'Three.');
  });

  it('keeps the selected model until an answer is selected', async () => {
    const session = rig.openWindow();
    await session.chooseModel('vendor/first');
    await compare(session);
    assert.equal((await session.snapshot()).model, 'vendor/first');
  });

  it("doesn't start during another answer or if it can't be saved", async () => {
    const session = rig.openWindow();
    await compare(session);
    await assert.rejects(session.comparisons.ask('And?', models, []), /A response is in progress/);
    session.stop();
    await Promise.all(models.map((model) => ended(session, model)));
    rig.diskFails = true;
    await assert.rejects(session.comparisons.ask('And?', models, []), /Couldn't save the question/);
    assert.equal(rig.service.requests.length, 3);
    await assert.rejects(session.comparisons.ask(' ', models, []), /No question/);
  });

  it('accepts two to four models, each once', () => {
    const isTaken = (chosen: readonly string[], on = true) =>
      compareCalls['chat/compareWith'].safeParse({ models: chosen, on }).success;
    assert.deepEqual(
      [['a', 'b'], ['a', 'b', 'c', 'd'], ['a'], ['a', 'a'], ['a', 'b', 'c', 'd', 'e'], []].map((ids) => isTaken(ids)),
      [true, true, false, false, false, false],
    );
    assert.equal(isTaken([], false), true);
  });
});
