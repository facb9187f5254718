import assert from 'node:assert/strict';
import type { ApiErrorKind } from '../../../../src/core/api/errorKinds';
import { ApiError, type ErrorHint } from '../../../../src/core/api/errors';
import { setUpChat, open, text, ended } from './chatRig';
import { createPage } from './followingPage';

describe('a chat session with parameters', () => {
  const rig = setUpChat();

  it('starts an answer with the prefill, and continues a truncated one', async () => {
    const session = rig.openWindow();
    await session.parameters.set({ temperature: 0, stop_sequences: ['END'], prefill: '{"a":' });
    const { id } = await session.ask('JSON?', 'm');
    await rig.service.asked;
    const { messages, ...sent } = rig.service.requests[0]!;
    assert.deepEqual(messages, [
      { role: 'user', content: 'JSON?' },
      { role: 'assistant', content: '{"a":' },
    ]);
    assert.deepEqual([sent.model, sent.temperature, sent.stop_sequences], ['m', 0, ['END']]);
    rig.service.say(open(), text(' 1,'), ...ended({ stop_reason: 'max_tokens', usage: { output_tokens: 2 } }));
    const cut = await createPage(session, id).answer;
    assert.deepEqual(cut.blocks, [{ kind: 'text', text: '{"a": 1,' }]);
    assert.deepEqual([cut.prefilled, cut.canContinue], [true, true]);
    rig.service.awaitNext();
    await session.continue(id);
    await rig.service.asked;
    assert.deepEqual(rig.service.requests[1]?.messages.at(-1), { role: 'assistant', content: '{"a": 1,' });
    rig.service.say(open(0, 'thinking'), { type: 'thinking', index: 0, text: 'hm' }, open(1), text(' "b": 2}', 1));
    rig.service.say(...ended({ stop_reason: 'end_turn', usage: { output_tokens: 3 } }));
    const whole = await createPage(session, id).answer;
    assert.deepEqual(whole.blocks, [
      { kind: 'text', text: '{"a": 1, "b": 2}' },
      { kind: 'thinking', text: 'hm' },
    ]);
    assert.deepEqual([whole.stopReason, whole.usage?.outputTokens, whole.canContinue], ['end_turn', 5, undefined]);
    assert.equal((await rig.transcript()).turn(id)?.answers.length, 1);
    await assert.rejects(session.continue(id), /Couldn't continue the response/);
  });

  it('treats an answer with only the prefill as empty', async () => {
    const session = rig.openWindow();
    await session.parameters.set({ prefill: '{' });
    const { id } = await session.ask('?', 'm');
    await rig.service.asked;
    rig.service.say(open(), ...ended({ stop_reason: 'end_turn' }));
    assert.equal((await createPage(session, id).answer).error?.title, 'The response is empty');
  });

  it('offers to check the model if its first answer failed for its own reason', async () => {
    const session = rig.openWindow();
    const failed = async (kind: ApiErrorKind, hint?: ErrorHint) => {
      const { id } = await session.ask('?', 'm');
      await rig.service.asked;
      rig.service.say(new ApiError({ kind, message: 'no', hint }));
      rig.service.awaitNext();
      return (await createPage(session, id).answer).error?.actions.map((action) => action.id);
    };
    assert.deepEqual(await failed('server'), ['checkModel:m']);
    assert.deepEqual(await failed('network'), []);
    assert.deepEqual(await failed('server', 'gateway'), []);
    assert.deepEqual(await failed('badResponse', 'webPage'), []);
  });

  it('offers to send without a rejected parameter, and does so', async () => {
    const session = rig.openWindow();
    await session.parameters.set({ top_k: 90, temperature: 1 });
    const { id } = await session.ask('?', 'm');
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'badRequest', message: 'no', parameter: 'top_k' }));
    const { error } = await createPage(session, id).answer;
    assert.equal(error?.actions[0]?.id, 'without:top_k');
    await rig.parameters.setTaken('m', 'top_k', false);
    rig.service.awaitNext();
    await session.retry(id, 'm');
    await rig.service.asked;
    const { top_k, temperature } = rig.service.requests[1]!;
    assert.deepEqual([top_k, temperature], [undefined, 1]);
  });

  it('offers to send without a prefill if the service rejects it, and does so', async () => {
    const session = rig.openWindow();
    await session.parameters.set({ prefill: '{' });
    const { id } = await session.ask('?', 'm');
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'badRequest', message: 'The last message must be from the user.' }));
    const { error } = await createPage(session, id).answer;
    assert.equal(error?.actions[0]?.id, 'without:prefill');
    await rig.parameters.setTaken('m', 'prefill', false);
    rig.service.awaitNext();
    await session.retry(id, 'm');
    await rig.service.asked;
    assert.deepEqual(rig.service.requests[1]?.messages, [{ role: 'user', content: '?' }]);
    rig.service.say(open(), text('{}'), ...ended({ stop_reason: 'end_turn' }));
    assert.equal((await createPage(session, id).answer).prefilled, undefined);
  });
});
