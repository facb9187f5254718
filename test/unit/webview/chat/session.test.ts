import assert from 'node:assert/strict';
import type { ChatScreen, ChatSnapshot } from '../../../../src/protocol/chat';
import { createCaller } from '../../../../src/protocol/caller';
import { createResponder } from '../../../../src/protocol/responder';
import type { ToHost, ToWebview, WireError } from '../../../../src/protocol/wire';
import { ChatSession } from '../../../../webview/screens/chat/session';
import { createChatHost, emptySnapshot } from '../../../support/chatHost';
import { turn } from '../../../support/chatStates';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** The session and a host of its own, joined by the real channel. */
function join(snapshot: ChatSnapshot, saved?: ChatScreen['state']) {
  const host = createChatHost(snapshot);
  const caller = createCaller<ChatScreen>((message: ToHost) => void responder.receive(copy(message)));
  const responder = createResponder<ChatScreen>(
    host.handlers,
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
