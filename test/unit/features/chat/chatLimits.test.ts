import assert from 'node:assert/strict';
import { ended, open, setUpChat, text } from './chatRig';

describe('a chat session at a limit', () => {
  const rig = setUpChat();

  it('reports the limit it waits for, and ends the wait for another model', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'vendor/first');
    await rig.service.asked;
    rig.service.watch?.onWait?.({ reason: 'network', endpoint: 'POST /messages', until: rig.clock + 500, attempt: 2 });
    assert.equal((await session.snapshot()).turns[0]?.answer.wait, undefined);
    const limited = { reason: 'rateLimit', limit: 'TPM', endpoint: 'POST /messages', attempt: 2 } as const;
    rig.service.watch?.onWait?.({ ...limited, until: rig.clock + 23_000 });
    const wait = { title: 'Tokens-per-minute limit reached', until: rig.clock + 23_000 };
    assert.deepEqual((await session.snapshot()).turns[0]?.answer.wait, wait);
    rig.service.awaitNext();
    const turn = await session.retry(id, 'vendor/second');
    await rig.service.asked;
    assert.deepEqual(turn.answer, { model: 'vendor/second', state: 'waiting', waitingSince: 1000, blocks: [] });
    assert.equal(rig.service.requests.at(-1)?.model, 'vendor/second');
  });

  it('stores the request ID with the answer', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'vendor/first');
    await rig.service.asked;
    rig.service.watch?.onStart?.('e1');
    rig.service.say(open(), text('Because'), ...ended({ usage: { input_tokens: 30, output_tokens: 12 } }));
    const signal = new AbortController().signal;
    assert.equal((await session.follow({ turnId: id, have: [] }, { signal, emit: () => {} })).exchangeId, 'e1');
    assert.equal((await session.snapshot()).turns[0]?.answer.exchangeId, 'e1');
  });
});
