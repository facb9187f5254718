import assert from 'node:assert/strict';
import type { Handlers } from '../../../../src/protocol/call';
import type { ChatScreen, ChatSnapshot, Turn } from '../../../../src/protocol/chat';
import { createCaller } from '../../../../src/protocol/caller';
import { createResponder } from '../../../../src/protocol/responder';
import type { ToHost, ToWebview, WireError } from '../../../../src/protocol/wire';
import { ChatSession } from '../../../../webview/screens/chat/session';
import { createChatHost, emptySnapshot } from '../../../support/chatHost';
import { turn } from '../../../support/chatStates';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** The session and a host of its own, joined by the real channel. */
function join(snapshot: ChatSnapshot, saved?: ChatScreen['state'], handlers: Partial<Handlers<ChatScreen>> = {}) {
  const host = createChatHost(snapshot);
  const caller = createCaller<ChatScreen>((message: ToHost) => void responder.receive(copy(message)));
  const responder = createResponder<ChatScreen>(
    { ...host.handlers, ...handlers },
    (message: ToWebview) => caller.receive(copy(message)),
    (error) => error as WireError,
  );
  let state = saved;
  const session = new ChatSession({ ...caller, load: () => state, save: (next) => (state = next) });
  const text = () => session.conversation.turns.value.at(-1)?.blocks.value.map((block) => block.text.value);
  return { host, responder, session, text, state: () => state };
}

const streaming = (...texts: readonly string[]) =>
  emptySnapshot({
    turns: [turn('q', { state: 'streaming', blocks: texts.map((value) => ({ kind: 'text', text: value })) })],
  });

/** A call that the host answers when it is told to. */
function held<Result>() {
  let resolve: (result: Result) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  let reach: () => void = () => undefined;
  const reached = new Promise<void>((done) => (reach = done));
  const outcome = new Promise<Result>((done, fail) => ([resolve, reject] = [done, fail]));
  const handler = () => {
    reach();
    return outcome;
  };
  const rejection = { kind: 'user', title: 'The disk is full', detail: '', actions: [] };
  return { handler, reached, resolve, reject: () => reject(rejection as unknown as Error) };
}

