import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../../src/core/api/errors';
import { catalogue } from '../../../support/engineParts';
import { until } from '../../../support/until';
import { setUpChat, ended, open, text } from './chatRig';

describe('messages queued during an answer', () => {
  const rig = setUpChat();
  const model = 'vendor/first';
  const code = { kind: 'file', label: 'a.ts', language: 'ts', text: 'const a = 1;', tokens: 5 } as const;
  const questions = async () => (await rig.transcript()).turns().map(({ question }) => question);
  const sent = () => rig.service.requests.length;

  /** A window in which the first question is being answered. */
  async function answering() {
    const session = rig.openWindow();
    await session.ask('First?', model);
    await until(() => sent() === 1 || undefined, 'the first request');
    const shown = async () =>
      ((await session.snapshot()).queued ?? []).map(({ text: words, isAutomatic, error }) =>
        [words, isAutomatic ? 'queued' : 'held', ...(error ? [error.detail || error.kind] : [])].join(' '),
      );
    return { session, shown };
  }
  const answer = () => rig.service.say(open(), text('Yes.'), ...ended());

  it('are sent in order, with their attachments', async () => {
    const { session, shown } = await answering();
    await session.queue('Second?', model, [code]);
    await session.queue('Third?', model, []);
    assert.deepEqual(await shown(), ['Second? queued', 'Third? queued']);
    assert.equal(sent(), 1);
    answer();
    await until(() => sent() === 2 || undefined, 'the second request');
    assert.match(JSON.stringify(rig.service.requests[1]), /const a = 1;.*Second\?/);
    assert.deepEqual(await shown(), ['Third? queued']);
    answer();
    await until(() => sent() === 3 || undefined, 'the third request');
    assert.deepEqual(await questions(), ['First?', 'Second?', 'Third?']);
    assert.deepEqual(await shown(), []);
  });

  it('remain when the answer before them fails or is stopped, until the user sends them', async () => {
    const { session, shown } = await answering();
    await session.queue('Second?', model, []);
    await session.queue('Third?', model, []);
    rig.service.say(new ApiError({ kind: 'network', message: 'gone' }));
    await until(async () => (await shown()).every((one) => one.endsWith('held')) || undefined, 'both held');
    assert.equal(sent(), 1);
    const [first] = (await session.snapshot()).queued ?? [];
    await session.engine.queue.send((await session.shown.current()).id, first!.id, model);
    await until(() => sent() === 2 || undefined, 'the second request');
    assert.deepEqual(await shown(), ['Third? queued']);
    session.stop();
    await until(async () => (await shown())[0] === 'Third? held' || undefined, 'the third held');
    assert.equal(sent(), 2);
  });

  it('remain with the reason when the daily token budget is used', async () => {
    const { session, shown } = await answering();
    await session.queue('Second?', model, []);
    rig.isOverBudget = true;
    answer();
    await until(async () => (await shown())[0] === 'Second? held unexpected' || undefined, 'the reason');
    assert.equal(sent(), 1);
    const { queued = [], conversationId } = await session.snapshot();
    await assert.rejects(session.engine.queue.send(conversationId, queued[0]!.id, model), /budget/);
    assert.deepEqual(await questions(), ['First?']);
  });

  it('are each sent once if two are added after the answer has ended', async () => {
    const { session, shown } = await answering();
    answer();
    await until(async () => (await session.snapshot()).turns[0]?.answer.state === 'done' || undefined, 'the answer');
    let release = () => {};
    const budget = new Promise<void>((resolve) => (release = resolve));
    let checks = 0;
    Object.assign(session.engine.services.account, { checkBudget: () => (checks++, budget) });
    const both = Promise.all([session.queue('Second?', model, []), session.queue('Third?', model, [])]);
    await until(() => checks === 2 || undefined, 'both checks of the budget');
    release();
    await both;
    assert.equal(sent(), 2);
    assert.deepEqual(await shown(), ['Third? queued']);
  });

  it('remain with the reason when another account becomes active, until the user sends them', async () => {
    const { session, shown } = await answering();
    await session.queue('Second?', model, []);
    await session.queue('Third?', model, []);
    rig.catalogue = { ...rig.catalogue, profileId: 'other' };
    answer();
    const held = [
      'Second? held Queued for Work, so not sent to Work.',
      'Third? held Queued for Work, so not sent to Work.',
    ];
    await until(async () => (await shown()).join() === held.join() || undefined, 'the messages held');
    assert.equal(sent(), 1);
    const { queued = [], conversationId } = await session.snapshot();
    await session.engine.queue.send(conversationId, queued[0]!.id, model);
    // The user decided about one message only.
    assert.deepEqual(await shown(), ['Third? held Queued for Work, so not sent to Work.']);
  });

  it("are saved, and aren't sent after a restart without the user", async () => {
    const { session } = await answering();
    await session.queue('Second?', model, [code]);
    await rig.engine.dispose();
    const again = rig.openWindow();
    const { queued = [], conversationId } = await again.snapshot();
    assert.deepEqual(
      queued.map(({ text: words, isAutomatic, attachments }) => [words, isAutomatic, attachments[0]?.label]),
      [['Second?', false, 'a.ts']],
    );
    await again.engine.queue.remove(conversationId, queued[0]!.id);
    assert.equal((await again.snapshot()).queued, undefined);
    assert.equal(await readFile(join(rig.folder, `${conversationId}.queued`), 'utf8').catch(() => ''), '');
  });

  it('remain if their attachments exceed the limit of the question box', async () => {
    const { session, shown } = await answering();
    await session.queue('Second?', model, [code]);
    const { queued = [], conversationId } = await session.snapshot();
    await assert.rejects(
      session.engine.queue.remove(conversationId, queued[0]!.id, () => assert.fail('full')),
      /full/,
    );
    assert.deepEqual(await shown(), ['Second? queued']);
  });

  it("don't affect the running answer if the account doesn't have their model", async () => {
    const { session } = await answering();
    await session.queue('Second?', model, []);
    const { queued = [], conversationId } = await session.snapshot();
    rig.catalogue = { ...catalogue, models: [{ id: 'other', types: ['text'], subTypes: ['chat'] }] };
    await assert.rejects(session.steer('Third?', model, []), /Work doesn't offer/);
    await assert.rejects(session.engine.queue.send(conversationId, queued[0]!.id, model), /Work doesn't offer/);
    assert.equal(session.engine.answers.isAnswering(conversationId), true);
  });

  it('follow a question that was sent instead of the running answer, which keeps its text', async () => {
    const { session, shown } = await answering();
    rig.service.say(open(), text('Half of'));
    await session.queue('Third?', model, []);
    await session.steer('Second?', model, []);
    await until(() => sent() === 2 || undefined, 'the second request');
    const [first] = (await session.snapshot()).turns;
    assert.equal(first?.answer.state, 'stopped');
    assert.deepEqual(await shown(), ['Third? queued']);
    answer();
    await until(() => sent() === 3 || undefined, 'the third request');
    assert.deepEqual(await questions(), ['First?', 'Second?', 'Third?']);
  });
});
