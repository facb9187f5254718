import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../../../src/core/api/errors';
import type { MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import { setUpChat, open, text, ended } from './chatRig';
import { createPage } from './followingPage';

describe('a chat session with errors', () => {
  const rig = setUpChat();

  it('shows an error in its turn, and keeps the partial answer', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.say(open(), text('Part'), new ApiError({ kind: 'truncated', message: 'cut' }));
    const answer = await page.answer;
    assert.deepEqual([answer.state, answer.error?.kind, answer.blocks[0]?.text], ['failed', 'truncated', 'Part']);
    assert.equal((await rig.transcript()).turn(id)?.answers[0]?.end?.error?.kind, 'truncated');
  });

  it("suggests similar models and reloads the list when the service doesn't know one", async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'vendor/frist');
    const page = createPage(session, id);
    await rig.service.asked;
    rig.service.say(new ApiError({ kind: 'unknownModel', message: 'no such model' }));
    assert.equal((await page.answer).error?.detail.split(',')[0], 'vendor/first');
    assert.equal(rig.refreshed, 1);
  });

  it('reports a rejected long conversation, and moves its question to a new one', async () => {
    const session = rig.openWindow();
    const askAndAnswer = async (question: string, answer: MessageEvent | Error) => {
      rig.service.awaitNext();
      const { id } = await session.ask(question, 'm');
      await rig.service.asked;
      rig.service.say(...(answer instanceof Error ? [answer] : [open(), answer, ...ended()]));
      return createPage(session, id).answer;
    };
    rig.messageLimit = 0;
    for (let round = 1; round <= 5; round++) await askAndAnswer(`Question ${round}`, text('Fine.'));
    const refused = await askAndAnswer('Question 6', new ApiError({ kind: 'badRequest', message: 'too many' }));
    assert.equal(refused.error?.title, 'The conversation might be too long');
    await session.startNew(true);
    const { turns, draft } = await session.snapshot();
    assert.deepEqual([turns, draft], [[], 'Question 6']);
  });

  it('omits failed questions from later requests, however these are sent', async () => {
    const session = rig.openWindow();
    const failure = new ApiError({ kind: 'overloaded', message: '' });
    /** Resolves with the texts of the request and the turn, once it ended in this way. */
    const send = async (
      how: () => Promise<{ readonly id: string }>,
      ...events: readonly (MessageEvent | Error | undefined)[]
    ) => {
      rig.service.awaitNext();
      const { id } = await how();
      await rig.service.asked;
      rig.service.say(...events);
      const answer = await createPage(session, id).answer;
      return { id, answer, sent: rig.service.requests.at(-1)?.messages.map(({ content }) => content) };
    };
    const ask = (question: string) => () => session.ask(question, 'm');

    const first = await send(ask('One'), failure);
    assert.deepEqual([first.sent, first.answer.omitted], [['One'], true]);
    assert.deepEqual((await send(ask('Two'), failure)).sent, ['Two']);
    const { compaction, turns } = await session.snapshot();
    assert.deepEqual([compaction.messages, turns.length], [1, 2]);
    const third = await send(ask('Three'), open(), text('Fine.'), ...ended());
    assert.deepEqual([third.sent, third.answer.omitted], [['Three'], undefined]);

    // An answer that broke off is seen, so its question is not asked anew but goes along with what came.
    assert.deepEqual((await send(ask('Four'), open(), text('Part'), failure)).sent, ['Three', 'Fine.', 'Four']);
    const fifth = await send(ask('Five'), failure);
    const before = ['Three', 'Fine.', 'Four', 'Part'];
    assert.deepEqual(fifth.sent, [...before, 'Five']);
    assert.deepEqual((await send(() => session.retry(fifth.id, 'm'), failure)).sent, [...before, 'Five']);
    assert.deepEqual((await send(() => session.edit(fifth.id, 'Six', 'm'), failure)).sent, [...before, 'Six']);
    await session.setDraft('Seven');
    const { request } = await session.exportable([]);
    assert.deepEqual(
      request?.messages.map(({ content }) => content),
      [...before, 'Seven'],
    );
    rig.service.awaitNext();
    await session.comparisons.ask('Eight', ['m', 'n'], []);
    await rig.service.asked;
    assert.deepEqual(
      rig.service.requests.at(-1)?.messages.map(({ content }) => content),
      [...before, 'Eight'],
    );
  });

  it('retries with fewer messages after the service reports its limit, and remembers it', async () => {
    const session = rig.openWindow();
    const ask = async (question: string, ...answers: readonly (MessageEvent | Error)[]) => {
      const page: { answer?: ReturnType<typeof createPage>['answer'] } = {};
      for (const answer of answers) {
        const isFirst = !page.answer;
        if (isFirst) rig.service.awaitNext();
        if (isFirst) page.answer = createPage(session, (await session.ask(question, 'm')).id).answer;
        await rig.service.asked;
        rig.service.awaitNext();
        rig.service.say(...(answer instanceof Error ? [answer] : [open(), answer, ...ended()]));
      }
      return page.answer;
    };
    rig.messageLimit = 0;
    for (let round = 1; round <= 5; round++) await ask(`Question ${round}`, text('Fine.'));
    const refusal = new ApiError({
      kind: 'badRequest',
      message: 'List should have at most 10 items after validation, not 11',
    });
    const answer = await ask('Question 6', refusal, text('Fine again.'));
    assert.deepEqual([answer?.state, answer?.error], ['done', undefined]);
    assert.deepEqual(
      rig.service.requests.slice(-2).map(({ messages }) => messages.length),
      [11, 9],
    );
    assert.deepEqual(rig.learned, [10]);
    // Where the person's own limit holds, it is said and not sent again.
    rig.messageLimit = 40;
    const refused = await ask('Question 7', refusal);
    assert.equal(refused?.error?.title, 'The conversation might be too long');
    assert.equal(rig.service.requests.length, 8);
  });

  it('reports completed answers, but not failed or stopped ones', async () => {
    const session = rig.openWindow();
    const ask = async () => {
      rig.service.awaitNext();
      const { id } = await session.ask('Why?', 'm');
      await rig.service.asked;
      return createPage(session, id);
    };
    const failed = await ask();
    rig.service.say(open(), text('Part'), new ApiError({ kind: 'auth', message: 'no key', sent: false }));
    await failed.answer;
    const stopped = await ask();
    rig.service.say(open(), text('Part'));
    session.stop();
    await stopped.answer;
    assert.equal(rig.answered, 0);
    const done = await ask();
    rig.service.say(open(), text('Because.'), ...ended());
    await done.answer;
    assert.equal(rig.answered, 1);
  });

  it('reports an answer without text as failed, but not a refusal', async () => {
    const session = rig.openWindow();
    const first = await session.ask('Why?', 'm');
    const empty = createPage(session, first.id);
    await rig.service.asked;
    rig.service.say(open(), text('  '), ...ended({ stop_reason: 'end_turn' }));
    assert.equal((await empty.answer).error?.title, 'The response is empty');
    rig.service.awaitNext();
    const second = await session.ask('Well?', 'm');
    const refusal = createPage(session, second.id);
    await rig.service.asked;
    rig.service.say(...ended({ stop_reason: 'refusal' }));
    const { state: how, stopReason } = await refusal.answer;
    assert.deepEqual([how, stopReason], ['done', 'refusal']);
  });

  it('explains an answer that has only thinking, an incomplete tool call or an error as its finish reason', async () => {
    const session = rig.openWindow();
    const read = async (...events: readonly (MessageEvent | undefined)[]) => {
      rig.service.awaitNext();
      const page = createPage(session, (await session.ask('Why?', 'm')).id);
      await rig.service.asked;
      rig.service.say(...events);
      const { state, error, canContinue } = await page.answer;
      return [state, error?.title, canContinue];
    };
    const thought: readonly MessageEvent[] = [open(0, 'thinking'), { type: 'thinking', index: 0, text: 'Hm.' }];
    const block = { type: 'tool_use', id: 't', name: 'write', input: '{"path":"a' } as const;
    const half: readonly MessageEvent[] = [
      { type: 'blockStart', index: 0, block },
      { type: 'toolInput', index: 0, text: block.input },
      { type: 'blockStop', index: 0, block },
    ];
    assert.deepEqual(await read(...thought, ...ended({ stop_reason: 'end_turn' })), [
      'failed',
      "The model didn't answer",
      true,
    ]);
    const atLimit = await read(...thought, ...ended({ stop_reason: 'max_tokens' }));
    assert.deepEqual(atLimit, ['failed', 'Token limit reached before the model responded', undefined]);
    const cut = await read(...half, ...ended({ stop_reason: 'tool_use' }));
    assert.deepEqual(cut, ['failed', 'The tool call is incomplete', undefined]);
    const failed = await read(open(), text('Half'), ...ended({ stop_reason: 'error' }));
    assert.deepEqual(failed, ['failed', 'The response ended with an error', true]);
    // Thinking is not sent back as an answer, and a call that is not whole not at all.
    const sent = rig.service.requests.at(-1)?.messages.map(({ role }) => role);
    assert.deepEqual(sent, ['user']);
  });

  it('records thinking found in text, and the sources of an answer', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('Why?', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    const thinking = { type: 'thinking', thinking: 'A sum.', isFromText: true } as const;
    const citations = [{ url: 'https://a.example/', title: 'A' }];
    rig.service.say(
      open(),
      text('A sum.\n'),
      { type: 'replace', index: 0, block: thinking },
      open(1),
      text('42 [1]', 1),
      ...ended({ stop_reason: 'end_turn', citations }),
    );
    const answer = await page.answer;
    assert.deepEqual(
      answer.blocks.map(({ kind, text: shown }) => [kind, shown]),
      [
        ['thinking', 'A sum.'],
        ['text', '42 [1]'],
      ],
    );
    assert.deepEqual(answer.citations, citations);
    const stored = (await rig.transcript()).turn(id)?.answers[0];
    assert.deepEqual([stored?.blocks[0]?.type, stored?.end?.citations], ['thinking', citations]);
  });

  it('shows an image of an answer and saves it like a generated one', async () => {
    const session = rig.openWindow();
    const { id } = await session.ask('A cat', 'm');
    const page = createPage(session, id);
    await rig.service.asked;
    const source = { type: 'base64', media_type: 'image/png', data: 'AAEC' } as const;
    const block = { type: 'image', source, alternative: 'cat' } as const;
    rig.service.say(
      { type: 'blockStart', index: 0, block: { type: 'image' } },
      { type: 'blockStop', index: 0, block },
      ...ended({ stop_reason: 'end_turn' }),
    );
    const { state, blocks } = await page.answer;
    const shown = { kind: 'image', text: 'cat', source: 'data:image/png;base64,AAEC' };
    assert.deepEqual([state, blocks], ['done', [shown]]);
    assert.deepEqual(page.blocks, [shown]);
    assert.deepEqual(rig.savedImages, [{ bytes: Buffer.from([0, 1, 2]), model: 'm', prompt: 'A cat' }]);
  });

  it("sends no question that can't be saved, and keeps the draft", async () => {
    const session = rig.openWindow();
    await session.setDraft('precious');
    await mkdir(join(rig.folder, `${rig.current}.jsonl`));
    await assert.rejects(session.ask('precious', 'm'), /Couldn't save the question/);
    const { draft, turns } = await session.snapshot();
    assert.deepEqual([draft, turns, rig.service.requests], ['precious', [], []]);
  });
});