describe('the session of the chat page', () => {
  it("follows an answer from the received characters, and ends with the host's text", async () => {
    const { host, session, text } = join(streaming('Hello', 'wor'));
    await session.refresh();
    assert.deepEqual(await host.wasAsked('chat/follow'), { turnId: 'q', have: [5, 3] });
    host.emit({ type: 'append', block: 1, kind: 'text', text: 'ld' });
    host.emit({ type: 'append', block: 2, kind: 'thinking', text: 'hm' });
    assert.deepEqual(text(), ['Hello', 'world', 'hm']);
    assert.equal(session.running.value?.id, 'q');
    host.finish({
      state: 'done',
      model,
      blocks: [
        { kind: 'text', text: 'Hello' },
        { kind: 'text', text: 'world!' },
      ],
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(text(), ['Hello', 'world!']);
    assert.equal(session.running.value, undefined);
  });

  it('keeps text typed before the first snapshot, also if another conversation is shown than before', async () => {
    for (const saved of [undefined, { conversationId: 'c1', draft: '', scrollTop: 0 }]) {
      const { host, session } = join(emptySnapshot({ conversationId: 'c9' }), saved as ChatScreen['state']);
      session.draft.set('Why is the sky blue?');
      await session.refresh();
      assert.equal(session.draft.text.value, 'Why is the sky blue?');
      session.draft.flush();
      await host.wasAskedWith('chat/draft', { text: 'Why is the sky blue?', conversationId: 'c9' });
    }
  });

  it('keeps its state if a snapshot is older, and uses the snapshot after a lost chunk', async () => {
    const { host, session, text } = join(streaming('Hello wor'));
    await session.refresh();
    host.emit({ type: 'append', block: 0, kind: 'text', text: 'ld, and more' });
    await session.refresh();
    assert.deepEqual(text(), ['Hello world, and more']);
    assert.deepEqual(await host.wasAsked('chat/follow', 2), { turnId: 'q', have: [21] });
    host.snapshot = streaming('Hello wonderful world');
    await session.refresh();
    assert.deepEqual(text(), ['Hello wonderful world']);
  });

  it('continues without tool calls once the host sends none', async () => {
    const { host, session } = join(
      emptySnapshot({ turns: [turn('q', { state: 'failed', canContinue: true, blocks: [] })], model }),
    );
    await session.refresh();
    await session.act('withoutToolCalls', 'q');
    assert.deepEqual(await host.wasAsked('chat/act'), { action: 'withoutToolCalls', turnId: 'q' });
    assert.deepEqual(await host.wasAsked('chat/continue'), { turnId: 'q' });
  });

  it('sends no question without a text, a key, or a model, and one at a time', async () => {
    const { host, session } = join(emptySnapshot());
    await session.refresh();
    session.draft.set('   ');
    await session.ask();
    session.draft.set('one');
    await Promise.all([session.ask(), session.ask()]);
    assert.equal(host.asked.filter(({ method }) => method === 'chat/ask').length, 1);
    session.draft.set('two');
    await session.ask();
    assert.equal(host.asked.filter(({ method }) => method === 'chat/ask').length, 1);
    const out = join(emptySnapshot({ account: 'signedOut' }));
    await out.session.refresh();
    out.session.draft.set('text');
    await out.session.ask();
    assert.ok(!out.host.asked.some(({ method }) => method === 'chat/ask'));
  });

  it('sends the box text to the host before the question, so a rejected one survives a reload', async () => {
    const { host, session } = join(emptySnapshot());
    await session.refresh();
    session.draft.set('one');
    await session.ask();
    const asked = host.asked.map(({ method }) => method).filter((method) => /draft|ask/.test(method));
    assert.deepEqual(asked.slice(0, 2), ['chat/draft', 'chat/ask']);
  });

  describe('while a question is on its way to the host', () => {
    const chip = { id: 'a', kind: 'file', label: 'rows.py', characters: 9, tokens: 3 } as const;
    const send = async () => {
      const call = held<{ readonly turn: Turn }>();
      const joint = join(emptySnapshot(), undefined, { 'chat/ask': call.handler });
      joint.host.chips = [chip];
      await joint.session.refresh();
      joint.session.draft.set('Why?');
      const asking = joint.session.ask();
      const emptied = [joint.session.draft.text.value, joint.session.attachments.chips.value.length];
      assert.deepEqual(emptied, ['', 0]);
      assert.deepEqual(joint.session.sent.value, { text: 'Why?', chips: [chip], isQueued: false });
      await call.reached;
      return { ...joint, call, asking };
    };

    it('has an empty box, which keeps what is typed next once the question is stored', async () => {
      const { host, session, call, asking, state } = await send();
      session.draft.set('And how?');
      session.draft.flush();
      assert.equal(host.snapshot.draft, 'Why?');
      assert.equal(state()?.draft, 'Why?\n\nAnd how?');
      call.resolve({ turn: turn('Why?', { state: 'waiting', blocks: [] }) });
      await asking;
      assert.equal(session.sent.value, undefined);
      assert.equal(session.conversation.turns.value.length, 1);
      assert.equal(session.draft.text.value, 'And how?');
      assert.equal(state()?.draft, 'And how?');
      session.draft.flush();
      await host.wasAskedWith('chat/draft', { text: 'And how?', conversationId: 'c1' });
    });

    it('puts it back above what was typed since, with its attachments, if the host rejects it', async () => {
      const { session, call, asking } = await send();
      session.draft.set('And how?');
      call.reject();
      await asking;
      assert.equal(session.draft.text.value, 'Why?\n\nAnd how?');
      assert.deepEqual(session.attachments.chips.value, [chip]);
      assert.equal(session.error.value?.title, 'The disk is full');
    });

    it('has it in the box again if the page is closed before it is stored', async () => {
      const { host, session, state } = await send();
      session.draft.set('And how?');
      for (const [snapshot, expected] of [
        [host.snapshot, 'Why?\n\nAnd how?'],
        [emptySnapshot({ turns: [turn('Why?', {})] }), 'And how?'],
        [emptySnapshot({ queued: [{ id: 'm', text: 'Why?', attachments: [], isAutomatic: true }] }), 'And how?'],
      ] as const) {
        const { session: next } = join(snapshot, state());
        await next.refresh();
        assert.equal(next.draft.text.value, expected);
      }
    });

    it('leaves it, and what was typed since, to its conversation if another one is opened', async () => {
      const { host, responder, session, call, asking } = await send();
      session.draft.set('And how?');
      responder.tell('chat/changed', emptySnapshot({ conversationId: 'c2', draft: 'of the second' }));
      assert.equal(session.draft.text.value, 'of the second');
      call.reject();
      await asking;
      assert.equal(session.draft.text.value, 'of the second');
      await host.wasAskedWith('chat/draft', { text: 'Why?\n\nAnd how?', conversationId: 'c1' });
    });

    it('shows no turn in another conversation', async () => {
      const { responder, session, call, asking } = await send();
      responder.tell('chat/changed', emptySnapshot({ conversationId: 'c2' }));
      call.resolve({ turn: turn('Why?', { state: 'waiting', blocks: [] }) });
      await asking;
      assert.equal(session.conversation.turns.value.length, 0);
    });

    it('queues a message that is sent right after it, once it is stored', async () => {
      const { host, session, call, asking } = await send();
      session.draft.set('And how?');
      const queuing = session.askNext('queue');
      call.resolve({ turn: turn('Why?', { state: 'waiting', blocks: [] }) });
      await Promise.all([asking, queuing]);
      assert.deepEqual(await host.wasAsked('chat/queue'), { text: 'And how?', model });
      assert.equal(session.draft.text.value, '');
    });

    it('sends no draft of a conversation that is opened before it is stored', async () => {
      const { host, responder, session, call, asking } = await send();
      session.draft.set('And how?');
      const queuing = session.askNext('queue');
      responder.tell('chat/changed', emptySnapshot({ conversationId: 'c2', draft: 'of the second' }));
      call.resolve({ turn: turn('Why?', { state: 'waiting', blocks: [] }) });
      await Promise.all([asking, queuing]);
      assert.equal(session.draft.text.value, 'of the second');
      assert.ok(!host.asked.some(({ method }) => method === 'chat/ask' || method === 'chat/queue'));
    });

    it('has only what was typed since in the box after a reload, whatever space is around it', async () => {
      for (const [typed, since, expected] of [
        [' Hi', '', ''],
        ['\nfix it ', '', ''],
        ['Hi ', 'more', 'more'],
      ] as const) {
        const call = held<{ readonly turn: Turn }>();
        const { session, state } = join(emptySnapshot(), undefined, { 'chat/ask': call.handler });
        await session.refresh();
        session.draft.set(typed);
        void session.ask();
        await call.reached;
        session.draft.set(since);
        const { session: next } = join(emptySnapshot({ turns: [turn(typed.trim(), {})] }), state());
        await next.refresh();
        assert.equal(next.draft.text.value, expected, JSON.stringify(typed));
      }
    });

    it('sends no message after it if it is rejected', async () => {
      const { host, session, call, asking } = await send();
      session.draft.set('And how?');
      const queuing = session.askNext('queue');
      call.reject();
      await Promise.all([asking, queuing]);
      assert.equal(session.draft.text.value, 'Why?\n\nAnd how?');
      assert.ok(!host.asked.some(({ method }) => method === 'chat/queue' || method === 'chat/steer'));
    });
  });

  it('keeps the draft from before a reload, and accepts one that changed elsewhere', async () => {
    const { host, responder, session, state } = join(emptySnapshot({ draft: 'half' }), {
      draft: 'half a question',
      scrollTop: 40,
    });
    await session.refresh();
    assert.equal(session.draft.text.value, 'half a question');
    assert.equal(session.draft.scrollTop, 40);
    assert.deepEqual(await host.wasAsked('chat/draft'), { text: 'half a question', conversationId: 'c1' });
    host.snapshot = emptySnapshot({ draft: 'half a question' });
    await session.refresh();
    responder.tell('chat/changed', emptySnapshot({ draft: 'from another window' }));
    assert.equal(session.draft.text.value, 'from another window');
    session.draft.set('mine');
    responder.tell('chat/changed', emptySnapshot({ draft: 'from another window' }));
    assert.equal(session.draft.text.value, 'mine');
    responder.tell('chat/changed', emptySnapshot({ draft: 'theirs', conversationId: 'c2' }));
    assert.deepEqual(state(), { draft: 'theirs', scrollTop: -1, conversationId: 'c2' });
  });

  it('leaves text on its way to the host with its conversation, unless the draft moved along', async () => {
    const { host, responder, session } = join(emptySnapshot());
    await session.refresh();
    session.draft.set('of the first');
    session.draft.flush();
    session.draft.set('of the first, and on');
    responder.tell('chat/changed', emptySnapshot({ conversationId: 'c2' }));
    assert.equal(session.draft.text.value, '');
    await host.wasAskedWith('chat/draft', { text: 'of the first, and on', conversationId: 'c1' });
    session.draft.set('of the second');
    responder.tell('chat/changed', emptySnapshot({ conversationId: 'c3', draftMovedFrom: 'c2' }));
    assert.equal(session.draft.text.value, 'of the second');
    await host.wasAskedWith('chat/draft', { text: 'of the second', conversationId: 'c3' });
  });

  it('continues in another view at the same position, with the draft of the displayed conversation', async () => {
    const snapshot = emptySnapshot({ draft: 'moved along', scrollTop: 120 });
    const { host, session, state } = join(snapshot, { draft: 'of another', scrollTop: 7, conversationId: 'c0' });
    await session.refresh();
    assert.deepEqual(state(), { draft: 'moved along', scrollTop: 120, conversationId: 'c1' });
    session.draft.saveScroll(77);
    session.draft.set('moved along, and on');
    session.draft.flush();
    assert.deepEqual(await host.wasAsked('chat/scrolled'), { scrollTop: 77 });
    assert.deepEqual(await host.wasAsked('chat/draft'), { text: 'moved along, and on', conversationId: 'c1' });
  });

  it('retries with another model when a note offers it', async () => {
    const failed = turn('q', { state: 'failed' });
    const { host, session } = join(emptySnapshot({ turns: [failed] }));
    await session.refresh();
    await session.act('useModel:zai-org/GLM-4.6', 'q');
    assert.deepEqual(await host.wasAsked('chat/retry'), { turnId: 'q', model: 'zai-org/GLM-4.6' });
    assert.equal(session.conversation.turns.value.length, 1);
    await session.act('chooseModel', 'q');
    assert.equal(session.pickerOpen.value, true);
  });
});
