import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import { imageAttachment } from '../../../../src/core/conversation/attachment';
import type { Answer } from '../../../../src/protocol/chat';
import { setUpChat, open, text, ended } from './chatRig';
import { createPage } from './followingPage';

describe('a chat session', () => {
  const rig = setUpChat();

  it('saves the question before a request', async () => {
    const session = rig.openWindow();
    const seen = rig.service.asked.then(() => rig.transcript());
    const turn = await session.ask('Why?', 'vendor/first');
    assert.equal(turn.answer.state, 'waiting');
    assert.deepEqual(
      (await seen).turns().map(({ question }) => question),
      ['Why?'],
    );
    assert.deepEqual(rig.service.requests, [{ model: 'vendor/first', messages: [{ role: 'user', content: 'Why?' }] }]);
    assert.equal(rig.running, 1);
  });

  it('sends a page everything once and in order, ending with the complete answer', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.clock += 120;
    rig.service.say(open(0, 'thinking'), { type: 'thinking', index: 0, text: 'Hm' });
    await page.shows('Hm');
    rig.service.say(open(1), text('Be', 1), text('cause', 1));
    await page.shows('Because');
    rig.clock += 80;
    rig.service.say(...ended({ stop_reason: 'end_turn', usage: { input_tokens: 7, output_tokens: 2 } }));
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
    assert.equal(rig.running, 0);
  });

  it("keeps the service's IDs and the answering model, also of an interrupted answer", async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.watch?.onAnswer?.({ status: 200, requestId: undefined, traceId: 'ti_1' });
    rig.service.say({ type: 'start', id: 'msg_1', model: 'm-2025\u202E', usage: {} }, open(), text('Be'));
    rig.service.say(new ApiError({ kind: 'truncated', message: 'cut' }));
    const { answeredBy, responseId, requestId, traceId } = await page.answer;
    assert.deepEqual([answeredBy, responseId, requestId, traceId], ['m-2025', 'msg_1', undefined, 'ti_1']);
    assert.equal((await rig.transcript()).turn(id)?.answers[0]?.end?.traceId, 'ti_1');
  });

  it('saves what a page shows before it shows it', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.say(open());
    for (let piece = 0; piece < 20; piece++) {
      rig.service.say(text(`piece ${piece}, `));
      await page.shows(`piece ${piece},`);
      const written = (await rig.transcript()).turn(id)?.answers[0]?.blocks[0]?.text;
      assert.ok(written?.startsWith(page.blocks[0]!.text));
    }
  });

  it('continues without a page, and sends a returning page only what it is missing', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const first = createPage(session, id);
    await rig.service.asked;
    rig.service.say(open(), text('seen '));
    await first.shows('seen');
    first.leave();
    assert.equal((await first.answer).state, 'streaming');
    const watcher = createPage(session, id);
    rig.service.say(text('unseen '));
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
    rig.service.say(...ended());
    assert.equal((await second.answer).blocks[0]?.text, 'seen unseen ');
  });

  it('cancels the request on stop, keeps the partial answer, and sends it with the next question', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.say(open(), text('Half'));
    await page.shows('Half');
    session.stop(id);
    const answer = await page.answer;
    assert.deepEqual(
      [answer.state, answer.blocks, rig.service.aborted],
      ['stopped', [{ kind: 'text', text: 'Half' }], 1],
    );
    assert.equal(answer.error, undefined);
    assert.deepEqual(answer.usage, { inputTokens: 6, outputTokens: 1, inputIsEstimate: true, outputIsEstimate: true });
    rig.service.awaitNext();
    await session.ask('Go on', 'm');
    await rig.service.asked;
    assert.deepEqual(
      rig.service.requests[1]?.messages.map(({ content }) => content),
      ['Why?', 'Half', 'Go on'],
    );
  });

  it('shows tool calls and unknown blocks completely', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Use it', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    const raw = { type: 'hologram', data: 1 };
    rig.service.say(
      { type: 'blockStart', index: 0, block: { type: 'tool_use', id: 't', name: 'weather' } },
      { type: 'toolInput', index: 0, text: '{"city":' },
      { type: 'toolInput', index: 0, text: '"Bern"}' },
      { type: 'blockStop', index: 0, block: { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Bern' } } },
      { type: 'blockStart', index: 1, block: { type: 'unknown', raw } },
      { type: 'blockStop', index: 1, block: { type: 'unknown', raw } },
      ...ended({ stop_reason: 'tool_use' }),
    );
    assert.deepEqual((await page.answer).blocks, [
      {
        kind: 'toolUse',
        name: 'weather',
        text: '{"city":"Bern"}',
        call: {
          state: 'awaitingResult',
          label: 'weather',
          note: "This tool isn't available. Enter a result, or deny the call.",
        },
      },
      { kind: 'other', name: 'hologram', text: JSON.stringify(raw, undefined, 2) },
    ]);
    assert.deepEqual((await rig.transcript()).turn(id)?.answers[0]?.blocks[0]?.whole, {
      type: 'tool_use',
      id: 't',
      name: 'weather',
      input: { city: 'Bern' },
    });
  });

  it('answers one question at a time', async () => {
    const session = rig.openWindow();
    const both = await Promise.allSettled([session.ask('one', 'm'), session.ask('two', 'm')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    await assert.rejects(session.ask('three', 'm'), /A response is in progress/);
    await assert.rejects(session.ask('  ', 'm'), /No question/);
    assert.equal((await session.snapshot()).turns.length, 1);
  });

  it('sends an image without text, and edits such a question', async () => {
    const session = rig.openWindow();
    const image = { mediaType: 'image/png', base64: 'AA==', width: 1, height: 1 } as const;
    const { id } = await session.ask('', 'm', [imageAttachment('a.png', image)]);
    const label = { type: 'text', text: '[Image: a.png]' };
    const source = { type: 'base64', media_type: 'image/png', data: 'AA==' };
    await rig.service.asked;
    assert.deepEqual(rig.service.requests[0]?.messages, [
      { role: 'user', content: [label, { type: 'image', source }] },
    ]);
    rig.service.say(...ended({ stop_reason: 'end_turn' }));
    await createPage(session, id).answer;
    const edited = await session.edit(id, '', 'm');
    assert.equal(edited.attachments?.length, 1);
    const file = { kind: 'file', label: 'a.txt', language: '', text: 'a', tokens: 1 } as const;
    await session.startNew();
    await assert.rejects(session.ask('', 'm', [file]), /No question/);
  });

  it('regenerates only the last answer', async () => {
    const session = rig.openWindow();
    const first = await session.ask('one', 'm');
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'overloaded', message: 'busy' }));
    await createPage(session, first.id).answer;
    rig.service.awaitNext();
    const again = await session.retry(first.id, 'other');
    assert.deepEqual([again.id, again.answer.model, again.answer.state], [first.id, 'other', 'waiting']);
    await rig.service.asked;
    assert.deepEqual(rig.service.requests[1]?.messages, [{ role: 'user', content: 'one' }]);
    rig.service.say(open(), text('Fine'), ...ended());
    const page = createPage(session, first.id);
    assert.equal((await page.answer).state, 'done');
    await assert.rejects(session.retry('another turn', 'm'), /The conversation has changed/);
    assert.equal((await rig.transcript()).turn(first.id)?.answers.length, 2);
  });
});
