import assert from 'node:assert/strict';
import { ApiError } from '../../../../../src/core/api/errors';
import type { MessageEvent } from '../../../../../src/core/api/messages/messageEvents';
import type { ChatSession } from '../../../../../src/features/chat/logic/chatSession';
import type { EditorTools, ToolOutcome } from '../../../../../src/features/chat/logic/toolAccess';
import type { Answer, AnswerChunk, Turn } from '../../../../../src/protocol/chat';
import { until } from '../../../../support/until';
import { ended, open, setUpChat, text } from '../chatRig';

const calls = (...inputs: readonly Record<string, unknown>[]): readonly (MessageEvent | undefined)[] => [
  open(0),
  text('I look.'),
  ...inputs.flatMap((input, at): readonly MessageEvent[] => [
    { type: 'blockStart', index: at + 1, block: { type: 'tool_use', id: `t${at}`, name: 'look' } },
    { type: 'blockStop', index: at + 1, block: { type: 'tool_use', id: `t${at}`, name: 'look', input } },
  ]),
  ...ended({ stop_reason: 'tool_use' }),
];

describe('tools of an answer', () => {
  const rig = setUpChat();
  let running: { readonly input: unknown; readonly signal: AbortSignal; end: (outcome: ToolOutcome) => void }[];
  let mayRun: boolean;
  let registered: readonly string[];

  const tools: EditorTools = {
    list: () =>
      registered.map((name) => ({
        name,
        label: 'Look',
        input_schema: { type: 'object' },
        group: { id: 'x', kind: 'extension', label: 'X' },
      })),
    run: (_name, input, signal) =>
      new Promise((resolve) => {
        running.push({ input, signal, end: resolve });
        signal.addEventListener('abort', () => resolve({ text: '', isError: true }));
      }),
    get mayRun() {
      return mayRun;
    },
    maxRounds: 25,
  };

  beforeEach(() => {
    running = [];
    mayRun = true;
    registered = ['look'];
    rig.tools = tools;
  });

  /** Asks, and lets the service call the tool with these inputs. */
  async function begin(session: ChatSession, ...inputs: readonly Record<string, unknown>[]) {
    await session.parameters.set({ tools: [{ source: 'editor', name: 'look' }] });
    rig.service.awaitNext();
    const turn = await session.ask('Look it up', 'm');
    await rig.service.asked;
    rig.service.awaitNext();
    rig.service.say(...calls(...inputs));
    return { turn, answer: await follow(session, turn) };
  }
  const follow = (session: ChatSession, { id }: Pick<Turn, 'id'>, emit: (chunk: AnswerChunk) => void = () => {}) =>
    session.follow({ turnId: id, have: [] }, { signal: new AbortController().signal, emit });
  const allow = (session: ChatSession, turn: Turn, block: number, always = false) =>
    session.tools.decide({ turnId: turn.id, block, decision: { type: 'allow', always } });
  const states = ({ blocks }: Answer) => blocks.flatMap((block) => ('call' in block ? [block.call?.state] : []));
  const started = (count: number) => until(() => running.length >= count || undefined, `${count} tools run`);
  const say = async (words: string) => {
    await rig.service.asked;
    rig.service.say(open(0), text(words), ...ended({ stop_reason: 'end_turn' }));
  };

  it('run in parallel when both are allowed together, and return their results together', async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, { a: 1 }, { a: 2 });
    await Promise.all([allow(session, turn, 1), allow(session, turn, 2)]);
    await started(2);
    const chunks: AnswerChunk[] = [];
    const answer = follow(session, turn, (chunk) => chunks.push(chunk));
    running[1]?.end({ text: 'second', isError: false });
    running[0]?.end({ text: 'first', isError: true });
    await say('Both.');
    assert.deepEqual(states(await answer), ['failed', 'done']);
    assert.equal(rig.service.requests.length, 2);
    const sent = rig.service.requests[1]?.messages.at(-1)?.content;
    assert.deepEqual(sent, [
      { type: 'tool_result', tool_use_id: 't0', content: 'first', is_error: true },
      { type: 'tool_result', tool_use_id: 't1', content: 'second' },
    ]);
    const reported = chunks.flatMap((chunk) =>
      chunk.type === 'toolCall' ? [`${chunk.block} ${chunk.call.state}`] : [],
    );
    assert.deepEqual(reported.slice(0, 2), ['1 running', '2 running']);
    assert.ok(reported.includes('1 failed') && reported.includes('2 done'));
  });

  it('have their results on disk before these are sent', async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, {});
    await session.tools.decide({
      turnId: turn.id,
      block: 1,
      decision: { type: 'result', text: 'typed', isError: false },
    });
    await rig.service.asked;
    const [answer] = (await rig.transcript()).turn(turn.id)?.answers ?? [];
    assert.deepEqual(answer?.blocks[1]?.result, { text: 'typed', isError: false, by: 'person' });
    assert.deepEqual(answer.goesOnAt, [2]);
    await say('Done.');
    await follow(session, turn);
  });

  it("stay undecided if the decision can't be saved", async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, {});
    rig.diskFails = true;
    await assert.rejects(
      session.tools.decide({ turnId: turn.id, block: 1, decision: { type: 'deny', words: '' } }),
      /Couldn't save the question/,
    );
    rig.diskFails = false;
    assert.equal(rig.service.requests.length, 1);
  });

  it('ask again after the window closed during a call, even if always allowed', async () => {
    const first = rig.openWindow();
    const { turn } = await begin(first, {});
    await allow(first, turn, 1, true);
    await started(1);
    await rig.engine.dispose();
    assert.equal(running[0]?.signal.aborted, true);
    const second = rig.openWindow();
    const answer = await follow(second, turn);
    assert.deepEqual(answer.blocks[1], {
      kind: 'toolUse',
      name: 'look',
      text: '{}',
      call: {
        state: 'asking',
        label: 'Look',
        allowedAlways: true,
        canAllow: true,
        note: 'VS Code closed while this tool was running. To rerun it, allow the call.',
      },
    });
    await allow(second, turn, 1);
    await started(2);
    running[1]?.end({ text: 'now', isError: false });
    await say('Good.');
    assert.deepEqual(states(await follow(second, turn)), ['done']);
  });

  it("don't run in Restricted Mode or if unavailable, but accept an entered result", async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, {});
    mayRun = false;
    await assert.rejects(allow(session, turn, 1), /Couldn't allow or deny the tool call/);
    const [, restricted] = (await follow(session, turn)).blocks;
    assert.deepEqual(restricted && 'call' in restricted && restricted.call, {
      state: 'asking',
      label: 'Look',
      note: 'Trust the workspace to use VS Code tools.',
    });
    mayRun = true;
    registered = [];
    await assert.rejects(allow(session, turn, 1), /Couldn't allow or deny the tool call/);
    assert.deepEqual(states(await follow(session, turn)), ['awaitingResult']);
    await session.tools.decide({ turnId: turn.id, block: 1, decision: { type: 'result', text: 'x', isError: true } });
    await say('So be it.');
    await follow(session, turn);
    assert.equal(running.length, 0);
  });

  it('stop with the answer, which can continue from there', async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, {});
    await allow(session, turn, 1);
    await started(1);
    const answer = follow(session, turn);
    session.stop(turn.id);
    assert.deepEqual([states(await answer), (await answer).canContinue], [['stopped'], true]);
    await session.continue(turn.id);
    await say('Without it.');
    assert.equal((await follow(session, turn)).blocks.at(-1)?.text, 'Without it.');
    assert.match(JSON.stringify(rig.service.requests[1]?.messages.at(-1)), /stopped this tool/);
  });

  it("keep results that couldn't be sent, and send them when the answer continues", async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, {});
    await session.tools.decide({
      turnId: turn.id,
      block: 1,
      decision: { type: 'result', text: 'kept', isError: false },
    });
    await rig.service.asked;
    rig.service.awaitNext();
    rig.service.say(new Error('broke'));
    const failed = await follow(session, turn);
    assert.deepEqual([failed.state, failed.canContinue], ['failed', true]);
    await session.continue(turn.id);
    await say('Here.');
    assert.equal((await follow(session, turn)).state, 'done');
    assert.deepEqual(rig.service.requests[2]?.messages, rig.service.requests[1]?.messages);
  });

  it('are sent as text and no longer offered if the user continues without calls', async () => {
    const session = rig.openWindow();
    const { turn } = await begin(session, { a: 1 });
    const refusal = new ApiError({ kind: 'badRequest', message: 'Unexpected item in the conversation' });
    await allow(session, turn, 1);
    await started(1);
    running[0]?.end({ text: 'found', isError: false });
    await rig.service.asked;
    rig.service.say(refusal);
    const refused = await follow(session, turn);
    assert.deepEqual(
      [refused.state, refused.canContinue, refused.error?.actions.map(({ id }) => id)],
      ['failed', true, ['withoutToolCalls']],
    );

    assert.equal(await session.sendCallsAsText(turn.id), 'm');
    rig.service.awaitNext();
    await session.continue(turn.id);
    await say('It is found.');
    const answer = await follow(session, turn);
    const { messages, tools: offered } = rig.service.requests.at(-1)!;
    assert.deepEqual([answer.state, answer.error, offered], ['done', undefined, undefined]);
    assert.deepEqual(messages, [
      { role: 'user', content: 'Look it up' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'text', text: '[Called the tool look with {"a":1}]' },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: '[The tool returned: found]' }] },
    ]);

    // Also after a restart, and to this model only.
    const ask = async (model: string) => {
      const again = rig.openWindow();
      rig.service.awaitNext();
      const { id } = await again.ask('And now?', model);
      await say('Fine.');
      await follow(again, { id });
      return JSON.stringify(rig.service.requests.at(-1));
    };
    const toSame = await ask('m');
    assert.match(toSame, /Called the tool look/);
    assert.doesNotMatch(toSame, /tool_use|"tools"/);
    assert.match(await ask('n'), /tool_use.*"tools"/);
  });

  it("can be turned off if the model doesn't support them", async () => {
    const session = rig.openWindow();
    await session.parameters.set({ tools: [{ source: 'editor', name: 'look' }] });
    const turn = await session.ask('Look it up', 'm');
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'badRequest', hint: 'noTools', message: 'm does not support tools' }));
    const { error } = await follow(session, turn);
    assert.ok(error?.actions.some(({ id }) => id === 'without:tools'));
  });
});
